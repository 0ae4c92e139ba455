//! The points file.

use ark_ec::short_weierstrass::Affine;
use ark_ff::Field;
use bucketwheel::{Check, Curve, CurveId, Error as EngineError, GroupId};

use super::header::{check_zero, Header};
use super::kind::{Kind, HEADER_BYTES};
use crate::codec::{Codec, FlagBits};
use crate::element::{prime_bytes, Elements};
use crate::error::FormatError;
use crate::memory::reserve;
use crate::points::{decode, Failure};

/// The bytes of a points file, by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsFile<'a> {
    /// The curve.
    pub curve: CurveId,
    /// The group, or the pair.
    pub group: GroupId,
    /// Number of points; for a pair, in each group.
    pub count: usize,
    /// The G1 points, for [`decode_points`]; empty if the file has none.
    pub g1: &'a [u8],
    /// The G2 points; empty if the file has none.
    pub g2: &'a [u8],
}

/// Returns the zero bytes behind a group's points, so that the next group starts at a multiple of 64 bytes.
///
/// The [example](crate::Header) uses it.
pub fn padding(curve: CurveId, count: u64) -> usize {
    // 64 divides 2^64, so wrapping does not change the remainder.
    (count.wrapping_mul(curve.point_bytes(GroupId::G1) as u64).wrapping_neg() % 64) as usize
}

impl<'a> PointsFile<'a> {
    /// Splits a file into its parts. [`decode_points`] checks the coordinates.
    ///
    /// The [example](crate#types-instead-of-names) uses it.
    ///
    /// # Errors
    /// If the header has a fault, or the length contradicts it.
    pub fn parse(file: &'a [u8]) -> Result<Self, FormatError> {
        let (header, payload) = Header::parse(file, Kind::Points)?;
        let Header { curve, group: Some(group), count } = header else {
            return Err(FormatError::Magic { expected: Kind::Points });
        };
        let (expected, actual) = (header.layout().1, file.len());
        if actual as u128 != expected {
            return Err(FormatError::Length { kind: Kind::Points, count, expected, actual });
        }
        // The count fits the memory that holds the file.
        let count = count as usize;
        let (g1, g2) = match group {
            GroupId::G1 => (payload, &payload[..0]),
            GroupId::G2 => (&payload[..0], payload),
            GroupId::Pair => {
                let (g1, rest) = payload.split_at(count * curve.point_bytes(GroupId::G1));
                let padding = padding(curve, header.count);
                check_zero(rest, 0..padding, HEADER_BYTES + g1.len())?;
                (g1, &rest[padding..])
            }
        };
        Ok(PointsFile { curve, group, count, g1, g2 })
    }
}

/// Returns encoding of a point in the file: x, then y; the point at infinity as zeros, which is no point of these curves.
pub(crate) fn codec(curve: CurveId) -> Codec {
    let elements = Elements::little_endian(curve.field_bytes());
    Codec { elements, flags: FlagBits::None, compressed: false }
}

/// Returns the codec for the curve's type.
fn codec_of<C: Curve>() -> Codec {
    let bytes = prime_bytes::<<C::BaseField as Field>::BasePrimeField>();
    Codec { elements: Elements::little_endian(bytes), flags: FlagBits::None, compressed: false }
}

/// Appends points.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// [`EngineError::OutOfMemory`]. In this case, nothing is appended.
pub fn encode_points<C: Curve>(points: &[Affine<C>], out: &mut Vec<u8>) -> Result<(), EngineError> {
    let codec = codec_of::<C>();
    reserve(out, points.len(), codec.point_bytes::<C>())?;
    points.iter().for_each(|point| codec.write(point, None, out));
    Ok(())
}

/// Reads the points of one group, on all threads of the pool. Does not check that they lie on the curve.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// [`FormatError::Coordinate`] for the first point with a coordinate that is not canonical, or
/// [`FormatError::OutOfMemory`].
pub fn decode_points<C: Curve>(group: GroupId, bytes: &[u8]) -> Result<Vec<Affine<C>>, FormatError> {
    decode(&codec_of::<C>(), bytes, Check::None).map_err(|failure| match failure {
        Failure::Point(index, _) => FormatError::Coordinate { group, index },
        Failure::Engine(EngineError::OutOfMemory { bytes }) => FormatError::OutOfMemory { bytes },
        Failure::Engine(error) => error.into(),
    })
}
