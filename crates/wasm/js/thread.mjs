// A worker that is a thread of a shared memory: answers one call of pool.mjs, and works until it is terminated.

import { runThread } from './shared.mjs';

const isNode = typeof process === 'object' && process.versions?.node !== undefined;
const port = isNode ? (await import('node:worker_threads')).parentPort : globalThis;

const receive = ({ id, args }) => {
    port.postMessage({ id });
    runThread(...args);
};
if (isNode) port.once('message', receive);
else port.onmessage = (event) => receive(event.data);
