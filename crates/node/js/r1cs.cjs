"use strict";
/** Circuits, `.r1cs`. */

const { curveOfPrime, outline } = require("./curves.cjs");
const { Reader, readSections } = require("./files.cjs");
const { stringify } = require("./numbers.cjs");

/** The header of a circuit. */
function readHeader(file) {
    const reader = new Reader(file, 1);
    const n8 = reader.u32();
    const prime = reader.integer(n8);
    const [nVars, nOutputs, nPubInputs, nPrvInputs] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
    const [nLabels, nConstraints] = [reader.u64(), reader.u32()];
    const useCustomGates = file.sections.has(4) && file.sections.has(5);
    return { n8, prime, nVars, nOutputs, nPubInputs, nPrvInputs, nLabels, nConstraints, useCustomGates };
}

/** The constraints, three sums each: coefficients by wire. */
function readConstraints(file, { n8, nConstraints }) {
    const reader = new Reader(file, 2);
    const sum = () => {
        const terms = {};
        for (let left = reader.u32(); left > 0; left--) {
            const wire = reader.u32();
            terms[wire] = reader.integer(n8);
        }
        return terms;
    };
    return Array.from({ length: nConstraints }, () => [sum(), sum(), sum()]);
}

/** Custom gates of other proof systems, and their uses. */
function readCustomGates(file, { n8, useCustomGates }) {
    if (!useCustomGates) {
        return { customGates: [], customGatesUses: [] };
    }
    const [gates, uses] = [new Reader(file, 4), new Reader(file, 5)];
    const list = (reader, item) => Array.from({ length: reader.u32() }, item);
    return {
        customGates: list(gates, () => ({ templateName: gates.text(), parameters: list(gates, () => gates.integer(n8)) })),
        customGatesUses: list(uses, () => ({ id: uses.u32(), signals: list(uses, () => uses.u64()) })),
    };
}

/** All of a circuit. */
async function read(r1csFile) {
    const file = await readSections(r1csFile, "r1cs", 1);
    const header = readHeader(file);
    const constraints = readConstraints(file, header);
    return { file, circuit: { ...header, constraints, ...readCustomGates(file, header) } };
}

/** Returns the numbers and the constraints of a circuit. */
async function info(r1csFile, logger) {
    const { circuit } = await read(r1csFile);
    const found = curveOfPrime("r", circuit.prime);
    const curve = outline(found);
    logger?.info(`Curve: ${found.title}`);
    logger?.info(`# of Wires: ${circuit.nVars}`);
    logger?.info(`# of Constraints: ${circuit.nConstraints}`);
    logger?.info(`# of Private Inputs: ${circuit.nPrvInputs}`);
    logger?.info(`# of Public Inputs: ${circuit.nPubInputs}`);
    logger?.info(`# of Labels: ${circuit.nLabels}`);
    logger?.info(`# of Outputs: ${circuit.nOutputs}`);
    return { ...circuit, curve, F: curve.Fr };
}

/** Returns all of a circuit, with decimal strings for its integers. */
async function exportJson(r1csFile) {
    const { file, circuit } = await read(r1csFile);
    const labels = new Reader(file, 3);
    const map = Array.from({ length: circuit.nVars }, () => labels.u64());
    return stringify({ ...circuit, map });
}

/** Logs the constraints of a circuit, which `info` returned, with the names of its wires. */
function print({ curve, constraints }, symbols, logger) {
    const sum = (terms) =>
        Object.keys(terms).reduce((text, wire) => {
            const name = symbols.varIdx2Name[wire] === "one" ? "1" : symbols.varIdx2Name[wire];
            const coefficient = curve.Fr.toString(terms[wire]);
            const factor = coefficient === "1" ? "" : coefficient;
            return text === "" ? factor + name : `${text} +${factor}${name}`;
        }, "");
    for (const [a, b, c] of constraints) {
        logger?.info(`[ ${sum(a)} ] * [ ${sum(b)} ] - [ ${sum(c)} ] = 0`);
    }
}

module.exports = { exportJson, info, print, readHeader };
