// Sums over BN254 G1, ours beside ffjavascript's, in Node: node bench/browser/sums.mjs LOG_SIZES THREADS [REPETITIONS]
// Needs ffjavascript 0.3.1 (npm install ffjavascript@0.3.1 beside this folder, or NODE_PATH) and the modules of tools/wasm.sh.

import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { argv, exit, version } from 'node:process';
import { pathToFileURL } from 'node:url';

import { moduleName, msm, Pool } from '../../crates/wasm/js/index.mjs';

const [sizes = '14,16', threads = '1,2', repetitions = '5'] = argv.slice(2);
const require = createRequire(pathToFileURL(`${process.cwd()}/`));
const { buildBn128 } = await import(pathToFileURL(require.resolve('ffjavascript')));

/** Returns the least time of some calls, in ms, and the last result. */
async function best(call) {
    let [least, result] = [Infinity, undefined];
    for (let i = 0; i < Number(repetitions); i++) {
        const start = performance.now();
        result = await call();
        least = Math.min(least, performance.now() - start);
    }
    return [least, result];
}

/** Returns distinct points in Montgomery form, and scalars below the order. */
async function inputs({ G1, Fr }, count) {
    const step = G1.toAffine(G1.timesScalar(G1.g, 0xfedcba987654321n));
    const jacobian = new Uint8Array(96 * count);
    let point = G1.toJacobian(G1.timesScalar(G1.g, 0x123456789abcdefn));
    for (let i = 0; i < count; i++) {
        jacobian.set(point, 96 * i);
        point = G1.add(point, step);
    }
    const scalars = new Uint8Array(32 * count);
    for (let i = 0; i < count; i++) {
        scalars.set(randomBytes(31), 32 * i);
    }
    return [await G1.batchToAffine(jacobian), scalars];
}

console.log(`Node ${version}, ${moduleName()}`);
for (const workers of threads.split(',').map(Number)) {
    const curve = await buildBn128(workers === 1);
    const pool = new Pool(workers);
    for (const size of sizes.split(',').map(Number)) {
        const [points, scalars] = await inputs(curve, 1 << size);
        const [theirs, expected] = await best(() => curve.G1.multiExpAffine(points, scalars));
        const [ours, found] = await best(() => msm(pool, 'bn254.g1', points, scalars, { montgomery: true }));
        const affine = curve.G1.toObject(curve.G1.toAffine(expected));
        const integer = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
        const [x, y] = [integer(found.subarray(0, 32)), integer(found.subarray(32))];
        if (affine[0] !== x || affine[1] !== y) throw new Error(`2^${size}: the sums differ`);
        console.log(
            `2^${size}, threads ${workers}: ffjavascript ${theirs.toFixed(1)} ms, ours ${ours.toFixed(1)} ms, ` +
                `${(theirs / ours).toFixed(2)}x`,
        );
    }
    pool.terminate();
    await curve.terminate();
}
exit(0);
