"use strict";
/**
 * The interface of the native part over the package for browsers, which Node 22 and newer run: keys, proofs and their verification,
 * with the same results and errors.
 */

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const { curveOfName, curveOfPrime } = require("./curves.cjs");
const { Reader, readSections } = require("./files.cjs");

/** The oldest Node whose WebAssembly runs the package. */
const OLDEST = 22;

const folder = path.join(__dirname, "..", "..", "wasm", "js");

/** Throws, for the `reason` why it is needed, if the package for browsers cannot stand in. */
function check(reason) {
    if (Number(process.versions.node.split(".")[0]) < OLDEST) {
        throw new Error(`${reason}, or use Node ${OLDEST} or newer, which can do without it; this is ${process.version}`);
    }
    if (!fs.existsSync(path.join(folder, "bn254.sums.plain.wasm"))) {
        throw new Error(`${reason}; WebAssembly in its place is missing, too: tools/wasm.sh builds it`);
    }
}

let imported;

/** The package, and a pool of workers for calls that bound no threads. */
function web() {
    imported ??= import(pathToFileURL(path.join(folder, "index.mjs")));
    return imported;
}

/** Pools of workers by their size; 0 is the default one. Idle workers do not keep the process alive. */
const pools = new Map();

async function pool(threads) {
    const { Pool, defaultPool } = await web();
    if (!pools.has(threads)) {
        pools.set(threads, threads === 0 ? defaultPool() : new Pool(threads));
    }
    return pools.get(threads);
}

/** Work that can be cancelled, and whose progress can be read. */
class Job {
    #controller = new AbortController();
    #steps = [0, 0];

    cancel() {
        this.#controller.abort();
    }

    progress() {
        return this.#steps;
    }

    /** The options of a call of the package. */
    get options() {
        return { signal: this.#controller.signal, onProgress: (...steps) => (this.#steps = steps) };
    }
}

/** The number of a key's protocol, whose section has nothing else. */
function protocolOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return bytes.length >= 28 && view.getUint32(12, true) === 1 ? view.getUint32(24, true) : undefined;
}

/** Checks that a witness is one for a circuit. */
async function checkWitness(witness, { curve, signals }) {
    const header = new Reader(await readSections(witness, "wtns", 2), 1);
    const order = header.integer(header.u32());
    const found = header.u32();
    if (curveOfPrime("r", order) !== curveOfName(curve)) {
        throw new Error("Curve of the witness does not match the curve of the proving key");
    }
    if (found !== signals) {
        throw new Error(`Invalid witness length. Circuit: ${signals}, witness: ${found}`);
    }
}

/** A key, ready to prove with. */
class Key {
    #bytes;
    /** The circuit in each pool that has proved with it. */
    #circuits = new Map();

    constructor(bytes) {
        this.#bytes = bytes;
    }

    async #circuit(threads) {
        if (!this.#circuits.has(threads)) {
            const { load } = await web();
            this.#circuits.set(threads, load(this.#bytes, { pool: await pool(threads) }));
        }
        return this.#circuits.get(threads);
    }

    /** Reads the key and checks it, except for its points. */
    async check() {
        await this.#circuit(0);
    }

    async prove(witness, { threads }, job) {
        const circuit = await this.#circuit(threads);
        await checkWitness(witness, circuit.info);
        const { proof, publicSignals } = await circuit.prove(witness, job.options);
        return { proof: JSON.stringify(proof), public: publicSignals };
    }

    async verificationKey() {
        return JSON.stringify(await (await this.#circuit(0)).verificationKey());
    }

    async contract() {
        throw missing("zKey.exportSolidityVerifier");
    }
}

const missing = (what) => new Error(`${what} needs the native part: build it with \`node install.mjs\` in ${path.dirname(__dirname)}`);

/** Loads a key from a file or from bytes, which are copied. Resolves to the number of another protocol than Groth16. */
async function loadKey(source) {
    const bytes = typeof source === "string" ? await fs.promises.readFile(source) : Uint8Array.from(source);
    const protocol = protocolOf(bytes);
    if (protocol !== undefined && protocol !== 1) {
        return protocol;
    }
    const key = new Key(bytes);
    await key.check().catch((error) => {
        throw typeof source === "string" ? new Error(`${source}: ${error.message}`, { cause: error }) : error;
    });
    return key;
}

/** Verifies a proof. Takes the texts of a `verification_key.json`, a `public.json` and a `proof.json`. */
async function verify(...texts) {
    const values = texts.map((text) => JSON.parse(text));
    const { verdict } = await web();
    return verdict(...values, { pool: await pool(0) });
}

async function findUnsatisfied() {
    throw missing("wtns.check");
}

module.exports = { Job, check, findUnsatisfied, loadKey, verify };
