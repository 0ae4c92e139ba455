//! Points as callers have them.

use std::marker::PhantomData;
use std::ops::Range;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;

use crate::control::Control;
use crate::curve::{from_coordinates, integer_factor, to_coordinates, CoordinateField, Curve, Words};
use crate::engine::at_rest::Coordinates;
use crate::raw::{Form, Infinity, PointLayout, Records};
use crate::Error;

/// Points, in the forms that callers have them in. Nothing is copied.
///
/// ```
/// use ark_bn254::{g1::Config, Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{BasesOptions, Form, Infinity, Msm, PointLayout, Points, Scalars};
///
/// // The generator of BN254's G1 is (1, 2). Here, a flag follows it.
/// let mut bytes = [[0; 32], [0; 32], [0; 32]];
/// (bytes[0][0], bytes[1][0]) = (1, 2);
/// let points = Points::<Config>::integers(bytes[..2].as_flattened())?;
/// assert_eq!((points.len(), points.get(0)), (1, Some(G1Affine::generator())));
/// let layout = PointLayout { stride: 96, form: Form::Canonical, infinity: Infinity::Flag(64) };
/// let flagged = Points::<Config>::raw(bytes.as_flattened(), layout)?;
/// assert!(!flagged.is_empty() && flagged.get(0) == points.get(0));
///
/// let bases = BasesOptions::new().prepare(flagged)?;
/// let five = [5, 0, 0, 0].map(u64::to_le_bytes);
/// let scalars = Scalars::<Fr>::raw(five.as_flattened(), 32, Form::Canonical)?;
/// assert_eq!((scalars.len(), scalars.is_empty()), (1, false));
/// assert_eq!(Msm::new().run(&bases, scalars)?, G1Affine::generator() * Fr::from(5));
/// # Ok::<(), bucketwheel::Error>(())
/// ```
#[derive(Debug)]
pub enum Points<'a, C: Curve> {
    /// arkworks' points.
    Affine(&'a [Affine<C>]),
    /// Points of another library, or of a file: [`Points::raw`].
    Raw(RawPoints<'a, C>),
}

/// Points of this curve as they lie in memory.
#[derive(Debug)]
pub struct RawPoints<'a, C: Curve> {
    records: Records<'a>,
    form: Form,
    infinity: Infinity,
    curve: PhantomData<C>,
}

impl<C: Curve> Clone for RawPoints<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Curve> Copy for RawPoints<'_, C> {}

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

impl<'a, C: Curve, const N: usize> From<&'a [Affine<C>; N]> for Points<'a, C> {
    fn from(points: &'a [Affine<C>; N]) -> Self {
        Points::Affine(points)
    }
}

/// Points that a task looks at: some ten microseconds.
const BLOCK: usize = 1 << 12;

impl<'a, C: Curve> Points<'a, C> {
    /// Takes points of another library. They need no decoding: the lanes bring integers into Montgomery form, which
    /// takes a few nanoseconds a point. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Stride`] if a point does not fit in the stride, [`Error::Records`].
    pub fn raw(bytes: &'a [u8], layout: PointLayout) -> Result<Self, Error> {
        let PointLayout { stride, form, infinity } = layout;
        let least = match infinity {
            Infinity::Zeros => 0,
            Infinity::Flag(offset) => offset.saturating_add(1),
            Infinity::ZeroCoordinate(offset) => offset.saturating_add(RawPoints::<C>::COORDINATE_BYTES),
        };
        let records = Records::new(bytes, stride, least.max(2 * RawPoints::<C>::COORDINATE_BYTES))?;
        Ok(Points::Raw(RawPoints { records, form, infinity, curve: PhantomData }))
    }

    /// Takes points as they lie in this project's files: coordinates as integers (48 bytes for BLS12 curves, 32 for
    /// BN254), zeros for the point at infinity, and nothing between. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Records`].
    pub fn integers(bytes: &'a [u8]) -> Result<Self, Error> {
        let stride = 2 * RawPoints::<C>::COORDINATE_BYTES;
        Self::raw(bytes, PointLayout { stride, form: Form::Canonical, infinity: Infinity::Zeros })
    }

    /// Returns the number of points. The [example](Self) uses it.
    pub fn len(&self) -> usize {
        match self {
            Points::Affine(points) => points.len(),
            Points::Raw(points) => points.records.len(),
        }
    }

    /// Returns true if there are no points. The [example](Self) uses it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that all points have coordinates below the modulus.
    ///
    /// # Errors
    /// [`Error::CoordinateRange`].
    pub(crate) fn check(&self, control: &Control<'_>) -> Result<(), Error> {
        let Points::Raw(points) = self else {
            return Ok(());
        };
        let find = |range: Range<usize>| range.into_iter().find(|&i| points.coordinates(i).is_none());
        let bad = control.find_first(self.len(), BLOCK, find);
        bad.map_or(Ok(()), |index| Err(Error::CoordinateRange { index }))
    }

    /// Returns the words of a point's coordinates, to be multiplied by [`factor`](Self::factor). Infinity has zeros. `None`
    /// if a coordinate is not below the modulus.
    pub(crate) fn coordinates(&self, index: usize) -> Option<Coordinates<Words<C>>> {
        match self {
            Points::Affine(points) => Some(to_coordinates(&points[index])),
            Points::Raw(points) => points.coordinates(index),
        }
    }

    /// Returns the factor that takes coordinates to Montgomery form, or `None` if they have that form.
    pub(crate) fn factor(&self) -> Option<Words<C>> {
        match self {
            Points::Raw(RawPoints { form: Form::Canonical, .. }) => {
                Some(integer_factor::<C::BaseField>().to_words())
            }
            _ => None,
        }
    }

    /// Returns a point, or `None` if a coordinate is not below the modulus. The [example](Self) uses it.
    ///
    /// # Panics
    /// If the index is not below the number of points.
    pub fn get(&self, index: usize) -> Option<Affine<C>> {
        let mut point = from_coordinates::<C>(&self.coordinates(index)?);
        if let Some(factor) = self.factor() {
            let factor = C::BaseField::from_words(&factor);
            point.x *= factor;
            point.y *= factor;
        }
        Some(point)
    }

    /// Returns a point, or infinity if its coordinates are not below the modulus. Costs two products if they are integers.
    pub(crate) fn point(&self, index: usize) -> Affine<C> {
        match self {
            Points::Affine(points) => points[index],
            Points::Raw(_) => self.get(index).unwrap_or_default(),
        }
    }

    /// Returns true if a point is at infinity.
    pub(crate) fn is_infinity(&self, index: usize) -> bool {
        match self {
            Points::Affine(points) => points[index].is_zero(),
            Points::Raw(points) => points.is_infinity(index),
        }
    }

    /// Returns the points at infinity in a range, as offsets into it, ascending.
    pub(crate) fn infinities(&self, range: &Range<usize>, control: &Control<'_>) -> Vec<u32> {
        let len = range.len();
        let found = control.for_each(len.div_ceil(BLOCK), Vec::new, |found: &mut Vec<u32>, block| {
            let offsets = block * BLOCK..len.min((block + 1) * BLOCK);
            let infinite = offsets.filter(|offset| self.is_infinity(range.start + offset));
            found.extend(infinite.map(|offset| offset as u32));
        });
        let mut found = found.concat();
        found.sort_unstable();
        found
    }
}

impl<C: Curve> RawPoints<'_, C> {
    const COORDINATE_BYTES: usize = size_of::<Words<C>>();

    /// Returns the words of the coordinates; infinity has zeros. `None` if a coordinate is not below the modulus.
    fn coordinates(&self, index: usize) -> Option<Coordinates<Words<C>>> {
        if self.infinity != Infinity::Zeros && self.is_infinity(index) {
            return Some(Default::default());
        }
        let (x, y) = self.records.get(index)[..2 * Self::COORDINATE_BYTES].split_at(Self::COORDINATE_BYTES);
        Some([C::BaseField::read_integers(x)?, C::BaseField::read_integers(y)?])
    }

    fn is_infinity(&self, index: usize) -> bool {
        let record = self.records.get(index);
        let is_zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        match self.infinity {
            Infinity::Zeros => is_zero(&record[..2 * Self::COORDINATE_BYTES]),
            Infinity::Flag(offset) => record[offset] != 0,
            Infinity::ZeroCoordinate(offset) => is_zero(&record[offset..][..Self::COORDINATE_BYTES]),
        }
    }
}
