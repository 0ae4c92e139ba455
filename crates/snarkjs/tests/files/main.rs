//! The readers and writers, with files of circom and snarkjs: `tests/data/`.

mod damage;
mod foreign;
mod fuzz;
mod json;
mod key_checks;
mod satisfaction;
mod sections;
mod sym;
mod texts;
mod vectors;
mod verifier;

use bucketwheel::Progress;
use bucketwheel_groth16::CurveId;

/// Returns a file of `tests/data/`, which has the same circuit for both curves.
fn data(curve: CurveId, name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/{curve}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Checks progress, and shows nothing.
struct Silent;

impl Progress for Silent {
    fn report(&self, done: usize, total: usize) {
        assert!(done <= total);
    }
}
