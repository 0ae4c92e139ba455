// A worker with its own instance for each curve: answers calls of pool.mjs, one after the other.

import { Engine } from './engine.mjs';

const isNode = typeof process === 'object' && process.versions?.node !== undefined;
const port = isNode ? (await import('node:worker_threads')).parentPort : globalThis;

const engines = new Map();
let onProgress;

const calls = {
    async start(curve, module) {
        const engine = await Engine.instantiate(module);
        engine.onProgress = (done, total) => onProgress?.(done, total);
        engines.set(curve, engine);
    },
    ready() {},
    /** Returns a sum over points that are used once. */
    sum(group, points, scalars, montgomery) {
        const engine = engines.get(group.split('.')[0]);
        const bases = engine.prepare(group, points, { montgomery });
        try {
            return engine.sum(bases, scalars);
        } finally {
            engine.free(bases);
        }
    },
    call: (curve, name, ...args) => engines.get(curve)[name](...args),
    /** Calculates a witness, as a .wtns: this worker's engine runs circom's WebAssembly. */
    async witness(wasm, inputs, options) {
        const { calculateWitness, encodeWtns } = await import('./witness.mjs');
        return encodeWtns(await calculateWitness(wasm, inputs, options));
    },
};

async function answer({ id, name, args, wantsProgress }) {
    let last = 0;
    onProgress = wantsProgress
        ? (done, total) => {
              const now = performance.now();
              if (now - last < 50 && done < total) return;
              last = now;
              port.postMessage({ id, progress: [done, total] });
          }
        : undefined;
    try {
        port.postMessage({ id, result: await calls[name](...args) });
    } catch (error) {
        // A trap leaves the instance in an unknown state, so the pool starts another worker.
        const trapped = error instanceof WebAssembly.RuntimeError;
        port.postMessage({ id, error: { message: error.message, trapped } });
    }
}

let tail = Promise.resolve();
const receive = (message) => {
    tail = tail.then(() => answer(message));
};
if (isNode) port.on('message', receive);
else port.onmessage = (event) => receive(event.data);
