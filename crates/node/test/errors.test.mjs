// Bad input, beside the real snarkjs: the same answers, the same lines in the log, the same errors; each difference has
// its reason.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { assertSame, bytes, dataFile, json, members, ours, outcome, power, stopTheirs, theirs } from "./common.mjs";

after(stopTheirs);

const ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const PRIME = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const key = json(power("verification_key.json"));
const { proof, publicSignals } = await ours.groth16.prove(power("power.zkey"), power("power.wtns"));

/** Returns a copy of a value with changed members. */
const change = (value, edit) => {
    const copy = structuredClone(value);
    edit(copy);
    return copy;
};

test("verification of what is no proof", async () => {
    const verify = (theKey, signals, theProof) => [theKey, signals, theProof];
    const withProof = (edit) => verify(key, publicSignals, change(proof, edit));
    const withKey = (edit) => verify(change(key, edit), publicSignals, proof);
    const withSignal = (value) => verify(key, [value, ...publicSignals.slice(1)], proof);
    const plusOne = (text) => String(BigInt(text) + 1n);
    const cases = {
        "good": verify(key, publicSignals, proof),
        "signals as numbers in hexadecimal": verify(key, publicSignals.map((s) => `0x${BigInt(s).toString(16)}`), proof),
        "signals as integers": verify(key, publicSignals.map(BigInt), proof),
        "a proof of integers": withProof((p) => (p.pi_a = p.pi_a.map(BigInt))),
        "coordinates above the prime": withProof((p) => (p.pi_a[0] = String(BigInt(p.pi_a[0]) + PRIME))),
        "a point without its third coordinate": withProof((p) => p.pi_a.pop()),
        "another signal": withSignal("5"),
        "a signal above the order": withSignal(String(ORDER)),
        "a negative signal": withSignal("-1"),
        "a signal that is a text": withSignal("five"),
        "a signal that is a fraction": withSignal(1.5),
        "a signal that is null": withSignal(null),
        "a signal that is missing": verify(key, publicSignals.slice(1), proof),
        "no signals": verify(key, [], proof),
        "a signal too many": verify(key, [...publicSignals, "1"], proof),
        "signals that are null": verify(key, null, proof),
        "a beginning of A that is off the curve": withProof((p) => (p.pi_a[0] = plusOne(p.pi_a[0]))),
        "a B that is off the curve": withProof((p) => (p.pi_b[0][0] = plusOne(p.pi_b[0][0]))),
        "a C that is off the curve": withProof((p) => (p.pi_c[1] = plusOne(p.pi_c[1]))),
        "A in the place of C": withProof((p) => (p.pi_c = p.pi_a)),
        "A at infinity": withProof((p) => (p.pi_a = ["0", "1", "0"])),
        "B at infinity": withProof((p) => (p.pi_b = [["0", "0"], ["1", "0"], ["0", "0"]])),
        "A of zeros": withProof((p) => (p.pi_a = ["0", "0", "1"])),
        "A that is a text": withProof((p) => (p.pi_a[0] = "x")),
        "no A": withProof((p) => delete p.pi_a),
        "no B": withProof((p) => delete p.pi_b),
        "a short B": withProof((p) => (p.pi_b = [p.pi_b[0]])),
        "a proof that is null": verify(key, publicSignals, null),
        "another protocol's name": withProof((p) => (p.protocol = "plonk")),
        "a proof that names no curve": withProof((p) => delete p.curve),
        "a key without a curve": withKey((k) => delete k.curve),
        "a key for no curve": withKey((k) => (k.curve = "secp256k1")),
        "a key for an alias of the curve": withKey((k) => (k.curve = "alt_bn128")),
        "a key without IC": withKey((k) => delete k.IC),
        "a key with a short IC": withKey((k) => k.IC.pop()),
        "a key with an empty IC": withKey((k) => (k.IC = [])),
        "a key without gamma": withKey((k) => delete k.vk_gamma_2),
        "a key with another alpha": withKey((k) => (k.vk_alpha_1 = k.IC[0])),
        "a key with an alpha off the curve": withKey((k) => (k.vk_alpha_1[0] = plusOne(k.vk_alpha_1[0]))),
        "a key without a pairing": withKey((k) => delete k.vk_alphabeta_12),
        "a key with another pairing": withKey((k) => (k.vk_alphabeta_12[0][0][0] = "1")),
        "a key with another count": withKey((k) => (k.nPublic = 7)),
        "a key that is undefined": verify(undefined, publicSignals, proof),
    };
    for (const [what, args] of Object.entries(cases)) {
        await assertSame(what, ({ groth16 }, logger) => groth16.verify(...args, logger));
    }
});

test("a signal that is missing is not 0", async () => {
    // The real snarkjs accepts this proof without its last signal, since 0 adds nothing.
    const zero = change(key, (k) => k.IC.push(k.IC[0]));
    assert.equal(await theirs.groth16.verify(zero, publicSignals, proof), true);
    assert.equal(await ours.groth16.verify(zero, [...publicSignals, "0"], proof), true);
    assert.equal(await ours.groth16.verify(zero, publicSignals, proof), false);
});

test("inputs of circuits", async () => {
    const { input, wasm } = members;
    const [first] = Object.keys(input);
    const list = Object.keys(input).find((name) => Array.isArray(input[name]));
    const without = change(input, (i) => delete i[first]);
    const cases = {
        "none": {},
        "one missing": without,
        "one that the circuit lacks": { ...input, nonsense: 1 },
        "too many values": { ...input, [first]: [input[first], input[first]].flat() },
        "too few values": { ...input, [list]: input[list].slice(1) },
        "a fraction": { ...input, [first]: 1.5 },
        "a text": { ...input, [first]: "x" },
        "null": { ...input, [first]: null },
        "undefined": { ...input, [first]: undefined },
        "not a number": { ...input, [first]: NaN },
        "inputs that are null": null,
        "inputs that are undefined": undefined,
        "a value that fails an assertion": { ...input, [list]: input[list].map(() => "7") },
    };
    for (const [what, inputs] of Object.entries(cases)) {
        await assertSame(what, async ({ wtns }) => {
            const file = { type: "mem" };
            await wtns.calculate(inputs, wasm, file);
            return Buffer.from(file.data).toString("hex");
        });
        if (what !== "a value that fails an assertion") {
            await assertSame(what, ({ groth16 }) => groth16.fullProve(inputs, wasm, members.zkey));
        }
    }
});

test("files that are not there, or are other files", async () => {
    const missing = "/nonexistent/file";
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bucketwheel-node-"));
    const [zkey, wtns, r1cs] = [power("power.zkey"), power("power.wtns"), power("power.r1cs")];
    const { input, wasm } = members;
    const edited = (file, edit) => {
        const copy = bytes(file);
        edit(new DataView(copy.buffer));
        const at = path.join(folder, `${edits++}`);
        fs.writeFileSync(at, copy);
        return at;
    };
    let edits = 0;
    const newer = (file) => edited(file, (view) => view.setUint32(4, 9, true));
    const protocol = (number) => edited(zkey, (view) => view.setUint32(24, number, true));
    const [plonk, powers] = [{ type: "mem" }, { type: "mem" }];
    await theirs.powersOfTau.preparePhase2(dataFile("ceremony", "bn254-4.ptau"), powers);
    await theirs.plonk.setup(dataFile("foreign", "2.2.3", "product.r1cs"), powers, plonk);
    const shorter = edited(wtns, (view) => view.setUint32(60, view.getUint32(60, true) - 1, true));
    const cases = {
        "a key that is missing": ({ groth16 }) => groth16.prove(missing, wtns),
        "a witness that is missing": ({ groth16 }) => groth16.prove(zkey, missing),
        "a circuit that is missing": ({ groth16 }) => groth16.fullProve(input, missing, zkey),
        "a key that is missing for inputs": ({ groth16 }) => groth16.fullProve(input, wasm, missing),
        "a witness in the place of a key": ({ groth16 }) => groth16.prove(wtns, wtns),
        "a key in the place of a witness": ({ groth16 }) => groth16.prove(zkey, zkey),
        "a key in the place of a circuit": ({ groth16 }) => groth16.fullProve(input, zkey, zkey),
        "a folder in the place of a key": ({ groth16 }) => groth16.prove(folder, wtns),
        "a folder in the place of a witness": ({ groth16 }) => groth16.prove(zkey, folder),
        "a newer key": ({ groth16 }) => groth16.prove(newer(zkey), wtns),
        "a newer witness": ({ groth16 }) => groth16.prove(zkey, newer(wtns)),
        "a key for plonk": ({ groth16 }) => groth16.prove(plonk, wtns),
        "a key for nothing": ({ groth16 }) => groth16.prove(protocol(77), wtns),
        "another circuit's witness": ({ groth16 }) => groth16.prove(zkey, members.wtns),
        "another circuit's key": ({ groth16 }) => groth16.prove(members.zkey, wtns),
        "another curve's witness": ({ groth16 }) => groth16.prove(zkey, power("power.wtns", "bls12-381")),
        "another curve's key": ({ groth16 }) => groth16.prove(power("power.zkey", "bls12-381"), wtns),
        "no type of file": ({ groth16 }) => groth16.prove({ type: "tape" }, wtns),
        "a number": ({ groth16 }) => groth16.prove(7, wtns),
        "no file": ({ groth16 }) => groth16.prove(undefined, wtns),
        "a null": ({ groth16 }) => groth16.prove(zkey, null),
        "memory without data": ({ groth16 }) => groth16.prove(zkey, { type: "mem" }),
        "exports of a missing key": ({ zKey }, logger) => zKey.exportVerificationKey(missing),
        "exports of a witness": ({ zKey }) => zKey.exportVerificationKey(wtns),
        "JSON of a missing key": ({ zKey }) => zKey.exportJson(missing),
        "JSON of a missing witness": ({ wtns: { exportJson } }) => exportJson(missing),
        "JSON of another file": ({ wtns: { exportJson } }) => exportJson(zkey),
        "JSON of a missing circuit": ({ r1cs: { exportJson } }) => exportJson(missing),
        "JSON of no circuit": ({ r1cs: { exportJson } }) => exportJson(wtns),
        "numbers of a missing circuit": ({ r1cs: { info } }) => info(missing),
        "checks of a missing circuit": ({ wtns: { check } }, logger) => check(missing, wtns, logger),
        "checks of a missing witness": ({ wtns: { check } }, logger) => check(r1cs, missing, logger),
        "checks of another curve's witness": ({ wtns: { check } }, logger) => check(r1cs, power("power.wtns", "bls12-381"), logger),
        "symbols that are missing": ({ wtns: { debug } }) => debug(input, wasm, { type: "mem" }, missing, {}),
        "an output in a folder that is missing": ({ wtns: { calculate } }) => calculate(input, wasm, `${missing}/x.wtns`),
        "an output of no type": ({ wtns: { calculate } }) => calculate(input, wasm, { type: "tape" }),
        "calldata of nothing": ({ groth16 }) => groth16.exportSolidityCallData({}, []),
        "calldata without signals": ({ groth16 }) => groth16.exportSolidityCallData(proof, []),
    };
    for (const [what, call] of Object.entries(cases)) {
        await assertSame(what, call);
    }
    await assert.rejects(ours.groth16.prove(zkey, shorter));
    fs.rmSync(folder, { recursive: true });
});

test("keys and witnesses that are damaged are errors, never proofs", async () => {
    // From these files, the real snarkjs makes proofs that do not hold, or it fails somewhere.
    const [zkey, wtns] = [bytes(power("power.zkey")), bytes(power("power.wtns"))];
    for (let length = 0; length < zkey.length; length += Math.ceil(zkey.length / 40)) {
        const { error } = await outcome(() => ours.groth16.prove(zkey.slice(0, length), wtns));
        assert.match(error, /^Error: ./, `${length} bytes of a key`);
    }
    for (let length = 0; length < wtns.length; length += Math.ceil(wtns.length / 20)) {
        const { error } = await outcome(() => ours.groth16.prove(zkey, wtns.slice(0, length)));
        assert.match(error, /^Error: ./, `${length} bytes of a witness`);
    }
    let refused = 0;
    for (let bit = 100; bit < 8 * zkey.length; bit += Math.ceil((8 * zkey.length) / 60)) {
        const damaged = zkey.slice();
        damaged[bit >> 3] ^= 1 << (bit & 7);
        const { error, value } = await outcome(() => ours.groth16.prove(damaged, wtns));
        refused += error !== undefined;
        // Parts of a key that proofs do not use may be damaged.
        assert.ok(error?.startsWith("Error: ") || (await ours.groth16.verify(key, value.publicSignals, value.proof)), `bit ${bit}`);
    }
    assert.ok(refused > 30, `${refused}`);
});
