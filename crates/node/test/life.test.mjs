// A long-lived process: many proofs, other threads, cancellation, keys that change, and its end.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { bytes, circuits, json, members, ours, power, root, runNode } from "./common.mjs";

const { groth16 } = ours;
const native = createRequire(import.meta.url)("../js/native.cjs");
const key = json(power("verification_key.json"));
const [zkey, wtns] = [power("power.zkey"), power("power.wtns")];
const semaphore = ["zkey", "wtns"].map((kind) =>
    path.join(circuits, "semaphore", kind === "zkey" ? "circuit.zkey" : "witness.wtns"),
);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bucketwheel-node-"));
after(() => fs.rmSync(folder, { recursive: true }));

/** A program that proves, and prints when it had the proof and when it ended. */
const program = (library) => `
    import { createRequire } from "node:module";
    const { groth16 } = createRequire(import.meta.url)(${JSON.stringify(library)});
    await groth16.prove(...process.argv.slice(1));
    const proved = performance.now();
    process.on("exit", () => console.log(performance.now() - proved));
    setTimeout(() => process.exit(), 5000).unref();
`;

test("a process ends as soon as its proof is there; with the real snarkjs, it never does", async () => {
    const here = path.join(root, "crates", "node", "js", "index.cjs");
    const there = path.join(circuits, "npm", "node_modules", "snarkjs", "build", "main.cjs");
    const [mine, other] = await Promise.all([here, there].map((library) => runNode(program(library), { args: [zkey, wtns] })));
    assert.ok(Number(mine) < 1000, `ends after ${mine} ms`);
    assert.ok(Number(other) > 3000, `the real one ends after ${other} ms`);
});

test("both kinds of modules have the same functions", async () => {
    const library = path.join(root, "crates", "node", "js");
    const list = "const list = (api) => Object.keys(api).sort().map((name) => [name, Object.keys(api[name]).sort().join()]);";
    const imported = `${list} import * as api from ${JSON.stringify(path.join(library, "index.mjs"))}; console.log(JSON.stringify(list(api)));`;
    const required = `${list} console.log(JSON.stringify(list(require(${JSON.stringify(path.join(library, "index.cjs"))}))));`;
    const found = await Promise.all([runNode(imported), runNode(required, { type: "commonjs" })]);
    assert.equal(found[0], found[1]);
    const theirs = path.join(circuits, "npm", "node_modules", "snarkjs", "main.js");
    const expected = JSON.parse(await runNode(`${list} import * as api from ${JSON.stringify(theirs)}; console.log(JSON.stringify(list(api))); process.exit();`));
    assert.deepEqual(JSON.parse(found[0]), expected);
});

test("a hundred proofs at once, while the event loop goes on", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const proofs = await Promise.all(Array.from({ length: 100 }, () => groth16.prove(zkey, wtns)));
    clearInterval(timer);
    const distinct = new Set(proofs.map(({ proof }) => proof.pi_a[0]));
    assert.equal(distinct.size, 100);
    for (const { proof, publicSignals } of proofs) {
        assert.ok(await groth16.verify(key, publicSignals, proof));
    }
    assert.ok(turns > 10, `${turns} turns`);
});

test("a thousand proofs leave no memory behind", async () => {
    const prove = async (count) => {
        for (let i = 0; i < count; i++) {
            // Each tenth proof loads a key of 1.6 MB from bytes, and keeps it or not.
            await (i % 10 === 0
                ? groth16.prove(bytes(members.zkey), members.wtns, undefined, { cache: i % 20 === 0 })
                : groth16.prove(zkey, wtns));
        }
        globalThis.gc?.();
        return process.memoryUsage().rss;
    };
    let before = await prove(300);
    const grown = [];
    // A leak grows each time. The allocator keeps more when threads first meet, which a busy machine may delay.
    for (let i = 0; i < 3; i++) {
        const after = await prove(1000);
        grown.push((after - before) / 2 ** 20);
        if (grown.at(-1) < 24) return;
        before = after;
    }
    assert.fail(`${grown.map((mebibytes) => mebibytes.toFixed(1))} MiB more`);
});

test("worker threads prove, too", async () => {
    const source = `
        const { parentPort, workerData } = require("node:worker_threads");
        const { groth16 } = require(workerData.library);
        Promise.all([1, 2, 3].map(() => groth16.prove(workerData.zkey, workerData.wtns))).then((proofs) => parentPort.postMessage(proofs));
    `;
    const library = path.join(root, "crates", "node", "js", "index.cjs");
    const work = () =>
        new Promise((resolve, reject) => {
            const worker = new Worker(source, { eval: true, workerData: { library, zkey, wtns } });
            worker.on("message", resolve).on("error", reject);
        });
    const proofs = (await Promise.all([work(), work(), work(), work()])).flat();
    assert.equal(proofs.length, 12);
    for (const { proof, publicSignals } of proofs) {
        assert.ok(await groth16.verify(key, publicSignals, proof));
    }
    // A thread that ends while it proves does not end the process.
    for (const patience of [0, 5, 20]) {
        const worker = new Worker(source, { eval: true, workerData: { library, zkey: semaphore[0], wtns: semaphore[1] } });
        await sleep(100 + patience);
        await worker.terminate();
    }
    assert.ok(await groth16.prove(zkey, wtns));
});

test("threads may be bounded", async () => {
    for (const options of [{ singleThread: true }, { singleThread: false }, { threads: 1 }, { threads: 3 }, { memory: 2 ** 28 }, { retain: true }, null]) {
        const { proof, publicSignals } = await groth16.prove(zkey, wtns, null, options);
        assert.ok(await groth16.verify(key, publicSignals, proof), JSON.stringify(options));
    }
    await assert.rejects(groth16.prove(zkey, wtns, null, { memory: 1 }), /a proof in 1 bytes: expected at least/);
});

test("progress is told, up to its end", async () => {
    const calls = [];
    await groth16.prove(...semaphore, undefined, { onProgress: (done, total) => calls.push([done, total]) });
    const [done, total] = calls.at(-1);
    assert.ok(total > 0);
    assert.equal(done, total);
    calls.forEach(([done], i) => assert.ok(i === 0 || done >= calls[i - 1][0]));
});

test("a signal stops a proof, before, while it waits, and under way", async () => {
    const proofs = Array.from({ length: 8 }, () => new AbortController());
    const made = proofs.map(({ signal }) => groth16.prove(...semaphore, undefined, { signal, threads: 1 }));
    await sleep(1);
    proofs.forEach((proof, i) => i === 0 || proof.abort(i === 7 ? new Error("enough") : undefined));
    const results = await Promise.allSettled(made);
    assert.equal(results[0].status, "fulfilled");
    results.slice(1, 7).forEach(({ reason }) => assert.equal(reason?.name, "AbortError"));
    assert.equal(results[7].reason.message, "enough");
    await assert.rejects(groth16.prove(zkey, wtns, undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
    // Proofs that are stopped as soon as they run take less time than whole proofs.
    const times = { stopped: 0, whole: 0 };
    const prove = async (kind, signal) => {
        const start = performance.now();
        const [{ reason }] = await Promise.allSettled([groth16.prove(...semaphore, undefined, { signal, threads: 1 })]);
        times[kind] += performance.now() - start;
        assert.equal(reason?.name, signal && "AbortError");
    };
    const { Job } = native;
    for (let i = 0; i < 5; i++) {
        const controller = new AbortController();
        native.Job = function () {
            setImmediate(() => controller.abort());
            return new Job();
        };
        await prove("stopped", controller.signal);
        native.Job = Job;
        await prove("whole");
    }
    assert.ok(times.stopped < 0.7 * times.whole, JSON.stringify(times));
    await assert.doesNotReject(groth16.prove(zkey, wtns));
});

test("a key that is replaced is loaded anew; an array is its contents when it came", async () => {
    const file = path.join(folder, "key.zkey");
    fs.copyFileSync(zkey, file);
    await groth16.prove(file, wtns);
    await groth16.prove(file, wtns);
    fs.copyFileSync(members.zkey, `${file}.new`);
    fs.renameSync(`${file}.new`, file);
    await assert.rejects(groth16.prove(file, wtns), /^Error: Invalid witness length\. Circuit: \d+, witness: \d+$/);
    assert.ok(await groth16.prove(file, members.wtns));
    fs.copyFileSync(zkey, file);
    assert.ok(await groth16.prove(file, wtns));
    fs.rmSync(file);
    await assert.rejects(groth16.prove(file, wtns), { code: "ENOENT" });
    const array = bytes(zkey);
    assert.ok(await groth16.prove(array, wtns));
    const proof = groth16.prove(array, wtns, undefined, { cache: false });
    await sleep(0);
    assert.ok(await proof);
    array.fill(0);
    assert.ok(await groth16.prove(array, wtns));
    await assert.rejects(groth16.prove(array, wtns, undefined, { cache: false }), /Invalid File format$/);
});

test("without the real snarkjs, what it alone has is an error that says so", async () => {
    const library = path.join(root, "crates", "node", "js", "index.cjs");
    const program = `
        process.chdir("/");
        const { curves, plonk, powersOfTau, zKey } = require(${JSON.stringify(library)});
        const calls = [() => plonk.setup(), () => powersOfTau.verify(), () => zKey.newZKey()];
        const told = calls.map((call) => call().catch(({ message }) => message));
        Promise.all(told).then(async (told) => console.log(JSON.stringify([...told, (await curves.getCurveFromName("bn128")).name])));
    `;
    const told = JSON.parse(await runNode(program, { type: "commonjs" }));
    for (const [i, name] of ["plonk.setup", "powersOfTau.verify", "zKey.newZKey"].entries()) {
        assert.match(told[i], new RegExp(`^${name} is a function of the real snarkjs, which is not installed: npm install `));
    }
    assert.equal(told[3], "bn128");
});
