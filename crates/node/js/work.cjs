"use strict";
/** Native work under way: a queue in front of it, cancellation, progress. */

const native = require("./native.cjs");

/**
 * Proofs that run at a time. A proof uses all threads for most of its time; a second proof fills the rest. More proofs would need more
 * memory, and occupy the threads that Node reads files with.
 */
const AT_ONCE = 2;

/** Milliseconds between two reports of progress. */
const STEP = 50;

let running = 0;
const waiting = [];

/** Waits for a place. */
function enter(signal) {
    if (running < AT_ONCE) {
        running++;
        return undefined;
    }
    return new Promise((resolve, reject) => {
        const stop = () => {
            waiting.splice(waiting.indexOf(start), 1);
            reject(signal.reason);
        };
        const start = () => {
            signal?.removeEventListener("abort", stop);
            resolve();
        };
        signal?.addEventListener("abort", stop, { once: true });
        waiting.push(start);
    });
}

/** Gives a place to the next in the queue. */
function leave() {
    const next = waiting.shift();
    next === undefined ? running-- : next();
}

/**
 * Runs native work, `start(job)`, in its turn. `signal`, an AbortSignal, stops it; `onProgress(done, total)` receives its progress.
 */
async function run(start, { signal, onProgress } = {}) {
    signal?.throwIfAborted();
    await enter(signal);
    const job = new native.Job();
    const cancel = () => job.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    const report = () => {
        const [done, total] = job.progress();
        total > 0 && onProgress(done, total);
    };
    const timer = onProgress && setInterval(report, STEP);
    try {
        // The signal may have come when neither the queue nor the job listened.
        signal?.throwIfAborted();
        const result = await start(job);
        signal?.throwIfAborted();
        onProgress && report();
        return result;
    } catch (error) {
        signal?.throwIfAborted();
        throw plain(error);
    } finally {
        clearInterval(timer);
        signal?.removeEventListener("abort", cancel);
        leave();
    }
}

/** The error of native work with a trace of the calls in JavaScript, which native errors lack. */
function plain(error) {
    return error.code === "GenericFailure" ? new Error(error.message) : error;
}

module.exports = { plain, run };
