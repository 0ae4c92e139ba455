//! Arguments and results that bases and streams share.

use bucketwheel::{CurveId, Form, GroupId, Infinity, PointLayout};
use bucketwheel_dynamic::{AnyPoints, AnySum};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::source::{Rows, Source};

/// Sums by group: x and y as little-endian integers.
pub(super) type Sums = Vec<(&'static str, Py<PyBytes>)>;

/// Reads an array of points for each of `parts`.
pub(super) fn sources(
    points: &[Bound<'_, PyAny>],
    curve: CurveId,
    parts: &[GroupId],
) -> Result<Vec<Source>, Error> {
    if parts.len() != points.len() {
        let (found, expected) = (points.len(), parts.len());
        return Err(Error::Argument(format!("{found} sets of points: expected {expected}")));
    }
    let source = |(points, &part)| Source::new(points, Rows::Exactly(curve.point_bytes(part)));
    points.iter().zip(parts).map(source).collect()
}

/// Returns points in memory, for each of `parts`.
pub(super) fn of<'a>(
    sources: &'a [Source],
    curve: CurveId,
    parts: &[GroupId],
    form: Form,
) -> Vec<AnyPoints<'a>> {
    let layout = |part| PointLayout { stride: curve.point_bytes(part), form, infinity: Infinity::Zeros };
    sources.iter().zip(parts).map(|(source, &part)| AnyPoints::raw(source, layout(part))).collect()
}

pub(super) fn pairs(py: Python<'_>, sums: &[AnySum]) -> Sums {
    sums.iter().map(|sum| (sum.group.name(), PyBytes::new(py, &sum.integers).unbind())).collect()
}
