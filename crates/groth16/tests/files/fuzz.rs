//! The short run of the fuzz targets: every reader with a bounded number of damaged files, the same ones each time.

use bucketwheel_groth16::CurveId;

use crate::mutator::check;
use crate::{data, properties};

/// This file, for both curves.
fn files(name: &str) -> Vec<Vec<u8>> {
    CurveId::ALL.map(|curve| data(curve, name)).into()
}

#[test]
fn keys() {
    check(properties::zkey, files("power.zkey"), 30_000);
}

#[test]
fn witnesses() {
    check(properties::wtns, [files("power.wtns"), files("power.r1cs")].concat(), 100_000);
}

#[test]
fn circuits() {
    check(properties::r1cs, [files("power.r1cs"), files("power.wtns")].concat(), 100_000);
}

#[test]
fn verifying_keys() {
    check(properties::verifying_key, files("verification_key.json"), 5_000);
}

#[test]
fn proofs() {
    check(properties::proof, files("proof.json"), 10_000);
}

#[test]
fn public_signals() {
    check(properties::public, files("public.json"), 50_000);
}
