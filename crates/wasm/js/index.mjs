// Groth16 proofs and sums over curves, in browsers and in Node without native code.

import { readBytes } from './binfile.mjs';
import { Circuit, calculateWitness as calculateIn } from './circuit.mjs';
import { Pool } from './pool.mjs';

export { Circuit } from './circuit.mjs';
export { hasFusedMadd, moduleName } from './detect.mjs';
export { Engine, groups } from './engine.mjs';
export { msm, Pool } from './pool.mjs';

let shared;

/** The pool of calls that name no pool: a worker for each processor, at most eight. */
export function defaultPool() {
    shared ??= new Pool(Math.min(8, globalThis.navigator?.hardwareConcurrency ?? 1));
    return shared;
}

/**
 * Loads a circuit from its `.zkey`.
 * @param {Uint8Array | ArrayBuffer | string | URL} zkey bytes, or where to fetch them
 * @param {{ pool?: Pool, signal?: AbortSignal, onProgress?: (bytes: number, total?: number) => void }} [options]
 */
export async function load(zkey, { pool = defaultPool(), signal, onProgress } = {}) {
    return Circuit.load(pool, await readBytes(zkey, { signal, onProgress }), { signal });
}

/**
 * Compiles a circuit's WebAssembly, circom's, which any number of witnesses use.
 * @param {Uint8Array | ArrayBuffer | string | URL} wasm bytes, or where to fetch them
 * @param {{ signal?: AbortSignal, onProgress?: (bytes: number, total?: number) => void }} [options]
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
export function verify(verificationKey, publicSignals, proof, { pool = defaultPool(), signal } = {}) {
    return pool.run((call) => call('call', ['verify', verificationKey, publicSignals, proof]), signal);
}
