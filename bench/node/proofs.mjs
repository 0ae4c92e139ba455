// The Node package beside snarkjs in one process: medians of interleaved proofs, in a table.
//
//   node bench/node/proofs.mjs [--runs N] [--call prove | fullProve] [--threads 1 | all] CIRCUIT...
//
// CIRCUIT: a folder of tools/circuits.sh with a key, in BUCKETWHEEL_CIRCUITS or target/circuits. Each of our proofs is
// verified.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const circuits = process.env.BUCKETWHEEL_CIRCUITS ?? path.join(root, "target", "circuits");
const require = createRequire(import.meta.url);
const ours = require("../../crates/node/js/index.cjs");
const theirs = createRequire(path.join(circuits, "npm", "package.json"))("snarkjs");

/** Returns the key of a circuit: the key of `members` is in the repository. */
function keyOf(name) {
    const key = path.join(circuits, name, "circuit.zkey");
    return fs.existsSync(key) ? key : path.join(root, "crates", "cli", "data", name, "circuit.zkey");
}

/** Ways to prove on one thread and on all threads, each with both libraries; with ours, also with a newly loaded
 * key. */
function waysOf(name) {
    const [wasm, wtns, key] = [path.join(circuits, name, "circuit.wasm"), path.join(circuits, name, "witness.wtns"), keyOf(name)];
    const input = JSON.parse(fs.readFileSync(path.join(circuits, name, "input.json")));
    const ways = {};
    for (const [threads, options] of [["1", { singleThread: true }], ["all", {}]]) {
        ways[threads] = {
            prove: [
                () => theirs.groth16.prove(key, wtns, undefined, { ...options }),
                () => ours.groth16.prove(key, wtns, undefined, options),
                () => ours.groth16.prove(key, wtns, undefined, { ...options, cache: false }),
            ],
            fullProve: [
                () => theirs.groth16.fullProve(input, wasm, key, undefined, undefined, { ...options }),
                () => ours.groth16.fullProve(input, wasm, key, undefined, undefined, options),
                () => ours.groth16.fullProve(input, wasm, key, undefined, { cache: false }, { ...options, cache: false }),
            ],
        };
    }
    return { ways, key };
}

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

/** Returns the medians in milliseconds of some ways, measured in turn, so that other load on the machine affects all of
 * them; the first round warms up. */
async function measure(ways, runs, verify) {
    const times = ways.map(() => []);
    for (let run = 0; run <= runs; run++) {
        for (const [index, way] of ways.entries()) {
            const start = performance.now();
            const proof = await way();
            run > 0 && times[index].push(performance.now() - start);
            await verify(proof);
        }
    }
    return times.map(median);
}

const names = process.argv.slice(2);

/** Takes an option out of the arguments. Returns its value, or undefined. */
function option(name) {
    const at = names.indexOf(name);
    return at < 0 ? undefined : names.splice(at, 2)[1];
}

const runs = Number(option("--runs") ?? 11);
const [onlyCall, onlyThreads] = ["--call", "--threads"].map(option);
const isWanted = (name, only) => only === undefined || name === only;

console.log(`Node ${process.version}, ${os.cpus()[0].model}, ${os.cpus().length} processors, medians of ${runs}, milliseconds\n`);
console.log("| circuit | | threads | snarkjs 0.7.6 | ours | snarkjs over ours | ours, key loaded anew |");
console.log("|:---|:---|:---|---:|---:|---:|---:|");
for (const name of names) {
    const { ways, key } = waysOf(name);
    const verificationKey = await ours.zKey.exportVerificationKey(key);
    const verify = async ({ proof, publicSignals }) => {
        if (!(await ours.groth16.verify(verificationKey, publicSignals, proof))) {
            throw new Error(`${name}: a proof does not hold`);
        }
    };
    for (const [threads, calls] of Object.entries(ways).filter(([threads]) => isWanted(threads, onlyThreads))) {
        for (const [call, list] of Object.entries(calls).filter(([call]) => isWanted(call, onlyCall))) {
            const [their, our, anew] = await measure(list, runs, verify);
            const cells = [name, call, threads, their.toFixed(0), our.toFixed(1), (their / our).toFixed(1), anew.toFixed(1)];
            console.log(`| ${cells.join(" | ")} |`);
        }
    }
}
process.exit();
