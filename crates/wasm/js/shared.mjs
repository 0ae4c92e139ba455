// Instances of one module that share a memory, each in a worker: the imports of an instance, and the threads of a memory.

/** A host or a page that cannot share memory between workers. */
export class SharedMemoryError extends Error {
    name = 'SharedMemoryError';
}

/** Throws a {@link SharedMemoryError} if workers cannot share memory: a page can if it is isolated from others by its headers. */
export function checkSharing() {
    if (globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer === 'function') return;
    throw new SharedMemoryError(
        'workers share memory only on isolated pages: serve the page with the headers Cross-Origin-Opener-Policy: same-origin and ' +
            'Cross-Origin-Embedder-Policy: require-corp, or leave out the option shared',
    );
}

const PAGE = 65536;
/** Pages of a new memory: at least the pages that a module states. */
const FIRST_PAGES = 64;

/**
 * Makes a memory for a module's instances.
 * @param {number} threads the first instance, and a thread for each other instance
 */
export function makeMemory(threads) {
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: 2 ** 32 / PAGE, shared: true });
    // A word for each thread: 0 until the first instance starts the thread, then the address of the thread's start.
    return { memory, starts: new Int32Array(new SharedArrayBuffer(4 * (threads - 1))) };
}

/** Errors of WASI. */
const [SUCCESS, BAD_DESCRIPTOR] = [0, 8];
/** The negated error EAGAIN: no other thread can start. */
const NO_THREAD = -6;

/**
 * Returns the imports of an instance. Rust's library for threads asks for a part of WASI.
 * @param {{ memory: WebAssembly.Memory, starts: Int32Array }} shared
 * @param {(done: number, total: number) => number} progress
 */
function imports({ memory, starts }, progress) {
    const view = () => new DataView(memory.buffer);
    let started = 0;
    return {
        env: { memory },
        host: { progress },
        wasi: {
            'thread-spawn': (start) => {
                if (started === starts.length) return NO_THREAD;
                Atomics.store(starts, started, start);
                Atomics.notify(starts, started);
                started += 1;
                return started;
            },
        },
        wasi_snapshot_preview1: {
            clock_time_get: (_clock, _precision, address) => {
                view().setBigUint64(address, BigInt(Math.round(1e6 * performance.now())), true);
                return SUCCESS;
            },
            // There are no environment variables.
            environ_get: () => SUCCESS,
            environ_sizes_get: (count, bytes) => {
                view().setUint32(count, 0, true);
                view().setUint32(bytes, 0, true);
                return SUCCESS;
            },
            // There are no files. The message of a panic goes to the console.
            fd_close: () => BAD_DESCRIPTOR,
            fd_write: (_file, parts, count, written) => {
                const arrays = Array.from({ length: count }, (_, i) => {
                    const [address, length] = [0, 4].map((offset) => view().getUint32(parts + 8 * i + offset, true));
                    return new Uint8Array(memory.buffer, address, length).slice();
                });
                console.error(arrays.map((bytes) => new TextDecoder().decode(bytes)).join('').trimEnd());
                view().setUint32(written, arrays.reduce((length, bytes) => length + bytes.length, 0), true);
                return SUCCESS;
            },
            proc_exit: (code) => {
                throw new WebAssembly.RuntimeError(`the module has ended with code ${code}`);
            },
            random_get: (address, length) => {
                // getRandomValues takes no shared memory, and at most this number of bytes.
                for (let start = 0; start < length; start += 65536) {
                    const random = crypto.getRandomValues(new Uint8Array(Math.min(65536, length - start)));
                    new Uint8Array(memory.buffer).set(random, address + start);
                }
                return SUCCESS;
            },
            sched_yield: () => SUCCESS,
        },
    };
}

/** Makes the first instance of a memory. Starts its threads, whose workers wait. */
export async function instantiateFirst(module, shared, progress) {
    const { exports } = await WebAssembly.instantiate(module, imports(shared, progress));
    exports._initialize();
    return exports;
}

/** Waits until the first instance starts a thread, and runs the thread. Blocks the worker for good. */
export function runThread(module, shared, index) {
    Atomics.wait(shared.starts, index, 0);
    // Only the first instance reports progress.
    const { exports } = new WebAssembly.Instance(module, imports(shared, () => 0));
    exports.wasi_thread_start(index + 1, shared.starts[index]);
}
