"use strict";
/** Witnesses. */

const { Cache } = require("./cache.cjs");
const { curveOfPrime } = require("./curves.cjs");
const { Reader, readBytes, readSections, writeBytes } = require("./files.cjs");
const native = require("./native.cjs");
const { unstringify } = require("./numbers.cjs");
const { readHeader } = require("./r1cs.cjs");
const { run } = require("./work.cjs");
const { calculateWitness, compileCircuit, encodeWtns } = require("./witness.cjs");

const circuits = new Cache(async (source) => compileCircuit(await readBytes(source)));

/** Calculates a witness, and writes it to a file. */
async function calculate(inputs, wasmFile, wtnsFile, options) {
    const values = unstringify(inputs);
    const how = options ?? {};
    const module = await circuits.get(wasmFile, how.cache);
    await writeBytes(wtnsFile, encodeWtns(await calculateWitness(module, values, how)));
}

/** As `calculate`, with circom's checks on. Logs signals that are set or read, and components that start or finish, of circom 1. */
async function debug(inputs, wasmFile, wtnsFile, symFile, options, logger) {
    const sym = await readSymbols(symFile);
    const name = (label) => sym.labelIdx2Name[label];
    const watch = { ...options, sanityCheck: true, sym };
    if (options.set) {
        watch.logSetSignal = (label, value) => logger?.info(`SET ${name(label)} <-- ${value}`);
    }
    if (options.get) {
        watch.logGetSignal = (label, value) => logger?.info(`GET ${name(label)} --> ${value}`);
    }
    if (options.trigger) {
        watch.logStartComponent = (component) => logger?.info(`START: ${sym.componentIdx2Name[component]}`);
        watch.logFinishComponent = (component) => logger?.info(`FINISH: ${sym.componentIdx2Name[component]}`);
    }
    await calculate(inputs, wasmFile, wtnsFile, watch);
}

/** Names of labels, wires and components. */
async function readSymbols(file) {
    const sym = { labelIdx2Name: ["one"], varIdx2Name: ["one"], componentIdx2Name: [] };
    const text = new TextDecoder().decode(await readBytes(file));
    for (const [label, wire, component, name] of text.split("\n").map((line) => line.split(",")).filter((parts) => parts.length === 4)) {
        sym.labelIdx2Name[label] = name;
        sym.varIdx2Name[wire] = sym.varIdx2Name[wire] ? `${sym.varIdx2Name[wire]}|${name}` : name;
        sym.componentIdx2Name[component] ||= name.split(".").slice(0, -1).join(".");
    }
    return sym;
}

/** The header of a witness. */
function readWitnessHeader(file) {
    const reader = new Reader(file, 1);
    const n8 = reader.u32();
    return { n8, q: reader.integer(n8), nWitness: reader.u32() };
}

/** Returns true if a witness satisfies a circuit. */
async function check(r1csFile, wtnsFile, logger, options) {
    logger?.info("WITNESS CHECKING STARTED");
    logger?.info("> Reading r1cs file");
    const circuit = await readSections(r1csFile, "r1cs", 1);
    const header = readHeader(circuit);
    logger?.info("> Reading witness file");
    const witness = await readSections(wtnsFile, "wtns", 2);
    const { q, nWitness } = readWitnessHeader(witness);
    if (q !== header.prime) {
        throw new Error("Curve of the witness does not match the curve of the proving key");
    }
    const curve = curveOfPrime("r", header.prime);
    for (const line of [
        "----------------------------",
        "  WITNESS CHECK",
        `  Curve:          ${curve.name}`,
        `  Vars (wires):   ${header.nVars}`,
        `  Outputs:        ${header.nOutputs}`,
        `  Public Inputs:  ${header.nPubInputs}`,
        `  Private Inputs: ${header.nPrvInputs}`,
        `  Labels:         ${header.nLabels}`,
        `  Constraints:    ${header.nConstraints}`,
        `  Custom Gates:   ${header.useCustomGates}`,
        "----------------------------",
        "> Checking witness correctness",
    ]) {
        logger?.info(line);
    }
    if (nWitness !== header.nVars) {
        throw new Error(`Invalid witness length. Circuit: ${header.nVars}, witness: ${nWitness}`);
    }
    const broken = await run((job) => native.findUnsatisfied(circuit.bytes, witness.bytes, job), options);
    if (!broken) {
        logger?.info("WITNESS IS CORRECT");
        logger?.info("WITNESS CHECKING FINISHED SUCCESSFULLY");
        return true;
    }
    logger?.warn(`··· aborting checking process at constraint ${broken.constraint ?? 0}`);
    logger?.warn(broken.text);
    logger?.warn("WITNESS IS NOT CORRECT");
    logger?.warn("WITNESS CHECKING FINISHED UNSUCCESSFULLY");
    return false;
}

/** Returns the values of a witness. */
async function exportJson(wtnsFile) {
    const file = await readSections(wtnsFile, "wtns", 2);
    const { n8, nWitness } = readWitnessHeader(file);
    const reader = new Reader(file, 2);
    return Array.from({ length: nWitness }, () => reader.integer(n8));
}

module.exports = { calculate, check, debug, exportJson };
