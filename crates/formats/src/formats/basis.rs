//! The two bases in which a set-up has powers of tau: monomial, whose first point is the generator, and Lagrange,
//! whose points sum to it. If only a place in a file names the basis, the points themselves tell it.

use bucketwheel::{CurveId, GroupId};

use super::id::Section;
use crate::codec::Codec;
use crate::coder::coder;
use crate::error::FormatError;
use crate::points::Failure;

/// Returns true if points of G1 start with the generator.
fn starts_with_generator(curve: CurveId, codec: &Codec, points: &[u8]) -> Result<bool, FormatError> {
    let generator = coder(curve, GroupId::G1)?.generator(codec).map_err(|failure| match failure {
        Failure::Point(index, reason) => FormatError::Point { group: GroupId::G1, index, reason },
        Failure::Engine(error) => error.into(),
    })?;
    Ok(points.starts_with(&generator))
}

/// Returns the section that points of G1 make. A single generator fits both sections, and counts as Lagrange.
///
/// # Errors
/// If this build lacks the curve.
pub(super) fn of(curve: CurveId, codec: &Codec, points: &[u8]) -> Result<Section, FormatError> {
    let is_single = points.len() <= codec.bytes(curve, GroupId::G1);
    Ok(match !is_single && starts_with_generator(curve, codec, points)? {
        true => Section::G1Monomial,
        false => Section::G1Lagrange,
    })
}

/// Checks that points are in the basis of their section. Sections of other points pass.
///
/// # Errors
/// [`FormatError::Basis`]; if this build lacks the curve.
pub(super) fn check(
    section: Section,
    curve: CurveId,
    codec: &Codec,
    points: &[u8],
) -> Result<(), FormatError> {
    let found = match section {
        Section::G1Lagrange => of(curve, codec, points)?,
        Section::G1Monomial if points.is_empty() || starts_with_generator(curve, codec, points)? => section,
        Section::G1Monomial => Section::G1Lagrange,
        _ => section,
    };
    match found == section {
        true => Ok(()),
        false => Err(FormatError::Basis { expected: section, monomial: found == Section::G1Monomial }),
    }
}
