//! A circuit of circom with its WebAssembly, and a key for it.

use std::fs;
use std::path::{Path, PathBuf};

use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::setup::setup;
use bucketwheel_groth16::file::R1cs;

/// Returns the path of a file of circuits that circom 2.2.3 compiled.
pub fn circom(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data/foreign/2.2.3").join(name)
}

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// Writes a key, over BN254, for the circuit `arrays`.
pub fn write_key(path: &Path) {
    let circuit = fs::read(circom("arrays.r1cs")).unwrap();
    let setup = setup(R1cs::parse(&circuit).unwrap(), Some(1)).unwrap();
    setup.write_zkey(&mut fs::File::create(path).unwrap(), &Cancel::new(), &Silent).unwrap();
}
