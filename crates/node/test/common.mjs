// Shared by the tests: this package, the real snarkjs, files.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));

/** The folder of the repository. */
export const root = path.join(here, "..", "..", "..");
/** The circuits of `tools/circuits.sh`, and the npm packages that it installs. */
export const circuits = process.env.BUCKETWHEEL_CIRCUITS ?? path.join(root, "target", "circuits");

const require = createRequire(import.meta.url);
export const ours = require("../js/index.cjs");
/** The real snarkjs, of the version whose interface this package has. */
export const theirs = createRequire(path.join(circuits, "npm", "package.json"))("snarkjs");

const data = path.join(root, "crates", "snarkjs", "tests", "data");
export const power = (name, curve = "bn254") => path.join(data, curve, name);
export const dataFile = (...names) => path.join(data, ...names);
export const json = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
export const bytes = (file) => new Uint8Array(fs.readFileSync(file));

/** Circuits with a key, WebAssembly and an input. */
export const members = {
    zkey: path.join(root, "crates", "cli", "data", "members", "circuit.zkey"),
    wasm: path.join(circuits, "members", "circuit.wasm"),
    r1cs: path.join(circuits, "members", "circuit.r1cs"),
    wtns: path.join(root, "crates", "cli", "data", "members", "witness.wtns"),
    key: json(path.join(root, "crates", "cli", "data", "members", "verification_key.json")),
    input: json(path.join(circuits, "members", "input.json")),
};

/** Ends the workers that the real snarkjs leaves running. */
export async function stopTheirs() {
    await globalThis.curve_bn128?.terminate();
    await globalThis.curve_bls12381?.terminate();
}

/** A logger that keeps its lines. */
export function keepLines() {
    const lines = [];
    const keep = (level) => (line) => level === "debug" || lines.push(`${level}: ${line}`);
    const levels = ["debug", "info", "warn", "error"];
    return { lines, ...Object.fromEntries(levels.map((level) => [level, keep(level)])) };
}

/**
 * Returns the outcome of a call: its value, or the name and the message of its error. The message of a `TypeError` is
 * left out, because it depends on the member that the program looked at first.
 */
export async function outcome(call) {
    try {
        return { value: await call() };
    } catch (error) {
        return { error: error instanceof TypeError ? "TypeError" : `${error.constructor.name}: ${error.message}` };
    }
}

/** Asserts that a call of both libraries, `call(library, logger)`, has the same outcome and the same lines in the log. */
export async function assertSame(what, call) {
    const [mine, other] = [keepLines(), keepLines()];
    const [found, expected] = [await outcome(() => call(ours, mine)), await outcome(() => call(theirs, other))];
    assert.deepEqual(found, expected, what);
    assert.deepEqual(mine.lines, other.lines, what);
}

const run = promisify(execFile);

/** Runs a program of Node, as a module, and returns what it prints. */
export async function runNode(program, { args = [], type = "module", timeout = 60_000 } = {}) {
    const { stdout } = await run(process.execPath, ["--input-type", type, "--eval", program, ...args], { timeout, cwd: here });
    return stdout.trim();
}
