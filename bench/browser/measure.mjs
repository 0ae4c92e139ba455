// Sums over G1 of BN254 or BLS12-381, ours beside ffjavascript's, in any host.

import { moduleName, msm, Pool } from '../../crates/wasm/js/index.mjs';

/** Returns the least time of some calls, in ms, and the last result. */
async function best(repetitions, call) {
    let [least, result] = [Infinity, undefined];
    for (let i = 0; i < repetitions; i++) {
        const start = performance.now();
        result = await call();
        least = Math.min(least, performance.now() - start);
    }
    return [least, result];
}

/**
 * Returns points in Montgomery form, each twice the point before it, and scalars below the order. Short sums of these points differ,
 * as in keys. Sums of multiples in equal steps are often equal or opposite, which takes our engine's exact path.
 */
async function inputs({ G1 }, count) {
    const size = 3 * G1.F.n8;
    const jacobian = new Uint8Array(size * count);
    let point = G1.toJacobian(G1.timesScalar(G1.g, 0x123456789abcdefn));
    for (let i = 0; i < count; i++) {
        jacobian.set(point, size * i);
        point = G1.double(point);
    }
    const scalars = new Uint8Array(32 * count);
    for (let i = 0; i < count; i++) {
        crypto.getRandomValues(scalars.subarray(32 * i, 32 * i + 31));
    }
    return [await G1.batchToAffine(jacobian), scalars];
}

/** Measures sums of 2^size points by some numbers of workers, the least time of each; compares the sums, and logs a line for each. */
export async function measure({ buildBn128, buildBls12381 }, { sizes, threads, repetitions, name }, log) {
    log(moduleName(name));
    for (const workers of threads) {
        const curve = await (name === 'bn254' ? buildBn128 : buildBls12381)(workers === 1);
        const pool = new Pool(workers);
        for (const size of sizes) {
            const [points, scalars] = await inputs(curve, 1 << size);
            const [theirs, expected] = await best(repetitions, () => curve.G1.multiExpAffine(points, scalars));
            const call = () => msm(pool, `${name}.g1`, points, scalars, { montgomery: true });
            const [ours, found] = await best(repetitions, call);
            const affine = curve.G1.toObject(curve.G1.toAffine(expected));
            const integer = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
            const bytes = curve.G1.F.n8;
            const [x, y] = [integer(found.subarray(0, bytes)), integer(found.subarray(bytes))];
            if (affine[0] !== x || affine[1] !== y) throw new Error(`2^${size}: the sums differ`);
            log(
                `2^${size}, threads ${workers}: ffjavascript ${theirs.toFixed(1)} ms, ours ${ours.toFixed(1)} ms, ` +
                    `${(theirs / ours).toFixed(2)}x`,
            );
        }
        pool.terminate();
        await curve.terminate();
    }
}

/** Returns the options in the arguments LOG_SIZES THREADS [REPETITIONS [CURVE]]; CURVE is bn254 or bls12-381. */
export function options([sizes = '14,16', threads = '1,2', repetitions = '5', name = 'bn254']) {
    if (!['bn254', 'bls12-381'].includes(name)) throw new Error(`${name}: expected bn254 or bls12-381`);
    const list = (text) => text.split(',').map(Number);
    return { sizes: list(sizes), threads: list(threads), repetitions: Number(repetitions), name };
}
