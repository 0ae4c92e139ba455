// Without a native part, the package for browsers takes its place: same results, same errors.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { circuits, json, members, power, root, theirs, stopTheirs } from "./common.mjs";

after(stopTheirs);

// A copy of the package that has no native file.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bucketwheel-node-"));
after(() => fs.rmSync(folder, { recursive: true }));
const library = path.join(folder, "node", "js", "index.cjs");
fs.cpSync(path.join(root, "crates", "node", "js"), path.dirname(library), { recursive: true });
fs.symlinkSync(path.join(root, "crates", "wasm"), path.join(folder, "wasm"));

const isNew = Number(process.versions.node.split(".")[0]) >= 22;
const fetched = path.join(circuits, "..", "node", "node_modules", `node-linux-${process.arch}`, "bin", "node");
const node = isNew ? process.execPath : fs.existsSync(fetched) ? fetched : undefined;
const isBuilt = fs.existsSync(path.join(root, "crates", "wasm", "js", "bn254.sums.plain.wasm"));
const skip = !isBuilt ? "tools/wasm.sh builds the modules" : node ? false : "tools/node.sh fetches a Node that can run it";

/** Runs a CommonJS program, in which `snarkjs` is the copy, and which resolves to a value. Returns its output on both
 * streams. */
async function run(program, ...args) {
    const { BUCKETWHEEL_NODE_ADDON: _, ...env } = process.env;
    const text = `const snarkjs = require(${JSON.stringify(library)}); (async () => { ${program} })().then((value) => console.log(JSON.stringify(value)));`;
    return promisify(execFile)(node, ["--input-type", "commonjs", "--eval", text, ...args], { env, timeout: 60_000 });
}

test("proofs are proofs, and the process ends by itself", { skip }, async () => {
    for (const curve of ["bn254", "bls12-381"]) {
        const key = power("verification_key.json", curve);
        const program = `
            const [zkey, wtns, key] = process.argv.slice(1);
            const steps = [];
            const proven = await snarkjs.groth16.prove(zkey, wtns, undefined, { onProgress: (...step) => steps.push(step) });
            const vkey = JSON.parse(require("fs").readFileSync(key, "utf8"));
            const others = proven.publicSignals.map((signal) => String(BigInt(signal) + 1n));
            const holds = [proven.publicSignals, others].map((signals) => snarkjs.groth16.verify(vkey, signals, proven.proof));
            const exported = await snarkjs.zKey.exportVerificationKey(zkey);
            return { ...proven, holds: await Promise.all(holds), exported, last: steps.at(-1) };
        `;
        const { stdout, stderr } = await run(program, power("power.zkey", curve), power("power.wtns", curve), key);
        const { proof, publicSignals, holds, exported, last } = JSON.parse(stdout);
        assert.match(stderr, /bucketwheel\.node is missing: build it with/);
        assert.deepEqual(holds, [true, false]);
        assert.equal(last[0], last[1]);
        assert.ok(await theirs.groth16.verify(json(key), publicSignals, proof));
        assert.deepEqual(exported.IC, json(key).IC);
    }
});

test("fullProve calculates the witness, from files and from bytes", { skip }, async () => {
    const program = `
        const [input, wasm, zkey] = process.argv.slice(1);
        const fs = require("fs");
        const bytes = (file) => new Uint8Array(fs.readFileSync(file));
        const all = [];
        for (const form of [(file) => file, bytes]) {
            all.push(await snarkjs.groth16.fullProve(JSON.parse(input), form(wasm), form(zkey), undefined, undefined, { threads: 1 }));
        }
        return all;
    `;
    const { stdout } = await run(program, JSON.stringify(members.input), members.wasm, members.zkey);
    const expected = await theirs.groth16.fullProve(members.input, members.wasm, members.zkey);
    for (const { proof, publicSignals } of JSON.parse(stdout)) {
        assert.deepEqual(publicSignals, expected.publicSignals);
        assert.ok(await theirs.groth16.verify(members.key, publicSignals, proof));
    }
});

test("errors have the same texts", { skip }, async () => {
    const program = `
        const [zkey, wtns, other, members, key] = process.argv.slice(1);
        const { groth16, wtns: { check } } = snarkjs;
        const vkey = JSON.parse(require("fs").readFileSync(key, "utf8"));
        const { proof, publicSignals } = await groth16.prove(zkey, wtns);
        const lines = [];
        const keep = (line) => lines.push(line);
        const logger = { info: keep, error: keep, debug() {}, warn: keep };
        await groth16.verify(vkey, publicSignals, { ...proof, pi_a: ["1", "1", "1"] }, logger);
        await groth16.verify(vkey, publicSignals, { ...proof, pi_a: proof.pi_c }, logger);
        await groth16.verify({ ...vkey, vk_beta_2: vkey.vk_beta_2.map((c) => [c[1], c[0]]) }, publicSignals, proof, logger);
        const calls = [
            () => groth16.prove(zkey, other),
            () => groth16.prove(zkey, members),
            () => groth16.prove(wtns, wtns),
            () => groth16.prove(zkey + "x", wtns),
            () => groth16.prove(zkey, wtns, undefined, { signal: AbortSignal.abort() }),
        ];
        return { lines, errors: await Promise.all(calls.map((call) => call().then(() => "none", ({ message }) => message))) };
    `;
    const key = power("verification_key.json");
    const files = [power("power.zkey"), power("power.wtns"), power("power.wtns", "bls12-381"), members.wtns, key];
    const { lines, errors } = JSON.parse((await run(program, ...files)).stdout);
    assert.deepEqual(lines, ["Proof commitments are not valid.", "Invalid proof", "Invalid proof"]);
    assert.equal(errors[0], "Curve of the witness does not match the curve of the proving key");
    assert.match(errors[1], /^Invalid witness length\. Circuit: \d+, witness: \d+$/);
    assert.match(errors[2], /power\.wtns: Invalid File format$/);
    assert.match(errors[3], /^ENOENT/);
    assert.match(errors[4], /aborted/);
});

test("an older Node is told what to do", { skip: isNew && "this Node is new enough" }, async () => {
    const { BUCKETWHEEL_NODE_ADDON: _, ...env } = process.env;
    const started = promisify(execFile)(process.execPath, ["--eval", `require(${JSON.stringify(library)})`], { env });
    await assert.rejects(started, /bucketwheel\.node is missing: build it with .*, or use Node 22 or newer/);
});
