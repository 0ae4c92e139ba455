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
use bucketwheel_groth16::file::{FileWarning, R1cs, Wtns};
use bucketwheel_groth16::Error as Groth16Error;

use crate::error::{self, Error};
use crate::output;

/// Largest number of bytes of a JSON file: a million numbers, which need less memory than a key with a million
/// signals.
const MAX_JSON: usize = 1 << 26;

/// Reads a circuit, and prints its warnings.
fn circuit<'a>(path: &Path, bytes: &'a [u8]) -> Result<R1cs<'a>, Error> {
    let circuit = R1cs::parse(bytes).map_err(in_file(path))?;
    warn(path, circuit.warnings());
    Ok(circuit)
}

/// Reads a witness, and prints its warnings.
fn witness_of<'a>(path: &Path, bytes: &'a [u8]) -> Result<Wtns<'a>, Error> {
    let witness = Wtns::parse(bytes).map_err(in_file(path))?;
    warn(path, witness.warnings());
    Ok(witness)
}

/// Prints warnings about a file on standard error.
fn warn(path: &Path, warnings: impl IntoIterator<Item = FileWarning>) {
    warnings.into_iter().for_each(|warning| output::warn(format_args!("{}: {warning}", path.display())));
}

/// Returns warnings for JSON.
fn texts(warnings: impl IntoIterator<Item = FileWarning>) -> Vec<String> {
    warnings.into_iter().map(|warning| warning.to_string()).collect()
}

/// Returns the error of a file with wrong content. The engine's errors are not about a file.
fn in_file<E: Into<Groth16Error>>(path: &Path) -> impl FnOnce(E) -> Error + '_ {
    |source| match source.into() {
        Groth16Error::Engine(source) => source.into(),
        source => error::in_file(path)(source),
    }
}

/// Returns the error of a circuit, with the responsible file: the key, or the other input.
fn blame<'a>(key: &'a Path, given: &'a Path) -> impl FnOnce(CircuitError) -> Error + 'a {
    move |error| {
        let path = if error.fault() == Fault::Key { key } else { given };
        match error {
            CircuitError::Groth16 { source, .. } => in_file(path)(source),
            error => error::own(error),
        }
    }
}

/// Reads a key, and prints its warnings.
fn load(path: &Path, key: Source) -> Result<Loaded, Error> {
    let loaded = Loaded::new(key).map_err(blame(path, path))?;
    warn(path, loaded.circuit().warnings());
    Ok(loaded)
}
