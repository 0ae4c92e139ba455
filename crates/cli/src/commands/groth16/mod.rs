//! The commands on circuits, witnesses, keys and proofs of Groth16.

#[cfg(feature = "witness")]
mod calculate;
mod export;
pub mod import;
mod picture;
pub mod prove;
pub mod r1cs;
pub mod setup;
mod symbols;
pub mod verify;
pub mod witness;
pub mod zkey;

use std::path::Path;

use bucketwheel_circuit::{Error as CircuitError, Fault, Loaded, Source};
use bucketwheel_groth16::Error as Groth16Error;

use crate::error::{self, Error};

/// The most bytes of a JSON file: a million numbers, and less memory than a key of as many signals takes.
const MAX_JSON: usize = 1 << 26;

/// The error of a file whose content is wrong; the engine's are not about it.
fn in_file<E: Into<Groth16Error>>(path: &Path) -> impl FnOnce(E) -> Error + '_ {
    |source| match source.into() {
        Groth16Error::Engine(source) => source.into(),
        source => error::in_file(path)(source),
    }
}

/// The error of a circuit, about the file that is to blame: the key, or the one that the circuit got.
fn blame<'a>(key: &'a Path, given: &'a Path) -> impl FnOnce(CircuitError) -> Error + 'a {
    move |error| {
        let path = if error.fault() == Fault::Key { key } else { given };
        match error {
            CircuitError::Groth16 { source, .. } => in_file(path)(source),
            error => error::own(error),
        }
    }
}

/// Reads a key.
fn load(path: &Path, key: Source) -> Result<Loaded, Error> {
    Loaded::new(key).map_err(blame(path, path))
}
