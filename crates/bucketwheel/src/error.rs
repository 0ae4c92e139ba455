//! The one error type.

use bucketwheel_lanes::Backend;

use crate::strategy::{AdderKind, Unfit};
use crate::table::TableError;

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Points and scalars must pair up.
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
    /// No such backend, in the environment.
    #[error("unknown backend {0:?} in BUCKETWHEEL_BACKEND")]
    UnknownBackend(String),
    /// The window does not lie in the supported range.
    #[error("window of {window} bits: expected {min} to {max}")]
    Window {
        /// What was asked for.
        window: u32,
        /// The smallest window.
        min: u32,
        /// The largest window.
        max: u32,
    },
    /// A point does not satisfy the curve's equation.
    #[error("point {index} is not on the curve")]
    NotOnCurve {
        /// The first such point.
        index: usize,
    },
    /// A point lies on the curve but not in the prime-order subgroup.
    #[error("point {index} is not in the prime-order subgroup")]
    NotInSubgroup {
        /// The first such point.
        index: usize,
    },
    /// A scalar is not below the group's order.
    #[error("scalar {index} is not below the group's order")]
    ScalarRange {
        /// The first such scalar.
        index: usize,
    },
    /// A table file that cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A coordinate that is given as an integer is not canonical.
    #[error("point {index} has a coordinate that is not below the field's modulus")]
    CoordinateRange {
        /// The first such point.
        index: usize,
    },
    /// Bytes that are no whole number of points.
    #[error("{bytes} bytes of points: expected a multiple of {size}, the bytes of one")]
    PointBytes {
        /// The bytes given.
        bytes: usize,
        /// The bytes of a point.
        size: usize,
    },
    /// An adder that does not add these points.
    #[error("adder {adder}: {reason}")]
    Adder {
        /// The adder.
        adder: AdderKind,
        /// Why not.
        reason: Unfit,
    },
    /// Threads cannot share the points of a window where points are sorted.
    #[error(
        "threads by loop: expected a scheduler that takes points in any order (three-tier, delayed, greedy, serial)"
    )]
    ThreadsByLoop,
    /// A stream needs more memory than it is given.
    #[error("{bytes} bytes of memory for a stream: expected at least {least}")]
    Memory {
        /// What it is given.
        bytes: usize,
        /// The least it can do with.
        least: usize,
    },
    /// The system has too little memory for an array.
    #[error("no memory for {bytes} bytes: expected fewer points or copies of them, or a stream")]
    OutOfMemory {
        /// The bytes of the array.
        bytes: usize,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The caller's [`Progress::on_thread`](crate::Progress::on_thread) did not run what it was given.
    #[error("a thread's share of the work was not run to its end: expected on_thread to call it once, and to pass panics on")]
    ShareLost,
}
