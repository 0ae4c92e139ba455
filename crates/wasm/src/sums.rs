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
        #[cfg(feature = "bn254")]
        0 => prepare_in::<ark_bn254::g1::Config>(points, form, 64),
        #[cfg(feature = "bn254")]
        1 => prepare_in::<ark_bn254::g2::Config>(points, form, 128),
        #[cfg(feature = "bls12-381")]
        2 => prepare_in::<ark_bls12_381::g1::Config>(points, form, 96),
        #[cfg(feature = "bls12-381")]
        3 => prepare_in::<ark_bls12_381::g2::Config>(points, form, 192),
        _ => Err(Error::Group(group)),
    }
}

fn prepare_in<C: Curve>(points: &[u8], form: Form, stride: usize) -> Result<Box<dyn AnyBases>, Error> {
    let points = Points::<C>::raw(points, PointLayout { stride, form, infinity: Infinity::Zeros })?;
    Ok(Box::new(BasesOptions::new().prepare::<C>(points)?))
}

#[cfg(test)]
mod tests {
    use bucketwheel::GroupId;
    use bucketwheel_groth16::CURVES;

    use super::*;

    /// Returns the entries of an object of numbers, which JavaScript's source has in one line behind `start`.
    fn object(source: &str, start: &str) -> Vec<(String, usize)> {
        let (_, behind) = source.split_once(start).expect("the object");
        let (entries, _) = behind.split_once('}').expect("the end of the object");
        let entry = |entry: &str| {
            let (name, value) = entry.split_once(':').expect("a name and a value");
            (name.trim().trim_matches('\'').into(), value.trim().parse().expect("a number"))
        };
        entries.split(',').map(entry).collect()
    }

    #[test]
    fn javascript_has_the_groups_of_the_catalogue() {
        let numbers = object(include_str!("../js/engine.mjs"), "export const groups = {");
        let sizes = object(include_str!("../js/pool.mjs"), "const sizes = {");
        let groups = CURVES.iter().flat_map(|curve| [(*curve, GroupId::G1), (*curve, GroupId::G2)]);
        let mut count = 0;
        for (number, (curve, group)) in groups.enumerate() {
            let name = format!("{}.{}", curve.name(), group.name());
            let size = curve.point_bytes(group) / 2;
            assert_eq!(numbers[number], (name.clone(), number));
            assert_eq!(sizes[number], (name, size));
            let bases = prepare(number as u32, &vec![0; 2 * size], Form::Canonical).expect("a point");
            let sum = bases.sum(&[0; SCALAR], Form::Canonical).expect("a sum");
            assert_eq!(sum, vec![0; 2 * size]);
            assert_eq!(curve.scalar_bytes(), SCALAR);
            count += 1;
        }
        assert_eq!((numbers.len(), sizes.len()), (count, count));
        assert!(matches!(prepare(count as u32, &[], Form::Canonical), Err(Error::Group(_))));
    }
}
