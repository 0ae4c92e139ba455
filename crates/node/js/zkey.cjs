"use strict";
/** Exports of proving keys. */

const { curveOfPrime } = require("./curves.cjs");
const { Reader, readSections } = require("./files.cjs");
const { openKey } = require("./keys.cjs");
const { original } = require("./original.cjs");
const { stringify } = require("./numbers.cjs");
const { render } = require("./template.cjs");
const { plain } = require("./work.cjs");

/** Opens a key, and calls `groth16(key)`, or the real snarkjs' function for a key of another protocol. */
async function withKey(file, name, args, groth16) {
    const { protocol, key } = await openKey(file);
    if (protocol !== "groth16") {
        return original(`zKey.${name} of a key for ${protocol}`).zKey[name](...args);
    }
    try {
        return await groth16(key);
    } catch (error) {
        throw plain(error);
    }
}

/** Returns the verification key of a proving key. */
async function exportVerificationKey(zkeyFile, logger) {
    return withKey(zkeyFile, "exportVerificationKey", [zkeyFile, logger], async (key) => {
        logger?.info("EXPORT VERIFICATION KEY STARTED");
        logger?.info("> Detected protocol: groth16");
        const exported = JSON.parse(await key.verificationKey());
        logger?.info("EXPORT VERIFICATION KEY FINISHED");
        return exported;
    });
}

/**
 * Returns a contract that verifies proofs. `templates.groth16` is a template in the language of ejs. It may use the members of the
 * verification key, and `contract`, which is our own contract. Without a template, returns our own contract.
 */
async function exportSolidityVerifier(zkeyFile, templates, logger) {
    return withKey(zkeyFile, "exportSolidityVerifier", [zkeyFile, templates, logger], async (key) => {
        const verificationKey = await exportVerificationKey(zkeyFile, logger);
        const template = templates?.groth16 ?? "<%- contract %>";
        const needsContract = /\bcontract\s*[-_]?%>/.test(template);
        return render(template, { ...verificationKey, contract: needsContract ? await key.contract() : "" });
    });
}

/** Returns all of a proving key, with decimal strings for its integers. */
async function exportJson(zkeyFile) {
    const file = await readSections(zkeyFile, "zkey", 1);
    if (new Reader(file, 1).u32() !== 1) {
        return original("zKey.exportJson of a key for another protocol").zKey.exportJson(zkeyFile);
    }
    const header = new Reader(file, 2);
    const n8q = header.u32();
    const q = header.integer(n8q);
    const n8r = header.u32();
    const r = header.integer(n8r);
    curveOfPrime("q", q);
    const [nVars, nPublic, domainSize] = [header.u32(), header.u32(), header.u32()];
    const [fromMontgomery, fromSquare] = [inverse(1n << BigInt(8 * n8q), q), inverse(1n << BigInt(16 * n8r), r)];
    const coordinate = (reader) => (reader.integer(n8q) * fromMontgomery) % q;
    const g1 = (reader) => {
        const [x, y] = [coordinate(reader), coordinate(reader)];
        return x === 0n && y === 0n ? [0n, 1n, 0n] : [x, y, 1n];
    };
    const g2 = (reader) => {
        const [x0, x1, y0, y1] = [coordinate(reader), coordinate(reader), coordinate(reader), coordinate(reader)];
        const isZero = [x0, x1, y0, y1].every((value) => value === 0n);
        return isZero ? [[0n, 0n], [1n, 0n], [0n, 0n]] : [[x0, x1], [y0, y1], [1n, 0n]];
    };
    const points = (section, count, point) => {
        const reader = new Reader(file, section);
        return Array.from({ length: count }, () => point(reader));
    };
    const coefficients = new Reader(file, 4);
    const C = Array(nPublic + 1);
    C.push(...points(8, nVars - nPublic - 1, g1));
    return stringify({
        protocol: "groth16",
        n8q,
        q,
        n8r,
        r,
        nVars,
        nPublic,
        domainSize,
        power: Math.log2(domainSize),
        vk_alpha_1: g1(header),
        vk_beta_1: g1(header),
        vk_beta_2: g2(header),
        vk_gamma_2: g2(header),
        vk_delta_1: g1(header),
        vk_delta_2: g2(header),
        IC: points(3, nPublic + 1, g1),
        ccoefs: Array.from({ length: coefficients.u32() }, () => ({
            matrix: coefficients.u32(),
            constraint: coefficients.u32(),
            signal: coefficients.u32(),
            value: (coefficients.integer(n8r) * fromSquare) % r,
        })),
        A: points(5, nVars, g1),
        B1: points(6, nVars, g1),
        B2: points(7, nVars, g2),
        C,
        hExps: points(9, domainSize, g1),
    });
}

/** The inverse modulo a prime, by Euclid's algorithm. */
function inverse(value, prime) {
    let [a, b, x, y] = [value % prime, prime, 1n, 0n];
    while (a !== 0n) {
        const quotient = b / a;
        [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
    }
    return ((y % prime) + prime) % prime;
}

module.exports = { exportJson, exportSolidityVerifier, exportVerificationKey };
