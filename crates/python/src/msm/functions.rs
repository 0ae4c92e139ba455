//! Functions without an object: encodings, curves, seeded inputs.

use bucketwheel::{Cancel, Control, CurveId};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_dynamic::{group, groups};
use bucketwheel_formats::FormatError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::names::{curve_of, format_of, group_of, named};
use crate::error::Error;
use crate::work::{self, Callback};

/// The bytes of points in a format, without the header of a file. The points are given as integers.
#[pyfunction]
pub fn encode(
    py: Python<'_>,
    points: &[u8],
    curve: &str,
    part: &str,
    format: &str,
) -> Result<Py<PyBytes>, Error> {
    let (curve, part) = (curve_of(curve)?, group_of(part)?);
    let format = format_of(format)?;
    let codec = format.format().codec(curve, part);
    let codec = codec.ok_or(FormatError::NoSuchPoints {
        format,
        curve,
        group: part,
        expected: "another format or curve",
    })?;
    let group = group(curve, part)?;
    let bytes = work::run(py, &Cancel::new(), None, |_| {
        group.encode(&codec, points).map_err(Error::points(part, 0))
    })?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

/// Names, sizes and groups of the curves that this build has: bytes of a coordinate and of a scalar.
#[pyfunction]
pub fn curves() -> Vec<(&'static str, usize, usize, Vec<&'static str>)> {
    let known = CurveId::ALL.iter().filter(|curve| curve.check().is_ok());
    let groups = |curve: &CurveId| curve.groups().iter().map(|group| group.name()).collect();
    known.map(|curve| (curve.name(), curve.field_bytes(), curve.scalar_bytes(), groups(curve))).collect()
}

/// The first `count` seeded points of each group, and `count` scalars.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn generate(
    py: Python<'_>,
    count: usize,
    curve: &str,
    group: &str,
    seed: u64,
    distribution: &str,
    progress: Callback<'_, '_>,
) -> Result<(Vec<Py<PyBytes>>, Py<PyBytes>), Error> {
    let (curve, group) = (curve_of(curve)?, group_of(group)?);
    let distribution = named("distribution", Distribution::ALL, Distribution::name, distribution)?;
    // An error for a group that the curve does not have.
    groups(curve, group)?;
    let cancel = Cancel::new();
    let (points, scalars) = work::run(py, &cancel, progress, |progress| {
        let control = Control::new(None, Some(&cancel), Some(progress));
        control.expect(count.saturating_mul(group.parts().len() + 1));
        let points = group.parts().iter().map(|&part| {
            let blocks = inputs::points(curve, part, seed)?;
            Ok(inputs::collect(count, curve.field_bytes() * part.elements(), &blocks, &control)?)
        });
        let points = points.collect::<Result<Vec<_>, Error>>()?;
        let blocks = inputs::scalars(curve, distribution, seed)?;
        Ok((points, inputs::collect(count, curve.scalar_bytes(), &blocks, &control)?))
    })?;
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
    Ok((points.iter().map(|points| bytes(points)).collect(), bytes(&scalars)))
}
