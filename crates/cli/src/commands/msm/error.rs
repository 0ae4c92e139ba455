//! Errors of `msm`.

use std::io;
use std::path::PathBuf;

use bucketwheel::{CurveId, GroupId};

use crate::measure::Bytes;

/// Files and options that contradict each other.
#[derive(Debug, thiserror::Error)]
pub enum MsmError {
    /// The file is for another curve.
    #[error(
        "{} is for curve {found}: expected {expected}; pass --curve {found} or a file for {expected}",
        path.display()
    )]
    OtherCurve { path: PathBuf, expected: CurveId, found: CurveId },
    /// The points file is for another group.
    #[error(
        "{} holds {found} points: expected {expected}; pass --group {found} or a file of {expected} points",
        path.display()
    )]
    OtherGroup { path: PathBuf, expected: GroupId, found: GroupId },
    /// The numbers of points and scalars differ.
    #[error(
        "{} holds {scalars} scalars: expected {points}, one for each point of {}; generate both together",
        scalars_path.display(),
        points_path.display()
    )]
    Count { points_path: PathBuf, points: usize, scalars_path: PathBuf, scalars: usize },
    /// The points are a table, which fixes this option.
    #[error("{} is a table: leave out {option}, which was fixed when the table was built", path.display())]
    TableOption { path: PathBuf, option: &'static str },
    /// A stream cannot search for equal points.
    #[error("--deduplicate takes all points in memory: expected --memory {needed} and no --checkpoint, or leave it out")]
    Deduplicate { needed: Bytes },
    /// A stream needs more memory.
    #[error("--memory {bytes} is too little: pass at least {least}, or fewer --threads")]
    Memory { bytes: Bytes, least: Bytes },
    /// The checkpoint cannot be removed after the result.
    #[error("cannot remove {}: {source}; make its folder writable, or remove the file yourself", path.display())]
    Remove { path: PathBuf, source: io::Error },
    /// An accelerator does not have this option of the engine.
    #[error("{0} works only with --device cpu: leave it out for an accelerator")]
    DeviceOption(&'static str),
    /// The accelerator does not compute with these points.
    #[error("{} holds {group} points: expected g1 for --device {device}; pass a file of g1 points", path.display())]
    DeviceGroup { path: PathBuf, group: GroupId, device: &'static str },
}
