// A circuit: its key, and proofs whose sums are split over the pool.

import { sections } from './binfile.mjs';
import { msm } from './pool.mjs';

/** Numbers of the .zkey sections with points. */
const zkeySections = { a: 5, b1: 6, b2: 7, c: 8, h: 9 };

let nextHome = 0;

/** Calculates a witness, as a .wtns, in a worker of the pool. */
export function calculateWitness(pool, inputs, wasm, { signal } = {}) {
    return pool.run((call) => call('witness', [wasm, inputs, {}]), signal);
}

/** A loaded circuit. Its key is in the memory of one worker and of this thread. */
export class Circuit {
    #pool;
    #zkey;
    #home;

    /** Properties from the key: protocol, curve, signals, public, domainSize. */
    info;

    constructor(pool, zkey) {
        this.#pool = pool;
        this.#zkey = zkey;
        this.#home = nextHome++ % pool.size;
    }

    /** Loads a key, and checks everything except its points. */
    static async load(pool, zkey, { signal } = {}) {
        const circuit = new Circuit(pool, zkey);
        circuit.info = await circuit.#call('info', [], { signal });
        return circuit;
    }

    /** Calls the worker that holds the key. A new worker gets the key first. */
    #call(name, args, { signal, ...options } = {}) {
        return this.#pool.run(
            async (call, held) => {
                let id = held.get(this);
                if (id === undefined) {
                    id = await call('call', ['load', this.#zkey]);
                    held.set(this, id);
                }
                return call('call', [name, id, ...args], options);
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
        const values = sections(wtns, 'wtns')(2);
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
                if (id !== undefined) await call('call', ['free', id]);
            },
            undefined,
            this.#home,
        );
    }
}
