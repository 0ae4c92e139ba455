// The package against big integers and against the proofs of the shipped data, in Node: node --test crates/wasm/js/test/*.test.mjs

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';

import { sections } from '../binfile.mjs';
import { Terms } from '../terms.mjs';
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

const readPair = (curve) => Promise.all(['zkey', 'wtns'].map((type) => read(`${curve}/power.${type}`)));

for (const [curve, other] of [['bn254', 'bls12-381'], ['bls12-381', 'bn254']]) {
    for (const kind of ['relaxed', 'plain']) {
        const start = async (part) => Engine.instantiate(await compile(`${curve}.${part}.${kind}.wasm`));
        const skip = kind === 'relaxed' && !hasFusedMadd() ? 'no relaxed SIMD' : false;

        test(`${curve}.sums.${kind}.wasm: sums are those of big integers`, { skip }, async () => {
            const engine = await start('sums');
            assert.equal(engine.backend, 6);
            const group = `${curve}.g1`;
            const { bytes } = curves[group];
            for (const count of [0, 1, 2, 9, 300]) {
                const { points, scalars, expected } = problem(curves[group], count);
                const bases = engine.prepare(group, points);
                const sum = engine.sum(bases, scalars);
                engine.free(bases);
                assert.deepEqual([sum.subarray(0, bytes), sum.subarray(bytes)].map(integer), expected, `${count} points`);
                assert.deepEqual(engine.sumOnce(group, points, scalars), sum, `${count} points, used once`);
            }
            assert.throws(() => engine.prepare(`${other}.g1`, new Uint8Array(0)), /this module has no group/);
            assert.throws(() => engine.sumOnce(`${other}.g1`, new Uint8Array(0), new Uint8Array(0)), /this module has no group/);
            assert.throws(() => engine.load(new Uint8Array(0)), /has no call new_circuit: it belongs to the proofs/);
        });

        test(`${curve}.sums.${kind}.wasm: a pair of sums is both sums`, { skip }, async () => {
            const engine = await start('sums');
            const { bytes } = curves[`${curve}.g1`];
            const key = sections((await readPair(curve))[0], 'zkey');
            const [g1, g2] = [key(6), key(7)];
            const count = g1.length / (2 * bytes);
            const { scalars } = problem(curves[`${curve}.g1`], count);
            scalars.fill(0, 32, 64);
            const options = { montgomery: true };
            assert.deepEqual(engine.sumPairOnce(curve, g1, g2, scalars, options), [
                engine.sumOnce(`${curve}.g1`, g1, scalars, options),
                engine.sumOnce(`${curve}.g2`, g2, scalars, options),
            ]);
            // Errors name the place among all scalars and points, zeros included.
            const wrong = scalars.slice();
            wrong.fill(255, 96, 128);
            assert.throws(() => engine.sumPairOnce(curve, g1, g2, wrong, options), /scalar 3 /);
            const bad = g1.slice();
            for (const index of [1, 3]) {
                bad.fill(255, 2 * bytes * index, 2 * bytes * index + bytes);
                assert.throws(() => engine.sumOnce(`${curve}.g1`, bad, scalars, options), new RegExp(`point ${index} `));
                bad.set(g1);
            }
            assert.throws(() => engine.sumOnce(`${curve}.g1`, g1, scalars.subarray(32), options), /scalars/);
            assert.throws(() => engine.sumOnce(`${curve}.g1`, g1, scalars.subarray(1), options), /bytes/);
            assert.throws(() => engine.sumPairOnce(other, g1, g2, scalars, options), /this module has no group/);
        });

        const isLeftOut = kind === 'plain' && process.env.BUCKETWHEEL_MODULES === 'tested' && 'tools/web.sh test long tests it';
        test(`${curve}.proofs.${kind}.wasm: proofs hold`, { skip: skip || isLeftOut }, async () => {
            const [engine, summing] = await Promise.all(['proofs', 'sums'].map(start));
            const [zkey, wtns] = await readPair(curve);
            const circuit = engine.load(zkey);
            const info = engine.info(circuit);
            assert.equal(info.curve, curve);
            const [key, witness] = [sections(zkey, 'zkey'), sections(wtns, 'wtns')(2)];
            const sum = (section, group, scalars) => [...summing.sumOnce(`${curve}.${group}`, key(section), scalars, { montgomery: true })];
            const sums = Uint8Array.from([
                ...sum(5, 'g1', witness),
                ...sum(6, 'g1', witness),
                ...sum(7, 'g2', witness),
                ...sum(8, 'g1', witness.subarray(32 * (info.public + 1))),
                ...sum(9, 'g1', engine.quotient(circuit, wtns)),
            ]);
            const { proof, publicSignals } = engine.proveFrom(circuit, wtns, sums);
            const verifyingKey = engine.verifyingKey(circuit);
            assert.equal(engine.verify(verifyingKey, publicSignals, proof), true);
            const others = [`${BigInt(publicSignals[0]) + 1n}`, ...publicSignals.slice(1)];
            assert.equal(engine.verify(verifyingKey, others, proof), false);
            assert.throws(() => engine.proveFrom(circuit, wtns, sums.subarray(1)), /the sums have/);
            assert.throws(() => engine.proveFrom(circuit, wtns, new Uint8Array(sums.length)), /not satisfied|does not hold|satisf/);
            assert.throws(() => engine.prepare(`${curve}.g1`, new Uint8Array(0)), /has no call new_bases: it belongs to the sums/);
            engine.free(circuit);
            assert.throws(() => engine.info(circuit), /is no circuit/);
        });
    }
}

test('a module of another build is refused', async () => {
    // A module whose functions return a number and have some names.
    const other = (version, ...names) => {
        const list = names.flatMap((name) => [name.length, ...new TextEncoder().encode(name), 0, 0]);
        const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, list.length + 1, names.length, ...list];
        return WebAssembly.compile(Uint8Array.from([...bytes, 10, 6, 1, 4, 0, 65, version, 11]));
    };
    const refused = async (version, names, message) => assert.rejects(Engine.instantiate(await other(version, ...names)), message);
    await refused(0, ['main'], /the module has other calls: expected calls of version/);
    await refused(0, ['new_buffer'], /the module has calls of version 1: expected calls of version/);
    await refused(9, ['interface_version'], /the module has calls of version 9: expected calls of version/);
});

test('sums and proofs are split over workers', async () => {
    const curve = curves['bn254.g1'];
    const { points, scalars, expected } = problem(curve, 2500);
    const sum = await msm(pool, 'bn254.g1', points, scalars);
    assert.deepEqual([sum.subarray(0, 32), sum.subarray(32)].map(integer), expected);

    await pool.start('bn254');
    const alone = new Pool(1);
    const files = await Promise.all(['circuit.zkey', 'witness.wtns'].map((name) => read(`../../../cli/data/members/${name}`)));
    // One pool serves both curves, whose modules its workers get when they need them. The private values of `power` are short, so the
    // sums over H and C stay apart; the values of `members` are long.
    for (const [zkey, wtns] of [await readPair('bn254'), await readPair('bls12-381'), files]) {
        for (const workers of [pool, alone]) {
            const circuit = await load(zkey, { pool: workers });
            const reports = [];
            const { proof, publicSignals } = await circuit.prove(wtns, { onProgress: (...report) => reports.push(report) });
            const [done, total] = reports.at(-1);
            assert.equal(done, total);
            assert.ok(reports.every(([now], i) => i === 0 || now >= reports[i - 1][0]), 'progress is never taken back');
            assert.equal(await verify(await circuit.verificationKey(), publicSignals, proof, { pool: workers }), true);
            await circuit.free();
        }
    }
    alone.terminate();
});

test('a proof has its sums in their order, whether H and C are one sum or two', async () => {
    const curve = 'bn254';
    const [zkey, wtns] = await readPair(curve);
    const engine = await Engine.instantiate(await compile(moduleName(curve, 'sums')));
    const key = sections(zkey, 'zkey');
    const options = { montgomery: true };
    const sumOf = (number, group, scalars) => engine.sumOnce(`${curve}.${group}`, key(number), scalars, options);
    const short = wtns.slice();
    const values = sections(short, 'wtns')(2);
    for (let i = 0; i < values.length; i++) values[i] = i % 32 === 0 ? 1 + (i >> 5) : 0;
    const signals = values.length / 32;
    const info = { curve, signals, public: signals - 1 - key(8).length / 64 };
    const quotient = new Uint8Array((32 * key(9).length) / 64).fill(3);
    for (const [witness, steps] of [[short, 6], [wtns, 5]]) {
        const scalars = sections(witness, 'wtns')(2);
        const terms = new Terms(zkey, witness, info);
        assert.equal(terms.steps, steps);
        const list = [...terms.first(), terms.last(quotient)].map(({ points: { g1, g2 }, scalars }) =>
            g2 ? engine.sumPairOnce(curve, g1, g2, scalars, options) : [engine.sumOnce(`${curve}.g1`, g1, scalars, options)],
        );
        const joined = terms.join(list);
        const c = sumOf(8, 'g1', scalars.subarray(32 * (info.public + 1)));
        const h = sumOf(9, 'g1', quotient);
        const both = engine.sumOnce(`${curve}.g1`, join([c, h]), join([[1], new Uint8Array(31), [1], new Uint8Array(31)]));
        const last = steps === 6 ? [c, h] : [new Uint8Array(64), both];
        assert.deepEqual(joined, join([sumOf(5, 'g1', scalars), sumOf(6, 'g1', scalars), sumOf(7, 'g2', scalars), ...last]));
    }
    assert.throws(() => new Terms(zkey, wtns, { ...info, signals: 9 }), /values, but the circuit has 9 signals/);
    assert.throws(() => new Terms(zkey, wtns, { ...info, curve: 'bls12-381' }), /another field/);
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
        for (const part of ['sums', 'proofs']) {
            assert.ok(WebAssembly.validate(await readFile(new URL(moduleName(curve, part), root))));
        }
    }
});
