// Time and memory of proofs in Node with 1, 2 and 4 workers, whose memories are separate or one:
//   node bench/browser/shared.mjs RUNS CIRCUIT...
// Needs the modules of tools/wasm.sh, and the circuits of tools/circuits.sh --keys in target/circuits. Each row is a process of its
// own. Times are medians; resident memory is the process' after the last proof, and the most of its life.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { argv, execPath, exit, memoryUsage, resourceUsage, version } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { load, Pool, verify } from '../../crates/wasm/js/index.mjs';

const root = new URL('../../', import.meta.url);
const kinds = { separate: {}, shared: { shared: true } };

function read(name, file) {
    // The key of `members` is in the repository.
    const paths = ['target/circuits', 'crates/cli/data'].map((folder) => new URL(`${folder}/${name}/${file}`, root));
    const path = paths.find((path) => existsSync(path));
    if (!path) throw new Error(`${paths.map(fileURLToPath).join(' and ')} are missing: tools/circuits.sh --keys makes the first`);
    return readFileSync(path);
}

/** Returns the cells of a row. */
async function measure(name, workers, kind, runs) {
    const pool = new Pool(workers, kinds[kind]);
    const from = performance.now();
    const circuit = await load(read(name, 'circuit.zkey'), { pool });
    const loaded = performance.now() - from;
    const wtns = read(name, 'witness.wtns');
    const key = await circuit.verificationKey();
    const times = [];
    // The first proof warms up.
    for (let run = 0; run <= runs; run++) {
        const start = performance.now();
        const { proof, publicSignals } = await circuit.prove(wtns);
        if (run > 0) times.push(performance.now() - start);
        if (!(await verify(key, publicSignals, proof, { pool }))) throw new Error(`${name}: a proof does not hold`);
    }
    // Collects in this thread; garbage of the workers stays.
    gc();
    await setTimeout(100);
    const median = times.sort((a, b) => a - b)[times.length >> 1];
    return [loaded, median, memoryUsage.rss() / 2 ** 20, resourceUsage().maxRSS / 2 ** 10].map((cell) => cell.toFixed(0));
}

if (argv[2] === '--row') {
    const [name, workers, kind, runs] = argv.slice(3);
    console.log([name, workers, kind, ...(await measure(name, Number(workers), kind, Number(runs)))].join(' | '));
    exit();
}
const [runs, ...circuits] = argv.slice(2);
console.log(`Node ${version}, medians of ${runs}\n`);
console.log('| circuit | workers | memory | load, ms | proof, ms | resident, MiB | most, MiB |\n|:---|---:|:---|---:|---:|---:|---:|');
for (const name of circuits) {
    for (const workers of [1, 2, 4]) {
        for (const kind of Object.keys(kinds)) {
            const args = ['--expose-gc', fileURLToPath(import.meta.url), '--row', name, workers, kind, runs];
            console.log(`| ${execFileSync(execPath, args, { encoding: 'utf8' }).trim()} |`);
        }
    }
}
