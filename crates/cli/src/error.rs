//! Errors, each in one line: the fault, its place, the expected value, and a next step.
//!
//! This file has the errors that commands share. The errors of one command are in its file, and arrive here through
//! [`own`], so nothing here names a command.

use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};

use bucketwheel::{Backend, Error as EngineError, GroupId, MissingCurve, BACKEND_VARIABLE};
use bucketwheel_dynamic::{GroupError, NoGroup};
use bucketwheel_whole_file::{SameFile, WriteError};

use crate::format::Kind;

/// Exit code of every failure without a code of its own.
pub const EXIT_FAILURE: u8 = 1;
/// Exit code for wrong arguments, as in shells.
pub const EXIT_USAGE: u8 = 2;
/// Exit code after Ctrl-C, as in shells.
pub const EXIT_CANCELLED: u8 = 130;

/// Every exit code and its meaning, for the manual.
pub const EXIT_CODES: [(u8, &str); 4] = [
    (0, "Success. For verify and check: everything holds."),
    (
        EXIT_FAILURE,
        "Failure, also of a proof or a point that does not hold. One line on standard error says why.",
    ),
    (EXIT_USAGE, "Wrong arguments."),
    (EXIT_CANCELLED, "Cancelled by Ctrl-C or a request to terminate. Outputs stay as they were."),
];

/// The error of every command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened or mapped.
    #[error(
        "cannot read {}: {source}; expected a {kind} file, check the path or make one with `bucketwheel generate`",
        path.display()
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// The kind of file that was expected.
        kind: Kind,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The path is a directory, a pipe or a device.
    #[error("{} is not a regular file: expected a {kind} file, check the path", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// The kind of file that was expected.
        kind: Kind,
    },
    /// A file cannot be opened or mapped, or is not a regular file.
    #[error("cannot read {}: {source}; expected {expected}, check the path", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The file has more bytes than this kind of content can have; it is not read.
    #[error("{} holds more than {max} bytes: expected {expected}, check the path", path.display())]
    TooLong {
        /// The file, or standard input.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// Largest number of bytes of this content.
        max: usize,
    },
    /// An output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The checkpoint is a directory or a device.
    #[error("cannot write {}: it exists and is not a regular file; pass the path of a file", .0.display())]
    NotReplaceable(PathBuf),
    /// A file to write is also read, or written twice.
    #[error(transparent)]
    SameFile(#[from] SameFile),
    /// The content of a file is wrong.
    #[error("{}: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Fault of the content.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// Points fail the requested check.
    #[error("{}: {group} {source}: expected points that pass --check; generate or export the file again", path.display())]
    Points {
        /// The points file.
        path: PathBuf,
        /// The group of the point.
        group: GroupId,
        /// The engine's reason.
        source: EngineError,
    },
    /// The curve does not have the group.
    #[error(transparent)]
    NoGroup(#[from] NoGroup),
    /// This build lacks the curve.
    #[error(transparent)]
    MissingCurve(#[from] MissingCurve),
    /// An error of the engine that concerns no file.
    #[error("{}", engine_message(.0))]
    Engine(#[from] EngineError),
    /// Two libraries disagree.
    #[error("{what}: bucketwheel computed {ours}, {peer} expected {theirs}; please report this with `bucketwheel info`")]
    Disagreement {
        /// Name of the result.
        what: String,
        /// The library that disagrees.
        peer: &'static str,
        /// Our result.
        ours: String,
        /// The other library's result.
        theirs: String,
    },
    /// The system refuses threads.
    #[error("cannot start the threads: {0}; pass a smaller --threads")]
    Pool(#[from] rayon::ThreadPoolBuildError),
    /// The handler for Ctrl-C cannot be installed.
    #[error("cannot handle Ctrl-C: {0}; please report this")]
    Interrupt(#[from] ctrlc::Error),
    /// Standard output is closed or full.
    #[error("cannot write the output: {0}; expected standard output to be open and to have space left")]
    Stdout(#[from] io::Error),
    /// An error of one command.
    #[error(transparent)]
    Own(Box<dyn StdError + Send + Sync>),
}

/// Returns the error of one command or one module, with its text unchanged.
pub fn own(error: impl StdError + Send + Sync + 'static) -> Error {
    Error::Own(Box::new(error))
}

/// Returns the error of a file with wrong content.
pub fn in_file<E: Into<Box<dyn StdError + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Error + Copy + '_ {
    |source| Error::Content { path: path.into(), source: source.into() }
}

impl From<GroupError> for Error {
    fn from(error: GroupError) -> Self {
        error.error.into()
    }
}

impl Error {
    /// Returns the exit code of the process. Usage errors have [`EXIT_USAGE`] and do not occur here.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Engine(EngineError::Cancelled) => EXIT_CANCELLED,
            _ => EXIT_FAILURE,
        }
    }

    /// Returns true if the reader of the output has gone, as `head` does.
    pub fn is_broken_pipe(&self) -> bool {
        let (Error::Stdout(source) | Error::Write(WriteError { source, .. })) = self else { return false };
        source.kind() == io::ErrorKind::BrokenPipe
    }
}

fn engine_message(error: &EngineError) -> String {
    let names = |keep: &dyn Fn(&Backend) -> bool| {
        let names: Vec<_> = Backend::ALL.into_iter().filter(keep).map(Backend::name).collect();
        names.join(", ")
    };
    match error {
        EngineError::Cancelled => "cancelled before the result; run the command again to get it".into(),
        EngineError::UnknownBackend(_) => {
            format!("{error}: expected one of {}; unset {BACKEND_VARIABLE} for the fastest", names(&|_| true))
        }
        EngineError::UnsupportedBackend(_) => {
            let supported = names(&|backend| backend.is_supported());
            format!("{error}: expected one of {supported}; leave out --backend and {BACKEND_VARIABLE} for the fastest")
        }
        _ => error.to_string(),
    }
}
