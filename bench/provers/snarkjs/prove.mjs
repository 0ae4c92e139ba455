// Makes one proof with snarkjs, as `snarkjs groth16 prove` does.
//
//   node prove.mjs KEY WITNESS PROOF PUBLIC THREADS
//
// Prints the seconds that the library's call takes; it reads the key as it goes.
import { writeFileSync } from "node:fs";
import { groth16 } from "snarkjs";

const [key, witness, proofFile, publicFile, threads] = process.argv.slice(2);
const start = performance.now();
const { proof, publicSignals } = await groth16.prove(key, witness, undefined, { singleThread: threads === "1" });
const prove = (performance.now() - start) / 1000;
writeFileSync(proofFile, JSON.stringify(proof, undefined, 1));
writeFileSync(publicFile, JSON.stringify(publicSignals, undefined, 1));
console.log(JSON.stringify({ load: 0, prove }));
// The worker threads would keep the process alive.
process.exit(0);
