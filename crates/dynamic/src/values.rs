//! Points, scalars and sums as bytes, and the errors in them.

use ark_ec::short_weierstrass::Projective;
use ark_ec::{AffineRepr, CurveGroup};
use bucketwheel::{CoordinateField, Curve, Error, Form, GroupId, PointLayout, Points, ScalarWords, Scalars};
use bucketwheel_formats::encode_points;

/// An error of a group, or of both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{group}: {error}")]
pub struct GroupError {
    /// The group whose points or sum are wrong; [`GroupId::Pair`] if the error is about both groups or about neither.
    pub group: GroupId,
    /// The error.
    pub error: Error,
}

/// Points of one group as bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnyPoints<'a> {
    bytes: &'a [u8],
    layout: Option<PointLayout>,
}

impl<'a> AnyPoints<'a> {
    /// Takes points as [`Points::integers`] does.
    ///
    /// The [example](crate) uses it.
    pub fn integers(bytes: &'a [u8]) -> Self {
        AnyPoints { bytes, layout: None }
    }

    /// Takes points as [`Points::raw`] does. See the [example](crate).
    pub fn raw(bytes: &'a [u8], layout: PointLayout) -> Self {
        AnyPoints { bytes, layout: Some(layout) }
    }

    pub(crate) fn of<C: Curve>(self) -> Result<Points<'a, C>, Error> {
        match self.layout {
            None => Points::integers(self.bytes),
            Some(layout) => Points::raw(self.bytes, layout),
        }
    }
}

/// Scalars as bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnyScalars<'a> {
    bytes: &'a [u8],
    layout: Option<(usize, Form)>,
}

impl<'a> AnyScalars<'a> {
    /// Takes integers below the order, in little-endian words, one after the other.
    ///
    /// The [example](crate) uses it.
    pub fn integers(bytes: &'a [u8]) -> Self {
        AnyScalars { bytes, layout: None }
    }

    /// Takes scalars as [`Scalars::raw`] does. See the [example](crate).
    pub fn raw(bytes: &'a [u8], stride: usize, form: Form) -> Self {
        AnyScalars { bytes, layout: Some((stride, form)) }
    }

    pub(crate) fn of<F: ScalarWords>(self) -> Result<Scalars<'a, F>, Error> {
        let (stride, form) = self.layout.unwrap_or((size_of::<F::BigInt>(), Form::Canonical));
        Scalars::raw(self.bytes, stride, form)
    }
}

/// The sum in one group, in affine coordinates; zeros for the point at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnySum {
    /// The group.
    pub group: GroupId,
    /// x and y in the form of [`Points::integers`].
    pub integers: Vec<u8>,
    /// x and y in Montgomery form.
    pub montgomery: Vec<u8>,
}

impl AnySum {
    pub(crate) fn new<C: Curve>(group: GroupId, sum: Projective<C>) -> Result<Self, Error> {
        let sum = sum.into_affine();
        let mut integers = Vec::new();
        encode_points(&[sum], &mut integers)?;
        let zero = Default::default();
        let (x, y) = sum.xy().unwrap_or((zero, zero));
        let montgomery = [x, y].iter().flat_map(montgomery).collect();
        Ok(AnySum { group, integers, montgomery })
    }

    /// Returns true if the sum is the point at infinity.
    ///
    /// The [example](crate::schedule) uses it.
    pub fn is_infinity(&self) -> bool {
        self.integers.iter().all(|&byte| byte == 0)
    }
}

/// Returns the bytes of a coordinate in Montgomery form.
pub(crate) fn montgomery<F: CoordinateField>(coordinate: &F) -> Vec<u8> {
    F::as_words(&coordinate.to_words()).iter().flat_map(|word| word.to_le_bytes()).collect()
}
