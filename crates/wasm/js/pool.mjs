// Workers, each with its own instance and memory. They share no memory, so pages need no special headers. As an option, all workers
// share one memory, and are threads of one instance's pool.

import { moduleName } from './detect.mjs';
import { checkSharing, makeMemory } from './shared.mjs';

const isNode = typeof process === 'object' && process.versions?.node !== undefined;
const NodeWorker = isNode ? (await import('node:worker_threads')).Worker : undefined;

/** Starts a worker, with a browser's interface. */
function spawn(url) {
    if (!isNode) return new Worker(url, { type: 'module' });
    // Leaves out the options of this program, because some of them refuse a module.
    const worker = new NodeWorker(url, { execArgv: [] });
    return {
        postMessage: (message, transfer) => worker.postMessage(message, transfer),
        terminate: () => worker.terminate(),
        ref: () => worker.ref(),
        unref: () => worker.unref(),
        set onmessage(listener) {
            worker.on('message', (data) => listener({ data }));
        },
        set onerror(listener) {
            worker.on('error', listener);
            worker.on('exit', (code) => listener(`it has ended with code ${code}`));
        },
    };
}

/** Reads the module of a curve's part and compiles it. */
async function readModule(curve, part) {
    const url = new URL(moduleName(curve, part), import.meta.url);
    const bytes = await (isNode ? readFile(url) : fetchFile(url));
    return WebAssembly.compile(bytes).catch((error) => {
        throw new Error(`${url} cannot be compiled: ${error.message}`, { cause: error });
    });
}

async function readFile(url) {
    const { readFile } = await import('node:fs/promises');
    return readFile(url).catch((error) => {
        throw new Error(`${url} cannot be read, tools/wasm.sh builds it: ${error.message}`, { cause: error });
    });
}

async function fetchFile(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
}

const compiled = new Map();

/** Returns the module of a curve's part, which is compiled once and handed to all workers. */
function getModule(curve, part) {
    const name = `${curve}.${part}`;
    if (!compiled.has(name)) {
        const module = readModule(curve, part).catch((error) => {
            compiled.delete(name);
            throw error;
        });
        compiled.set(name, module);
    }
    return compiled.get(name);
}

/** A worker that takes tasks, with its threads if it shares its memory with some. */
class Slot {
    #worker;
    #threads;
    /** Workers of the threads. */
    #helpers = [];
    #next = 1;
    #waiting = new Map();
    /** Names of the instances that this worker has: a curve and a part. */
    #modules = new Set();
    /** Objects that this worker holds: its numbers by the owners' keys. A new worker holds none. */
    held = new Map();

    /** @param {number} [threads] the number of threads that share a memory, if there is one */
    constructor(threads) {
        this.#threads = threads;
    }

    /** Starts a worker, whose crash ends this slot's other workers and calls. */
    #spawn(url) {
        const worker = spawn(url);
        worker.onmessage = ({ data }) => this.#receive(data);
        worker.onerror = (event) => {
            // A worker that was stopped on purpose has a successor, or none.
            if (this.#worker === worker || this.#helpers.includes(worker)) {
                this.stop(new Error(`a worker has crashed: ${event.message ?? event}`));
            }
        };
        // An idle pool does not keep the process alive; a call in progress does. Node refers to workers with listeners.
        worker.unref?.();
        return worker;
    }

    /** Starts the worker if there is none, and gives it the modules of some parts of a curve. */
    async #start(curve, parts) {
        const wanted = this.#threads && parts.length > 0 ? ['shared'] : parts;
        // The modules come first: a worker that is stopped while this waits is not sent anything.
        const modules = await Promise.all(wanted.map((part) => getModule(curve, part)));
        this.#worker ??= this.#spawn(new URL('worker.mjs', import.meta.url));
        for (const [i, part] of wanted.entries()) {
            const name = `${curve}.${part}`;
            if (this.#modules.has(name)) continue;
            await (part === 'shared' ? this.#startThreads(curve, modules[i]) : this.#send('start', [curve, [part], modules[i]]));
            this.#modules.add(name);
        }
    }

    /** Starts the instances of a curve's module that share a memory: the worker's instance, and the threads of its pool. */
    async #startThreads(curve, module) {
        const shared = makeMemory(this.#threads);
        // The memory grows only when all workers have it: V8 may not tell a worker that is just getting it.
        await Promise.all(
            Array.from(shared.starts.keys(), (index) => {
                const helper = this.#spawn(new URL('thread.mjs', import.meta.url));
                this.#helpers.push(helper);
                return this.#send('thread', [module, shared, index], { worker: helper });
            }),
        );
        await this.#send('start', [curve, ['sums', 'proofs'], module, shared]);
    }

    async call(signal, name, args, { curve, parts = [], transfer, onProgress } = {}) {
        await this.#start(curve, parts);
        signal?.throwIfAborted();
        return this.#send(name, args, { transfer, onProgress });
    }

    #send(name, args, { worker = this.#worker, transfer = [], onProgress } = {}) {
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, onProgress });
            this.#worker.ref?.();
            worker.postMessage({ id, name, args, wantsProgress: onProgress !== undefined }, transfer);
        });
    }

    #receive({ id, result, error, progress }) {
        const call = this.#waiting.get(id);
        if (!call) return;
        if (progress) return call.onProgress(...progress);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#worker.unref?.();
        if (!error) return call.resolve(result);
        call.reject(new Error(error.message));
        if (error.trapped) this.stop(new Error('the worker was stopped after a trap'));
    }

    /** Ends the worker and its threads; the next call starts others. */
    stop(reason) {
        for (const helper of this.#helpers.splice(0)) helper.terminate();
        this.#worker?.terminate();
        this.#worker = undefined;
        this.#modules.clear();
        this.held.clear();
        const calls = [...this.#waiting.values()];
        this.#waiting.clear();
        for (const call of calls) call.reject(reason);
    }
}

/** Workers that take tasks from one queue. */
export class Pool {
    #slots;
    #idle;
    #queue = [];

    /** True if the workers share a memory. */
    isShared;

    /**
     * @param {number} [workers] the number of workers; the default is the number of the machine's processors
     * @param {{ shared?: boolean }} [options] shared: true if the workers share a memory. Throws a {@link SharedMemoryError} on pages
     * that are not isolated.
     */
    constructor(workers = globalThis.navigator?.hardwareConcurrency ?? 1, { shared = false } = {}) {
        if (!Number.isInteger(workers) || workers < 1) {
            throw new RangeError(`${workers} workers: expected at least one`);
        }
        if (shared) checkSharing();
        this.isShared = shared;
        this.#slots = shared ? [new Slot(workers)] : Array.from({ length: workers }, () => new Slot());
        this.#idle = [...this.#slots];
    }

    /** The number of tasks that run at a time: a task for each worker, or one task for all workers that share a memory. */
    get size() {
        return this.#slots.length;
    }

    /**
     * Runs a task on the next worker that is free, or on one of them. A task gets a function that calls the worker, and the map of
     * what the worker holds.
     * @param {(call: (name: string, args: unknown[], options?: object) => Promise<any>, held: Map<object, number>) => Promise<any>} task
     * @param {AbortSignal} [signal] ends the worker that is at it
     * @param {number} [worker] the index of the worker that the task needs
     */
    run(task, signal, worker) {
        return new Promise((resolve, reject) => {
            this.#queue.push({ task, signal, slot: this.#slots[worker], resolve, reject });
            this.#dispatch();
        });
    }

    /**
     * Starts workers ahead of their first call, each with the module of a curve's sums.
     * @param {'bn254' | 'bls12-381'} curve
     */
    async start(curve) {
        const ready = (call) => call('ready', [], { curve, parts: ['sums'] });
        await Promise.all(this.#slots.map((_, worker) => this.run(ready, undefined, worker)));
    }

    #dispatch() {
        for (let i = 0; i < this.#queue.length; ) {
            const wanted = this.#queue[i].slot;
            const place = wanted ? this.#idle.indexOf(wanted) : this.#idle.length - 1;
            if (place < 0) {
                i += 1;
                continue;
            }
            const [slot] = this.#idle.splice(place, 1);
            const [{ task, signal, resolve, reject }] = this.#queue.splice(i, 1);
            this.#work(slot, task, signal).then(resolve, reject).finally(() => {
                this.#idle.push(slot);
                this.#dispatch();
            });
        }
    }

    async #work(slot, task, signal) {
        signal?.throwIfAborted();
        const stop = () => slot.stop(signal.reason);
        signal?.addEventListener('abort', stop);
        try {
            return await task((...call) => slot.call(signal, ...call), slot.held);
        } finally {
            signal?.removeEventListener('abort', stop);
        }
    }

    /** Ends all workers. Calls in progress are rejected. */
    terminate() {
        for (const slot of this.#slots) slot.stop(new Error('the pool was terminated'));
    }
}

const sizes = { 'bn254.g1': 32, 'bn254.g2': 64, 'bls12-381.g1': 48, 'bls12-381.g2': 96 };

/** Returns a copy of a range of the bytes of some arrays, one after the other. */
function copy(arrays, from, to) {
    const bytes = new Uint8Array(to - from);
    let start = 0;
    for (const array of arrays) {
        const part = array.subarray(Math.max(0, from - start), Math.max(0, to - start));
        if (part.length > 0) bytes.set(part, Math.max(0, start - from));
        start += array.length;
    }
    return bytes;
}

/** Number of points below which a message to a worker does not pay. */
const leastPoints = 1 << 10;

/**
 * The sum of points times scalars of 32 bytes, its points split over the pool: x, then y, little-endian, zeros for infinity.
 * @param {'bn254.g1' | 'bn254.g2' | 'bls12-381.g1' | 'bls12-381.g2'} group
 * @param {Uint8Array} points x, then y, little-endian words; infinity as zeros
 * @param {Uint8Array} scalars
 */
export async function msm(pool, group, points, scalars, { montgomery = false, parts = pool.size, signal } = {}) {
    const coordinate = sizes[group];
    if (!coordinate) throw new RangeError(`group ${group} is unknown: expected ${Object.keys(sizes).join(', ')}`);
    const [curve, only] = group.split('.');
    const count = points.length / (2 * coordinate);
    if (!Number.isInteger(count) || scalars.length !== 32 * count) {
        throw new RangeError(
            `${points.length} bytes of points of ${2 * coordinate} bytes, and ${scalars.length} bytes of scalars of 32: expected as many scalars as points`,
        );
    }
    const [sum] = await sums(pool, curve, { [only]: [points] }, [scalars], { montgomery, parts, signal });
    return sum;
}

/**
 * The sums of points times the same scalars, over one group or over both groups of a curve. Points and scalars come in arrays, one after
 * the other, and are split over the pool. Reports the fraction that is done.
 * @param {'bn254' | 'bls12-381'} curve
 * @param {{ g1?: Uint8Array[], g2?: Uint8Array[] }} points the points of each group
 * @param {Uint8Array[]} scalars
 * @returns {Promise<Uint8Array[]>} a sum for each group
 */
export async function sums(pool, curve, points, scalars, { montgomery = false, parts = pool.size, signal, onProgress } = {}) {
    const summing = { curve, parts: ['sums'] };
    const groups = Object.keys(points);
    const sizeOf = (group) => 2 * sizes[`${curve}.${group}`];
    const count = scalars.reduce((bytes, array) => bytes + array.length, 0) / 32;
    const some = Math.max(1, Math.min(parts, Math.floor(count / leastPoints)));
    const bound = (i) => Math.floor((count * i) / some);
    const fractions = new Array(some).fill(0);
    const report = (i) => (done, total) => {
        // The total is an estimate.
        fractions[i] = Math.max(fractions[i], Math.min(1, done / total));
        onProgress(fractions.reduce((sum, fraction) => sum + fraction) / some);
    };
    const results = await Promise.all(
        Array.from({ length: some }, (_, i) => {
            const [from, to] = [bound(i), bound(i + 1)];
            return pool.run((call) => {
                const part = groups.map((group) => copy(points[group], sizeOf(group) * from, sizeOf(group) * to));
                const factors = copy(scalars, 32 * from, 32 * to);
                const transfer = [...part, factors].map(({ buffer }) => buffer);
                const options = { ...summing, transfer, onProgress: onProgress && report(i) };
                return call('sums', [curve, groups, part, factors, montgomery], options);
            }, signal);
        }),
    );
    if (some === 1) return results[0];
    // Adds the parts' sums, as a sum with scalars of 1.
    const ones = new Uint8Array(32 * some);
    for (let i = 0; i < some; i++) ones[32 * i] = 1;
    const all = groups.map((group, g) => copy(results.map((result) => result[g]), 0, sizeOf(group) * some));
    return pool.run((call) => call('sums', [curve, groups, all, ones, false], summing), signal);
}
