// The interface of snarkjs 0.7.6, with the names of @types/snarkjs, and what this package adds to it.

export as namespace snarkjs;

/** An integer in decimal, or in hexadecimal after `0x`. */
export type NumericString = `${number}` | string;

/** A file: its path or its bytes. */
export type ZKArtifact = string | Uint8Array;

/** A file that is read: snarkjs' objects, too. */
export type InputFile =
    | ZKArtifact
    | { type: "mem"; data?: Uint8Array }
    | { type: "bigMem"; data?: Uint8Array[] }
    | { type: "file"; fileName: string };

/** A file that is written. `data` is set. */
export type OutputFile =
    | string
    | { type: "mem"; data?: Uint8Array }
    | { type: "bigMem"; data?: Uint8Array[] }
    | { type: "file"; fileName: string };

/** The value of an input signal. */
export type SignalValueType = NumericString | number | bigint | SignalValueType[];

/** Values of input signals by their names. */
export interface CircuitSignals {
    [signal: string]: SignalValueType;
}

export interface R1CSInfoType {
    n8: number;
    nVars: number;
    nConstraints: number;
    nPrvInputs: number;
    nPubInputs: number;
    useCustomGates: boolean;
    nLabels: number;
    nOutputs: number;
    prime: bigint;
    curve: any;
    F: any;
    constraints: any;
    customGates: any;
    customGatesUses: any;
}

export interface Groth16Proof {
    pi_a: NumericString[];
    pi_b: NumericString[][];
    pi_c: NumericString[];
    protocol: string;
    curve: string;
}

export interface FflonkProof {
    polynomials: Record<"C1" | "C2" | "W1" | "W2", NumericString[]>;
    evaluations: Record<
        "ql" | "qr" | "qm" | "qo" | "qc" | "s1" | "s2" | "s3" | "a" | "b" | "c" | "z" | "zw" | "t1w" | "t2w" | "inv",
        NumericString
    >;
    protocol: string;
    curve: string;
}

export interface PlonkProof {
    A: NumericString[];
    B: NumericString[];
    C: NumericString[];
    Z: NumericString[];
    T1: NumericString[];
    T2: NumericString[];
    T3: NumericString[];
    Wxi: NumericString[];
    Wxiw: NumericString[];
    eval_a: NumericString;
    eval_b: NumericString;
    eval_c: NumericString;
    eval_s1: NumericString;
    eval_s2: NumericString;
    eval_zw: NumericString;
    protocol: string;
    curve: string;
}

export type PublicSignals = NumericString[];

/** Options of a calculation of a witness. */
export interface CalculatorOptions {
    /** Turns circom's own checks on. */
    sanityCheck?: boolean;
    /** Pages of 64 KiB for a circuit of circom 1. */
    memorySize?: number | string;
    /** Receives the lines that the circuit logs; by default `console.log`. */
    log?: (line: string) => void;
    /** Whether to keep the compiled circuit for the next calculation; true by default. */
    cache?: boolean;
    [option: string]: any;
}

/** Options of a proof. */
export interface ProverOptions {
    /** Proves on one thread. */
    singleThread?: boolean;
    /** Number of threads; all by default. */
    threads?: number;
    /** Stops the proof, which rejects with the signal's reason. */
    signal?: AbortSignal;
    /** Is told the steps done and their total. */
    onProgress?: (done: number, total: number) => void;
    /** Whether to keep the key in memory for the next proof; true by default. */
    cache?: boolean;
    /** Whether to keep the key's points as the engine takes them: faster proofs for more memory; false by default. */
    retain?: boolean;
    /** Bound on the proof's memory in bytes. */
    memory?: number;
    /** Whether to verify the proof before it is returned; true by default. */
    verify?: boolean;
}

export namespace groth16 {
    function exportSolidityCallData(_proof: Groth16Proof, _pub: PublicSignals): Promise<string>;
    function fullProve(
        _input: CircuitSignals,
        wasmFile: InputFile,
        zkeyFileName: InputFile,
        logger?: any,
        wtnsCalcOptions?: CalculatorOptions,
        proverOptions?: ProverOptions,
    ): Promise<{ proof: Groth16Proof; publicSignals: PublicSignals }>;
    function prove(
        zkeyFileName: InputFile,
        witnessFileName: InputFile,
        logger?: any,
        options?: ProverOptions,
    ): Promise<{ proof: Groth16Proof; publicSignals: PublicSignals }>;
    function verify(_vk_verifier: any, _publicSignals: PublicSignals, _proof: Groth16Proof, logger?: any): Promise<boolean>;
}

/** Passed on to the real snarkjs. */
export namespace fflonk {
    function exportSolidityCallData(_pub: PublicSignals, _proof: FflonkProof): Promise<string>;
    function exportSolidityVerifier(vk: any, templates: any, logger?: any): Promise<any>;
    function fullProve(
        _input: CircuitSignals,
        wasmFilename: InputFile,
        zkeyFilename: InputFile,
        logger?: any,
        wtnsCalcOptions?: any,
        proverOptions?: { singleThread?: boolean },
    ): Promise<{ proof: FflonkProof; publicSignals: PublicSignals }>;
    function prove(
        zkeyFileName: InputFile,
        witnessFileName: InputFile,
        logger?: any,
        options?: { singleThread?: boolean },
    ): Promise<{ proof: FflonkProof; publicSignals: PublicSignals }>;
    function setup(r1csFilename: InputFile, ptauFilename: InputFile, zkeyFilename: OutputFile | Uint8Array, logger?: any): Promise<0>;
    function verify(_vk_verifier: any, _publicSignals: PublicSignals, _proof: FflonkProof, logger?: any): Promise<boolean>;
}

/** Passed on to the real snarkjs. */
export namespace plonk {
    function exportSolidityCallData(_proof: PlonkProof, _pub: PublicSignals): Promise<string>;
    function fullProve(
        _input: CircuitSignals,
        wasmFile: InputFile,
        zkeyFileName: InputFile,
        logger?: any,
        wtnsCalcOptions?: any,
        proverOptions?: { singleThread?: boolean },
    ): Promise<{ proof: PlonkProof; publicSignals: PublicSignals }>;
    function prove(
        zkeyFileName: InputFile,
        witnessFileName: InputFile,
        logger?: any,
        options?: { singleThread?: boolean },
    ): Promise<{ proof: PlonkProof; publicSignals: PublicSignals }>;
    function setup(r1csName: InputFile, ptauName: InputFile, zkeyName: OutputFile | Uint8Array, logger?: any): Promise<void>;
    function verify(_vk_verifier: any, _publicSignals: PublicSignals, _proof: PlonkProof, logger?: any): Promise<boolean>;
}

/** Passed on to the real snarkjs. */
export namespace powersOfTau {
    function beacon(
        oldPtauFilename: any,
        newPTauFilename: any,
        name: string,
        beaconHashStr: string,
        numIterationsExp: number | string,
        logger?: any,
    ): Promise<any>;
    function challengeContribute(curve: any, challengeFilename: any, responseFileName: any, entropy: any, logger?: any): Promise<void>;
    function contribute(oldPtauFilename: any, newPTauFilename: any, name: string, entropy: any, logger?: any): Promise<any>;
    function convert(oldPtauFilename: any, newPTauFilename: any, logger?: any): Promise<void>;
    function exportChallenge(pTauFilename: any, challengeFilename: any, logger?: any): Promise<any>;
    function exportJson(pTauFilename: string, verbose?: boolean): Promise<object>;
    function importResponse(
        oldPtauFilename: any,
        contributionFilename: any,
        newPTauFilename: any,
        name?: string,
        importPoints?: any,
        logger?: any,
    ): Promise<any>;
    function newAccumulator(curve: any, power: number, fileName: any, logger?: any): Promise<any>;
    function preparePhase2(oldPtauFilename: any, newPTauFilename: any, logger?: any): Promise<void>;
    function truncate(ptauFilename: any, template: any, logger?: any): Promise<any>;
    function verify(curve: any, cur: any, prev: any, logger?: any): Promise<boolean>;
}

export namespace r1cs {
    function exportJson(r1csFileName: InputFile, logger?: any): Promise<object>;
    function info(r1csName: InputFile, logger?: any): Promise<R1CSInfoType>;
    function print(r1cs: any, syms: any, logger?: any): void;
}

export namespace wtns {
    function calculate(_input: CircuitSignals, wasmFileName: any, wtnsFileName: any, options?: CalculatorOptions): Promise<void>;
    function check(r1csFilename: any, wtnsFilename: any, logger?: any, options?: Pick<ProverOptions, "signal" | "onProgress">): Promise<any>;
    function debug(
        _input: CircuitSignals,
        wasmFileName: any,
        wtnsFileName: any,
        symName: any,
        options: any,
        logger?: any,
    ): Promise<void>;
    function exportJson(wtnsFileName: InputFile): Promise<object>;
}

/** `beacon` and all that contributes, imports, verifies or makes keys is passed on to the real snarkjs. */
export namespace zKey {
    function beacon(
        zkeyNameOld: any,
        zkeyNameNew: any,
        name: string,
        beaconHashStr: string,
        numIterationsExp: number | string,
        logger?: any,
    ): Promise<any>;
    function bellmanContribute(curve: any, challengeFilename: any, responseFileName: any, entropy: any, logger?: any): Promise<any>;
    function contribute(zkeyNameOld: any, zkeyNameNew: any, name: string, entropy: any, logger?: any): Promise<any>;
    function exportBellman(zkeyName: any, mpcparamsName: any, logger?: any): Promise<void>;
    function exportJson(zkeyFileName: any): Promise<object>;
    function exportSolidityVerifier(zKeyName: any, templates?: any, logger?: any): Promise<any>;
    function exportVerificationKey(zkeyName: any, logger?: any): Promise<any>;
    function importBellman(zkeyNameOld: any, mpcparamsName: any, zkeyNameNew: any, name?: string, logger?: any): Promise<any>;
    function newZKey(r1csName: any, ptauName: any, zkeyName: any, logger?: any): Promise<any>;
    function verifyFromInit(initFileName: any, pTauFileName: any, zkeyFileName: any, logger?: any): Promise<boolean>;
    function verifyFromR1cs(r1csFileName: any, pTauFileName: any, zkeyFileName: any, logger?: any): Promise<boolean>;
}

/** Curves: of the real snarkjs where it is installed, else their names and primes. */
export namespace curves {
    function getCurveFromName(name: string, options?: { singleThread?: boolean }): Promise<any>;
    function getCurveFromQ(q: bigint | string | number, options?: { singleThread?: boolean }): Promise<any>;
    function getCurveFromR(r: bigint | string | number, options?: { singleThread?: boolean }): Promise<any>;
}
