//! Functions without an object: encodings, curves, seeded inputs.

use bucketwheel::{Cancel, Control, CurveId, GroupId};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_dynamic::{group, groups, DynGroup};
use bucketwheel_formats::{Codec, FormatError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::names::{check_of, curve_of, format_of, group_of, named};
use crate::error::Error;
use crate::work::{self, Callback};

/// Returns the bytes of points, given as integers, in a format, without the header of a file.
#[pyfunction]
pub fn encode(
    py: Python<'_>,
    points: &[u8],
    curve: &str,
    part: &str,
    format: &str,
) -> Result<Py<PyBytes>, Error> {
    let (group, codec) = group_and_codec(curve, part, format)?;
    let bytes = work::run(py, &Cancel::new(), None, |_| {
        group.encode(&codec, points).map_err(Error::points(group.group(), 0))
    })?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

fn group_and_codec(curve: &str, part: &str, format: &str) -> Result<(Box<dyn DynGroup>, Codec), Error> {
    let (curve, part, format) = (curve_of(curve)?, group_of(part)?, format_of(format)?);
    let codec = format.format().codec(curve, part);
    let codec = codec.ok_or(FormatError::NoSuchPoints {
        format,
        curve,
        group: part,
        expected: "another format or curve",
    })?;
    Ok((group(curve, part)?, codec))
}

/// Returns the integers of points in a format, without the header of a file.
#[pyfunction]
pub fn decode(
    py: Python<'_>,
    bytes: &[u8],
    curve: &str,
    part: &str,
    format: &str,
    check: &str,
) -> Result<Py<PyBytes>, Error> {
    let (group, codec) = group_and_codec(curve, part, format)?;
    let check = check_of(check)?;
    let points = work::run(py, &Cancel::new(), None, |_| {
        group.decode(&codec, bytes, check).map_err(Error::points(group.group(), 0))
    })?;
    Ok(PyBytes::new(py, &points).unbind())
}

/// A curve of this build: its name, the bytes of a coefficient of a coordinate and of a scalar, its groups, the modulus of its
/// coordinates and the order of its groups, little-endian, and the coefficients of a coordinate in its first group.
type KnownCurve = (&'static str, usize, usize, Vec<&'static str>, &'static [u8], &'static [u8], usize);

/// Returns the curves of this build.
#[pyfunction]
pub fn curves() -> Vec<KnownCurve> {
    let known = CurveId::ALL.iter().filter(|curve| curve.check().is_ok());
    let groups = |curve: &CurveId| curve.groups().iter().map(|group| group.name()).collect();
    let entry = |curve: &CurveId| {
        let sizes = (curve.field_bytes(), curve.scalar_bytes());
        let degree = curve.coefficients(GroupId::G1);
        (curve.name(), sizes.0, sizes.1, groups(curve), curve.prime(), curve.order(), degree)
    };
    known.map(entry).collect()
}

/// Returns an error unless this build has the curve of a name.
#[pyfunction]
pub fn check_curve(name: &str) -> Result<(), Error> {
    Ok(curve_of(name)?.check()?)
}

/// Returns the first `count` seeded points of each group, and `count` scalars.
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
    // Returns an error for a group that the curve does not have.
    groups(curve, group)?;
    let cancel = Cancel::new();
    let (points, scalars) = work::run(py, &cancel, progress, |progress| {
        let control = Control::new(None, Some(&cancel), Some(progress));
        control.expect(count.saturating_mul(group.parts().len() + 1));
        let points = group.parts().iter().map(|&part| {
            let blocks = inputs::points(curve, part, seed)?;
            Ok(inputs::collect(count, curve.point_bytes(part), &blocks, &control)?)
        });
        let points = points.collect::<Result<Vec<_>, Error>>()?;
        let blocks = inputs::scalars(curve, distribution, seed)?;
        Ok((points, inputs::collect(count, curve.scalar_bytes(), &blocks, &control)?))
    })?;
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
    Ok((points.iter().map(|points| bytes(points)).collect(), bytes(&scalars)))
}

/// Returns `count` seeded points of one group, from number `first` of their sequence on. [`generate`] returns the first
/// points of the same sequence.
#[pyfunction]
pub fn generate_points(
    py: Python<'_>,
    first: usize,
    count: usize,
    curve: &str,
    part: &str,
    seed: u64,
) -> Result<Py<PyBytes>, Error> {
    let (curve, part) = (curve_of(curve)?, group_of(part)?);
    // Returns an error for a pair, or for a group that the curve does not have.
    group(curve, part)?;
    section(py, first, count, curve.point_bytes(part), inputs::points(curve, part, seed)?)
}

/// Returns `count` seeded scalars, from number `first` of their sequence on. [`generate`] returns the first scalars of the
/// same sequence.
#[pyfunction]
pub fn generate_scalars(
    py: Python<'_>,
    first: usize,
    count: usize,
    curve: &str,
    seed: u64,
    distribution: &str,
) -> Result<Py<PyBytes>, Error> {
    let curve = curve_of(curve)?;
    let distribution = named("distribution", Distribution::ALL, Distribution::name, distribution)?;
    section(py, first, count, curve.scalar_bytes(), inputs::scalars(curve, distribution, seed)?)
}

/// Returns `count` elements of a sequence, of `width` bytes each, from number `first` on.
fn section(
    py: Python<'_>,
    first: usize,
    count: usize,
    width: usize,
    blocks: inputs::Blocks,
) -> Result<Py<PyBytes>, Error> {
    let (block, skipped) = (first / inputs::BLOCK, first % inputs::BLOCK);
    let blocks: inputs::Blocks = Box::new(move |index| blocks(block + index));
    let cancel = Cancel::new();
    let bytes = work::run(py, &cancel, None, |_| {
        let control = Control::new(None, Some(&cancel), None);
        Ok(inputs::collect(skipped.saturating_add(count), width, &blocks, &control)?)
    })?;
    Ok(PyBytes::new(py, &bytes[skipped * width..]).unbind())
}
