//! Points in the form of the design's streams: coordinates in Montgomery form, and (0, 0) for infinity.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, Field, PrimeField, Zero};
use bucketwheel_hardware::Scalar;

use crate::coordinates::words;
use crate::Fault;

/// Returns the number of words of a coordinate of a prime field.
pub fn limbs<F: PrimeField>() -> usize {
    2 * F::BigInt::NUM_LIMBS
}

/// Returns the factor of Montgomery's form.
fn factor<F: PrimeField>() -> F {
    F::from(2u64).pow([32 * limbs::<F>() as u64])
}

/// Returns the beats of points and of their scalars, which have the bias of their windows.
pub fn encode<C: SWCurveConfig<BaseField: PrimeField>>(
    points: &[Projective<C>],
    biased: impl Iterator<Item = Scalar>,
) -> Vec<Vec<u32>> {
    let factor = factor::<C::BaseField>();
    let beat = |(point, scalar): (&Affine<C>, Scalar)| {
        let (x, y) = point.xy().unwrap_or((C::BaseField::zero(), C::BaseField::zero()));
        let coordinates = [x * factor, y * factor].map(|coordinate| coordinate.into_bigint());
        let coordinates = coordinates.iter().flat_map(|coordinate| words(coordinate.as_ref()));
        coordinates.chain(words(&scalar)).collect()
    };
    Projective::normalize_batch(points).iter().zip(biased).map(beat).collect()
}

/// Returns the point of a part.
///
/// # Errors
/// [`Fault::NotReduced`], [`Fault::NotOnCurve`].
pub fn decode<C: SWCurveConfig<BaseField: PrimeField>>(part: &[u32]) -> Result<Projective<C>, Fault> {
    let unfactor = factor::<C::BaseField>().inverse().expect("the prime is odd");
    let mut coordinates = part.chunks(limbs::<C::BaseField>()).map(|words| {
        let bits: Vec<bool> =
            words.iter().flat_map(|word| (0..32).map(move |bit| word >> bit & 1 == 1)).collect();
        let integer = <C::BaseField as PrimeField>::BigInt::from_bits_le(&bits);
        C::BaseField::from_bigint(integer).map(|element| element * unfactor).ok_or(Fault::NotReduced)
    });
    let mut next = || coordinates.next().unwrap_or(Err(Fault::NotReduced));
    let (x, y) = (next()?, next()?);
    if x.is_zero() && y.is_zero() {
        return Ok(Projective::zero());
    }
    let point = Affine::<C>::new_unchecked(x, y);
    match point.is_on_curve() {
        true => Ok(point.into()),
        false => Err(Fault::NotOnCurve),
    }
}
