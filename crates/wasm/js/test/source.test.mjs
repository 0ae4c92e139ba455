// Keys from a server, in parts and kept; memory that does not suffice; workers that crash: node --test crates/wasm/js/test/*.test.mjs

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { forget, load, Pool } from '../index.mjs';

const data = new URL('../../../snarkjs/tests/data/bn254/', import.meta.url);
const [zkey, wtns] = await Promise.all(['power.zkey', 'power.wtns'].map((name) => readFile(new URL(name, data))));
const half = zkey.length >> 1;

const files = { '/key.zkey': zkey, '/key.zkeya': zkey.subarray(0, half), '/key.zkeyb': zkey.subarray(half) };
/** Requests that the server has answered: method and path. */
let requests = [];
const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const file = files[request.url];
    if (!file) return response.writeHead(404).end();
    response.writeHead(200, { 'content-length': file.length });
    response.end(request.method === 'HEAD' ? undefined : file);
});
const url = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
const parts = () => ['key.zkeya', 'key.zkeyb'].map(url);

const pool = new Pool(2);
/** The workers of this process, in the order of their start. */
const workers = [];
process.on('worker', (worker) => workers.push(worker));

before(() => new Promise((done) => server.listen(0, '127.0.0.1', done)));
after(() => {
    pool.terminate();
    server.close();
});

/** Cache Storage in memory, which Node lacks. */
class Store {
    #files = new Map();
    refuses = false;

    async match(url) {
        return this.#files.get(String(url))?.clone();
    }

    async put(url, response) {
        if (this.refuses) throw new DOMException('no space', 'QuotaExceededError');
        this.#files.set(String(url), response);
    }

    async delete(url) {
        return this.#files.delete(String(url));
    }
}

async function proves(circuit) {
    const { publicSignals } = await circuit.prove(wtns);
    assert.equal(publicSignals.length, circuit.info.public);
    await circuit.free();
}

test('a key is fetched, in one piece or in parts, with progress', async () => {
    for (const source of [url('key.zkey'), new URL(url('key.zkey')), parts(), [zkey.subarray(0, half), url('key.zkeyb')]]) {
        const reports = [];
        const circuit = await load(source, { pool, onProgress: (...report) => reports.push(report) });
        assert.deepEqual(reports.at(-1), [zkey.length, zkey.length]);
        await proves(circuit);
    }
    await assert.rejects(load([url('key.zkeya'), url('key.zkeyc')], { pool }), /key\.zkeyc cannot be fetched: 404/);
    await assert.rejects(load([], { pool }), /no parts/);
});

test('a key is kept until it is forgotten', async () => {
    const store = new Store();
    globalThis.caches = { open: async () => store };
    try {
        const count = async (source) => {
            requests = [];
            await proves(await load(source, { pool, keep: true }));
            return requests.filter((request) => request.startsWith('GET')).length;
        };
        for (const source of [url('key.zkey'), parts()]) {
            const expected = [source].flat().length;
            assert.equal(await count(source), expected, 'fetched');
            assert.equal(await count(source), 0, 'kept');
            await forget(source);
            assert.equal(await count(source), expected, 'fetched again');
            await forget(source);
        }
        store.refuses = true;
        assert.deepEqual([await count(parts()), await count(parts())], [2, 2], 'no space');
    } finally {
        delete globalThis.caches;
    }
    await proves(await load(url('key.zkey'), { pool, keep: true }));
});

test('a key that does not fit is an error before its download', async () => {
    for (const source of [url('key.zkey'), parts(), zkey]) {
        requests = [];
        await assert.rejects(load(source, { pool, memory: zkey.length }), { name: 'RangeError', message: /the key has \d+ bytes/ });
        assert.ok(!requests.some((request) => /GET.*zkey[ab]/.test(request)), 'no part was fetched');
    }
    await proves(await load(parts(), { pool, memory: 64 * zkey.length }));
});

test('a download ends when its signal says so', async () => {
    const controller = new AbortController();
    const key = load(parts(), { pool, signal: controller.signal, onProgress: () => controller.abort() });
    await assert.rejects(key, { name: 'AbortError' });
});

test('the pool survives workers that crash', async () => {
    const own = new Pool(2);
    const before = workers.length;
    const circuit = await load(zkey, { pool: own });
    await own.start('bn254');
    assert.equal(workers.length, before + 2, 'the workers were started ahead');
    for (const worker of workers.slice(before)) {
        const proof = circuit.prove(wtns);
        // The proof may have ended with the other worker alone.
        const [outcome] = await Promise.allSettled([proof, worker.terminate()]);
        if (outcome.status === 'rejected') assert.match(outcome.reason.message, /crashed/);
        assert.equal((await circuit.prove(wtns)).publicSignals.length, circuit.info.public);
    }
    own.terminate();
});
