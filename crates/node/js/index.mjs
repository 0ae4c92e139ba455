import snarkjs from "./index.cjs";

export const { curves, fflonk, groth16, plonk, powersOfTau, r1cs, wtns, zKey } = snarkjs;
