// A project that has switched from snarkjs by its package.json alone: its types, and libraries that depend on snarkjs, unchanged.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { dataFile, ours, root } from "../common.mjs";

/** The folder where tools/node-package.sh installed the project. */
const project = process.env.BUCKETWHEEL_NODE_PROJECT ?? path.join(root, "target", "node-project");
const sources = path.join(root, "crates", "node", "test", "project");
/** Powers of tau that one test prepares for circuits, and a later test uses. */
const powers = path.join(project, "powers.ptau");
const require = createRequire(path.join(project, "package.json"));
const run = promisify(execFile);

/** Compiles a program of the project. */
async function compile(source, config) {
    const folder = path.join(project, "types", config.name);
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(path.join(sources, source), path.join(folder, source));
    fs.writeFileSync(
        path.join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { strict: true, noEmit: true, target: "es2022", lib: ["es2022", "dom"], types: [], ...config.options }, files: [source] }),
    );
    const compiler = path.join(project, "node_modules", "typescript", "lib", "tsc.js");
    await run(process.execPath, [compiler, "--project", folder]).catch(({ stdout }) => assert.fail(stdout));
}

test("programs that use every type compile, with ours and with theirs", async () => {
    const module = { module: "nodenext" };
    const theirs = { baseUrl: ".", paths: { snarkjs: ["../../node_modules/@types/snarkjs"] } };
    await Promise.all([
        compile("types.ts", { name: "ours", options: module }),
        compile("types.ts", { name: "bundler", options: { module: "esnext", moduleResolution: "bundler" } }),
        compile("types.ts", { name: "theirs", options: { ...module, ...theirs } }),
        compile("more.ts", { name: "more", options: { ...module, skipLibCheck: true } }),
    ]);
});

test("nobody has another snarkjs", () => {
    const ourFolder = fs.realpathSync(path.join(root, "crates", "node"));
    for (const dependent of ["circomkit", "circom_tester", "@semaphore-protocol/proof"]) {
        const found = createRequire(require.resolve(dependent)).resolve("snarkjs");
        assert.equal(fs.realpathSync(found), path.join(ourFolder, "js", "index.cjs"), dependent);
    }
    assert.ok(!ours.groth16.prove.toString().includes("multiExpAffine"));
});

test("what this package lacks is the real snarkjs'", async () => {
    const program = `
        const { curves, plonk, powersOfTau, zKey } = require("snarkjs");
        const [r1cs, powers, wtns, ptau] = process.argv.slice(1);
        (async () => {
            const key = { type: "mem" };
            await powersOfTau.preparePhase2(powers, ptau);
            await plonk.setup(r1cs, ptau, key);
            const { proof, publicSignals } = await plonk.prove(key, wtns);
            const vk = await zKey.exportVerificationKey(key);
            const holds = await plonk.verify(vk, publicSignals, proof);
            const curve = await curves.getCurveFromName("bn128");
            console.log(vk.protocol, holds, typeof curve.G1.multiExpAffine);
            await curve.terminate();
        })();
    `;
    const files = ["r1cs", "wtns"].map((kind) => dataFile("foreign", "2.2.3", `product.${kind}`));
    files.splice(1, 0, dataFile("ceremony", "bn254-4.ptau"));
    files.push(powers);
    const { stdout } = await run(process.execPath, ["--input-type", "commonjs", "--eval", program, ...files], { cwd: project });
    assert.equal(stdout.trim(), "plonk true function");
});

test("Semaphore's proofs", async () => {
    const program = `
        import { Group } from "@semaphore-protocol/group";
        import { Identity } from "@semaphore-protocol/identity";
        import { generateProof, verifyProof } from "@semaphore-protocol/proof";
        const [wasm, zkey] = process.argv.slice(2);
        const identity = new Identity("secret");
        const group = new Group([1n, identity.commitment, 3n]);
        const proof = await generateProof(identity, group, "message", "scope", 20, { wasm, zkey });
        console.log(await verifyProof(proof), await verifyProof({ ...proof, message: "7" }));
    `;
    const file = path.join(project, "semaphore.mjs");
    fs.writeFileSync(file, program);
    const circuits = process.env.BUCKETWHEEL_CIRCUITS ?? path.join(root, "target", "circuits");
    const artifacts = ["wasm", "zkey"].map((kind) => path.join(circuits, "semaphore", `circuit.${kind}`));
    const { stdout } = await run(process.execPath, [file, ...artifacts], { cwd: project });
    assert.equal(stdout.trim(), "true false");
});

test("circomkit compiles, sets up, proves, and tests witnesses", async () => {
    const program = `
        const { Circomkit } = require("circomkit");
        const ptau = process.argv[2];
        (async () => {
            const kit = new Circomkit({ verbose: false, logLevel: "silent", inspect: false });
            await kit.compile("product", { file: "product", template: "Product", params: [3] });
            await kit.setup("product", ptau);
            const data = { in: [3, 5, 7] };
            await kit.witness("product", "small", data);
            await kit.prove("product", "small", data);
            const holds = await kit.verify("product", "small");
            const calldata = await kit.calldata("product", "small");
            const contract = await kit.contract("product");
            const info = await kit.info("product");
            const { json } = await kit.json("zkey", "product");
            const { json: witness } = await kit.json("wtns", "product", "small");
            const tester = await kit.WitnessTester("tested", { file: "product", template: "Product", params: [3] });
            await tester.expectPass(data, { out: 105 });
            const proofs = await kit.ProofTester("product", "groth16");
            const { proof, publicSignals } = await proofs.prove(data);
            await proofs.expectPass(proof, publicSignals);
            await proofs.expectFail(proof, ["106"]);
            console.log(JSON.stringify([holds, calldata.length > 500, require("node:fs").readFileSync(contract, "utf8").includes("Groth16Verifier"),
                info.constraints, json.nVars, witness.map(String).slice(0, 2), publicSignals]));
            process.exit();
        })();
    `;
    const source = `
        pragma circom 2.0.0;
        template Product(n) {
            signal input in[n];
            signal output out;
            signal partial[n];
            partial[0] <== in[0];
            for (var i = 1; i < n; i++) partial[i] <== partial[i - 1] * in[i];
            out <== partial[n - 1];
        }
    `;
    for (const folder of ["bin", "circuits", "inputs", "build", "ptau"]) {
        fs.rmSync(path.join(project, folder), { recursive: true, force: true });
        fs.mkdirSync(path.join(project, folder));
    }
    // circomkit and circom_tester call `circom`, which npm's package does not install by this name.
    fs.symlinkSync(require.resolve("circom2/cli.js"), path.join(project, "bin", "circom"));
    fs.writeFileSync(path.join(project, "circuits", "product.circom"), source);
    fs.writeFileSync(path.join(project, "circuits.json"), "{}");
    const file = path.join(project, "kit.cjs");
    fs.writeFileSync(file, program);
    const { stdout } = await run(process.execPath, [file, powers], {
        cwd: project,
        env: { ...process.env, PATH: `${path.join(project, "bin")}:${process.env.PATH}` },
    });
    assert.deepEqual(JSON.parse(stdout.trim().split("\n").at(-1)), [true, true, true, 2, 6, ["1", "105"], ["105"]]);
});
