//! Errors in snarkjs' words if snarkjs has the error, else in ours.

use std::path::Path;

use bucketwheel_circuit::{Error as CircuitError, Fault};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::Error as Groth16Error;
use napi::{Error, Status};

/// Makes an error of JavaScript.
pub fn refuse(text: impl Into<String>) -> Error {
    Error::new(Status::GenericFailure, text.into())
}

/// Makes an error of JavaScript from a circuit's error. `key` is the key's file, if it has one.
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

/// Returns the text of the prover's error about `part`.
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
