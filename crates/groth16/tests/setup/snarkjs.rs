//! snarkjs on keys of ours, where `tools/circuits.sh` has fetched it and Node is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use bucketwheel_groth16::file::R1cs;
use bucketwheel_groth16::ntt::TransformField;
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{Bls12_381, Bn254, PairingCurve};

fn snarkjs() -> Option<PathBuf> {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/circuits");
    let circuits = std::env::var_os("BUCKETWHEEL_CIRCUITS").map_or(built.into(), PathBuf::from);
    let program = circuits.join("npm/node_modules/snarkjs/build/cli.cjs");
    if !program.exists() || Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: needs Node and {}, which tools/circuits.sh makes", program.display());
        return None;
    }
    Some(program)
}

/// Key, proof and verification by snarkjs on the test vectors' circuit.
fn accepted<E: PairingCurve<ScalarField: TransformField>>(curve: &str) {
    let Some(program) = snarkjs() else { return };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(curve);
    let directory = tempfile::tempdir().unwrap();
    let circuit = std::fs::read(data.join("power.r1cs")).unwrap();
    let setup = Setup::<E>::new(R1cs::parse(&circuit).unwrap()).unwrap();
    std::fs::write(directory.path().join("key.zkey"), crate::key(&setup)).unwrap();
    std::fs::copy(data.join("power.wtns"), directory.path().join("power.wtns")).unwrap();
    for line in [
        "zkey export verificationkey key.zkey vkey.json",
        "groth16 prove key.zkey power.wtns proof.json public.json",
        "groth16 verify vkey.json public.json proof.json",
        // A ceremony may go on from it.
        "zkey contribute key.zkey next.zkey --name=next -e=entropy",
        "groth16 prove next.zkey power.wtns proof.json public.json",
        "zkey export verificationkey next.zkey vkey.json",
        "groth16 verify vkey.json public.json proof.json",
    ] {
        let mut command = Command::new("node");
        command.current_dir(directory.path()).arg(&program).args(line.split(' '));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && !text.contains("ERROR"), "{line}: {text}");
    }
}

#[test]
fn accepts_keys_bn254() {
    accepted::<Bn254>("bn254");
}

#[test]
fn accepts_keys_bls12_381() {
    accepted::<Bls12_381>("bls12-381");
}
