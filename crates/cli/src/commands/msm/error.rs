//! Errors of `msm` alone.

use std::io;
use std::path::PathBuf;

use bucketwheel::{CurveId, GroupId};

use crate::measure::Bytes;

/// Files and options that do not fit together.
#[derive(Debug, thiserror::Error)]
pub enum MsmError {
    /// A file for another curve.
    #[error(
        "{} is for curve {found}: expected {expected}; pass --curve {found} or a file for {expected}",
        path.display()
    )]
    OtherCurve { path: PathBuf, expected: CurveId, found: CurveId },
    /// A points file for another group.
    #[error(
        "{} holds {found} points: expected {expected}; pass --group {found} or a file of {expected} points",
        path.display()
    )]
    OtherGroup { path: PathBuf, expected: GroupId, found: GroupId },
    /// Points and scalars do not pair up.
    #[error(
        "{} holds {scalars} scalars: expected {points}, one for each point of {}; generate both together",
        scalars_path.display(),
        points_path.display()
    )]
    Count { points_path: PathBuf, points: usize, scalars_path: PathBuf, scalars: usize },
    /// An option about points for a table of them.
    #[error("{} is a table: leave out {option}, which was fixed when the table was built", path.display())]
    TableOption { path: PathBuf, option: &'static str },
    /// Equal points of a stream.
    #[error("--deduplicate takes all points in memory: expected --memory {needed} and no --checkpoint, or leave it out")]
    Deduplicate { needed: Bytes },
    /// Less memory than a stream needs.
    #[error("--memory {bytes} is too little: pass at least {least}, or fewer --threads")]
    Memory { bytes: Bytes, least: Bytes },
    /// A result that is not followed by the removal of its checkpoint.
    #[error("cannot remove {}: {source}; make its folder writable, or remove the file yourself", path.display())]
    Remove { path: PathBuf, source: io::Error },
    /// An option of the engine for an accelerator.
    #[error("{0} works only with --device cpu: leave it out for an accelerator")]
    DeviceOption(&'static str),
    /// Points that an accelerator does not compute with.
    #[error("{} holds {group} points: expected g1 for --device {device}; pass a file of g1 points", path.display())]
    DeviceGroup { path: PathBuf, group: GroupId, device: &'static str },
}
