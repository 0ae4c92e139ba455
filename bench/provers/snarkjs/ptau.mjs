// Makes powers of tau with snarkjs: one contribution, prepared for the second phase.
//
//   node ptau.mjs CURVE POWER OUT
import { rmSync } from "node:fs";
import { curves, powersOfTau } from "snarkjs";

const [curveName, power, out] = process.argv.slice(2);
const curve = await curves.getCurveFromName(curveName);
const [first, second] = [`${out}.1`, `${out}.2`];
await powersOfTau.newAccumulator(curve, Number(power), first);
await powersOfTau.contribute(first, second, "measurement", "measurement");
await powersOfTau.preparePhase2(second, out);
rmSync(first);
rmSync(second);
process.exit(0);
