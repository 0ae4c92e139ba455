// Compiles a contract, without the optimiser and with it, and calls its verifyProof in a virtual machine.
//
//   node verifier.mjs MODULES CONTRACT.sol CALLS.json
//
// MODULES: a folder with solc and @ethereumjs/vm. CALLS: a list of lists of the four arguments. Prints the list of results: true,
// false, or a text that says what the machine says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, contract, calls] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const solc = require("solc");
const { createVM } = require("@ethereumjs/vm");

const word = (number) => BigInt(number).toString(16).padStart(64, "0");

// The arguments' bytes behind the selector: arrays of a fixed length lie in place, the list of any length behind all others.
const encode = (selector, [a, b, c, signals]) => {
    const fixed = [...a, ...b.flat(), ...c].map(word).join("");
    const isList = selector.signature.endsWith("[])");
    const list = isList ? word(9 * 32) + word(signals.length) : "";
    return Buffer.from(selector.id + fixed + list + signals.map(word).join(""), "hex");
};

const compile = (optimizer) => {
    const sources = { contract: { content: readFileSync(contract, "utf8") } };
    const outputSelection = { "*": { "*": ["evm.deployedBytecode.object", "evm.methodIdentifiers"] } };
    const input = { language: "Solidity", sources, settings: { optimizer, outputSelection } };
    const { errors, contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
    if (errors) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
    const { evm } = contracts.contract.Groth16Verifier;
    const [[signature, id]] = Object.entries(evm.methodIdentifiers);
    return { code: Buffer.from(evm.deployedBytecode.object, "hex"), selector: { signature, id } };
};

const results = [];
for (const optimizer of [{ enabled: false }, { enabled: true, runs: 200 }]) {
    const { code, selector } = compile(optimizer);
    for (const call of JSON.parse(readFileSync(calls, "utf8"))) {
        const { evm } = await createVM();
        const run = { code, data: encode(selector, call), gasLimit: 10_000_000n };
        const { exceptionError, returnValue } = await evm.runCode(run);
        const value = Buffer.from(returnValue).toString("hex");
        const verdict = { [word(0)]: false, [word(1)]: true }[value];
        results.push(exceptionError ? exceptionError.error : verdict ?? value);
    }
}
console.log(JSON.stringify(results));
