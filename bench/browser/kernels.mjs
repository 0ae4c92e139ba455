// Products and squares of coordinates, and affine additions without their inversion, over 254 and 381 bits, in ns:
//   tools/wasm.sh kernels && node bench/browser/kernels.mjs
// ffjavascript's products over BN254 run beside them if ffjavascript 0.3.1 is in the current folder.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cwd, version } from 'node:process';
import { pathToFileURL } from 'node:url';

import { hasFusedMadd } from '../../crates/wasm/js/detect.mjs';

const ROUNDS = 40;
const kernels = { product: 0, square: 1, addition: 2 };
// Additions of one batch, and of a batch that is twice as long: both have one inversion.
const BATCH = 512;

/** Returns the least ns of a call over some rounds; the first round warms up. */
function least(call) {
    let best = Infinity;
    for (let round = 0; round <= ROUNDS; round++) {
        const start = performance.now();
        call();
        if (round > 0) best = Math.min(best, 1e6 * (performance.now() - start));
    }
    return best;
}

/** Returns the ns of a kernel's runs, and the number of results of a run. */
function time({ prepare, run }, kernel, bits, len, runs) {
    const results = prepare(kernels[kernel], bits, len);
    return [least(() => run(runs)) / runs, results];
}

function kernel(exports, name, bits) {
    if (name !== 'addition') {
        const [ns, results] = time(exports, name, bits, 0, 50_000);
        return ns / results;
    }
    const [one, two] = [BATCH, 2 * BATCH].map((len) => time(exports, name, bits, len, 200)[0]);
    return (two - one) / BATCH;
}

/** Returns the ns of a product of ffjavascript's, or nothing without ffjavascript. */
async function theirs() {
    let path;
    try {
        path = createRequire(pathToFileURL(`${cwd()}/`)).resolve('ffjavascript');
    } catch {
        return undefined;
    }
    const { buildBn128 } = await import(pathToFileURL(path));
    const { tm } = await buildBn128(true);
    const exports = tm.instance.exports;
    const [a, count] = [tm.alloc(32 * 1000), 1000];
    new Uint8Array(tm.memory.buffer, a, 32 * count).forEach((_, i, bytes) => (bytes[i] = i % 32 === 31 ? 1 : i * 37));
    const products = () => {
        for (let round = 0; round < 100; round++) {
            for (let i = 0; i < count; i++) exports.f1m_mul(a + 32 * i, a, a + 32 * i);
        }
    };
    return least(products) / (100 * count);
}

const names = hasFusedMadd() ? ['relaxed', 'plain'] : ['plain'];
console.log(`Node ${version}; ns, the least of ${ROUNDS}\n`);
console.log('| module | bits | product | square | addition |\n|:---|---:|---:|---:|---:|');
for (const name of names) {
    const module = await WebAssembly.compile(await readFile(new URL(`../../target/wasm-kernels/${name}.wasm`, import.meta.url)));
    for (const bits of [254, 381]) {
        const imports = { host: { random: () => {}, progress: () => 0 } };
        const { exports } = await WebAssembly.instantiate(module, imports);
        const cells = Object.keys(kernels).map((kind) => kernel(exports, kind, bits).toFixed(1));
        console.log(`| ${[name, bits, ...cells].join(' | ')} |`);
    }
}
const their = await theirs();
if (their !== undefined) console.log(`| ffjavascript | 254 | ${their.toFixed(1)} | | |`);
