"use strict";
/** The curves: their names and primes here, their arithmetic in the real snarkjs. */

const { isInstalled, original } = require("./original.cjs");

/** Curves by snarkjs' names: the base field's prime, its bytes, the groups' order. */
const CURVES = [
    {
        name: "bn128",
        aliases: ["BN128", "BN254", "ALTBN128"],
        q: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
        r: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
        bytes: 32,
    },
    {
        name: "bls12381",
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
