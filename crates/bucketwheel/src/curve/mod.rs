//! What a curve is to the engine: arkworks types outside, a field in lanes inside.

mod adder;
mod affine;
#[cfg(feature = "bls24-315")]
pub mod bls24_315;
mod edwards;
mod fields;
mod formula;
mod known;
mod projective;
mod xyzz;

use std::any::TypeId;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{BigInt, BigInteger, Field, PrimeField, Zero};
use bucketwheel_lanes::Backend;

use crate::endomorphism::Endomorphism;
use crate::engine::Engine;
use crate::Error;

pub(crate) use adder::{Adder, Arena, Coefficients, Point, Reduced};
use affine::BatchAffine;
pub use edwards::TwistedEdwards;
use edwards::Unified;
pub(crate) use edwards::{Dedicated, Edwards, EdwardsForm};
pub(crate) use formula::{formula, AnyAdder, Formula, FormulaOver};
pub(crate) use known::Known;
use projective::CompleteProjective;
use xyzz::Xyzz;

/// A short Weierstrass curve the engine has lanes for: G1 and G2 of BLS12-381, BLS12-377, BN254 and BW6-761, G1 of BLS24-315,
/// Pallas, Vesta, Grumpkin, Jubjub, Bandersnatch, and any other curve over their fields.
///
/// To add a curve over another field, add the field to `bucketwheel-lanes` and implement [`CoordinateField`] for its
/// arkworks type.
pub trait Curve: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords> {}

impl<C: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords>> Curve for C {}

/// A scalar field whose elements fit four or six words.
pub trait ScalarWords: PrimeField<BigInt: Integer> {}

impl<F: PrimeField<BigInt: Integer>> ScalarWords for F {}

/// Scalars as integers.
pub trait Integer: BigInteger {
    /// Two words more, of which the lower ones may be all ones.
    #[doc(hidden)]
    type Wide: Copy + Default + AsRef<[u64]> + AsMut<[u64]>;
}

impl Integer for BigInt<4> {
    type Wide = [u64; 6];
}

impl Integer for BigInt<6> {
    type Wide = [u64; 8];
}

/// A coordinate field with lanes.
pub trait CoordinateField: Field {
    /// Elements as the lanes' outer form.
    type Words: Copy + PartialEq + Default + std::fmt::Debug + Send + Sync;

    /// The Montgomery form's words.
    fn to_words(&self) -> Self::Words;

    /// The element of these words, which are reduced.
    fn from_words(words: &Self::Words) -> Self;

    /// The instruction sets that it has lanes of.
    fn backends() -> &'static [Backend];

    /// All that is done in the lanes of a backend.
    #[doc(hidden)]
    fn engine(backend: Backend) -> Result<Box<dyn Engine<Self::Words>>, Error>;

    /// What is known of the curve of this arkworks configuration.
    #[doc(hidden)]
    fn known(curve: TypeId) -> Option<&'static Known<Self>>;

    /// An element's words, one after the other.
    #[doc(hidden)]
    fn as_words(words: &Self::Words) -> &[u64];

    /// Whether words are reduced.
    #[doc(hidden)]
    fn is_reduced(words: &Self::Words) -> bool;

    /// The words of an element from little-endian integers, as many bytes as the words have; `None` if one is not
    /// below the modulus. They are the element's Montgomery form but for a factor ([`integer_factor`]).
    #[doc(hidden)]
    fn read_integers(bytes: &[u8]) -> Option<Self::Words>;
}

/// The bytes of a coordinate at rest, at most: cache lines for each coefficient.
pub(crate) fn coordinate_bytes<F: CoordinateField>() -> usize {
    let degree = F::extension_degree() as usize;
    degree * (size_of::<F::Words>() / degree).next_multiple_of(64)
}

/// An element of the curve's coordinate field outside the lanes.
pub(crate) type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// What is known of a curve.
pub(crate) fn known<C: Curve>() -> Option<&'static Known<C::BaseField>> {
    C::BaseField::known(TypeId::of::<C>())
}

/// The endomorphism of a curve, if one is known.
pub(crate) fn endomorphism<C: Curve>() -> Option<&'static Endomorphism<C::BaseField>> {
    known::<C>().and_then(|known| known.endomorphism.as_ref())
}

/// What takes the words of integers to those of elements: 2 to the number of bits of the words of an integer.
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

/// The image of a point under the curve's endomorphism.
///
/// # Panics
/// If none is known.
pub(crate) fn image<C: Curve>(point: Affine<C>) -> Affine<C> {
    let beta = endomorphism::<C>().expect("the curve has an endomorphism").beta;
    point.xy().map_or(point, |(x, y)| Affine::new_unchecked(x * beta, y))
}

/// Double-and-add over points at descending bit positions: `sum 2^position point`.
pub(crate) fn horner<C: Curve>(bits: u32, points_at: impl Fn(u32) -> Vec<Affine<C>>) -> Projective<C> {
    let mut sum = Projective::<C>::zero();
    for position in (0..bits).rev() {
        sum.double_in_place();
        for point in points_at(position) {
            sum += point;
        }
    }
    sum
}
