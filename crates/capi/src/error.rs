//! Errors of calls.

use std::io;
use std::path::PathBuf;

use bucketwheel::{CurveId, Error as EngineError, GroupId};
use bucketwheel_circuit::{Error as CircuitError, Fault, Forked};
use bucketwheel_dynamic::{GroupError, NoGroup};
use bucketwheel_formats::{Failure, FormatError, PointError};
use bucketwheel_groth16::file::FileError;
#[cfg(feature = "witness")]
use bucketwheel_groth16::witness::WitnessError;
use bucketwheel_groth16::Error as Groth16Error;
use bucketwheel_transform::Error as TransformError;
use bucketwheel_whole_file::WriteError;

use crate::abi::*;

/// Reason why a call failed; its text is the text of `bw_error_message`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A pointer is NULL that must not be NULL.
    #[error("{0} is NULL: expected an address")]
    Null(&'static str),
    /// A number is not one of the codes.
    #[error("{what} {code}: expected {expected}")]
    Code {
        /// Name of the argument or option.
        what: &'static str,
        /// The number.
        code: u32,
        /// The valid numbers.
        expected: &'static str,
        /// The error code that the call returns.
        status: bw_status,
    },
    /// The first member of a structure states a wrong size.
    #[error("{what} of {size} bytes: expected its size, {expected}, for its first member")]
    Size {
        /// Name of the structure.
        what: &'static str,
        /// The size that its first member states.
        size: usize,
        /// The smallest valid size.
        expected: usize,
    },
    /// The options have nonzero members that only later versions know.
    #[error("bw_options has options that this version does not know: expected zeros behind {known} bytes")]
    NewerOptions {
        /// Number of bytes that this version knows.
        known: usize,
    },
    /// Two options exclude each other.
    #[error("options copies and memory: expected one of them, since memory chooses the number of copies")]
    CopiesAndMemory,
    /// A checkpoint states more points than a stream can take.
    #[error("{0} points taken: expected at most {max}", max = isize::MAX)]
    Taken(usize),
    /// The scalars are longer than this library accepts.
    #[error("scalars of {0} bits: expected at most {max}", max = crate::blst::MAX_BITS)]
    Bits(usize),
    /// An argument has more bytes than a process can have.
    #[error("{count} of {stride} bytes each in {what}: expected at most {} bytes", isize::MAX)]
    TooLong {
        /// Name of the argument.
        what: &'static str,
        /// Number of elements.
        count: usize,
        /// Bytes from one element to the next.
        stride: usize,
    },
    /// Two numbers that must be equal differ: of points in two groups, or of checkpoints.
    #[error("{found} points in {group}: expected {expected}")]
    Count {
        /// The group.
        group: GroupId,
        /// Number of points in the argument.
        found: usize,
        /// Number of points that was expected.
        expected: usize,
    },
    /// The curve or group does not exist.
    #[error(transparent)]
    NoGroup(#[from] NoGroup),
    /// The buffer is too small for the sums.
    #[error(
        "a buffer of {size} bytes for {count} sums: expected at least {expected}, bw_sum_bytes for each"
    )]
    Buffer {
        /// Size of the buffer in bytes.
        size: usize,
        /// Number of sums.
        count: usize,
        /// Bytes that the sums take.
        expected: usize,
    },
    /// The engine's error.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine's error, in one group.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// The engine's error, in one of several vectors of scalars.
    #[error("scalars {vector}: {source}")]
    Vector {
        /// Index of the vector.
        vector: usize,
        /// Error in this vector.
        source: Box<Error>,
    },
    /// The bytes do not hold points.
    #[error("{}", format_message(.0))]
    Format(#[from] FormatError),
    /// A circuit's error.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// The build lacks the witness calculator.
    #[error("this build has no witness calculator: expected one with the feature witness")]
    #[cfg(not(feature = "witness"))]
    NoCalculator,
    /// The process lacks the threads that compute.
    #[error(transparent)]
    Forked(#[from] Forked),
    /// The texts are not a key and proofs.
    #[error(transparent)]
    Groth16(#[from] Groth16Error),
    /// The system does not accept a file name.
    #[cfg(not(unix))]
    #[error("{0} is not Unicode: expected UTF-8")]
    Unicode(&'static str),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Name of the file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An error in a file.
    #[error("{}: {source}", path.display())]
    InFile {
        /// Name of the file.
        path: PathBuf,
        /// The error.
        source: Box<Error>,
    },
    /// A curve whose scalars the transforms do not know.
    #[error("this build has no transforms of the scalars of {0}: expected bn254, bls12-381, bls12-377 or bw6-761, with its cargo feature")]
    NoTransforms(CurveId),
    /// The domain does not exist, or has fewer points than the caller passed values.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// The caller passed several roots of unity, or none.
    #[error("{found} scalars for a root of unity: expected one")]
    Root {
        /// Number of scalars.
        found: usize,
    },
    /// The buffer is too small for the result.
    #[error("a buffer of {size} bytes: expected at least {expected}")]
    Room {
        /// Size of the buffer in bytes.
        size: usize,
        /// Bytes that the result takes.
        expected: usize,
    },
    /// A panic was caught: a bug in this library, or in code that it calls.
    #[error("internal error; please report it, with what the process wrote to its standard error")]
    Internal,
}

/// Returns the message of a format's error, for callers without a command line.
fn format_message(error: &FormatError) -> String {
    match error {
        FormatError::Unknown { format, what } => {
            format!("a {format} file does not tell its {what}: expected it in bw_source")
        }
        FormatError::Ambiguous(fits) if fits.is_empty() => {
            "the bytes fit no format: expected points of one, or format, curve and group in bw_source".into()
        }
        FormatError::Ambiguous(fits) => {
            format!("the bytes fit {}: expected format, curve and group in bw_source", fits.join(", "))
        }
        error => error.to_string(),
    }
}

impl Error {
    /// Returns the error for points of a group that start at index `start`.
    pub fn of_points(group: GroupId, start: usize, failure: Failure) -> Self {
        match failure {
            Failure::Point(index, reason) => {
                FormatError::Point { group, index: start + index, reason }.into()
            }
            Failure::Engine(error) => error.into(),
        }
    }

    /// Returns the code that a call returns, and the index of the point or scalar.
    pub fn code(&self) -> (bw_status, Option<usize>) {
        let code = match self {
            Error::Null(_) => BW_ERROR_NULL,
            Error::Code { status, .. } => *status,
            Error::Size { .. } | Error::NewerOptions { .. } | Error::CopiesAndMemory => BW_ERROR_ARGUMENT,
            Error::Bits(_) => BW_ERROR_ARGUMENT,
            Error::Taken(_) | Error::TooLong { .. } | Error::Count { .. } => BW_ERROR_COUNT,
            Error::NoGroup(NoGroup::Curve(_)) => BW_ERROR_CURVE,
            Error::NoGroup(_) => BW_ERROR_GROUP,
            Error::Buffer { .. } => BW_ERROR_BUFFER,
            Error::Engine(error) | Error::Group(GroupError { error, .. }) => return engine_code(error),
            Error::Vector { source, .. } | Error::InFile { source, .. } => return source.code(),
            Error::Format(error) => return format_code(error),
            Error::Groth16(error) => return groth16_code(error),
            Error::Circuit(error) => return circuit_code(error),
            #[cfg(not(feature = "witness"))]
            Error::NoCalculator => BW_ERROR_ARGUMENT,
            Error::Forked(_) => BW_ERROR_FORKED,
            #[cfg(not(unix))]
            Error::Unicode(_) => BW_ERROR_FILE,
            Error::Write(_) | Error::Read { .. } => BW_ERROR_FILE,
            Error::NoTransforms(_) => BW_ERROR_CURVE,
            Error::Transform(TransformError::Engine(error)) => return engine_code(error),
            Error::Transform(TransformError::Length { .. }) | Error::Root { .. } => BW_ERROR_COUNT,
            Error::Transform(_) => BW_ERROR_ARGUMENT,
            Error::Room { .. } => BW_ERROR_BUFFER,
            Error::Internal => BW_ERROR_INTERNAL,
        };
        (code, None)
    }
}

fn engine_code(error: &EngineError) -> (bw_status, Option<usize>) {
    let code = match *error {
        EngineError::CoordinateRange { index } => return (BW_ERROR_COORDINATE, Some(index)),
        EngineError::NotOnCurve { index } => return (BW_ERROR_NOT_ON_CURVE, Some(index)),
        EngineError::NotInSubgroup { index } => return (BW_ERROR_NOT_IN_SUBGROUP, Some(index)),
        EngineError::ScalarRange { index } => return (BW_ERROR_SCALAR, Some(index)),
        EngineError::Length { .. } | EngineError::TooManyPoints { .. } => BW_ERROR_COUNT,
        EngineError::Stride { .. } => BW_ERROR_STRIDE,
        EngineError::Window { .. } => BW_ERROR_ARGUMENT,
        EngineError::UnsupportedBackend(_) | EngineError::UnknownBackend(_) => BW_ERROR_BACKEND,
        EngineError::Table(_) => BW_ERROR_FORMAT,
        EngineError::Memory { .. } | EngineError::OutOfMemory { .. } => BW_ERROR_MEMORY,
        EngineError::Cancelled => BW_ERROR_CANCELLED,
        // Errors of features that this crate does not use: adders, threads by loop, bytes that are not a whole number
        // of records.
        _ => BW_ERROR_INTERNAL,
    };
    (code, None)
}

fn groth16_code(error: &Groth16Error) -> (bw_status, Option<usize>) {
    match error {
        Groth16Error::Engine(error) => engine_code(error),
        Groth16Error::MissingCurve(_) => (BW_ERROR_CURVE, None),
        Groth16Error::OutOfMemory { .. } => (BW_ERROR_MEMORY, None),
        Groth16Error::Claim { index, .. } => (BW_ERROR_PROOF, Some(*index)),
        _ => (BW_ERROR_PROOF, None),
    }
}

/// Returns the code of a loaded circuit's error, by the part that caused it.
fn circuit_code(error: &CircuitError) -> (bw_status, Option<usize>) {
    match (error, error.fault()) {
        (CircuitError::Forked(_), _) => (BW_ERROR_FORKED, None),
        (CircuitError::Groth16 { source, .. }, Fault::Key) => part_code(source, BW_ERROR_KEY),
        #[cfg(feature = "witness")]
        (CircuitError::Groth16 { source: Groth16Error::Witness(WitnessError::Time { .. }), .. }, _) => {
            (BW_ERROR_WITNESS, None)
        }
        (CircuitError::Groth16 { source, .. }, Fault::Limits | Fault::Ours | Fault::Cancelled) => {
            part_code(source, BW_ERROR_MEMORY)
        }
        (CircuitError::Groth16 { source, .. }, Fault::Claim) => groth16_code(source),
        (CircuitError::Groth16 { source, .. }, _) => part_code(source, BW_ERROR_WITNESS),
        (CircuitError::OtherCircuit { .. }, _) => (BW_ERROR_WITNESS, None),
        (CircuitError::NoCalculator, _) => (BW_ERROR_ARGUMENT, None),
        (_, _) => (BW_ERROR_KEY, None),
    }
}

/// Returns the code of an error in a part, or the part's general code.
fn part_code(error: &Groth16Error, code: bw_status) -> (bw_status, Option<usize>) {
    match error {
        Groth16Error::Engine(error) => engine_code(error),
        Groth16Error::MissingCurve(_) | Groth16Error::File(FileError::MissingCurve(_)) => {
            (BW_ERROR_CURVE, None)
        }
        Groth16Error::OutOfMemory { .. } => (BW_ERROR_MEMORY, None),
        _ => (code, None),
    }
}

fn format_code(error: &FormatError) -> (bw_status, Option<usize>) {
    match *error {
        FormatError::Engine(ref error) => engine_code(error),
        FormatError::OutOfMemory { .. } => (BW_ERROR_MEMORY, None),
        FormatError::MissingCurve(_) => (BW_ERROR_CURVE, None),
        FormatError::Coordinate { index, .. } => (BW_ERROR_COORDINATE, Some(index)),
        FormatError::Point { index, reason, .. } => {
            let code = match reason {
                PointError::Coordinate => BW_ERROR_COORDINATE,
                PointError::NotOnCurve => BW_ERROR_NOT_ON_CURVE,
                PointError::NotInSubgroup => BW_ERROR_NOT_IN_SUBGROUP,
                _ => BW_ERROR_ENCODING,
            };
            (code, Some(index))
        }
        _ => (BW_ERROR_FORMAT, None),
    }
}
