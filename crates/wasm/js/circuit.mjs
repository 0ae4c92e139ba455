// A circuit: its key, and proofs whose sums are split over the pool.

import { curveOf, sections } from './binfile.mjs';
import { msm } from './pool.mjs';

/** Numbers of the .zkey sections with points. */
const zkeySections = { a: 5, b1: 6, b2: 7, c: 8, h: 9 };

let nextHome = 0;

/** The most bytes of a WebAssembly's memory. */
const addressSpace = 2 ** 32;

/**
 * Throws if the worker that holds a key of some bytes would exceed its memory. With a key of 124 MB, it takes 2.5 times the key's size
 * to prove alone, and 1.5 times in a larger pool, where the sums are split.
 */
export function checkMemory(bytes, workers, memory = addressSpace) {
    const needed = Math.ceil(bytes * (workers === 1 ? 3 : 2));
    const most = Math.min(memory, addressSpace);
    if (needed > most) {
        throw new RangeError(
            `the key has ${bytes} bytes: a worker takes some ${needed} bytes to prove with it, and may take ${most}` +
                (workers === 1 ? '; a pool of two workers or more takes less' : ''),
        );
    }
}

/** Calculates a witness, as a .wtns, in a worker of the pool. */
export function calculateWitness(pool, inputs, wasm, { signal } = {}) {
    return pool.run((call) => call('witness', [wasm, inputs, {}]), signal);
}

/** A loaded circuit. Its key is in the memory of one worker and of this thread. */
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
    #call(name, args, { signal, ...options } = {}) {
        const curve = this.#curve;
        return this.#pool.run(
            async (call, held) => {
                let id = held.get(this);
                if (id === undefined) {
                    id = await call('call', [curve, 'load', this.#zkey], { curve });
                    held.set(this, id);
                }
                return call('call', [curve, name, id, ...args], { curve, ...options });
            },
            signal,
            this.#home,
        );
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
        if (this.#pool.size === 1) return staged('proof', this.#call('prove', [wtns], { signal, onProgress }));
        const key = sections(this.#zkey, 'zkey');
        const witness = sections(wtns, 'wtns');
        const values = witness(2);
        // Both headers state the scalars' prime behind its length; a key's header has the coordinates' prime before.
        const coordinate = this.info.curve === 'bn254' ? 32 : 48;
        const prime = key(2).subarray(4 + coordinate, 4 + coordinate + 36);
        if (!prime.every((byte, i) => byte === witness(1)[i])) {
            throw new Error(`the witness is over another field than the curve ${this.info.curve}: was it made for another circuit?`);
        }
        if (values.length !== 32 * this.info.signals) {
            throw new Error(
                `the witness has ${values.length / 32} values, but the circuit has ${this.info.signals} signals: was it made for another circuit?`,
            );
        }
        const [g1, g2] = [`${this.info.curve}.g1`, `${this.info.curve}.g2`];
        const total = 7;
        let done = 0;
        const step = async (name, work) => {
            const result = await staged(name, work);
            done += 1;
            onProgress?.(done, total);
            return result;
        };
        const sum = (name, group, scalars, parts) => {
            const options = { montgomery: true, parts, signal };
            return step(`sum ${name}`, msm(this.#pool, group, key(zkeySections[name]), scalars, options));
        };
        const some = Math.ceil(this.#pool.size / 2);
        // The home worker starts with the quotient, the others with the longest sum.
        const h = step('quotient', this.#call('quotient', [wtns], { signal })).then((quotient) =>
            sum('h', g1, quotient, this.#pool.size),
        );
        const b2 = sum('b2', g2, values, this.#pool.size);
        const sums = await Promise.all([
            sum('a', g1, values, some),
            sum('b1', g1, values, some),
            b2,
            sum('c', g1, values.subarray(32 * (this.info.public + 1)), some),
            h,
        ]);
        const joined = new Uint8Array(sums.reduce((length, bytes) => length + bytes.length, 0));
        let offset = 0;
        for (const bytes of sums) {
            joined.set(bytes, offset);
            offset += bytes.length;
        }
        return step('blinding', this.#call('proveFrom', [wtns, joined], { signal }));
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
                if (id !== undefined) await call('call', [this.#curve, 'free', id]);
            },
            undefined,
            this.#home,
        );
    }
}
