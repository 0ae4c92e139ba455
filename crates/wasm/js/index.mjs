// Groth16 proofs and sums over curves, in browsers and in Node without native code.

import { Circuit, calculateWitness as calculateIn, checkMemory } from './circuit.mjs';
import { Pool } from './pool.mjs';
import { readBytes } from './source.mjs';

export { Circuit } from './circuit.mjs';
export { hasFusedMadd, moduleName } from './detect.mjs';
export { Engine, groups } from './engine.mjs';
export { msm, Pool } from './pool.mjs';
export { SharedMemoryError } from './shared.mjs';
export { forget } from './source.mjs';

let standard;

/** The pool of calls that name no pool: a worker for each processor, at most eight. */
export function defaultPool() {
    standard ??= new Pool(Math.min(8, globalThis.navigator?.hardwareConcurrency ?? 1));
    return standard;
}

/** @typedef {Uint8Array | ArrayBuffer | string | URL} Source bytes, or where to fetch them */

/**
 * Loads a circuit from its `.zkey`. Throws a RangeError before the download if a worker of 4 GB cannot hold the key and a proof.
 * @param {Source | Source[]} zkey the file, or its parts in their order
 * @param {object} [options]
 * @param {Pool} [options.pool]
 * @param {AbortSignal} [options.signal]
 * @param {(bytes: number, total?: number) => void} [options.onProgress]
 * @param {boolean} [options.keep] true to keep the files in the browser's Cache Storage until {@link forget} deletes them
 * @param {number} [options.memory] the most bytes that a worker may take, if that is less than 4 GB
 */
export async function load(zkey, { pool = defaultPool(), signal, onProgress, keep, memory } = {}) {
    const check = (length) => checkMemory(length, pool, memory);
    return Circuit.load(pool, await readBytes(zkey, { signal, onProgress, keep, check }), { signal });
}

/**
 * Compiles a circuit's WebAssembly, circom's, which any number of witnesses use.
 * @param {Source | Source[]} wasm
 * @param {{ signal?: AbortSignal, onProgress?: (bytes: number, total?: number) => void, keep?: boolean }} [options] as of {@link load}
 */
export async function compile(wasm, options) {
    return WebAssembly.compile(await readBytes(wasm, options));
}

/**
 * Calculates a witness, as a `.wtns`.
 * @param {object} inputs a value for each input signal: numbers, bigints, decimal or hexadecimal strings, nested arrays
 * @param {WebAssembly.Module} wasm of {@link compile}
 */
export function calculateWitness(inputs, wasm, { pool = defaultPool(), signal } = {}) {
    return calculateIn(pool, inputs, wasm, { signal });
}

/**
 * True if a proof holds. Throws for texts that cannot be read.
 * @param {object} verificationKey a verification_key.json
 * @param {string[]} publicSignals
 * @param {object} proof
 */
export async function verify(verificationKey, publicSignals, proof, options) {
    return (await verdict(verificationKey, publicSignals, proof, options)) === 'Holds';
}

/**
 * Returns why a proof does not hold, or that it does. Takes the arguments of {@link verify}.
 * @returns {Promise<'Holds' | 'DoesNotHold' | 'OutsideOfGroup'>} the last one for a point of the proof that is not in its group
 */
export function verdict(verificationKey, publicSignals, proof, { pool = defaultPool(), signal } = {}) {
    // Names of curves are snarkjs', in any case and with any signs between.
    const curve = /^bls/i.test(verificationKey?.curve) ? 'bls12-381' : 'bn254';
    const args = [curve, 'verdict', verificationKey, publicSignals, proof];
    return pool.run((call) => call('proofs', args, { curve, parts: ['proofs'] }), signal);
}
