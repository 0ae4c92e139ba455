// SPDX-License-Identifier: MIT OR Apache-2.0
// Prints a line of sizes of the workload in the current folder, after a look at its witness: do its public outputs
// equal expected.json?
//
//   node circuits/describe.mjs WORKLOAD
import { existsSync, readFileSync } from "node:fs";

// The sections of iden3's container format, by type.
function sections(path) {
  const bytes = readFileSync(path);
  const found = {};
  let at = 12;
  for (let i = bytes.readUInt32LE(8); i > 0; i--) {
    const length = Number(bytes.readBigUInt64LE(at + 4));
    found[bytes.readUInt32LE(at)] = bytes.subarray(at + 12, at + 12 + length);
    at += 12 + length;
  }
  return found;
}

function circuit() {
  if (existsSync("circuit.r1cs")) {
    const header = sections("circuit.r1cs")[1];
    const at = 4 + header.readUInt32LE(0);
    const [wires, outputs, inputs] = [0, 4, 8].map((offset) => header.readUInt32LE(at + offset));
    return { wires, public: outputs + inputs, constraints: header.readUInt32LE(at + 24) };
  }
  const { 2: header, 4: coefficients } = sections("circuit.zkey");
  const at = 8 + header.readUInt32LE(0) + header.readUInt32LE(4 + header.readUInt32LE(0));
  const [wires, publics] = [0, 4].map((offset) => header.readUInt32LE(at + offset));
  // The last coefficient belongs to the row of the last public signal, after the constraints.
  const last = coefficients.readUInt32LE(coefficients.length - 32 - 8);
  return { wires, public: publics, constraints: last - publics };
}

const name = process.argv[2];
const sizes = circuit();
const values = sections("witness.wtns")[2];
const value = (i) => BigInt("0x" + Buffer.from(values.subarray(32 * i, 32 * i + 32)).reverse().toString("hex"));
const { first = [], last = [] } = JSON.parse(readFileSync("expected.json"));
const expected = [...first.map((v, i) => [1 + i, v]), ...last.map((v, i) => [1 + sizes.public - last.length + i, v])];
for (const [i, v] of expected) {
  if (value(i) !== BigInt(v)) {
    console.error(`${name}: public signal ${i} is ${value(i)}, expected ${v}`);
    process.exit(1);
  }
}
console.log([name.padEnd(12), ...[sizes.constraints, sizes.wires].map((n) => String(n).padStart(11)), String(sizes.public).padStart(7)].join(" "));
