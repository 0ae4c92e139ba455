//! Errors, each in one line: what, where, what was expected, what to do next.

use std::io;
use std::path::PathBuf;

use bucketwheel::{
    Backend, CurveId, Error as EngineError, GroupId, MissingCurve, SchedulerKind, BACKEND_VARIABLE,
};
use bucketwheel_dynamic::NoGroup;

use crate::args::msm::Bytes;
use crate::commands::eip2537::InputError;
use crate::commands::kzg::BlobError;
use crate::commands::msm::checkpoint::CheckpointError;
use crate::format::{FormatError, Kind};

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
    /// A group that cannot be had.
    #[error(transparent)]
    NoGroup(#[from] NoGroup),
    /// A curve that this build lacks.
    #[error(transparent)]
    MissingCurve(#[from] MissingCurve),
    /// A file whose bytes are wrong.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Fault of the file.
        source: FormatError,
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
    /// A file that is no profile of this machine.
    #[error("{}: {source}; delete it, or measure again with `bucketwheel tune`", path.display())]
    Profile {
        /// The file.
        path: PathBuf,
        /// Fault of the profile.
        source: bucketwheel::ProfileError,
    },
    /// A table file that cannot be used.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Fault of the table.
        source: bucketwheel::TableError,
    },
    /// An option about points for a table of them.
    #[error("{} is a table: expected no {option}, which was settled when it was built; leave it out", path.display())]
    TableOption {
        /// The table.
        path: PathBuf,
        /// The option.
        option: &'static str,
    },
    /// A file of circom or snarkjs, or what it is for.
    #[error("{}: {source}", path.display())]
    Groth16 {
        /// The file.
        path: PathBuf,
        /// Fault of the file, or of the proof.
        source: bucketwheel_groth16::Error,
    },
    /// Public signals without a proof.
    #[error("{}: expected a proof behind these public signals", public.display())]
    NoProof {
        /// The public signals.
        public: PathBuf,
    },
    /// A proof that does not hold.
    #[error(
        "{}: the proof does not hold: expected one of the public signals in {}, by the key's circuit",
        proof.display(),
        public.display()
    )]
    InvalidProof {
        /// The proof.
        proof: PathBuf,
        /// The public signals.
        public: PathBuf,
    },
    /// A file for another curve.
    #[error(
        "{} is for curve {found}: expected {expected}; pass --curve {found} or a file for {expected}",
        path.display()
    )]
    OtherCurve {
        /// The file.
        path: PathBuf,
        /// The curve that was asked for.
        expected: CurveId,
        /// The file's curve.
        found: CurveId,
    },
    /// A points file for another group.
    #[error(
        "{} holds {found} points: expected {expected}; pass --group {found} or a file of {expected} points",
        path.display()
    )]
    OtherGroup {
        /// The file.
        path: PathBuf,
        /// The group that was asked for.
        expected: GroupId,
        /// The file's group.
        found: GroupId,
    },
    /// Points and scalars do not pair up.
    #[error(
        "{} holds {scalars} scalars: expected {points}, one for each point of {}; generate both together",
        scalars_path.display(),
        points_path.display()
    )]
    Count {
        /// The points file.
        points_path: PathBuf,
        /// Number of points that it holds.
        points: usize,
        /// The scalars file.
        scalars_path: PathBuf,
        /// Number of scalars that it holds.
        scalars: usize,
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
    /// An output that cannot be written.
    #[error("cannot write {}: {source}; expected a path in a writable directory with space left", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// An output that is a directory or a device.
    #[error("cannot write {}: it exists and is not a regular file; expected the path of a new or old file", .0.display())]
    NotReplaceable(PathBuf),
    /// A file to write that is to be read or written besides.
    #[error(
        "the output {} is the same file as the {role} {}: expected a file for each, name them differently",
        output.display(),
        other.display()
    )]
    SameFile {
        /// The file to write.
        output: PathBuf,
        /// Role of the other file: input or output.
        role: &'static str,
        /// Path of the other file, as it was given.
        other: PathBuf,
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
    /// An input that a precompile refuses.
    #[error(transparent)]
    Precompile(#[from] InputError),
    /// A blob that is none.
    #[error("{}: {source}", path.display())]
    Blob {
        /// The file.
        path: PathBuf,
        /// Fault of the blob.
        source: BlobError,
    },
    /// A trusted setup that does not parse.
    #[error("the trusted setup is damaged: {0}; restore crates/cli/data/trusted_setup.txt and build again")]
    Setup(String),
    /// A library that the demonstration compares with fails.
    #[error("{peer} cannot be compared with: {reason}; expected it to work, please report this")]
    Peer {
        /// The library.
        peer: &'static str,
        /// Reason of the failure.
        reason: String,
    },
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
    /// A pipeline for a scheduler without.
    #[error("--pipeline is not for {0}: expected --scheduler delayed, leave it out")]
    Pipeline(SchedulerKind),
    /// A checkpoint that cannot be gone on from.
    #[error("{}: {source}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Fault of the checkpoint.
        source: CheckpointError,
    },
    /// A result that is not followed by the removal of its checkpoint.
    #[error("cannot remove {}: {source}; expected a writable directory, remove it yourself", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Equal points of a stream.
    #[error("--deduplicate takes all points in memory: expected --memory {needed} and no --checkpoint, or leave it out")]
    Deduplicate {
        /// The memory that suffices.
        needed: Bytes,
    },
    /// Less memory than a stream needs.
    #[error("--memory {bytes} is too little: expected at least {least}, fewer --threads take less")]
    Memory {
        /// The memory that was given.
        bytes: Bytes,
        /// The least memory that suffices.
        least: Bytes,
    },
    /// The engine's errors that have no file.
    #[error("{}", engine_message(.0))]
    Engine(#[from] EngineError),
    /// A simulation that cannot be run.
    #[error("{0}")]
    Simulation(bucketwheel_hardware::Error),
    /// Simulated RTL that gives no sums.
    #[cfg(feature = "rtl")]
    #[error("{0}")]
    Rtl(bucketwheel_rtl::Fault),
    /// A build that cannot simulate RTL.
    #[error(
        "this build has no simulated RTL: expected one with the feature rtl and Verilator; for example \
         cargo run --release --features rtl --package bucketwheel-cli -- simulate cyclone --log-size 8 --model rtl"
    )]
    NoRtl,
    /// A build that cannot run circuits.
    #[error(
        "{} cannot be run: this build has no WebAssembly compiler; expected one with the feature witness, which is \
         on by default: cargo install --path crates/cli",
        circuit.display()
    )]
    NoWitness {
        /// The circuit.
        circuit: PathBuf,
    },
    /// A server that does not start.
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Server(#[from] bucketwheel_server::Error),
    /// A build that cannot serve.
    #[error(
        "this build has no server: expected one with the feature serve; for example \
         cargo install --path crates/cli --features serve"
    )]
    NoServer,
    /// An option of simulated RTL for the cycle model.
    #[error("{0} is for --model rtl: expected that with it, or leave it out")]
    RtlOption(&'static str),
    /// An option of the engine for an accelerator.
    #[error("{0} is for --device cpu: expected no such option for an accelerator, leave it out")]
    DeviceOption(&'static str),
    /// Points that an accelerator does not compute with.
    #[error("{} holds {group} points: expected g1 for --device {device}; pass a file of g1 points", path.display())]
    DeviceGroup {
        /// The points file.
        path: PathBuf,
        /// The group of its points.
        group: GroupId,
        /// The accelerator.
        device: &'static str,
    },
    /// Inputs that take too much memory.
    #[error("the inputs take {needed}: expected at most {most}, half of the memory; pass a smaller size")]
    InputMemory {
        /// Memory that they take.
        needed: Bytes,
        /// The most that they may take, half of the memory.
        most: Bytes,
    },
    /// A program of MSMAC, or its text.
    #[error("{}: {source}", path.display())]
    Assembly {
        /// The file.
        path: PathBuf,
        /// Fault of the program or text.
        source: bucketwheel_hardware::msmac::AssemblyError,
    },
    /// A text that is none.
    #[error("{} is not UTF-8: expected a text of MSMAC's instructions", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
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
}

impl From<bucketwheel_hardware::Error> for Error {
    fn from(error: bucketwheel_hardware::Error) -> Self {
        match error {
            bucketwheel_hardware::Error::Cancelled => Error::Engine(EngineError::Cancelled),
            bucketwheel_hardware::Error::Points(error) => Error::Engine(error),
            error => Error::Simulation(error),
        }
    }
}

impl Error {
    /// The process's exit code; usage errors, which are not among these, have [`EXIT_USAGE`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Engine(EngineError::Cancelled) => EXIT_CANCELLED,
            _ => 1,
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
