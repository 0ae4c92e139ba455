// A circuit: its key, and proofs whose sums are split over the pool.

import { curveOf } from './binfile.mjs';
import { sums } from './pool.mjs';
import { Terms } from './terms.mjs';

let nextHome = 0;

/** The most bytes of a WebAssembly's memory. */
const addressSpace = 2 ** 32;

/**
 * Throws if a memory would exceed its bound while its worker proves with a key of some bytes. With a key of 124 MB, it took 2.5 times
 * the key's size to prove alone, in one memory for proofs and sums, and 1.5 times in a larger pool, where the sums are split. Two
 * memories take no more each. A memory that eight workers shared took 3.9 times the size.
 */
export function checkMemory(bytes, { size, isShared }, memory = addressSpace) {
    const [factor, advice] = isShared
        ? [4, '; workers without a shared memory take less each']
        : size === 1
          ? [3, '; a pool of two workers or more takes less']
          : [2, ''];
    const needed = factor * bytes;
    const most = Math.min(memory, addressSpace);
    if (needed > most) {
        throw new RangeError(
            `the key has ${bytes} bytes: a worker takes some ${needed} bytes to prove with it, and may take ${most}${advice}`,
        );
    }
}

/** Calculates a witness, as a .wtns, in a worker of the pool. */
export function calculateWitness(pool, inputs, wasm, { signal } = {}) {
    return pool.run((call) => call('witness', [wasm, inputs, {}]), signal);
}

/** A loaded circuit. Its key is in the memory of one worker and of this thread, or in the memory that all workers share. */
export class Circuit {
    #pool;
    #zkey;
    #home;
    #curve;

    /** Properties from the key: protocol, curve, signals, public, domainSize. */
    info;

    constructor(pool, zkey) {
        this.#pool = pool;
        this.#zkey = zkey;
        this.#curve = curveOf(zkey);
        this.#home = nextHome++ % pool.size;
    }

    /** Loads a key, and checks everything except its points. */
    static async load(pool, zkey, { signal } = {}) {
        const circuit = new Circuit(pool, zkey);
        // Starts the other workers meanwhile. If one cannot start, the call that needs it says so.
        pool.start(circuit.#curve).catch(() => {});
        circuit.info = await circuit.#call('info', [], { signal });
        return circuit;
    }

    /** Calls the worker that holds the key. A new worker gets the key first. */
    #call(name, args, options) {
        return this.#atHome((call, id) => call('proofs', [this.#curve, name, id, ...args], { curve: this.#curve, parts: ['proofs'] }), options);
    }

    /** Runs a task in the worker that holds the key, with the circuit's number. */
    #atHome(task, { signal } = {}) {
        return this.#pool.run(
            async (call, held) => {
                if (!held.has(this)) held.set(this, await this.#loadIn(call));
                return task(call, held.get(this));
            },
            signal,
            this.#home,
        );
    }

    /** Loads the key in a worker. Returns the circuit's number. */
    async #loadIn(call) {
        const curve = this.#curve;
        const callProofs = (...args) => call('proofs', [curve, ...args], { curve, parts: ['proofs'] });
        if (!this.#pool.isShared) return callProofs('load', this.#zkey);
        const { id, bytes } = await callProofs('makeBuffer', this.#zkey.length);
        bytes.set(this.#zkey);
        const circuit = await callProofs('loadFrom', id);
        // This thread needs no other bytes, also after the end of the workers.
        this.#zkey = await callProofs('key', circuit);
        return circuit;
    }

    /** Returns the key's verification_key.json. */
    verificationKey() {
        return this.#call('verifyingKey', []);
    }

    /**
     * Proves with a witness, a .wtns. Reports parts done of their number, and the times of stages in ms.
     * @returns {Promise<{ proof: object, publicSignals: string[] }>}
     */
    async prove(wtns, { signal, onProgress, onStage } = {}) {
        const start = performance.now();
        const staged = async (name, work) => {
            const from = performance.now() - start;
            const result = await work;
            onStage?.({ name, from, to: performance.now() - start });
            return result;
        };
        const curve = this.#curve;
        if (this.#pool.size === 1) {
            const options = { curve, parts: ['proofs', 'sums'], onProgress };
            return staged('proof', this.#atHome((call, id) => call('prove', [curve, id, wtns], options), { signal }));
        }
        const terms = new Terms(this.#zkey, wtns, this.info);
        // Percent of each step.
        const percents = new Map();
        const report = (name, fraction) => {
            percents.set(name, Math.round(100 * fraction));
            onProgress?.([...percents.values()].reduce((done, percent) => done + percent), 100 * terms.steps);
        };
        const step = async (name, work) => {
            const result = await staged(name, work);
            report(name, 1);
            return result;
        };
        const sum = ({ group, points, scalars, isLong }) => {
            const name = `sum ${group}`;
            const parts = isLong ? this.#pool.size : Math.ceil(this.#pool.size / 2);
            const options = { montgomery: true, parts, signal, onProgress: onProgress && ((fraction) => report(name, fraction)) };
            return step(name, sums(this.#pool, curve, points, scalars, options));
        };
        // The home worker starts with the quotient, the others with the longest sum.
        const quotient = step('quotient', this.#call('quotient', [wtns], { signal }));
        const found = await Promise.all([...terms.first().map(sum), quotient.then((quotient) => sum(terms.last(quotient)))]);
        return step('blinding', this.#call('proveFrom', [wtns, terms.join(found)], { signal }));
    }

    /**
     * Calculates the witness of some inputs with circom's WebAssembly, compiled, and proves.
     * @param {object} inputs a value for each input signal
     * @param {WebAssembly.Module} wasm
     */
    async fullProve(inputs, wasm, options = {}) {
        return this.prove(await calculateWitness(this.#pool, inputs, wasm, options), options);
    }

    /** Frees the key in its worker. */
    free() {
        return this.#pool.run(
            async (call, held) => {
                const id = held.get(this);
                held.delete(this);
                if (id !== undefined) await call('proofs', [this.#curve, 'free', id]);
            },
            undefined,
            this.#home,
        );
    }
}
