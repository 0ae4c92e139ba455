// Makes one key with snarkjs, as `snarkjs groth16 setup` does.
//
//   node setup.mjs CIRCUIT PTAU KEY THREADS
//
// It uses one thread for each of its processors, and ignores THREADS.
import { zKey } from "snarkjs";

const [circuit, ptau, key] = process.argv.slice(2);
if ((await zKey.newZKey(circuit, ptau, key)) === -1) process.exit(1);
// The worker threads would keep the process alive.
process.exit(0);
