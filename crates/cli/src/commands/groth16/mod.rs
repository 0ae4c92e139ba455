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
use crate::output::tell;

/// The most bytes of a JSON file: a million numbers, and less memory than a key of as many signals takes.
const MAX_JSON: usize = 1 << 26;

/// Reads a circuit, and tells its warnings.
fn circuit<'a>(path: &Path, bytes: &'a [u8]) -> Result<R1cs<'a>, Error> {
    let circuit = R1cs::parse(bytes).map_err(in_file(path))?;
    warn(path, circuit.warnings());
    Ok(circuit)
}

/// Reads a witness, and tells its warnings.
fn witness_of<'a>(path: &Path, bytes: &'a [u8]) -> Result<Wtns<'a>, Error> {
    let witness = Wtns::parse(bytes).map_err(in_file(path))?;
    warn(path, witness.warnings());
    Ok(witness)
}

/// Tells warnings about a file on standard error.
fn warn(path: &Path, warnings: impl IntoIterator<Item = FileWarning>) {
    warnings.into_iter().for_each(|warning| tell(format_args!("warning: {}: {warning}", path.display())));
}

/// Warnings as JSON has them.
fn texts(warnings: impl IntoIterator<Item = FileWarning>) -> Vec<String> {
    warnings.into_iter().map(|warning| warning.to_string()).collect()
}

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

/// Reads a key, and tells its warnings.
fn load(path: &Path, key: Source) -> Result<Loaded, Error> {
    let loaded = Loaded::new(key).map_err(blame(path, path))?;
    warn(path, loaded.circuit().warnings());
    Ok(loaded)
}
