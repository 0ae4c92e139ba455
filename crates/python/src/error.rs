//! Errors of calls, and the exceptions that they become: the classes of `bucketwheel.errors`.

use std::io;
use std::path::{Path, PathBuf};

use bucketwheel::{Error as EngineError, GroupId, MissingCurve, TableError};
use bucketwheel_circuit::Error as CircuitError;
use bucketwheel_dynamic::{GroupError, NoGroup};
use bucketwheel_formats::{Failure, FormatError};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::Error as Groth16Error;
use bucketwheel_whole_file::WriteError;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reason why a call fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's reason.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine's reason, in points of this group.
    #[error("{group}: {error}")]
    Group { group: GroupId, error: EngineError },
    /// The bytes are not points or scalars of a format.
    #[error("{}", in_python(.0))]
    Format(FormatError),
    /// An error of a proof or of its files.
    #[error(transparent)]
    Groth16(#[from] Groth16Error),
    /// An error of a loaded circuit.
    #[error(transparent)]
    Circuit(CircuitError),
    /// An error of a simulated accelerator.
    #[cfg(feature = "cards")]
    #[error(transparent)]
    Cards(bucketwheel_hardware::Error),
    /// The build lacks the curve, or the curve lacks the group.
    #[error("{0}")]
    Curve(String),
    /// An argument is wrong; the text says what was expected.
    #[error("{0}")]
    Argument(String),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// An error that concerns a file.
    #[error("{}: {source}", path.display())]
    In { path: PathBuf, source: Box<Error> },
    /// The system has too little memory.
    #[error("no memory for {0} bytes")]
    Memory(usize),
    /// An exception of the caller: of a signal handler or of its progress callback.
    #[error("{0}")]
    Python(PyErr),
    /// The process lacks the threads that compute.
    #[error(
        "the process has forked since the package's first call: the threads stayed with the parent process; \
         expected multiprocessing's \"spawn\" or \"forkserver\", or no call before the fork"
    )]
    Forked,
    /// Another thread is using the stream.
    #[error("the stream is in use by another thread: expected one call at a time")]
    Busy,
    /// A panic was caught: a bug of this package.
    #[error("internal error; please report it, with what the process wrote to its standard error")]
    Internal,
}

/// Returns the message, with the arguments' names in Python.
fn in_python(error: &FormatError) -> String {
    let text = error.to_string();
    match error {
        FormatError::Ambiguous(_) => {
            text.replace("--from, --curve and --group", "format=, curve= and group=")
        }
        FormatError::Unknown { what, .. } => text.replace(&format!("--{what}"), &format!("{what}=")),
        FormatError::NoSection { .. } => text.replace("--section", "section"),
        _ => text,
    }
}

impl Error {
    /// Returns the error with the file that it concerns, if there is one.
    pub fn at(self, path: Option<&Path>) -> Self {
        match (path, self) {
            (None, error) | (_, error @ (Error::Python(_) | Error::File { .. } | Error::In { .. })) => error,
            (Some(path), error) => Error::In { path: path.into(), source: Box::new(error) },
        }
    }

    /// Returns the error for points of a group that start at index `start`.
    pub fn points(group: GroupId, start: usize) -> impl Fn(Failure) -> Self {
        move |failure| match failure {
            Failure::Point(index, reason) => {
                Error::Format(FormatError::Point { group, index: start + index, reason })
            }
            Failure::Engine(error) => error.into(),
        }
    }

    /// Returns the class of `bucketwheel.errors`, and the number of the point or scalar that the error concerns.
    fn class(&self) -> (&'static str, Option<usize>) {
        match self {
            Error::In { source, .. } => source.class(),
            Error::Engine(error) | Error::Group { error, .. } => engine_class(error),
            Error::Format(error) => match error {
                FormatError::Engine(error) => engine_class(error),
                FormatError::Coordinate { index, .. } | FormatError::Point { index, .. } => {
                    ("PointError", Some(*index))
                }
                FormatError::Scalar { index } => ("ScalarError", Some(*index)),
                FormatError::MissingCurve(_) => ("CurveError", None),
                _ => ("FormatError", None),
            },
            Error::Groth16(error) => match error {
                Groth16Error::Engine(EngineError::ScalarRange { index }) => ("WitnessError", Some(*index)),
                Groth16Error::Engine(error) => engine_class(error),
                Groth16Error::MissingCurve(_) | Groth16Error::File(FileError::MissingCurve(_)) => {
                    ("CurveError", None)
                }
                Groth16Error::WitnessLength { .. }
                | Groth16Error::WitnessConstant
                | Groth16Error::NotSatisfied
                | Groth16Error::Unsatisfied(_) => ("WitnessError", None),
                #[cfg(feature = "witness")]
                Groth16Error::Witness(_) => ("WitnessError", None),
                Groth16Error::PublicSignals { .. } | Groth16Error::NoProofs => ("LengthError", None),
                Groth16Error::Claim { index, source, .. } => match **source {
                    Groth16Error::PublicSignals { .. } => ("LengthError", Some(*index)),
                    _ => ("FormatError", Some(*index)),
                },
                _ => ("FormatError", None),
            },
            #[cfg(feature = "cards")]
            Error::Cards(error) => match error {
                bucketwheel_hardware::Error::Curve { .. } => ("CurveError", None),
                bucketwheel_hardware::Error::Count { .. } => ("LengthError", None),
                bucketwheel_hardware::Error::Scalar { index, .. } => ("ScalarError", Some(*index)),
                _ => ("ArgumentError", None),
            },
            Error::Curve(_) => ("CurveError", None),
            Error::Argument(_) => ("ArgumentError", None),
            _ => ("Error", None),
        }
    }

    /// Returns true if the system lacks memory.
    fn memory(&self) -> bool {
        match self {
            Error::In { source, .. } => source.memory(),
            Error::Memory(_) => true,
            Error::Engine(error)
            | Error::Group { error, .. }
            | Error::Format(FormatError::Engine(error))
            | Error::Groth16(Groth16Error::Engine(error)) => matches!(error, EngineError::OutOfMemory { .. }),
            Error::Format(error) => matches!(error, FormatError::OutOfMemory { .. }),
            Error::Groth16(error) => matches!(error, Groth16Error::OutOfMemory { .. }),
            _ => false,
        }
    }
}

fn engine_class(error: &EngineError) -> (&'static str, Option<usize>) {
    match *error {
        EngineError::NotOnCurve { index }
        | EngineError::NotInSubgroup { index }
        | EngineError::CoordinateRange { index } => ("PointError", Some(index)),
        EngineError::ScalarRange { index } => ("ScalarError", Some(index)),
        EngineError::Length { .. } => ("LengthError", None),
        EngineError::Records { .. } | EngineError::Table(_) => ("FormatError", None),
        EngineError::Window { .. } | EngineError::Memory { .. } | EngineError::TooManyPoints { .. } => {
            ("ArgumentError", None)
        }
        _ => ("Error", None),
    }
}

impl From<GroupError> for Error {
    fn from(GroupError { group, error }: GroupError) -> Self {
        Error::Group { group, error }
    }
}

impl From<WriteError> for Error {
    fn from(WriteError { path, source }: WriteError) -> Self {
        Error::File { path, source }
    }
}

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Self {
        Error::Format(error)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Error::Groth16(error.into())
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        Error::Engine(error.into())
    }
}

#[cfg(feature = "cards")]
impl From<bucketwheel_hardware::Error> for Error {
    fn from(error: bucketwheel_hardware::Error) -> Self {
        match error {
            bucketwheel_hardware::Error::Points(error) => Error::Engine(error),
            error => Error::Cards(error),
        }
    }
}

impl From<NoGroup> for Error {
    fn from(error: NoGroup) -> Self {
        Error::Curve(error.to_string())
    }
}

impl From<MissingCurve> for Error {
    fn from(error: MissingCurve) -> Self {
        Error::Curve(error.to_string())
    }
}

impl From<PyErr> for Error {
    fn from(error: PyErr) -> Self {
        Error::Python(error)
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        match error {
            Error::Python(error) => error,
            // With the system's error number, Python finds the subclass.
            Error::File { path, source } => match source.raw_os_error() {
                Some(number) => PyOSError::new_err((number, reason(&source), path.into_os_string())),
                None => PyOSError::new_err(format!("{}: {source}", path.display())),
            },
            error if error.memory() => PyMemoryError::new_err(error.to_string()),
            error => Python::attach(|py| exception(py, &error).unwrap_or_else(|failure| failure)),
        }
    }
}

/// The system's reason without its number, which Python adds.
fn reason(source: &io::Error) -> String {
    let text = source.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let (class, index) = error.class();
    let attributes = PyDict::new(py);
    if let Some(index) = index {
        attributes.set_item("index", index)?;
    }
    let class = py.import("bucketwheel.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((error.to_string(),), Some(&attributes))?))
}
