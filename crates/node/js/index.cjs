"use strict";
/** snarkjs' interface, with proofs by the native engine. */

const { namespace: curves } = require("./curves.cjs");
const groth16 = require("./groth16.cjs");
const { passOn } = require("./original.cjs");
const { exportJson, info, print } = require("./r1cs.cjs");
const wtns = require("./wtns.cjs");
const zkey = require("./zkey.cjs");

const PLONK = ["setup", "fullProve", "prove", "verify", "exportSolidityCallData"];

module.exports = {
    curves,
    fflonk: passOn("fflonk", [...PLONK, "exportSolidityVerifier"]),
    groth16,
    plonk: passOn("plonk", PLONK),
    powersOfTau: passOn("powersOfTau", [
        "beacon",
        "challengeContribute",
        "contribute",
        "convert",
        "exportChallenge",
        "exportJson",
        "importResponse",
        "newAccumulator",
        "preparePhase2",
        "truncate",
        "verify",
    ]),
    r1cs: { exportJson, info, print },
    wtns,
    zKey: {
        ...zkey,
        ...passOn("zKey", [
            "beacon",
            "bellmanContribute",
            "contribute",
            "exportBellman",
            "importBellman",
            "newZKey",
            "verifyFromInit",
            "verifyFromR1cs",
        ]),
    },
};
