//! Errors, each in one line: what, where, what was expected, what to do next.
//!
//! Here are those that commands share. What is one command's own stands beside it, and comes as [`own`]: nothing here
//! names a command.

use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};

use bucketwheel::{Backend, Error as EngineError, GroupId, MissingCurve, BACKEND_VARIABLE};
use bucketwheel_dynamic::{GroupError, NoGroup};
use bucketwheel_whole_file::{SameFile, WriteError};

use crate::format::Kind;

/// The exit code of every failure without a code of its own.
pub const EXIT_FAILURE: u8 = 1;
/// The exit code for wrong arguments, as shells have it.
pub const EXIT_USAGE: u8 = 2;
/// The exit code after Ctrl-C, as shells have it.
pub const EXIT_CANCELLED: u8 = 130;

/// The error of every command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be opened or mapped.
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
    /// A directory, a pipe, a device.
    #[error("{} is not a regular file: expected a {kind} file, check the path", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// The kind of file that was expected.
        kind: Kind,
    },
    /// A file that cannot be opened or mapped, or that is none.
    #[error("cannot read {}: {source}; expected {expected}, check the path", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// More bytes than there can be, which are not read.
    #[error("{} holds more than {max} bytes: expected {expected}, check the path", path.display())]
    TooLong {
        /// The file, or standard input.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// The most bytes of such content.
        max: usize,
    },
    /// An output that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A checkpoint that is a directory or a device.
    #[error("cannot write {}: it exists and is not a regular file; expected the path of a new or old file", .0.display())]
    NotReplaceable(PathBuf),
    /// A file to write that is to be read or written besides.
    #[error(transparent)]
    SameFile(#[from] SameFile),
    /// A file whose content is wrong.
    #[error("{}: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Fault of the content.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// Points that fail the check that was asked for.
    #[error("{}: {group} {source}: expected points that pass --check; generate or export the file again", path.display())]
    Points {
        /// The points file.
        path: PathBuf,
        /// The group of the point.
        group: GroupId,
        /// The engine's reason.
        source: EngineError,
    },
    /// A group that cannot be had.
    #[error(transparent)]
    NoGroup(#[from] NoGroup),
    /// A curve that this build lacks.
    #[error(transparent)]
    MissingCurve(#[from] MissingCurve),
    /// The engine's errors that have no file.
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
        /// Its result.
        theirs: String,
    },
    /// No threads.
    #[error("cannot start the threads: {0}; expected room for them, pass a smaller --threads")]
    Pool(#[from] rayon::ThreadPoolBuildError),
    /// No handler for Ctrl-C.
    #[error("cannot handle Ctrl-C: {0}; expected to be the only handler, report this")]
    Interrupt(#[from] ctrlc::Error),
    /// Standard output is gone.
    #[error("cannot write the output: {0}; expected standard output to be open and to have space left")]
    Stdout(#[from] io::Error),
    /// A command's own.
    #[error(transparent)]
    Own(Box<dyn StdError + Send + Sync>),
}

/// The error that one command or one module alone has, told as it is.
pub fn own(error: impl StdError + Send + Sync + 'static) -> Error {
    Error::Own(Box::new(error))
}

/// The error of a file whose content is wrong.
pub fn in_file<E: Into<Box<dyn StdError + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Error + Copy + '_ {
    |source| Error::Content { path: path.into(), source: source.into() }
}

impl From<GroupError> for Error {
    fn from(error: GroupError) -> Self {
        error.error.into()
    }
}

impl Error {
    /// The process's exit code; usage errors, which are not among these, have [`EXIT_USAGE`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Engine(EngineError::Cancelled) => EXIT_CANCELLED,
            _ => EXIT_FAILURE,
        }
    }

    /// Returns true if the reader of our output has gone, as `head` does.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Stdout(source) if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn engine_message(error: &EngineError) -> String {
    let names = |keep: &dyn Fn(&Backend) -> bool| {
        let names: Vec<_> = Backend::ALL.into_iter().filter(keep).map(Backend::name).collect();
        names.join(", ")
    };
    match error {
        EngineError::Cancelled => "cancelled before the result; run it again to get one".into(),
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
