//! Errors as snarkjs words them where it has such an error; with our words otherwise.

use std::path::Path;

use bucketwheel_circuit::{Error as CircuitError, Fault};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::Error as Groth16Error;
use napi::{Error, Status};

/// An error of JavaScript with this text.
pub fn refuse(text: impl Into<String>) -> Error {
    Error::new(Status::GenericFailure, text.into())
}

/// The error of a circuit; `key` is the key's file, if it is one.
pub fn of_circuit(key: Option<&Path>, error: CircuitError) -> Error {
    let fault = error.fault();
    let text = match &error {
        CircuitError::Groth16 { source, .. } => of_groth16(source, fault),
        error => error.to_string(),
    };
    match key.filter(|_| fault == Fault::Key) {
        Some(path) => refuse(format!("{}: {text}", path.display())),
        None => refuse(text),
    }
}

/// The text of the prover's error about a part.
pub fn of_groth16(error: &Groth16Error, part: Fault) -> String {
    match error {
        Groth16Error::File(FileError::OtherCurve { .. }) if part == Fault::Witness => {
            "Curve of the witness does not match the curve of the proving key".into()
        }
        Groth16Error::WitnessLength { found, expected } => {
            format!("Invalid witness length. Circuit: {expected}, witness: {found}")
        }
        error => error.to_string(),
    }
}
