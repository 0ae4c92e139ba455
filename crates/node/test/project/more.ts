// The options that this package adds to snarkjs' types, and a check that its functions fit snarkjs' types.
import * as snarkjs from "snarkjs";
import type * as theirs from "../../node_modules/@types/snarkjs/index.d.cts";

const { signal } = new AbortController();

export const serves: typeof theirs = snarkjs;

export async function more(): Promise<void> {
    const file: { type: "mem"; data?: Uint8Array } = { type: "mem" };
    await snarkjs.wtns.calculate({ a: 1n }, "circuit.wasm", file, { log: (line: string) => console.log(line), cache: false });
    const onProgress = (done: number, total: number) => console.log(done / total);
    await snarkjs.groth16.prove("circuit.zkey", file, console, { signal, onProgress, threads: 2, memory: 2 ** 28, retain: true });
    const { name }: { name: string } = await snarkjs.curves.getCurveFromName("bn128");
    console.log(name);
    // @ts-expect-error this option does not exist
    await snarkjs.groth16.prove("circuit.zkey", file, console, { thread: 2 });
}
