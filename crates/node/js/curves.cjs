"use strict";
/** The curves: their names and primes here, their arithmetic in the real snarkjs. */

const { isInstalled, original } = require("./original.cjs");

/**
 * Curves by snarkjs' names: their name in the information about a circuit, the base field's prime, its bytes, the groups' order. A
 * test compares them with the engine's catalogue (tests/curves.rs).
 */
const CURVES = [
    {
        name: "bn128",
        title: "bn-128",
        aliases: ["BN128", "BN254", "ALTBN128"],
        q: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
        r: 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n,
        bytes: 32,
    },
    {
        name: "bls12381",
        title: "bls12-381",
        aliases: ["BLS12381"],
        q: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
        r: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
        bytes: 48,
    },
];

/** Returns the curve of a name, in any spelling. */
function curveOfName(name) {
    const plain = name.toUpperCase().match(/[A-Za-z0-9]+/g).join("");
    const curve = CURVES.find(({ aliases }) => aliases.includes(plain));
    if (curve === undefined) {
        throw new Error(`Curve not supported: ${name}`);
    }
    return curve;
}

/** Returns the curve with a prime, `q` or `r`. */
function curveOfPrime(which, prime) {
    const curve = CURVES.find((curve) => curve[which] === prime);
    if (curve === undefined) {
        throw new Error(`Curve not supported: ${prime}`);
    }
    return curve;
}

/** What this package knows of a curve, in the shape of snarkjs' curves. */
function outline({ name, q, r, bytes }) {
    return {
        name,
        q,
        r,
        F1: { p: q, n8: bytes },
        Fr: { p: r, n8: 32, toString: (value, base) => BigInt(value).toString(base), toObject: (value) => BigInt(value) },
        terminate: async () => {},
    };
}

/** Returns the real snarkjs' curve where that is installed, else what is known of it here. */
function open(curve, options) {
    return isInstalled() ? original("curves").curves.getCurveFromName(curve.name, options) : outline(curve);
}

module.exports = {
    curveOfName,
    curveOfPrime,
    outline,
    namespace: {
        getCurveFromName: async (name, options) => open(curveOfName(name), options),
        getCurveFromQ: async (q, options) => open(curveOfPrime("q", BigInt(q)), options),
        getCurveFromR: async (r, options) => open(curveOfPrime("r", BigInt(r)), options),
    },
};
