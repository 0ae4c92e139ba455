// A worker with its own instances of the modules that it needs: answers calls of pool.mjs, one after the other.

import { Engine } from './engine.mjs';
import { Terms } from './terms.mjs';

const isNode = typeof process === 'object' && process.versions?.node !== undefined;
const port = isNode ? (await import('node:worker_threads')).parentPort : globalThis;

/** Instances by the curve and the part of their module. */
const engines = new Map();
let onProgress;

/** Sums over points of one group or of both groups of a curve. */
function sums(engine, curve, groups, points, scalars, montgomery) {
    if (groups.length === 2) return engine.sumPairOnce(curve, ...points, scalars, { montgomery });
    return [engine.sumOnce(`${curve}.${groups[0]}`, points[0], scalars, { montgomery })];
}

const calls = {
    /** Makes an instance for some parts of a curve. */
    async start(curve, parts, module, shared) {
        const engine = await Engine.instantiate(module, shared);
        engine.onProgress = (done, total) => onProgress?.(done, total);
        for (const part of parts) engines.set(`${curve}.${part}`, engine);
    },
    ready() {},
    /** Returns the sum over points of one group, or the sums over points of both groups of a curve. */
    sums: (curve, ...args) => sums(engines.get(`${curve}.sums`), curve, ...args),
    /** Makes a proof in this worker alone, or in this worker and its threads. */
    prove(curve, circuit, wtns) {
        const [proofs, summing] = ['proofs', 'sums'].map((part) => engines.get(`${curve}.${part}`));
        const report = onProgress;
        // One instance of both parts has threads.
        if (proofs === summing) {
            let steps = 1;
            onProgress = report && ((done, total) => report(done, (steps = total)));
            const proof = proofs.prove(circuit, wtns);
            // The last step may be another thread's.
            report?.(steps, steps);
            return proof;
        }
        // The quotient's own steps are not steps of this proof.
        onProgress = undefined;
        const quotient = proofs.quotient(circuit, wtns);
        // The proofs' memory, and the key in it, stay in place while the other instance sums.
        const terms = new Terms(proofs.key(circuit), wtns, proofs.info(circuit));
        let [step, last] = [1, 0];
        // Percent of each step. The total of a step is an estimate.
        const tell = (percent) => {
            last = Math.max(last, 100 * step + Math.min(100, Math.round(percent)));
            report(last, 100 * terms.steps);
        };
        onProgress = report && ((done, total) => tell((100 * done) / total));
        const during = (work) => {
            const result = work();
            if (report) tell(100);
            step += 1;
            return result;
        };
        const list = [...terms.first(), terms.last(quotient)].map(({ points, scalars }) =>
            during(() => sums(summing, curve, Object.keys(points), Object.values(points), scalars, true)),
        );
        return during(() => proofs.proveFrom(circuit, wtns, terms.join(list)));
    },
    /** Calls an instance of the module of proofs. */
    proofs: (curve, name, ...args) => engines.get(`${curve}.proofs`)[name](...args),
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
