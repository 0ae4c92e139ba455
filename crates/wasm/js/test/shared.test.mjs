// Workers that share a memory, beside workers that do not, in Node: node --test crates/wasm/js/test/*.test.mjs

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

import { sections } from '../binfile.mjs';
import { load, moduleName, msm, Pool, SharedMemoryError, verify } from '../index.mjs';

const data = new URL('../../../snarkjs/tests/data/', import.meta.url);
const read = async (path) => new Uint8Array(await readFile(new URL(path, data)));
const members = () => Promise.all(['circuit.zkey', 'witness.wtns'].map((name) => read(`../../../cli/data/members/${name}`)));

/** Returns the reason to leave out tests of a curve's module, or false. */
function skipOf(curve) {
    if (existsSync(new URL(`../${moduleName(curve, 'shared')}`, import.meta.url))) return false;
    return 'no module: tools/wasm.sh builds all, with the target wasm32-wasip1-threads';
}
const skip = skipOf('bn254');

const pools = Object.fromEntries([1, 4].map((workers) => [workers, new Pool(workers, { shared: true })]));
const pool = pools[4];
const other = new Pool(2);
after(() => [...Object.values(pools), other].forEach((pool) => pool.terminate()));

/** Workers of this process in the order of their start, which a test may end. */
const workers = [];
process.on('worker', (worker) => workers.push(worker));

for (const curve of ['bn254', 'bls12-381']) {
    test(`${curve}: sums and proofs are equal with one memory and with many`, { skip: skipOf(curve) }, async () => {
        const files = [await Promise.all(['zkey', 'wtns'].map((type) => read(`${curve}/power.${type}`)))];
        if (curve === 'bn254') files.push(await members());
        for (const [zkey, wtns] of files) {
            const scalars = sections(wtns, 'wtns')(2);
            for (const pool of Object.values(pools)) {
                for (const [group, section] of [['g1', 5], ['g1', 6], ['g2', 7]]) {
                    const args = [`${curve}.${group}`, sections(zkey, 'zkey')(section), scalars, { montgomery: true }];
                    assert.deepEqual(await msm(pool, ...args), await msm(other, ...args));
                }
                const circuit = await load(zkey, { pool });
                const reports = [];
                const { proof, publicSignals } = await circuit.prove(wtns, { onProgress: (...report) => reports.push(report) });
                assert.equal(reports.at(-1)[0], reports.at(-1)[1]);
                assert.ok(reports.every(([now], i) => i === 0 || now >= reports[i - 1][0]), 'progress is never taken back');
                const key = await circuit.verificationKey();
                for (const verifier of [pool, other]) {
                    assert.equal(await verify(key, publicSignals, proof, { pool: verifier }), true);
                    assert.equal(await verify(key, [...publicSignals.slice(1), '5'], proof, { pool: verifier }), false);
                }
                const separate = await load(zkey, { pool: other });
                assert.deepEqual(await separate.verificationKey(), key);
                assert.deepEqual((await separate.prove(wtns)).publicSignals, publicSignals);
                await Promise.all([circuit, separate].map((circuit) => circuit.free()));
            }
        }
    });
}

test('the memory does not grow while threads work', { skip }, async () => {
    for (const workers of [1, 4]) {
        const memories = [];
        const { Memory } = WebAssembly;
        WebAssembly.Memory = function (options) {
            memories.push(new Memory(options));
            return memories.at(-1);
        };
        const pool = new Pool(workers, { shared: true });
        await pool.start('bn254');
        WebAssembly.Memory = Memory;
        const [memory] = memories;
        for (const [zkey, wtns] of [await members(), await Promise.all(['zkey', 'wtns'].map((type) => read(`bn254/power.${type}`)))]) {
            const circuit = await load(zkey, { pool });
            for (let i = 0; i < 3; i++) {
                const sizes = new Set();
                await circuit.prove(wtns, { onProgress: () => sizes.add(memory.buffer.byteLength) });
                assert.deepEqual([...sizes], [memory.buffer.byteLength]);
            }
        }
        pool.terminate();
    }
});

test('many proofs at a time, of two circuits', { skip }, async () => {
    const files = [await members(), await Promise.all(['zkey', 'wtns'].map((type) => read(`bn254/power.${type}`)))];
    await Promise.all(
        files.map(async ([zkey, wtns]) => {
            const circuit = await load(zkey, { pool });
            const key = await circuit.verificationKey();
            const proofs = await Promise.all(Array.from({ length: 5 }, () => circuit.prove(wtns)));
            for (const { proof, publicSignals } of proofs) assert.equal(await verify(key, publicSignals, proof, { pool }), true);
        }),
    );
});

test('errors are equal with one memory and with many, and the pool goes on', { skip }, async () => {
    const [zkey, wtns] = await members();
    const wrong = async (call) => {
        const [one, many] = await Promise.all([pool, other].map((pool) => call(pool).then(assert.fail, ({ message }) => message)));
        assert.equal(one, many);
    };
    await wrong((pool) => load(zkey.slice(0, -1), { pool }));
    await wrong((pool) => load(new Uint8Array(100), { pool }));
    await wrong((pool) => msm(pool, 'bn254.g1', new Uint8Array(64).fill(255), new Uint8Array(32)));
    const circuit = await load(zkey, { pool });
    const values = sections(wtns, 'wtns')(2);
    values[32 * 9] ^= 1;
    await assert.rejects(circuit.prove(wtns), /satisf/);
    values[32 * 9] ^= 1;
    await assert.rejects(circuit.prove(await read('bls12-381/power.wtns')), /curve|witness|no bls12-381/);
    assert.equal((await circuit.prove(wtns)).publicSignals.length, circuit.info.public);
});

test('a call is cancelled, and the next one has new workers with the key of the old memory', { skip }, async () => {
    const [zkey, wtns] = await members();
    const circuit = await load(zkey, { pool });
    zkey.fill(0);
    const expected = await circuit.prove(wtns);
    for (const wait of [0, 1, 30, 60]) {
        const controller = new AbortController();
        const proof = circuit.prove(wtns, { signal: controller.signal });
        setTimeout(() => controller.abort(), wait);
        await proof.then(
            () => assert.notEqual(wait, 0),
            (error) => assert.equal(error.name, 'AbortError'),
        );
        assert.deepEqual((await circuit.prove(wtns)).publicSignals, expected.publicSignals);
    }
});

test('if a worker ends during a proof, the call is rejected, and the next one has new workers', { skip }, async () => {
    const [zkey, wtns] = await members();
    // The worker that takes calls, and the last of its three threads.
    for (const victim of [-4, -1]) {
        const pool = new Pool(4, { shared: true });
        const circuit = await load(zkey, { pool });
        const started = workers.length;
        const proof = circuit.prove(wtns, { onProgress: () => workers[started + victim].terminate() });
        await assert.rejects(proof, /a worker has crashed: it has ended with code 1/);
        const { proof: next, publicSignals } = await circuit.prove(wtns);
        assert.equal(await verify(await circuit.verificationKey(), publicSignals, next, { pool }), true);
        assert.equal(workers.length, started + 4);
        pool.terminate();
    }
});

test('a process ends by itself after a proof', { skip }, async () => {
    const program = `
        import { readFileSync } from 'node:fs';
        import { load, Pool } from ${JSON.stringify(new URL('../index.mjs', import.meta.url))};
        const [zkey, wtns] = ['circuit.zkey', 'witness.wtns'].map((name) =>
            readFileSync(new URL('../../../cli/data/members/' + name, ${JSON.stringify(data)})));
        const circuit = await load(zkey, { pool: new Pool(3, { shared: true }) });
        console.log((await circuit.prove(wtns)).publicSignals.length);
    `;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 60_000 });
    assert.match((await run).stdout, /^\d+\n$/);
});

test('a key that does not fit with its proofs is refused', () => {
    const memory = 4_000_000;
    return assert.rejects(load(new Uint8Array(1_000_001), { pool, memory }), /some 4000004 bytes .* may take 4000000; workers without/);
});

test('a page that is not isolated cannot share memory', () => {
    globalThis.crossOriginIsolated = false;
    try {
        assert.throws(
            () => new Pool(2, { shared: true }),
            (error) => error instanceof SharedMemoryError && /Cross-Origin-Opener-Policy/.test(error.message),
        );
        assert.equal(new Pool(2).size, 2);
    } finally {
        delete globalThis.crossOriginIsolated;
    }
});
