//! The one error type.

use bucketwheel_lanes::Backend;

use crate::engine::adder::AdderKind;

/// Errors of the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The numbers of points and scalars differ.
    #[error("{scalars} scalars for {points} points: the numbers must be the same")]
    Length {
        /// Number of points.
        points: usize,
        /// Number of scalars.
        scalars: usize,
    },
    /// More points than an id can number.
    #[error("{points} points are more than the {max} of one call")]
    TooManyPoints {
        /// Number of points.
        points: usize,
        /// The largest number supported.
        max: usize,
    },
    /// The CPU lacks the instructions.
    #[error("backend {0} is not supported by this CPU, or not for this curve")]
    UnsupportedBackend(Backend),
    /// The environment names an unknown backend.
    #[error("unknown backend {0:?} in BUCKETWHEEL_BACKEND")]
    UnknownBackend(String),
    /// The window is outside of the supported range.
    #[error("window of {window} bits: expected {min} to {max}")]
    Window {
        /// Window that was asked for, in bits.
        window: u32,
        /// The smallest window.
        min: u32,
        /// The largest window.
        max: u32,
    },
    /// A point does not satisfy the curve's equation.
    #[error("point {index} is not on the curve")]
    NotOnCurve {
        /// Index of the first bad point.
        index: usize,
    },
    /// A point lies on the curve but not in the prime-order subgroup.
    #[error("point {index} is not in the prime-order subgroup")]
    NotInSubgroup {
        /// Index of the first bad point.
        index: usize,
    },
    /// A scalar is not below the group's order.
    #[error("scalar {index} is not below the group's order")]
    ScalarRange {
        /// Index of the first bad scalar.
        index: usize,
    },
    /// A table file cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A coordinate that is given as an integer is not canonical.
    #[error("point {index} has a coordinate that is not below the field's modulus")]
    CoordinateRange {
        /// Index of the first bad point.
        index: usize,
    },
    /// Bytes that are not a whole number of points or scalars.
    #[error("{bytes} bytes of points or scalars: expected a multiple of {size}, the bytes of one")]
    Records {
        /// Number of bytes given.
        bytes: usize,
        /// Number of bytes of a point or scalar.
        size: usize,
    },
    /// A stride that a point or scalar does not fit in.
    #[error("{stride} bytes from one point or scalar to the next: expected at least {least}")]
    Stride {
        /// Stride given, in bytes.
        stride: usize,
        /// Number of bytes of a point or scalar.
        least: usize,
    },
    /// An adder that does not add these points.
    #[error("adder {adder}: {reason}")]
    Adder {
        /// The adder.
        adder: AdderKind,
        /// Reason why it does not.
        reason: Unfit,
    },
    /// The build lacks the scheduler of this name.
    #[error("scheduler {0}: this build lacks it; build with the feature `strategies`")]
    Scheduler(&'static str),
    /// Threads cannot share the points of a window if points are sorted.
    #[error(
        "threads by loop: expected a scheduler that takes points in any order (three-tier, delayed, greedy, serial)"
    )]
    ThreadsByLoop,
    /// A stream needs more memory than it is given.
    #[error("{bytes} bytes of memory for a stream: expected at least {least}")]
    Memory {
        /// Memory that the stream is given, in bytes.
        bytes: usize,
        /// Least memory that the stream can work with, in bytes.
        least: usize,
    },
    /// The system has too little memory for an array.
    #[error("no memory for {bytes} bytes: expected fewer points or copies of them, or a stream")]
    OutOfMemory {
        /// Number of bytes of the array.
        bytes: usize,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The caller's [`Progress::on_thread`](crate::Progress::on_thread) did not run the share that it was given.
    #[error("a thread's share of the work was not run to its end: expected on_thread to call it once, and to pass panics on")]
    ShareLost,
}

/// Why an adder does not add these points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The curve has no twisted Edwards form, or none is known.
    #[error("the curve has no twisted Edwards form that is known")]
    NoForm,
    /// The points may lie outside of the prime-order subgroup, where the law has exceptions.
    #[error("it is exact in the prime-order subgroup only; check the points' subgroup, or vouch for it")]
    Subgroup,
    /// Nobody asked for the points' Edwards form.
    #[error("the points were not prepared in Edwards form")]
    NotPrepared,
    /// The curve's coefficient a is not 0.
    #[error("it is for curves with a = 0")]
    Coefficient,
    /// The build has only the best adder.
    #[error("this build lacks it; build with the feature `strategies`")]
    NotBuilt,
}

/// The version of table files that is written and read: a change of a backend's layout makes a new one.
pub(crate) const TABLE_VERSION: u32 = 3;

/// An error of sums in two groups with the same scalars.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct PairError {
    /// Index of the group whose points are wrong, 0 or 1. None if the error is about both groups or about neither.
    pub group: Option<usize>,
    /// Error of the sums.
    pub error: Error,
}

impl PairError {
    /// Returns the constructor of an error of the group with this index, for errors about points.
    pub(crate) fn of(group: usize) -> impl FnOnce(Error) -> Self {
        move |error| {
            let is_of_points = matches!(
                error,
                Error::CoordinateRange { .. } | Error::NotOnCurve { .. } | Error::NotInSubgroup { .. }
            );
            PairError { group: is_of_points.then_some(group), error }
        }
    }
}

impl From<Error> for PairError {
    fn from(error: Error) -> Self {
        PairError { group: None, error }
    }
}

impl From<PairError> for Error {
    fn from(error: PairError) -> Self {
        error.error
    }
}

/// Faults of a table file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file is not a table file.
    #[error(
        "this is not a table file: expected it to start with \"BWTABLES\"; make one with `bucketwheel table`"
    )]
    Magic,
    /// The table file has another version.
    #[error("table format version {found}: expected version {TABLE_VERSION}; build the table again")]
    Version {
        /// Version of the file.
        found: u32,
    },
    /// The table file is from a machine with another order of bytes.
    #[error(
        "the table is of a machine with another byte order: expected this machine's; build the table here"
    )]
    ByteOrder,
    /// A header that contradicts itself.
    #[error("the table's header is damaged: expected {expected}; build or copy the table again")]
    Header {
        /// Content that was expected.
        expected: &'static str,
    },
    /// The points are of another curve or group.
    #[error("the table is of another curve or group: expected one of the points' curve and group")]
    Curve,
    /// The points have the layout of another backend.
    #[error(
        "the table is in the layout of backend {found}: expected {expected}; \
         build the table again for {expected}, or compute with backend {found}"
    )]
    Backend {
        /// Backend that was asked for.
        expected: Backend,
        /// Backend of the table.
        found: Backend,
    },
    /// The file is too short or too long.
    #[error("the table has {actual} bytes: expected {expected}; the file is incomplete or damaged, copy or build it again")]
    Length {
        /// Length that the header tells, in bytes.
        expected: u128,
        /// Length of the file, in bytes.
        actual: usize,
    },
    /// A point whose digits no backend writes.
    #[error(
        "point {index} of the table is damaged: expected reduced coordinates; copy or build the table again"
    )]
    Point {
        /// Index of the first bad point that has been found.
        index: usize,
    },
    /// Points that differ from the written ones.
    #[error("the table's points are damaged: expected them to have the header's digest; copy or build the table again")]
    Digest,
}
