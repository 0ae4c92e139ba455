"use strict";
/** Groth16: proofs, their verification, the arguments of contracts. */

const { curveOfName } = require("./curves.cjs");
const { checkHead, nameFile, readBytes } = require("./files.cjs");
const { openKey } = require("./keys.cjs");
const native = require("./native.cjs");
const { unstringify } = require("./numbers.cjs");
const { plain, run } = require("./work.cjs");
const { calculate } = require("./wtns.cjs");

/** Calculates a witness and proves that the caller knows it. */
async function fullProve(inputs, wasmFile, zkeyFile, logger, calculatorOptions, proverOptions) {
    const witness = { type: "mem" };
    await calculate(inputs, wasmFile, witness, calculatorOptions);
    return prove(zkeyFile, witness, logger, proverOptions);
}

/** Proves that the caller knows a witness. */
async function prove(zkeyFile, witnessFile, logger, options) {
    const how = options ?? {};
    const witness = await readBytes(witnessFile);
    checkHead(witness, "wtns", 2, nameFile(witnessFile));
    logger?.debug("Reading the key");
    const { protocol, key } = await openKey(zkeyFile, how);
    if (protocol !== "groth16") {
        throw new Error("zkey file is not groth16");
    }
    const { singleThread, threads = singleThread ? 1 : 0, verify = true, memory } = how;
    logger?.debug("Making the proof");
    const texts = await run((job) => key.prove(witness, { threads, verify, memory }, job), how);
    return { proof: JSON.parse(texts.proof), publicSignals: texts.public };
}

/** Returns true if a proof of public signals holds. */
async function verify(key, publicSignals, proof, logger) {
    const curve = curveOfName(key.curve);
    const prepared = { ...unstringify(key), protocol: "groth16", curve: curve.name };
    const signals = unstringify(publicSignals);
    const { pi_a, pi_b, pi_c } = unstringify(proof);
    const constant = g1(prepared.IC[0], curve);
    const values = signals.map((signal) => BigInt(signal));
    if (values.some((value) => value < 0n || value >= curve.r)) {
        logger?.error("Public inputs are not valid.");
        return false;
    }
    // A signal too many has no point: this throws, as in snarkjs.
    values.forEach((_, i) => g1(prepared.IC[i + 1], curve));
    const ic = [constant, ...prepared.IC.slice(1).map((point) => g1(point, curve))];
    const missing = ic.length - 1 - values.length;
    const texts = [
        {
            protocol: "groth16",
            curve: curve.name,
            nPublic: ic.length - 1,
            vk_alpha_1: g1(prepared.vk_alpha_1, curve),
            vk_beta_2: g2(prepared.vk_beta_2, curve),
            vk_gamma_2: g2(prepared.vk_gamma_2, curve),
            vk_delta_2: g2(prepared.vk_delta_2, curve),
            IC: ic,
        },
        [...values.map(String), ...Array(missing).fill("0")],
        { pi_a: g1(pi_a, curve), pi_b: g2(pi_b, curve), pi_c: g1(pi_c, curve), protocol: "groth16", curve: curve.name },
    ];
    const verdict = await native.verify(...texts.map((text) => JSON.stringify(text))).catch((error) => {
        throw plain(error);
    });
    if (verdict === "OutsideOfGroup") {
        logger?.error("Proof commitments are not valid.");
        return false;
    }
    // A signal that is missing is not 0.
    if (verdict !== "Holds" || missing > 0) {
        logger?.error("Invalid proof");
        return false;
    }
    logger?.info("OK!");
    return true;
}

/** Returns a coordinate as snarkjs reads it: the low bytes, as many as the prime has, modulo the prime. */
function coordinate(value, { q, bytes }) {
    if (typeof value !== "bigint" && !Number.isInteger(value)) {
        // Throws for null and undefined, as snarkjs does. snarkjs reads any other value as a number that makes no point.
        value.toString();
        return 0n;
    }
    return BigInt.asUintN(8 * bytes, BigInt(value)) % q;
}

/** A point of G1 in canonical decimals. */
function g1(point, curve) {
    const [x, y] = [coordinate(point[0], curve), coordinate(point[1], curve)];
    const z = point.length === 3 ? coordinate(point[2], curve) : 1n;
    return z === 0n ? ["0", "1", "0"] : [x, y, z].map(String);
}

/** A point of G2 in canonical decimals. */
function g2(point, curve) {
    const element = (value) => [coordinate(value[0], curve), coordinate(value[1], curve)];
    const [x, y] = [element(point[0]), element(point[1])];
    const z = point.length === 3 ? element(point[2]) : [1n, 0n];
    const isZero = z[0] === 0n && z[1] === 0n;
    return (isZero ? [[0, 0], [1, 0], [0, 0]] : [x, y, z]).map((element) => element.map(String));
}

/** Returns the arguments of a call of the contract that verifies a proof. */
async function exportSolidityCallData(proof, publicSignals) {
    const { pi_a, pi_b, pi_c } = unstringify(proof);
    const word = (number) => `"0x${number.toString(16).padStart(64, "0")}"`;
    const pair = ([x, y], separator = ", ") => `[${word(x)}${separator}${word(y)}]`;
    const signals = Array.from(unstringify(publicSignals), word);
    const b = [pi_b[0], pi_b[1]].map(([c0, c1]) => pair([c1, c0]));
    return `${pair(pi_a)},[${b.join(",")}],${pair(pi_c)},[${signals.join(",")}]`;
}

module.exports = { exportSolidityCallData, fullProve, prove, verify };
