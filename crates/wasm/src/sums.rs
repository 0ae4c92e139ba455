//! Sums over a group that the host names.

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField};
use bucketwheel::{Bases, BasesOptions, Cancel, Curve, Form, Infinity, Msm, PointLayout, Points, Scalars};

use crate::error::Error;
use crate::host::Ear;

/// Bytes of a scalar.
const SCALAR: usize = 32;

/// Prepared points of some group.
pub trait AnyBases {
    /// Returns the sum of the points times scalars, as integers of its coordinates; zeros for infinity.
    ///
    /// # Errors
    /// If the numbers of scalars and points differ, or a scalar is out of range; [`bucketwheel::Error::Cancelled`].
    fn sum(&self, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error>;
}

impl<C: Curve> AnyBases for Bases<C> {
    fn sum(&self, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error> {
        let cancel = Cancel::new();
        let ear = Ear::new(&cancel);
        let scalars = Scalars::<C::ScalarField>::raw(scalars, SCALAR, form)?;
        let sum = Msm::new().cancel(&cancel).progress(&ear).run(self, scalars)?.into_affine();
        let zero = C::BaseField::ZERO;
        let (x, y) = sum.xy().unwrap_or((zero, zero));
        let coordinates =
            [x, y].into_iter().flat_map(|x| x.to_base_prime_field_elements().collect::<Vec<_>>());
        let words = coordinates.flat_map(|x| x.into_bigint().as_ref().to_vec());
        Ok(words.flat_map(u64::to_le_bytes).collect())
    }
}

/// Prepares points of a group.
///
/// # Errors
/// For an unknown group, and for bytes that are not points.
pub fn prepare(group: u32, points: &[u8], form: Form) -> Result<Box<dyn AnyBases>, Error> {
    match group {
        0 => prepare_in::<ark_bn254::g1::Config>(points, form, 64),
        1 => prepare_in::<ark_bn254::g2::Config>(points, form, 128),
        2 => prepare_in::<ark_bls12_381::g1::Config>(points, form, 96),
        3 => prepare_in::<ark_bls12_381::g2::Config>(points, form, 192),
        _ => Err(Error::Group(group)),
    }
}

fn prepare_in<C: Curve>(points: &[u8], form: Form, stride: usize) -> Result<Box<dyn AnyBases>, Error> {
    let points = Points::<C>::raw(points, PointLayout { stride, form, infinity: Infinity::Zeros })?;
    Ok(Box::new(BasesOptions::new().prepare::<C>(points)?))
}
