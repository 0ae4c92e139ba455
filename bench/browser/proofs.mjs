// Proofs with their witnesses, ours beside snarkjs', in headless Chromium, with one worker and with a worker for each processor:
//   node bench/browser/proofs.mjs CHROMIUM RUNS CIRCUIT...
// Needs snarkjs 0.7.6 and playwright-core in the current folder (npm install snarkjs@0.7.6 playwright-core@1), the modules of
// tools/wasm.sh, and the circuits of tools/circuits.sh in target/circuits.

import { dirname, join } from 'node:path';
import { argv } from 'node:process';

import { require, runInPage } from './page.mjs';

const [executable, runs, ...circuits] = argv.slice(2);
const theirs = join(dirname(require.resolve('snarkjs')), 'snarkjs.min.js');

/** Reports the median times of both libraries, whose proofs take turns; the first round warms up. Verifies each of our proofs. */
async function measure({ runs, circuits }) {
    const { compile, load, moduleName, Pool, verify } = await import('/crates/wasm/js/index.mjs');
    await new Promise((resolve, reject) => {
        const [onload, onerror] = [resolve, reject];
        document.head.append(Object.assign(document.createElement('script'), { src: '/snarkjs.js', onload, onerror }));
    });
    const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
    const time = async (times, call) => {
        const start = performance.now();
        const result = await call();
        times.push(performance.now() - start);
        return result;
    };
    await report(`${moduleName('bn254')}\n\n| circuit | threads | snarkjs, ms | ours, ms | ratio |\n|:---|---:|---:|---:|---:|`);
    for (const name of circuits) {
        const read = async (file) => {
            // The key of `members` is in the repository.
            const folders = ['/target/circuits', '/crates/cli/data'];
            for (const folder of folders) {
                const response = await fetch(`${folder}/${name}/${file}`);
                if (response.ok) return new Uint8Array(await response.arrayBuffer());
            }
            throw new Error(`${name}/${file} is in none of ${folders.join(', ')}`);
        };
        const [zkey, wasm] = [await read('circuit.zkey'), await read('circuit.wasm')];
        const input = JSON.parse(new TextDecoder().decode(await read('input.json')));
        const compiled = await compile(wasm.slice());
        for (const threads of new Set([1, navigator.hardwareConcurrency])) {
            const pool = new Pool(threads);
            const circuit = await load(zkey.slice(), { pool });
            const key = await circuit.verificationKey();
            const prove = () => snarkjs.groth16.fullProve(input, wasm, zkey, undefined, undefined, { singleThread: threads === 1 });
            const [their, our] = [[], []];
            for (let run = 0; run <= runs; run++) {
                await time(their, prove);
                const { proof, publicSignals } = await time(our, () => circuit.fullProve(input, compiled));
                if (!(await verify(key, publicSignals, proof, { pool }))) throw new Error(`${name}: a proof does not hold`);
            }
            const [theirs, ours] = [their, our].map((times) => median(times.slice(1)));
            const cells = [name, threads, theirs.toFixed(0), ours.toFixed(0), (theirs / ours).toFixed(1)];
            await report(`| ${cells.join(' | ')} |`);
            pool.terminate();
        }
    }
}

await runInPage(executable, { '/snarkjs.js': theirs }, measure, { runs: Number(runs), circuits });
