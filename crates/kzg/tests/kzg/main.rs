//! Cells and proofs beside c-kzg-4844.

mod errors;
mod peer;
mod vectors;

use std::sync::OnceLock;

use bucketwheel_kzg::{Settings, BYTES_PER_BLOB};
use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};

/// Returns Ethereum's setup, which takes seconds to prepare.
fn settings() -> &'static Settings {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get_or_init(|| Settings::ethereum().expect("points of the ceremony"))
}

/// Returns a blob of random elements.
fn blob(seed: u64) -> Vec<u8> {
    let mut blob = vec![0; BYTES_PER_BLOB];
    StdRng::seed_from_u64(seed).fill_bytes(&mut blob);
    blob.chunks_exact_mut(32).for_each(|element| element[0] &= 0x3f);
    blob
}
