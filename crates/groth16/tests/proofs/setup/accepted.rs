//! Runs snarkjs on our keys, if `tools/circuits.sh` has fetched it and Node is there.

use std::path::Path;

use bucketwheel_groth16::file::R1cs;
use bucketwheel_groth16::ntt::TransformField;
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{Bls12_381, Bn254, PairingCurve};

use crate::snarkjs::Snarkjs;

/// Checks key, proof and verification with snarkjs on the test vectors' circuit.
fn accepted<E: PairingCurve<ScalarField: TransformField>>(curve: &str) {
    let Some(snarkjs) = Snarkjs::find() else { return };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data").join(curve);
    let directory = tempfile::tempdir().unwrap();
    let circuit = std::fs::read(data.join("power.r1cs")).unwrap();
    let setup = Setup::<E>::new(R1cs::parse(&circuit).unwrap()).unwrap();
    std::fs::write(directory.path().join("key.zkey"), super::key(&setup)).unwrap();
    std::fs::copy(data.join("power.wtns"), directory.path().join("power.wtns")).unwrap();
    for line in [
        "zkey export verificationkey key.zkey vkey.json",
        "groth16 prove key.zkey power.wtns proof.json public.json",
        "groth16 verify vkey.json public.json proof.json",
        // A ceremony may go on from this key.
        "zkey contribute key.zkey next.zkey --name=next -e=entropy",
        "groth16 prove next.zkey power.wtns proof.json public.json",
        "zkey export verificationkey next.zkey vkey.json",
        "groth16 verify vkey.json public.json proof.json",
    ] {
        snarkjs.run(directory.path(), line);
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
