// Circuits of the compilers that people use (tools/foreign.sh), beside the witnesses that snarkjs made of these
// circuits.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { calculateWitness, compileCircuit, encodeWtns, witnessIntegers } from "../js/witness.mjs";

const data = fileURLToPath(new URL("../../snarkjs/tests/data/foreign", import.meta.url));
const silent = { log: () => {} };

async function calculate(name, inputs, options = silent) {
    return calculateWitness(await compileCircuit(fs.readFileSync(path.join(data, name))), inputs, options);
}

const read = (name) => fs.readFileSync(path.join(data, name));

test("witnesses are snarkjs' witnesses, byte by byte", async () => {
    const circuits = fs.readdirSync(data, { recursive: true }).filter((name) => name.endsWith(".wasm"));
    assert.ok(circuits.length >= 11);
    for (const name of circuits) {
        const base = name.slice(0, -".wasm".length);
        const witness = await calculate(name, JSON.parse(read(`${base}.json`)));
        assert.deepEqual(Buffer.from(encodeWtns(witness)), read(`${base}.wtns`), name);
        assert.equal(witness.version, name.startsWith("0.") ? 1 : 2);
    }
});

test("integers in all spellings, of any sign and size", async () => {
    const prime = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
    for (const name of ["0.5.46/arrays.wasm", "2.2.3/arrays.wasm"]) {
        const inputs = JSON.parse(read(name.replace(".wasm", ".json")));
        const expected = encodeWtns(await calculate(name, inputs));
        const respell = (spell) => (value) => (Array.isArray(value) ? value.map(respell(spell)) : spell(BigInt(value)));
        const spellings = [
            (value) => value,
            (value) => Number(value),
            (value) => `0x${(value + prime).toString(16)}`,
            (value) => value + 3n * prime,
            (value) => value - prime,
            (value) => String(value - 2n * prime),
        ];
        for (const spell of spellings) {
            const spelled = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, respell(spell)(value)]));
            assert.deepEqual(encodeWtns(await calculate(name, spelled)), expected);
            const flat = Object.fromEntries(Object.entries(spelled).map(([key, value]) => [key, [value].flat(9)]));
            assert.deepEqual(encodeWtns(await calculate(name, flat)), expected);
        }
    }
});

test("circom 1 keeps small values apart from large ones", async () => {
    for (const a of [0n, 1n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 31n) - 1n, 2n ** 32n - 1n, -(2n ** 32n)]) {
        // c = (((v[0] a) v[1] + b) v[2] + b) b
        const witness = await calculate("0.5.46/chain.wasm", { a, v: [1, 1, 1], b: 1 });
        assert.equal(witnessIntegers(witness)[1], (a + 2n + witness.prime) % witness.prime, String(a));
    }
});

test("errors have snarkjs' texts", async () => {
    const arrays = JSON.parse(read("2.2.3/arrays.json"));
    const [first] = Object.keys(arrays);
    const cases = [
        ["2.2.3/arrays.wasm", {}, /^Not all inputs have been set\. Only 0 out of \d+$/],
        ["2.2.3/arrays.wasm", { ...arrays, [first]: [arrays[first], 1] }, new RegExp(`^Too many values for input signal ${first}\n$`)],
        ["2.2.3/arrays.wasm", { ...arrays, [first]: [] }, new RegExp(`^Not enough values for input signal ${first}\n$`)],
        ["2.2.3/arrays.wasm", { ...arrays, nonsense: 1 }, /^Signal nonsense not found\n$/],
        ["2.2.3/arrays.wasm", { [first]: { x: 1 } }, new RegExp(`^Too many values for input signal ${first}\\.x\n$`)],
        ["2.0.3/product.wasm", { nonsense: 1 }, /^Error: Signal not found\. $/],
        ["0.5.46/arrays.wasm", { nonsense: 1 }, /^Signal nonsense is not an input of the circuit\.$/],
        ["0.5.46/arrays.wasm", {}, /^Not all inputs have been set\. Only 0 out of \d+$/],
    ];
    for (const [name, inputs, message] of cases) {
        await assert.rejects(calculate(name, inputs), { message }, `${name} ${JSON.stringify(inputs)}`);
    }
    await assert.rejects(calculate("2.2.3/arrays.wasm", { a: 1.5 }), RangeError);
    await assert.rejects(calculate("2.2.3/arrays.wasm", null), TypeError);
    await assert.rejects(compileCircuit(new Uint8Array(8)), WebAssembly.CompileError);
});

test("assertions tell their places as snarkjs does", async () => {
    const inputs = JSON.parse(read("2.0.8/checks.json"));
    const bad = Object.fromEntries(Object.keys(inputs).map((key) => [key, 77]));
    await assert.rejects(calculate("2.0.8/checks.wasm", bad), { message: /^Error: Assert Failed\. Error in template \w+ line: \d+\n/ });
    await assert.rejects(calculate("2.0.3/checks.wasm", bad), { message: "Error: Assert Failed. " });
    // Circom 1 checks constraints only if the caller asks for it.
    await assert.rejects(calculate("0.5.46/checks.wasm", bad, { ...silent, sanityCheck: true }), { message: / != / });
});
