// The package against big integers and against the proofs of the shipped data, in Node: node --test crates/wasm/js/test/*.test.mjs

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';

import { Engine, hasFusedMadd, load, moduleName, msm, Pool, verify } from '../index.mjs';

const root = new URL('../', import.meta.url);
const data = new URL('../../../snarkjs/tests/data/', import.meta.url);
const read = async (path) => new Uint8Array(await readFile(new URL(path, data)));
const compile = async (name) => WebAssembly.compile(await readFile(new URL(name, root)));

const pool = new Pool(2);
after(() => pool.terminate());

// y^2 = x^3 + b over a prime field, in affine big integers.
const curves = {
    'bn254.g1': {
        p: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
        order: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
        generator: [1n, 2n],
        bytes: 32,
    },
    'bls12-381.g1': {
        p: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
        order: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
        generator: [
            0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
            0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
        ],
        bytes: 48,
    },
};

const modulo = (x, p) => ((x % p) + p) % p;

function inverse(x, p) {
    let [a, b, u, v] = [modulo(x, p), p, 1n, 0n];
    while (a) [a, b, u, v] = [b % a, a, v - (b / a) * u, u];
    return modulo(v, p);
}

function add({ p }, left, right) {
    if (!left) return right;
    if (!right) return left;
    const [[x1, y1], [x2, y2]] = [left, right];
    if (x1 === x2 && modulo(y1 + y2, p) === 0n) return null;
    const slope = x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1, p) : (y2 - y1) * inverse(x2 - x1, p);
    const x = modulo(slope * slope - x1 - x2, p);
    return [x, modulo(slope * (x1 - x) - y1, p)];
}

function times(curve, point, scalar) {
    let sum = null;
    for (let bit = point; scalar; scalar >>= 1n, bit = add(curve, bit, bit)) {
        if (scalar & 1n) sum = add(curve, sum, bit);
    }
    return sum;
}

const littleEndian = (x, length) => Uint8Array.from({ length }, (_, i) => Number((x >> BigInt(8 * i)) & 255n));
const integer = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
const join = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Returns points of known logarithms, some of them equal, opposite or at infinity, and the expected sum. */
function problem(curve, count) {
    const { p, generator, order, bytes } = curve;
    const points = [];
    const scalars = [];
    const step = 0x9e3779b97f4a7c15n;
    const stepPoint = times(curve, generator, step);
    let [logarithm, point, sum] = [1n, generator, 0n];
    for (let i = 0; i < count; i++) {
        if (i % 7 === 5) {
            [logarithm, point] = [order - logarithm, [point[0], p - point[1]]];
        } else if (i % 7 !== 3) {
            [logarithm, point] = [(logarithm + step) % order, add(curve, point, stepPoint)];
        }
        const scalar = i % 5 === 0 ? BigInt(i % 3) : modulo((logarithm + 7n) * 0xf39cc0605cedc834n ** 3n, order);
        const isInfinity = i % 11 === 4;
        points.push(isInfinity ? [0n, 0n] : point);
        scalars.push(scalar);
        sum += isInfinity ? 0n : logarithm * scalar;
    }
    return {
        points: join(points.flatMap(([x, y]) => [littleEndian(x, bytes), littleEndian(y, bytes)])),
        scalars: join(scalars.map((scalar) => littleEndian(scalar, 32))),
        expected: times(curve, generator, sum % order) ?? [0n, 0n],
    };
}

for (const [curve, other] of [['bn254', 'bls12-381'], ['bls12-381', 'bn254']]) {
    for (const kind of ['relaxed', 'plain']) {
        const module = `${curve}.${kind}.wasm`;

        test(`${module}: sums are those of big integers`, async (context) => {
            if (kind === 'relaxed' && !hasFusedMadd()) return context.skip('no relaxed SIMD');
            const engine = await Engine.instantiate(await compile(module));
            assert.equal(engine.backend, 6);
            const group = `${curve}.g1`;
            const { bytes } = curves[group];
            for (const count of [0, 1, 2, 9, 300]) {
                const { points, scalars, expected } = problem(curves[group], count);
                const bases = engine.prepare(group, points);
                const sum = engine.sum(bases, scalars);
                engine.free(bases);
                assert.deepEqual([sum.subarray(0, bytes), sum.subarray(bytes)].map(integer), expected, `${count} points`);
            }
            assert.throws(() => engine.prepare(`${other}.g1`, new Uint8Array(0)), /this module has no group/);
        });

        test(`${module}: proofs hold`, async (context) => {
            if (kind === 'relaxed' && !hasFusedMadd()) return context.skip('no relaxed SIMD');
            const engine = await Engine.instantiate(await compile(module));
            const [zkey, wtns] = await Promise.all(['zkey', 'wtns'].map((type) => read(`${curve}/power.${type}`)));
            const circuit = engine.load(zkey);
            assert.equal(engine.info(circuit).curve, curve);
            const { proof, publicSignals } = engine.prove(circuit, wtns);
            const key = engine.verifyingKey(circuit);
            assert.equal(engine.verify(key, publicSignals, proof), true);
            const others = [`${BigInt(publicSignals[0]) + 1n}`, ...publicSignals.slice(1)];
            assert.equal(engine.verify(key, others, proof), false);
            engine.free(circuit);
            assert.throws(() => engine.info(circuit), /is no circuit/);
        });
    }
}

test('sums and proofs are split over workers', async () => {
    const curve = curves['bn254.g1'];
    const { points, scalars, expected } = problem(curve, 2500);
    const sum = await msm(pool, 'bn254.g1', points, scalars);
    assert.deepEqual([sum.subarray(0, 32), sum.subarray(32)].map(integer), expected);

    await pool.start('bn254');
    // One pool serves both curves, whose modules its workers get when they need them.
    for (const curve of ['bn254', 'bls12-381']) {
        const [zkey, wtns] = await Promise.all(['zkey', 'wtns'].map((type) => read(`${curve}/power.${type}`)));
        const circuit = await load(zkey, { pool });
        const reports = [];
        const { proof, publicSignals } = await circuit.prove(wtns, { onProgress: (...report) => reports.push(report) });
        assert.deepEqual(reports.at(-1), [7, 7]);
        assert.equal(await verify(await circuit.verificationKey(), publicSignals, proof, { pool }), true);
        await circuit.free();
    }
});

test('errors name what is wrong, and the pool goes on', async () => {
    const [zkey, wtns] = await Promise.all(['zkey', 'wtns'].map((type) => read(`bn254/power.${type}`)));
    await assert.rejects(load(zkey.slice(0, -1), { pool }), /section|ends|truncated|bytes/);
    await assert.rejects(load(new Uint8Array(100), { pool }), /zkey/);
    const circuit = await load(zkey, { pool });
    await assert.rejects(circuit.prove(wtns.slice(0, -32)), /downloaded as a whole/);
    const others = await read('bls12-381/power.wtns');
    await assert.rejects(circuit.prove(others), /curve|witness/);
    await assert.rejects(msm(pool, 'bn254.g1', new Uint8Array(64), new Uint8Array(33)), /as many scalars as points/);
    await assert.rejects(msm(pool, 'bn254.g3', new Uint8Array(0), new Uint8Array(0)), /unknown/);
    // The scalar is not below the order.
    const one = new Uint8Array(64).fill(255);
    await assert.rejects(msm(pool, 'bn254.g1', one, new Uint8Array(32)), /coordinate/);
    assert.equal((await circuit.prove(wtns)).publicSignals.length, circuit.info.public);
});

test('a call is cancelled, and the next one has a new worker', async () => {
    const [zkey, wtns] = await Promise.all(['zkey', 'wtns'].map((type) => read(`bn254/power.${type}`)));
    const circuit = await load(zkey, { pool });
    const controller = new AbortController();
    const proof = circuit.prove(wtns, { signal: controller.signal });
    controller.abort();
    await assert.rejects(proof, { name: 'AbortError' });
    assert.equal((await circuit.prove(wtns)).publicSignals.length, circuit.info.public);
});

test('the modules for this engine are there', async () => {
    for (const curve of ['bn254', 'bls12-381']) {
        assert.ok(WebAssembly.validate(await readFile(new URL(moduleName(curve), root))));
    }
});
