//! Errors, and the part of a call that is to blame.

use std::path::PathBuf;

use bucketwheel::Error as EngineError;
use bucketwheel_groth16::Error as Groth16Error;

use crate::fork::Forked;

/// The part of a call that is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The key: its file, its points, its protocol or curve.
    Key,
    /// The witness.
    Witness,
    /// The inputs of the witness.
    Inputs,
    /// The witness calculator.
    Calculator,
    /// Proofs to verify.
    Claim,
    /// Powers of tau to check a key against.
    Powers,
    /// A bound on time or memory that the caller has set.
    Limits,
    /// Nothing: the caller has cancelled.
    Cancelled,
    /// This library or the machine: missing memory, missing threads.
    Ours,
}

/// Errors of a circuit.
///
/// ```
/// use bucketwheel_circuit::{Fault, Loaded, Source};
///
/// let error = Loaded::new(Source::of(b"no key".to_vec())).err().expect("an error");
/// assert_eq!(error.fault(), Fault::Key);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the prover, with the part that is to blame.
    #[error("{source}")]
    Groth16 {
        /// The part that is to blame.
        fault: Fault,
        /// The error.
        source: Groth16Error,
    },
    /// The key's file is no longer the file that was loaded.
    #[error(
        "{} has changed since it was loaded: expected the same file until the end of the proof; load it again, and replace \
         keys by renaming",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The witness calculator belongs to another circuit than the key.
    #[error("the WebAssembly calculates {found} values, but the key expects {expected}: was it made for another circuit?")]
    OtherCircuit {
        /// Number of values that the calculator returns.
        found: usize,
        /// Number of the key's signals.
        expected: usize,
    },
    /// A circuit without a calculator.
    #[error("the circuit has no witness calculator: expected a witness, or the circuit's WebAssembly")]
    NoCalculator,
    /// The process has forked.
    #[error(transparent)]
    Forked(#[from] Forked),
}

impl Error {
    /// Returns the part that is to blame. The [example](Self) uses it.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Groth16 { fault, .. } => *fault,
            Error::Changed { .. } => Fault::Key,
            Error::OtherCircuit { .. } => Fault::Calculator,
            Error::NoCalculator => Fault::Inputs,
            Error::Forked(_) => Fault::Ours,
        }
    }

    /// Returns the constructor of the prover's errors in a part. This part is to blame unless the error says otherwise.
    /// The [example](Self) uses it.
    pub fn of(part: Fault) -> impl Fn(Groth16Error) -> Self {
        move |source| Error::Groth16 { fault: blame(part, &source), source }
    }
}

fn blame(part: Fault, error: &Groth16Error) -> Fault {
    match error {
        Groth16Error::DamagedKey { .. } => Fault::Key,
        Groth16Error::Memory { .. } => Fault::Limits,
        Groth16Error::Engine(EngineError::Cancelled) => Fault::Cancelled,
        Groth16Error::Engine(EngineError::ScalarRange { .. } | EngineError::CoordinateRange { .. }) => part,
        Groth16Error::Engine(_) | Groth16Error::OutOfMemory { .. } => Fault::Ours,
        #[cfg(feature = "witness")]
        Groth16Error::Witness(error) => {
            use bucketwheel_groth16::witness::WitnessError::{Memory, Thread, Time};
            match error {
                Time { .. } | Memory { .. } => Fault::Limits,
                Thread(_) => Fault::Ours,
                error if error.is_about_inputs() => Fault::Inputs,
                _ => Fault::Calculator,
            }
        }
        _ => part,
    }
}
