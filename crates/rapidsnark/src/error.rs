//! Errors of calls.

use std::ffi::{c_int, c_ulong};
use std::io;
use std::path::PathBuf;

use bucketwheel_circuit::{Error as CircuitError, Fault, Forked};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::Error as Groth16Error;

use crate::codes::{PROVER_ERROR, PROVER_ERROR_SHORT_BUFFER, PROVER_INVALID_WITNESS_LENGTH};

/// Reason why a call failed; its text is the text of `error_msg`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A pointer is NULL that must not be NULL.
    #[error("the {0} is a null pointer: expected an address")]
    Null(&'static str),
    /// An argument has more bytes than a process can have.
    #[error("the {what} has {length} bytes: expected at most {}", isize::MAX)]
    Length {
        /// Name of the argument.
        what: &'static str,
        /// Length that was passed.
        length: c_ulong,
    },
    /// The system does not accept a file name.
    #[cfg(not(unix))]
    #[error("the {0} is not Unicode: expected UTF-8")]
    Unicode(&'static str),
    /// A file cannot be mapped.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// Name of the file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The key has an error.
    #[error("the key: {0}")]
    Key(#[source] Groth16Error),
    /// Neither key nor witness is at fault: the system lacks memory, or the backend is unknown.
    #[error(transparent)]
    Engine(Groth16Error),
    /// The witness has an error, or the proof does not hold.
    #[error("the witness: {0}")]
    Witness(#[source] Groth16Error),
    /// The buffers for the texts are too small.
    #[error("buffers of {proof} and {public} bytes for proof and public signals: expected at least {need_proof} and {need_public}")]
    ShortBuffer {
        /// Size of the buffer for the proof.
        proof: c_ulong,
        /// Size of the buffer for the public signals.
        public: c_ulong,
        /// Size that the longest proof takes, in bytes.
        need_proof: c_ulong,
        /// Size that the longest public signals take, in bytes.
        need_public: c_ulong,
    },
    /// An argument of the verifier has an error.
    #[error("the {what}: {source}")]
    Json {
        /// Name of the argument.
        what: &'static str,
        /// The error.
        source: Groth16Error,
    },
    /// The process lacks the threads that compute.
    #[error(transparent)]
    Forked(#[from] Forked),
    /// The key has changed.
    #[error(transparent)]
    Circuit(CircuitError),
    /// A panic was caught: a bug of this library.
    #[error("internal error; please report it, with what the process wrote to its standard error")]
    Internal,
}

impl Error {
    /// Returns the prover's code.
    pub fn code(&self) -> c_int {
        match self {
            Error::ShortBuffer { .. } => PROVER_ERROR_SHORT_BUFFER,
            Error::Witness(Groth16Error::WitnessLength { .. }) => PROVER_INVALID_WITNESS_LENGTH,
            _ => PROVER_ERROR,
        }
    }

    /// Returns the error of one of the verifier's arguments.
    pub fn json(what: &'static str) -> impl Fn(FileError) -> Self {
        move |error| Error::Json { what, source: error.into() }
    }
}

impl From<CircuitError> for Error {
    fn from(error: CircuitError) -> Self {
        match error {
            CircuitError::Groth16 { fault: Fault::Key, source } => Error::Key(source),
            CircuitError::Groth16 { fault: Fault::Ours, source } => Error::Engine(source),
            CircuitError::Groth16 { source, .. } => Error::Witness(source),
            CircuitError::Forked(forked) => forked.into(),
            error => Error::Circuit(error),
        }
    }
}
