// Workers, each with its own instance and memory. They share no memory, so pages need no special headers.

import { moduleName } from './detect.mjs';

const isNode = typeof process === 'object' && process.versions?.node !== undefined;

/** Starts a worker, with a browser's interface. */
async function spawn() {
    const url = new URL('worker.mjs', import.meta.url);
    if (!isNode) return new Worker(url, { type: 'module' });
    const { Worker: NodeWorker } = await import('node:worker_threads');
    // Leaves out the options of this program, because some of them refuse a module.
    const worker = new NodeWorker(url, { execArgv: [] });
    // An idle pool does not keep the process alive; a call in progress does.
    worker.unref();
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

async function readModule(curve) {
    const url = new URL(moduleName(curve), import.meta.url);
    if (isNode) {
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

const compiled = new Map();

/** Returns the module of a curve, which is compiled once and handed to all workers. */
function getModule(curve) {
    if (!compiled.has(curve)) {
        const module = readModule(curve).catch((error) => {
            compiled.delete(curve);
            throw error;
        });
        compiled.set(curve, module);
    }
    return compiled.get(curve);
}

class Slot {
    #worker;
    #next = 1;
    #waiting = new Map();
    /** Curves whose modules this worker has. */
    #curves = new Set();
    /** Objects that this worker holds: its numbers by the owners' keys. A new worker holds none. */
    held = new Map();

    async #spawn() {
        const worker = await spawn();
        worker.onmessage = ({ data }) => this.#receive(data);
        worker.onerror = (event) => {
            // A worker that was stopped on purpose has a successor, or none.
            if (this.#worker === worker) this.stop(new Error(`a worker has crashed: ${event.message ?? event}`));
        };
        this.#worker = worker;
    }

    /** Starts the worker if there is none, and gives it the module of a curve. */
    async start(curve) {
        // The module comes first: a worker that is stopped while this waits is not sent anything.
        const module = curve && (await getModule(curve));
        if (!this.#worker) await this.#spawn();
        if (!module || this.#curves.has(curve)) return;
        await this.#send('start', [curve, module]);
        this.#curves.add(curve);
    }

    async call(signal, name, args, { curve, transfer = [], onProgress } = {}) {
        await this.start(curve);
        signal?.throwIfAborted();
        return this.#send(name, args, transfer, onProgress);
    }

    #send(name, args, transfer = [], onProgress) {
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, onProgress });
            this.#worker.ref?.();
            this.#worker.postMessage({ id, name, args, wantsProgress: onProgress !== undefined }, transfer);
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

    /** Ends the worker; the next call starts another worker. */
    stop(reason) {
        this.#worker?.terminate();
        this.#worker = undefined;
        this.#curves.clear();
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

    /** @param {number} [workers] as many as the machine has processors, if left out */
    constructor(workers = globalThis.navigator?.hardwareConcurrency ?? 1) {
        if (!Number.isInteger(workers) || workers < 1) {
            throw new RangeError(`${workers} workers: expected at least one`);
        }
        this.#slots = Array.from({ length: workers }, () => new Slot());
        this.#idle = [...this.#slots];
    }

    /** The number of workers. */
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
     * Starts workers ahead of their first call, each with the module of a curve.
     * @param {'bn254' | 'bls12-381'} curve
     */
    async start(curve) {
        await Promise.all(this.#slots.map((_, worker) => this.run((call) => call('ready', [], { curve }), undefined, worker)));
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

/** Returns a copy of some bytes. Node's `Buffer` has its own `slice`, which copies nothing. */
const copy = (bytes, from, to) => new Uint8Array(bytes.subarray(from, to));

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
    const curve = group.split('.')[0];
    const count = points.length / (2 * coordinate);
    if (!Number.isInteger(count) || scalars.length !== 32 * count) {
        throw new RangeError(
            `${points.length} bytes of points of ${2 * coordinate} bytes, and ${scalars.length} bytes of scalars of 32: expected as many scalars as points`,
        );
    }
    const some = Math.max(1, Math.min(parts, Math.floor(count / leastPoints)));
    const bound = (i) => Math.floor((count * i) / some);
    const sums = await Promise.all(
        Array.from({ length: some }, (_, i) => {
            const [from, to] = [bound(i), bound(i + 1)];
            return pool.run((call) => {
                const part = copy(points, 2 * coordinate * from, 2 * coordinate * to);
                const factors = copy(scalars, 32 * from, 32 * to);
                return call('sum', [group, part, factors, montgomery], { curve, transfer: [part.buffer, factors.buffer] });
            }, signal);
        }),
    );
    if (some === 1) return sums[0];
    // Adds the parts' sums, as a sum with scalars of 1.
    const [all, ones] = [new Uint8Array(2 * coordinate * some), new Uint8Array(32 * some)];
    sums.forEach((sum, i) => {
        all.set(sum, 2 * coordinate * i);
        ones[32 * i] = 1;
    });
    return pool.run((call) => call('sum', [group, all, ones, false], { curve }), signal);
}
