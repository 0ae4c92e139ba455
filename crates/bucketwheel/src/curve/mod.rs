//! Curves as the engine has them: arkworks types outside, words inside.

#[cfg(feature = "bls24-315")]
pub mod bls24_315;
pub(crate) mod combine;
mod edwards;
pub(crate) mod endomorphism;
mod field;
pub(crate) mod id;
mod known;
pub(crate) mod membership;

use std::any::TypeId;

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{BigInt, BigInteger, Field, Fp, MontBackend, MontConfig, PrimeField, Zero};

use crate::digits::Writing;
use crate::engine::adder::{AdderKind, Coefficients, MAX_SMALL};
use crate::error::Unfit;
use crate::Error;

use endomorphism::Endomorphism;
use known::Known;

pub use edwards::TwistedEdwards;
pub use field::CoordinateField;

/// A short Weierstrass curve the engine has lanes for: G1 and G2 of BLS12-381, BLS12-377, BN254 and BW6-761, G1 of BLS24-315,
/// Pallas, Vesta, Grumpkin, Jubjub, Bandersnatch, and any other curve over their fields.
///
/// To add a curve over another field, add the field to `bucketwheel-lanes` and implement [`CoordinateField`] for its
/// arkworks type.
pub trait Curve: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords> {}

impl<C: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords>> Curve for C {}

/// A prime field in Montgomery form.
pub trait MontgomeryWords: PrimeField {
    /// As an integer: what [`PrimeField::into_bigint`] returns, which is unrolled to 45,000 lines for the compiler.
    fn to_integer(&self) -> Self::BigInt;

    /// The element of this Montgomery form, which is below the modulus.
    #[doc(hidden)]
    fn from_montgomery(words: Self::BigInt) -> Self;

    /// The Montgomery forms of these elements, where they are.
    #[doc(hidden)]
    fn as_montgomery(elements: &[Self]) -> &[Self::BigInt];
}

impl<P: MontConfig<N>, const N: usize> MontgomeryWords for Fp<MontBackend<P, N>, N> {
    #[inline]
    fn to_integer(&self) -> Self::BigInt {
        self.0.reduce(&P::MODULUS, P::INV)
    }

    #[inline]
    fn from_montgomery(words: Self::BigInt) -> Self {
        Self::new_unchecked(words)
    }

    fn as_montgomery(elements: &[Self]) -> &[Self::BigInt] {
        const { assert!(size_of::<Self>() == size_of::<BigInt<N>>()) };
        const { assert!(align_of::<Self>() == align_of::<BigInt<N>>()) };
        // SAFETY: an element has the size of its words, which are its only field that has any.
        unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
    }
}

/// A scalar field whose elements fit four or six words.
pub trait ScalarWords: MontgomeryWords<BigInt: Integer> {}

impl<F: MontgomeryWords<BigInt: Integer>> ScalarWords for F {}

/// Words of integers and of Montgomery forms.
pub trait Reduce: Copy {
    /// The integer below the modulus m of its Montgomery form. `inverse` is -1/m modulo 2^64.
    #[doc(hidden)]
    fn reduce(self, modulus: &Self, inverse: u64) -> Self;
}

impl<const N: usize> Reduce for BigInt<N> {
    /// Times 2^-64 modulo m, `N` times.
    #[inline(always)]
    fn reduce(self, modulus: &Self, inverse: u64) -> Self {
        let (mut words, modulus) = (self.0, &modulus.0);
        for _ in 0..N {
            let factor = words[0].wrapping_mul(inverse);
            let product = |i: usize| u128::from(factor) * u128::from(modulus[i]);
            // The lowest word of the sum is 0.
            let mut carry = (u128::from(words[0]) + product(0)) >> 64;
            for i in 1..N {
                carry += u128::from(words[i]) + product(i);
                words[i - 1] = carry as u64;
                carry >>= 64;
            }
            words[N - 1] = carry as u64;
        }
        BigInt(words)
    }
}

/// Scalars as integers.
pub trait Integer: BigInteger + Reduce {
    /// Writes magnitudes: one function for all fields of a length, compiled here, not in the crates that have curves.
    #[doc(hidden)]
    fn write_magnitudes(task: Writing<'_, Self>) -> Result<Vec<usize>, Error>;
}

impl Integer for BigInt<4> {
    fn write_magnitudes(task: Writing<'_, Self>) -> Result<Vec<usize>, Error> {
        task.run()
    }
}

impl Integer for BigInt<6> {
    fn write_magnitudes(task: Writing<'_, Self>) -> Result<Vec<usize>, Error> {
        task.run()
    }
}

/// The bytes of a coordinate at rest, at most: cache lines for each coefficient.
pub(crate) fn coordinate_bytes<F: CoordinateField>() -> usize {
    let degree = F::extension_degree() as usize;
    degree * (size_of::<F::Words>() / degree).next_multiple_of(64)
}

/// An element of the curve's coordinate field outside the lanes.
pub(crate) type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// Known properties of a curve.
pub(crate) fn known<C: Curve>() -> Option<&'static Known<C::BaseField>> {
    C::BaseField::known(TypeId::of::<C>())
}

/// The endomorphism of a curve, if one is known.
pub(crate) fn endomorphism<C: Curve>() -> Option<&'static Endomorphism<C::BaseField>> {
    known::<C>().and_then(|known| known.endomorphism.as_ref())
}

/// Factor from the words of integers to those of elements: 2 to the number of bits of the words of an integer.
pub(crate) fn integer_factor<F: CoordinateField>() -> F {
    let bits = 64 * F::BasePrimeField::MODULUS.as_ref().len() as u64;
    F::from_base_prime_field(F::BasePrimeField::from(2u32).pow([bits]))
}

/// The curve's coefficients for the adders.
pub(crate) fn coefficients<C: Curve>() -> Coefficients<<C::BaseField as CoordinateField>::Words> {
    let three_b = C::COEFF_B.double() + C::COEFF_B;
    Coefficients {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        three_b: three_b.to_words(),
        small_three_b: (1..=MAX_SMALL).find(|&small| three_b == C::BaseField::from(small)),
        beta: endomorphism::<C>().map(|endomorphism| endomorphism.beta.to_words()),
        edwards: known::<C>().and_then(|known| known.edwards),
    }
}

/// The coordinates of a point at rest, infinity being (0, 0).
pub(crate) fn to_coordinates<C: Curve>(point: &Affine<C>) -> [<C::BaseField as CoordinateField>::Words; 2] {
    point.xy().map_or_else(Default::default, |(x, y)| [x.to_words(), y.to_words()])
}

/// The point of these coordinates.
pub(crate) fn from_coordinates<C: Curve>(
    [x, y]: &[<C::BaseField as CoordinateField>::Words; 2],
) -> Affine<C> {
    let (x, y) = (C::BaseField::from_words(x), C::BaseField::from_words(y));
    if x.is_zero() && y.is_zero() {
        return Affine::identity();
    }
    Affine::new_unchecked(x, y)
}

impl AdderKind {
    /// Returns true if it adds the points of this curve's prime-order subgroup.
    pub fn is_for<C: Curve>(self) -> bool {
        self.check::<C>(true).is_ok()
    }

    /// An error unless it adds the points of this curve, of its prime-order subgroup or any.
    pub(crate) fn check<C: Curve>(self, in_subgroup: bool) -> Result<(), Error> {
        let reason = match self {
            AdderKind::Projective if !C::COEFF_A.is_zero() => Unfit::Coefficient,
            _ if self.is_edwards() && coefficients::<C>().edwards.is_none() => Unfit::NoForm,
            _ if self.is_edwards() && !in_subgroup => Unfit::Subgroup,
            _ => return Ok(()),
        };
        Err(Error::Adder { adder: self, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_arkworks() {
        fn check<F: MontgomeryWords>() {
            let mut rng = ark_std::test_rng();
            let edges = [F::ZERO, F::ONE, -F::ONE, F::from(u64::MAX)];
            for element in edges.into_iter().chain((0..1000).map(|_| F::rand(&mut rng))) {
                assert_eq!(element.to_integer(), element.into_bigint());
            }
        }
        check::<ark_bls12_381::Fr>();
        check::<ark_bn254::Fr>();
        // Six words.
        check::<ark_bls12_381::Fq>();
    }
}
