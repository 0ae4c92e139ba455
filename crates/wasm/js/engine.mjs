// One instance of the module: calls with bytes in and out. A call blocks its thread, so use it in a worker.

export const groups = { 'bn254.g1': 0, 'bn254.g2': 1, 'bls12-381.g1': 2, 'bls12-381.g2': 3 };

export class Engine {
    #exports;

    /** @param {WebAssembly.Module} module */
    static async instantiate(module) {
        const engine = new Engine();
        const host = {
            random: (address, length) => {
                const bytes = new Uint8Array(engine.#exports.memory.buffer, address, length);
                // getRandomValues fills at most this number of bytes.
                for (let start = 0; start < length; start += 65536) {
                    crypto.getRandomValues(bytes.subarray(start, start + 65536));
                }
            },
            progress: (done, total) => (engine.onProgress?.(done, total) === false ? 1 : 0),
        };
        engine.#exports = (await WebAssembly.instantiate(module, { host })).exports;
        return engine;
    }

    /**
     * Called with steps done and their estimated total while a call runs; returns false to stop it.
     * @type {((done: number, total: number) => boolean | void) | undefined}
     */
    onProgress;

    /** Code of the instruction set: 6 for relaxed SIMD, 0 for none. */
    get backend() {
        return this.#exports.backend();
    }

    /** Returns the bytes of memory that the instance has taken. */
    get memoryBytes() {
        return this.#exports.memory.buffer.byteLength;
    }

    /**
     * Prepares points: x, then y, little-endian; infinity as zeros. Returns their number for {@link sum} and {@link free}.
     * @param {keyof typeof groups} group
     */
    prepare(group, points, { montgomery = false } = {}) {
        if (!(group in groups)) {
            throw new RangeError(`group ${group} is unknown: expected ${Object.keys(groups).join(', ')}`);
        }
        return this.#withBuffers([points], ([id]) => this.#check(this.#exports.new_bases(groups[group], id, montgomery)));
    }

    /** Returns the sum of prepared points times scalars of 32 bytes, little-endian: x, then y; zeros for infinity. */
    sum(bases, scalars, { montgomery = false } = {}) {
        return this.#withBuffers([scalars], ([id]) => this.#take(this.#exports.sum(bases, id, montgomery)));
    }

    /** Loads a circuit from a `.zkey`. Returns its number. */
    load(zkey) {
        return this.#check(this.#exports.new_circuit(this.#buffer(zkey)));
    }

    /** Returns the properties of a circuit that its key states. */
    info(circuit) {
        return this.#json(this.#exports.circuit_info(circuit));
    }

    /** Returns a circuit's `verification_key.json`. */
    verifyingKey(circuit) {
        return this.#json(this.#exports.verifying_key(circuit));
    }

    /** Makes a proof with a witness, a `.wtns`. */
    prove(circuit, wtns) {
        return this.#withBuffers([wtns], ([id]) => this.#json(this.#exports.prove(circuit, id)));
    }

    /** Returns the scalars of the points H, which a proof needs beside the witness. */
    quotient(circuit, wtns) {
        return this.#withBuffers([wtns], ([id]) => this.#take(this.#exports.quotient(circuit, id)));
    }

    /** Makes a proof from the sums over A, B in G1, B in G2, C and H, one after the other. */
    proveFrom(circuit, wtns, sums) {
        return this.#withBuffers([wtns, sums], (ids) => this.#json(this.#exports.prove_from(circuit, ...ids)));
    }

    /** Returns true if a proof holds. Throws for texts that cannot be read. */
    verify(verifyingKey, publicSignals, proof) {
        return this.verdict(verifyingKey, publicSignals, proof) === 'Holds';
    }

    /**
     * Why a proof does not hold, or that it does. Throws for texts that cannot be read.
     * @returns {'Holds' | 'DoesNotHold' | 'OutsideOfGroup'} the last one for a point of the proof that is not in its group
     */
    verdict(verifyingKey, publicSignals, proof) {
        const texts = [verifyingKey, publicSignals, proof].map((value) => new TextEncoder().encode(JSON.stringify(value)));
        const number = this.#withBuffers(texts, (ids) => this.#check(this.#exports.verify(...ids)));
        return ['Holds', 'DoesNotHold', 'OutsideOfGroup'][number - 1];
    }

    /** Frees prepared points or a circuit. */
    free(id) {
        this.#exports.free_object(id);
    }

    #withBuffers(list, work) {
        const ids = [];
        try {
            for (const bytes of list) ids.push(this.#buffer(bytes));
            return work(ids);
        } finally {
            for (const id of ids) this.free(id);
        }
    }

    #buffer(bytes) {
        const id = this.#check(this.#exports.new_buffer(bytes.length));
        const address = this.#exports.buffer_address(id);
        new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
        return id;
    }

    #take(id) {
        this.#check(id);
        const { memory, buffer_address, buffer_len } = this.#exports;
        const bytes = new Uint8Array(memory.buffer, buffer_address(id), buffer_len(id)).slice();
        this.free(id);
        return bytes;
    }

    #json(id) {
        return JSON.parse(new TextDecoder().decode(this.#take(id)));
    }

    #check(result) {
        if (result !== 0) return result;
        const id = this.#exports.take_error();
        throw new Error(id ? new TextDecoder().decode(this.#take(id)) : 'the engine has failed without a message');
    }
}
