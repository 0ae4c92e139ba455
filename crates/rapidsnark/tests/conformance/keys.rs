//! Keys and witnesses for the programs.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use ark_bn254::Fr;
use ark_ff::{BigInt, Field, PrimeField};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{write_r1cs, write_wtns, R1cs, R1csHeader, VerifyingKeyJson};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{Bn254, CurveId};
use tempfile::TempDir;

use crate::tools::source;

/// Makes a folder with all files for `conformance.c`.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = source("../snarkjs/tests/data");
    for (from, to) in [
        ("bn254/power.zkey", "power.zkey"),
        ("bn254/power.wtns", "power.wtns"),
        ("bn254/verification_key.json", "power.json"),
        ("bls12-381/power.zkey", "other.zkey"),
        ("bls12-381/power.wtns", "other.wtns"),
        ("bls12-381/verification_key.json", "other.json"),
    ] {
        fs::copy(data.join(from), folder.path().join(to)).unwrap();
    }
    let public = fs::read_to_string(data.join("bn254/public.json")).unwrap();
    fs::write(folder.path().join("power.expected"), public.replace([' ', '\n'], "")).unwrap();
    let key = fs::read(folder.path().join("power.zkey")).unwrap();
    fs::write(folder.path().join("cut.zkey"), &key[..key.len() / 2]).unwrap();
    fs::write(folder.path().join("empty"), []).unwrap();
    write(folder.path(), "none", 0);
    write(folder.path(), "many", 300);
    folder
}

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// Writes the key and the witness of a circuit with `public` public signals, all long numbers, and a private signal,
/// the square of the last public signal.
fn write(folder: &Path, name: &str, public: usize) {
    let mut witness: Vec<Fr> = (1..public as u64 + 2).map(|i| Fr::from(i).inverse().unwrap()).collect();
    let last = witness[public];
    witness.push(last * last);
    let one = |wire: usize| vec![(wire as u32, BigInt::one())];
    let constraints = (0..=public).map(|wire| match wire == public {
        true => [one(wire), one(wire), one(wire + 1)],
        false => [one(wire), one(0), one(wire)],
    });
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires: witness.len(),
        outputs: 0,
        public_inputs: public,
        private_inputs: 1,
        labels: witness.len() as u64,
        constraints: public + 1,
    };
    let circuit = write_r1cs(Cursor::new(Vec::new()), &header, constraints).unwrap().into_inner();
    let setup = Setup::<Bn254>::insecure_seed(R1cs::parse(&circuit).unwrap(), 1).unwrap();
    let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
    let values: Vec<_> = witness.iter().map(|value| value.into_bigint()).collect();
    let values = write_wtns(Cursor::new(Vec::new()), CurveId::Bn254, &values).unwrap().into_inner();
    let texts: Vec<_> = witness[1..=public].iter().map(|value| format!("\"{value}\"")).collect();
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    fs::write(file("zkey"), key).unwrap();
    fs::write(file("wtns"), values).unwrap();
    fs::write(file("json"), VerifyingKeyJson::encode(&setup.verifying_key()).to_text()).unwrap();
    fs::write(file("expected"), format!("[{}]", texts.join(","))).unwrap();
}
