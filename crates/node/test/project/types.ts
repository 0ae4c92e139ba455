// Uses every type and every function of @types/snarkjs. A test compiles it with the types of this package, and with @types/snarkjs.
import {
    CircuitSignals,
    fflonk,
    FflonkProof,
    groth16,
    Groth16Proof,
    NumericString,
    plonk,
    PlonkProof,
    powersOfTau,
    PublicSignals,
    r1cs,
    R1CSInfoType,
    SignalValueType,
    wtns,
    zKey,
    ZKArtifact,
} from "snarkjs";
import * as snarkjs from "snarkjs";

const text: NumericString = "12";
const artifact: ZKArtifact = new Uint8Array(4);
const path: ZKArtifact = "circuit.zkey";
const value: SignalValueType = [1, 2n, "3", ["0x4", [5]]];
const inputs: CircuitSignals = { a: value, b: 7, c: text };
const logger: any = console;

export async function groth(): Promise<boolean> {
    const { proof, publicSignals }: { proof: Groth16Proof; publicSignals: PublicSignals } = await groth16.fullProve(
        inputs,
        path,
        artifact,
        logger,
        { memorySize: 7 },
        { singleThread: true },
    );
    const other = await snarkjs.groth16.prove(path, artifact, logger, { singleThread: false });
    const point: NumericString[] = proof.pi_a.concat(proof.pi_b[0], other.proof.pi_c);
    const calldata: string = await groth16.exportSolidityCallData(proof, publicSignals);
    const names: string = proof.protocol + proof.curve + point.join() + calldata;
    return groth16.verify({ names }, publicSignals, proof, logger);
}

export async function others(): Promise<void> {
    await plonk.setup("a", "b", path, logger);
    const p = await plonk.fullProve(inputs, path, artifact, logger, {}, { singleThread: true });
    const plonkProof: PlonkProof = (await plonk.prove(path, artifact, logger, {})).proof;
    const { A, B, C, Z, T1, T2, T3, Wxi, Wxiw, eval_a, eval_b, eval_c, eval_s1, eval_s2, eval_zw } = plonkProof;
    const all: NumericString[] = [A, B, C, Z, T1, T2, T3, Wxi, Wxiw, [eval_a, eval_b, eval_c, eval_s1, eval_s2, eval_zw]].flat();
    const holds: boolean = await plonk.verify(all, p.publicSignals, p.proof, logger);
    const data: string = await plonk.exportSolidityCallData(plonkProof, p.publicSignals);
    const zero: 0 = await fflonk.setup("a", "b", path, logger);
    const f = await fflonk.fullProve(inputs, path, artifact, logger, {}, { singleThread: true });
    const fflonkProof: FflonkProof = (await fflonk.prove(path, artifact)).proof;
    const { C1, C2, W1, W2 } = fflonkProof.polynomials;
    const { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w, inv } = f.proof.evaluations;
    console.log(C1, C2, W1, W2, ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w, inv, holds, data, zero);
    await fflonk.verify({}, f.publicSignals, fflonkProof);
    await fflonk.exportSolidityCallData(f.publicSignals, fflonkProof);
    await fflonk.exportSolidityVerifier({}, {}, logger);
}

export async function files(): Promise<R1CSInfoType> {
    await wtns.calculate(inputs, path, { type: "mem" });
    await wtns.debug(inputs, path, { type: "mem" }, "circuit.sym", { set: true }, logger);
    const satisfied: any = await wtns.check("circuit.r1cs", "witness.wtns", logger);
    const values: object = await wtns.exportJson("witness.wtns");
    const circuit: object = await r1cs.exportJson("circuit.r1cs", logger);
    const info: R1CSInfoType = await r1cs.info("circuit.r1cs", logger);
    r1cs.print(info, {}, logger);
    const { n8, nVars, nConstraints, nPrvInputs, nPubInputs, useCustomGates, nLabels, nOutputs, prime } = info;
    const count: number = n8 + nVars + nConstraints + nPrvInputs + nPubInputs + nLabels + nOutputs;
    const order: bigint = prime;
    const gates: boolean = useCustomGates;
    console.log(satisfied, values, circuit, count, order, gates, info.curve, info.F, info.constraints, info.customGates, info.customGatesUses);
    return info;
}

export async function keys(): Promise<boolean> {
    await zKey.newZKey(path, path, path, logger);
    await zKey.contribute(path, path, "name", "entropy", logger);
    await zKey.beacon(path, path, "name", "00", 10, logger);
    await zKey.bellmanContribute({}, path, path, "entropy", logger);
    await zKey.exportBellman(path, path, logger);
    await zKey.importBellman(path, path, path, "name", logger);
    const json: object = await zKey.exportJson(path);
    await zKey.exportSolidityVerifier(path, { groth16: "" }, logger);
    await zKey.exportVerificationKey(path, logger);
    await powersOfTau.newAccumulator({}, 12, path, logger);
    await powersOfTau.contribute(path, path, "name", "entropy", logger);
    await powersOfTau.challengeContribute({}, path, path, "entropy", logger);
    await powersOfTau.beacon(path, path, "name", "00", "10", logger);
    await powersOfTau.convert(path, path, logger);
    await powersOfTau.exportChallenge(path, path, logger);
    const powers: object = await powersOfTau.exportJson("a.ptau", true);
    await powersOfTau.importResponse(path, path, path, "name", true, logger);
    await powersOfTau.preparePhase2(path, path, logger);
    await powersOfTau.truncate(path, path, logger);
    console.log(json, powers);
    const fromInit: boolean = await zKey.verifyFromInit(path, path, path, logger);
    const fromR1cs: boolean = await zKey.verifyFromR1cs(path, path, path, logger);
    return fromInit && fromR1cs && (await powersOfTau.verify({}, path, path, logger));
}
