// The real snarkjs side by side: results, texts of the log, errors.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { assertSame, bytes, circuits, dataFile, json, keepLines, members, ours, outcome, power, stopTheirs, theirs } from "./common.mjs";

after(stopTheirs);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bucketwheel-node-"));
after(() => fs.rmSync(folder, { recursive: true }));
const CURVES = ["bn254", "bls12-381"];

test("each verifies the other's proofs, whose public signals are the same", async () => {
    for (const curve of CURVES) {
        const [zkey, wtns, key] = [power("power.zkey", curve), power("power.wtns", curve), json(power("verification_key.json", curve))];
        const mine = await ours.groth16.prove(zkey, wtns);
        const other = await theirs.groth16.prove(zkey, wtns);
        assert.deepEqual(Object.keys(mine), Object.keys(other));
        assert.deepEqual(Object.keys(mine.proof), Object.keys(other.proof));
        assert.deepEqual(mine.publicSignals, other.publicSignals);
        for (const { proof, publicSignals } of [mine, other]) {
            assert.equal(await ours.groth16.verify(key, publicSignals, proof), true);
            assert.equal(await theirs.groth16.verify(key, publicSignals, proof), true);
            await assertSame("calldata", ({ groth16 }) => groth16.exportSolidityCallData(proof, publicSignals));
        }
    }
});

test("files are paths, bytes, or snarkjs' objects", async () => {
    const { zkey, wasm, input, key } = members;
    const pages = (file) => [bytes(file)];
    const forms = [
        (file) => file,
        bytes,
        (file) => Buffer.from(bytes(file)),
        (file) => ({ type: "mem", data: bytes(file) }),
        (file) => ({ type: "file", fileName: file }),
        (file) => ({ type: "bigMem", data: pages(file) }),
    ];
    const expected = await theirs.groth16.fullProve(input, wasm, zkey);
    for (const form of forms) {
        const { proof, publicSignals } = await ours.groth16.fullProve(input, form(wasm), form(zkey));
        assert.deepEqual(publicSignals, expected.publicSignals);
        assert.ok(await theirs.groth16.verify(key, publicSignals, proof));
        const witness = { type: "mem" };
        await ours.wtns.calculate(input, form(wasm), witness);
        assert.deepEqual((await ours.groth16.prove(form(zkey), witness)).publicSignals, expected.publicSignals);
    }
    const written = path.join(folder, "witness.wtns");
    for (const file of [written, { type: "file", fileName: written }]) {
        await ours.wtns.calculate(input, wasm, file);
        const other = { type: "mem" };
        await theirs.wtns.calculate(input, wasm, other);
        assert.deepEqual(bytes(written), new Uint8Array(other.data));
        fs.rmSync(written);
    }
    const big = { type: "bigMem" };
    await ours.wtns.calculate(input, wasm, big);
    assert.deepEqual(await theirs.wtns.exportJson(big), await theirs.wtns.exportJson(members.wtns));
});

test("pages of files in memory are snarkjs' pages", async () => {
    const require = createRequire(import.meta.url);
    const { readBytes, writeBytes } = require("../js/files.cjs");
    const fastFile = createRequire(path.join(circuits, "npm", "package.json"))("fastfile");
    const long = new Uint8Array(randomBytes(9 << 20));
    const file = { type: "bigMem" };
    await writeBytes(file, long);
    const reader = await fastFile.readExisting(file);
    assert.deepEqual(Buffer.from(await reader.read(long.length)), Buffer.from(long));
    assert.deepEqual(Buffer.from(await readBytes(file)), Buffer.from(long));
});

test("exports are the same", async () => {
    for (const curve of CURVES) {
        const [zkey, wtns, r1cs] = ["power.zkey", "power.wtns", "power.r1cs"].map((name) => power(name, curve));
        await assertSame("verification key", ({ zKey }, logger) => zKey.exportVerificationKey(zkey, logger));
        await assertSame("key", ({ zKey }) => zKey.exportJson(zkey));
        await assertSame("witness", ({ wtns: { exportJson } }) => exportJson(wtns));
        await assertSame("circuit", ({ r1cs: { exportJson } }) => exportJson(r1cs));
        await assertSame("satisfied", ({ wtns: { check } }, logger) => check(r1cs, wtns, logger));
        await assertSame("numbers of a circuit", async ({ r1cs: { info } }, logger) => {
            const { curve, F, constraints, ...rest } = await info(r1cs, logger);
            return { ...rest, name: curve.name, n: constraints.length, coefficients: constraints.length };
        });
    }
    for (const name of ["arrays", "linear", "no-inputs", "no-constraints"]) {
        await assertSame(name, ({ r1cs: { exportJson } }) => exportJson(dataFile("foreign", "2.2.3", `${name}.r1cs`)));
    }
    const template = "<% for (let i = 0; i < IC.length; i++) { %>x<%= i %> = <%= IC[i][0] %>;\n<% } -%>\n<%= protocol %> <%- curve %>\n";
    await assertSame("template", ({ zKey }) => zKey.exportSolidityVerifier(members.zkey, { groth16: template }));
    const shipped = fs.readFileSync(new URL("../templates/verifier_groth16.sol.ejs", import.meta.url), "utf8");
    const contract = await ours.zKey.exportSolidityVerifier(members.zkey, { groth16: shipped });
    assert.match(contract, /contract Groth16Verifier \{[\s\S]*function verifyProof\(/);
    assert.equal(await ours.zKey.exportSolidityVerifier(members.zkey), contract);
});

test("a circuit is printed in the same words", async () => {
    const symbols = { varIdx2Name: ["one", "main.c", "main.a", "main.b", "main.d", "main.e"] };
    await assertSame("constraints", async ({ r1cs: { info, print } }, logger) => {
        print(await info(power("power.r1cs")), symbols, logger);
    });
});

test("a witness that does not satisfy its circuit", async () => {
    const wrong = bytes(power("power.wtns"));
    wrong[wrong.length - 32] ^= 1;
    const logger = keepLines();
    assert.equal(await ours.wtns.check(power("power.r1cs"), wrong, logger), false);
    assert.equal(await ours.wtns.check(power("power.r1cs"), wrong), false);
    const other = keepLines();
    assert.equal(await theirs.wtns.check(power("power.r1cs"), wrong, other), false);
    // Our log has one more line: the fault.
    assert.deepEqual(logger.lines.filter((line) => !/does not hold/.test(line)), other.lines);
    await assert.rejects(ours.groth16.prove(power("power.zkey"), wrong), /does not satisfy/);
    const { proof, publicSignals } = await ours.groth16.prove(power("power.zkey"), wrong, undefined, { verify: false });
    assert.equal(await theirs.groth16.verify(json(power("verification_key.json")), publicSignals, proof), false);
});

test("curves and debugging", async () => {
    for (const name of ["bn128", "BN254", "alt_bn128", "bls12-381"]) {
        await assertSame(name, async ({ curves }) => (await curves.getCurveFromName(name)).name);
    }
    await assertSame("no curve", ({ curves }) => curves.getCurveFromName("secp256k1"));
    const circuit = (extension) => dataFile("foreign", "0.5.46", `checks.${extension}`);
    const input = json(circuit("json"));
    const watch = { set: true, get: true, trigger: true };
    await assertSame("debug", async ({ wtns }, logger) => {
        const file = { type: "mem" };
        await wtns.debug(input, circuit("wasm"), file, circuit("sym"), watch, logger);
        return Buffer.from(file.data).toString("hex");
    });
    await assertSame("debug, which fails", ({ wtns }, logger) =>
        wtns.debug({ a: 1, b: 1 }, circuit("wasm"), { type: "mem" }, circuit("sym"), {}, logger),
    );
});
