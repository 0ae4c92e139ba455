//! Curves as the engine has them: arkworks types outside, words inside.

#[cfg(feature = "bls24-315")]
pub mod bls24_315;
pub(crate) mod catalogue;
#[cfg(feature = "inspection")]
pub(crate) mod check;
pub(crate) mod combine;
mod coordinate;
mod edwards;
pub(crate) mod endomorphism;
mod field;
pub(crate) mod group;
mod known;
mod membership;
pub(crate) mod quarters;
#[cfg(test)]
mod tests;
#[cfg(feature = "tweedle")]
pub mod tweedle;

use std::any::TypeId;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{Field, PrimeField, Zero};

use crate::engine::adder::AdderKind;
use crate::engine::coefficients::{Coefficients, EdwardsForm, MAX_SMALL};
use crate::error::Unfit;
use crate::scalars::ScalarWords;
use crate::Error;

use endomorphism::Endomorphism;
use known::Known;

pub use coordinate::CoordinateField;
pub use edwards::TwistedEdwards;

/// A short Weierstrass curve the engine has lanes for: G1 and G2 of BLS12-381, BLS12-377, BN254, BW6-761 and BLS24-315, G1 of
/// the MNT curves of 298 and 753 bits, Pallas, Vesta, Tweedledum, Tweedledee, Grumpkin, Jubjub, Bandersnatch, and any other curve
/// over their fields.
///
/// To add a curve over another field, add the field to `bucketwheel-lanes` and implement [`CoordinateField`] for its
/// arkworks type.
pub trait Curve: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords> {}

impl<C: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords>> Curve for C {}

/// Returns the largest size in bytes of a coordinate at rest: whole cache lines for each coefficient.
pub(crate) fn coordinate_bytes<F: CoordinateField>() -> usize {
    let degree = F::extension_degree() as usize;
    degree * (size_of::<F::Words>() / degree).next_multiple_of(64)
}

/// An element of the curve's coordinate field outside the lanes.
pub(crate) type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// Returns known properties of a curve.
pub(crate) fn known<C: Curve>() -> Option<&'static Known<C::BaseField>> {
    C::BaseField::known(TypeId::of::<C>())
}

/// Returns the endomorphism of a curve, if one is known.
pub(crate) fn endomorphism<C: Curve>() -> Option<&'static Endomorphism<C::BaseField>> {
    known::<C>().and_then(|known| known.endomorphism.as_ref())
}

/// Returns the factor from the words of integers to the words of elements: 2 to the number of bits of the words of an integer.
pub(crate) fn integer_factor<F: CoordinateField>() -> F {
    let bits = 64 * F::BasePrimeField::MODULUS.as_ref().len() as u64;
    F::from_base_prime_field(F::BasePrimeField::from(2u32).pow([bits]))
}

/// Returns the curve's coefficients for the adders.
pub(crate) fn coefficients<C: Curve>() -> Coefficients<<C::BaseField as CoordinateField>::Words> {
    let three_b = C::COEFF_B.double() + C::COEFF_B;
    Coefficients {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        three_b: three_b.to_words(),
        small_three_b: (1..=MAX_SMALL).find(|&small| three_b == C::BaseField::from(small)),
        beta: endomorphism::<C>().map(|endomorphism| endomorphism.beta.to_words()),
        edwards: known::<C>().and_then(|known| known.edwards).map(edwards_form),
    }
}

/// Returns the map to an Edwards form for the adders.
fn edwards_form<F: CoordinateField>(form: TwistedEdwards<F>) -> EdwardsForm<F::Words> {
    EdwardsForm {
        root: form.root.to_words(),
        s: form.s.to_words(),
        r: form.r.to_words(),
        d: form.d.to_words(),
        half_d: form.half_d.to_words(),
        excess: form.excess,
    }
}

/// Returns the coordinates of a point at rest, infinity being (0, 0).
pub(crate) fn to_coordinates<C: Curve>(point: &Affine<C>) -> [<C::BaseField as CoordinateField>::Words; 2] {
    point.xy().map_or_else(Default::default, |(x, y)| [x.to_words(), y.to_words()])
}

/// Returns the point of these coordinates.
pub(crate) fn from_coordinates<C: Curve>(
    [x, y]: &[<C::BaseField as CoordinateField>::Words; 2],
) -> Affine<C> {
    let (x, y) = (C::BaseField::from_words(x), C::BaseField::from_words(y));
    if x.is_zero() && y.is_zero() {
        return Affine::identity();
    }
    Affine::new_unchecked(x, y)
}

/// The point of these Jacobian coordinates.
pub(crate) fn projective<C: Curve>(coordinates: &[Words<C>; 3]) -> Projective<C> {
    let [x, y, z] = coordinates.each_ref().map(C::BaseField::from_words);
    Projective::new_unchecked(x, y, z)
}

impl AdderKind {
    /// Returns true if the adder adds the points of this curve's prime-order subgroup.
    /// The [example](crate::BasesOptions) uses it.
    pub fn is_for<C: Curve>(self) -> bool {
        let in_subgroup = true;
        self.check::<C>(in_subgroup).is_ok()
    }

    /// Returns an error unless the adder adds the points of this curve: any points, or only points of its prime-order subgroup.
    pub(crate) fn check<C: Curve>(self, in_subgroup: bool) -> Result<(), Error> {
        let unfit = |reason| Err(Error::Adder { adder: self, reason });
        if !self.is_built() {
            return unfit(Unfit::NotBuilt);
        }
        let has_form = known::<C>().is_some_and(|known| known.edwards.is_some());
        if self.needs_zero_a() && !C::COEFF_A.is_zero() {
            return unfit(Unfit::Coefficient);
        }
        if self.is_edwards() && !has_form {
            return unfit(Unfit::NoForm);
        }
        if self.is_edwards() && !in_subgroup {
            return unfit(Unfit::Subgroup);
        }
        Ok(())
    }
}
