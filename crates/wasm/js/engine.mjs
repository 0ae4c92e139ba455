// One instance of a module: calls with bytes in and out. A call blocks its thread, so use it in a worker. A curve has a module for
// sums, a module for proofs, and a module of both parts for threads; an instance has the calls of its module.

import { instantiateFirst } from './shared.mjs';

export const groups = { 'bn254.g1': 0, 'bn254.g2': 1, 'bls12-381.g1': 2, 'bls12-381.g2': 3 };

function number(group) {
    if (!(group in groups)) {
        throw new RangeError(`group ${group} is unknown: expected ${Object.keys(groups).join(', ')}`);
    }
    return groups[group];
}

/** Version of the calls that this package makes. */
const INTERFACE = 2;

export class Engine {
    #exports;

    /**
     * Makes an instance. Throws for a module of another build, whose calls may differ.
     * @param {WebAssembly.Module} module
     * @param {{ memory: WebAssembly.Memory, starts: Int32Array }} [shared] the memory of the threads, if the module has threads
     */
    static async instantiate(module, shared) {
        const refuse = (found) => {
            throw new Error(`the module has ${found}: expected calls of version ${INTERFACE}; take modules and package from one build`);
        };
        const names = WebAssembly.Module.exports(module).map(({ name }) => name);
        if (!names.includes('interface_version')) refuse(names.includes('new_buffer') ? 'calls of version 1' : 'other calls');
        const engine = new Engine();
        const random = (address, length) => {
            const bytes = new Uint8Array(engine.#exports.memory.buffer, address, length);
            // getRandomValues fills at most this number of bytes.
            for (let start = 0; start < length; start += 65536) {
                crypto.getRandomValues(bytes.subarray(start, start + 65536));
            }
        };
        const progress = (done, total) => (engine.onProgress?.(done, total) === false ? 1 : 0);
        engine.#exports = shared
            ? await instantiateFirst(module, shared, progress)
            : (await WebAssembly.instantiate(module, { host: { random, progress } })).exports;
        const version = engine.#exports.interface_version();
        if (version !== INTERFACE) refuse(`calls of version ${version}`);
        if (shared) engine.#check(engine.#call('start_threads', shared.starts.length + 1));
        return engine;
    }

    /**
     * Called with steps done and their estimated total while a call runs; returns false to stop it.
     * @type {((done: number, total: number) => boolean | void) | undefined}
     */
    onProgress;

    /** Code of the instruction set: 6 for relaxed SIMD, 0 for none. */
    get backend() {
        return this.#call('backend');
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
        return this.#withBuffers([points], ([id]) => this.#check(this.#call('new_bases', number(group), id, montgomery)));
    }

    /** Returns the sum of prepared points times scalars of 32 bytes, little-endian: x, then y; zeros for infinity. */
    sum(bases, scalars, { montgomery = false } = {}) {
        return this.#withBuffers([scalars], ([id]) => this.#take(this.#call('sum', bases, id, montgomery)));
    }

    /**
     * Returns the sum of points that are used once, times integers. Points and scalars may come in arrays, one after the other. Faster than {@link prepare} and {@link sum} if some scalars are 0
     * or short.
     */
    sumOnce(group, points, scalars, { montgomery = false } = {}) {
        const ids = this.#buffers([points, scalars]);
        return this.#take(this.#call('sum_once', number(group), ...ids, montgomery));
    }

    /** Returns the sums over both groups of a curve, times the same integers. Takes less time than two calls of {@link sumOnce}. */
    sumPairOnce(curve, g1, g2, scalars, { montgomery = false } = {}) {
        const ids = this.#buffers([g1, g2, scalars]);
        const sums = this.#take(this.#call('sum_pair_once', number(`${curve}.g1`), ...ids, montgomery));
        // A point of G2 has twice the bytes of a point of G1.
        const bytes = sums.length / 3;
        return [sums.subarray(0, bytes), sums.subarray(bytes)];
    }

    /** Loads a circuit from a `.zkey`. Returns its number. */
    load(zkey) {
        return this.loadFrom(this.#buffer(zkey));
    }

    /** Makes a buffer. Returns its number and its bytes, which a thread that shares the memory fills before {@link loadFrom}. */
    makeBuffer(length) {
        const id = this.#check(this.#exports.new_buffer(length));
        return { id, bytes: new Uint8Array(this.#exports.memory.buffer, this.#exports.buffer_address(id), length) };
    }

    /** Loads a circuit from a buffer with a `.zkey`, and frees the buffer. Returns the circuit's number. */
    loadFrom(buffer) {
        return this.#check(this.#call('new_circuit', buffer));
    }

    /** Returns a circuit's key, as it lies in the memory of the instance: valid until the next call. */
    key(circuit) {
        const address = this.#call('key_address', circuit);
        if (address === 0) throw new Error(`object ${circuit} is no circuit`);
        return new Uint8Array(this.#exports.memory.buffer, address, this.#call('key_len', circuit));
    }

    /** Returns the properties of a circuit that its key states. */
    info(circuit) {
        return this.#json(this.#call('circuit_info', circuit));
    }

    /** Returns a circuit's `verification_key.json`. */
    verifyingKey(circuit) {
        return this.#json(this.#call('verifying_key', circuit));
    }

    /** Returns the scalars of the points H, which a proof needs beside the witness, a `.wtns`. */
    quotient(circuit, wtns) {
        return this.#withBuffers([wtns], ([id]) => this.#take(this.#call('quotient', circuit, id)));
    }

    /** Makes a proof with a witness, a `.wtns`, on all threads: a call of modules with threads. */
    prove(circuit, wtns) {
        return this.#withBuffers([wtns], ([id]) => this.#json(this.#call('prove', circuit, id)));
    }

    /** Makes a proof from the sums over A, B in G1, B in G2, C and H, one after the other. */
    proveFrom(circuit, wtns, sums) {
        return this.#withBuffers([wtns, sums], (ids) => this.#json(this.#call('prove_from', circuit, ...ids)));
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
        const number = this.#withBuffers(texts, (ids) => this.#check(this.#call('verify', ...ids)));
        return ['Holds', 'DoesNotHold', 'OutsideOfGroup'][number - 1];
    }

    /** Frees prepared points or a circuit. */
    free(id) {
        this.#exports.free_object(id);
    }

    /** Calls a function of the module. */
    #call(name, ...args) {
        const call = this.#exports[name];
        if (!call) {
            const owner = name === 'prove' ? 'threads' : 'sum' in this.#exports ? 'proofs' : 'sums';
            throw new Error(`the module has no call ${name}: it belongs to the ${owner} of its curve`);
        }
        return call(...args);
    }

    #withBuffers(list, work) {
        const ids = this.#buffers(list);
        try {
            return work(ids);
        } finally {
            for (const id of ids) this.free(id);
        }
    }

    #buffers(list) {
        const ids = [];
        try {
            for (const bytes of list) ids.push(this.#buffer(bytes));
            return ids;
        } catch (error) {
            for (const id of ids) this.free(id);
            throw error;
        }
    }

    /** Makes a buffer of bytes, or of arrays of bytes, one after the other. */
    #buffer(bytes) {
        const arrays = [bytes].flat();
        const id = this.#check(this.#exports.new_buffer(arrays.reduce((length, array) => length + array.length, 0)));
        let offset = this.#exports.buffer_address(id);
        const memory = new Uint8Array(this.#exports.memory.buffer);
        for (const array of arrays) {
            memory.set(array, offset);
            offset += array.length;
        }
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
