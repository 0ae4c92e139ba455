//! Circuits for servers to serve.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ark_ff::BigInt;
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{
    public_from_json, write_r1cs, write_wtns, ProofJson, R1cs, R1csHeader, Zkey,
};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{verify, Bn254, CurveId, PairingCurve};
use serde_json::Value;
use tempfile::TempDir;

/// Inputs of the circuit `sum`, whose output is 23.
pub const INPUTS: &str = r#"{ "a": 3, "b": ["0x10", "4"] }"#;
/// Inputs that keep the calculator of `sum` busy for a while.
pub const SLOW: &str = r#"{ "a": 7000, "b": [1, 2] }"#;
/// Inputs that keep the calculator of `sum` busy forever.
pub const ENDLESS: &str = r#"{ "a": 9000, "b": [1, 2] }"#;

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// Returns the path of a file of the prover's tests.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests").join(name)
}

/// Returns a folder with the circuits `sum`, which takes inputs, `power`, and `other`, which is `power` on the other
/// curve.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(make).path()
}

fn make() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::copy(data("data/bn254/power.zkey"), at("power.zkey")).unwrap();
    fs::create_dir(at("other")).unwrap();
    fs::copy(data("data/bls12-381/power.zkey"), at("other/circuit.zkey")).unwrap();

    let calculator = fs::read_to_string(data("witness/circuit.wat")).unwrap();
    let compute = "(func $compute\n";
    assert!(calculator.contains(compute));
    let waits = "(func $compute (local $i i64)
        (if (i64.eq (i64.load (i32.const 160)) (i64.const 9000)) (then (loop $l (br $l))))
        (if (i64.eq (i64.load (i32.const 160)) (i64.const 7000)) (then (loop $l
            (local.set $i (i64.add (local.get $i) (i64.const 1)))
            (br_if $l (i64.lt_u (local.get $i) (i64.const 1000000000))))))\n";
    fs::write(at("sum.wasm"), wat::parse_str(calculator.replacen(compute, waits, 1)).unwrap()).unwrap();

    let one = |wire| (wire, BigInt::one());
    let constraint = [vec![one(2), one(3), one(4)], vec![one(0)], vec![one(1)]];
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires: 5,
        outputs: 1,
        public_inputs: 0,
        private_inputs: 3,
        labels: 5,
        constraints: 1,
    };
    let circuit = write_r1cs(Cursor::new(Vec::new()), &header, [constraint]).unwrap().into_inner();
    let setup = Setup::<Bn254>::insecure_seed(R1cs::parse(&circuit).unwrap(), 1).unwrap();
    let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
    fs::write(at("sum.zkey"), key).unwrap();
    folder
}

/// Returns the bytes of a witness of `sum` with these values.
pub fn witness(values: [u64; 5]) -> Vec<u8> {
    write_wtns(Cursor::new(Vec::new()), CurveId::Bn254, &values.map(BigInt::from)).unwrap().into_inner()
}

/// Returns true if the proof of an answer holds, by the points of the key.
pub fn holds<E: PairingCurve>(key: &Path, answer: &Value) -> bool {
    let key = fs::read(key).unwrap();
    let key = Zkey::<E>::parse(&key).unwrap().verifying_key().unwrap();
    let proof = ProofJson::parse(answer["proof"].to_string().as_bytes()).unwrap();
    let public = public_from_json(answer["publicSignals"].to_string().as_bytes()).unwrap();
    verify(&key, &public, &proof.decode::<E>().unwrap()).unwrap()
}
