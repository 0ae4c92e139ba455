//! Points as callers have them.

use std::ops::Range;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;

use crate::control::Control;
use crate::curve::{from_coordinates, integer_factor, to_coordinates, CoordinateField, Curve, Words};
use crate::engine::points::Coordinates;
use crate::Error;

/// Points, in the forms that callers have them in. Nothing is copied.
#[derive(Debug)]
pub enum Points<'a, C: Curve> {
    /// arkworks' points.
    Affine(&'a [Affine<C>]),
    /// Coordinates as canonical integers, little-endian, in as many bytes as the field's words have (48 for BLS12 curves,
    /// 32 for BN254): x, then y, over an extension first the constant coefficient of each; zeros for the point at
    /// infinity. So points lie in this project's files. They need no decoding: the lanes bring them into Montgomery form,
    /// which takes a few nanoseconds a point.
    Integers(&'a [u8]),
}

impl<C: Curve> Clone for Points<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Curve> Copy for Points<'_, C> {}

impl<'a, C: Curve> From<&'a [Affine<C>]> for Points<'a, C> {
    fn from(points: &'a [Affine<C>]) -> Self {
        Points::Affine(points)
    }
}

impl<'a, C: Curve> From<&'a Vec<Affine<C>>> for Points<'a, C> {
    fn from(points: &'a Vec<Affine<C>>) -> Self {
        Points::Affine(points)
    }
}

/// Points that a task looks at: some ten microseconds.
const BLOCK: usize = 1 << 12;

impl<C: Curve> Points<'_, C> {
    /// The bytes of a coordinate as integers.
    const INTEGER_BYTES: usize = size_of::<Words<C>>();

    /// The number of points.
    ///
    /// # Errors
    /// [`Error::PointBytes`].
    pub(super) fn count(&self) -> Result<usize, Error> {
        match self {
            Points::Affine(points) => Ok(points.len()),
            Points::Integers(bytes) => {
                let (bytes, size) = (bytes.len(), 2 * Self::INTEGER_BYTES);
                if bytes.is_multiple_of(size) {
                    Ok(bytes / size)
                } else {
                    Err(Error::PointBytes { bytes, size })
                }
            }
        }
    }

    /// Checks that the first `len` points have canonical coordinates.
    ///
    /// # Errors
    /// [`Error::CoordinateRange`].
    pub(super) fn check(&self, len: usize, control: &Control<'_>) -> Result<(), Error> {
        let Points::Integers(bytes) = self else {
            return Ok(());
        };
        let find = |range: Range<usize>| range.into_iter().find(|&i| self.integers(bytes, i).is_none());
        let bad = control.find_first(len, BLOCK, find);
        bad.map_or(Ok(()), |index| Err(Error::CoordinateRange { index }))
    }

    fn integers(&self, bytes: &[u8], index: usize) -> Option<Coordinates<Words<C>>> {
        let (x, y) =
            bytes[2 * index * Self::INTEGER_BYTES..][..2 * Self::INTEGER_BYTES].split_at(Self::INTEGER_BYTES);
        Some([C::BaseField::read_integers(x)?, C::BaseField::read_integers(y)?])
    }

    /// The words of a point's coordinates, to be multiplied by [`factor`](Self::factor).
    pub(super) fn coordinates(&self, index: usize) -> Coordinates<Words<C>> {
        match self {
            Points::Affine(points) => to_coordinates(&points[index]),
            // Checked before.
            Points::Integers(bytes) => self.integers(bytes, index).unwrap_or_default(),
        }
    }

    pub(super) fn factor(&self) -> Option<Words<C>> {
        match self {
            Points::Affine(_) => None,
            Points::Integers(_) => Some(integer_factor::<C::BaseField>().to_words()),
        }
    }

    /// A point; of integers that costs two products.
    pub(super) fn point(&self, index: usize) -> Affine<C> {
        match self {
            Points::Affine(points) => points[index],
            Points::Integers(_) => {
                let mut point = from_coordinates::<C>(&self.coordinates(index));
                let factor = integer_factor::<C::BaseField>();
                point.x *= factor;
                point.y *= factor;
                point
            }
        }
    }

    /// The points at infinity in a range, as offsets into it, ascending.
    pub(super) fn infinities(&self, range: &Range<usize>, control: &Control<'_>) -> Vec<u32> {
        let is_infinity = |index: usize| match self {
            Points::Affine(points) => points[index].is_zero(),
            Points::Integers(bytes) => {
                let size = 2 * Self::INTEGER_BYTES;
                bytes[index * size..][..size].iter().all(|&byte| byte == 0)
            }
        };
        let len = range.len();
        let found = control.for_each(len.div_ceil(BLOCK), Vec::new, |found: &mut Vec<u32>, block| {
            let offsets = block * BLOCK..len.min((block + 1) * BLOCK);
            found.extend(
                offsets.filter(|offset| is_infinity(range.start + offset)).map(|offset| offset as u32),
            );
        });
        let mut found = found.concat();
        found.sort_unstable();
        found
    }
}
