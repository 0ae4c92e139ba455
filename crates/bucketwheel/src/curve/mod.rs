//! What a curve is to the engine: arkworks types outside, a field in lanes inside.

mod adder;
mod affine;
mod edwards;
mod projective;
mod tasks;
mod xyzz;

use std::any::TypeId;
use std::sync::OnceLock;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{BigInt, Field, PrimeField, Zero};
use bucketwheel_lanes::{Backend, Bls12_377Fq, Bls12_381Fq, Bn254Fq};

use crate::accumulator::{AccumulatorResult, Opening};
use crate::endomorphism::Endomorphism;
use crate::layout::{PreparedResult, Source};
use crate::membership::{Examination, Failure, Membership};
use crate::ordinates::Abscissas;
use crate::roots::{QuadraticRootTables, RootTables};
use crate::table::Restored;
use crate::Error;

pub(crate) use adder::{Adder, Arena, Coefficients, Point, Reduced};
pub(crate) use affine::BatchAffine;
pub use edwards::TwistedEdwards;
pub(crate) use edwards::{Edwards, EdwardsForm, EdwardsPoint};
pub(crate) use projective::CompleteProjective;
use tasks::{OverPrime, OverQuadratic, PointBytes, PrimeOrdinates, QuadraticOrdinates};
pub(crate) use xyzz::Xyzz;

/// A short Weierstrass curve the engine has lanes for: G1 and G2 of BLS12-381, BLS12-377 and BN254.
///
/// To add a curve, add its base field to `bucketwheel-lanes` and implement [`CoordinateField`] for the field's
/// arkworks type.
pub trait Curve: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords> {}

impl<C: SWCurveConfig<BaseField: CoordinateField, ScalarField: ScalarWords>> Curve for C {}

/// A scalar field whose elements fit four words.
pub trait ScalarWords: PrimeField<BigInt = BigInt<4>> {}

impl<F: PrimeField<BigInt = BigInt<4>>> ScalarWords for F {}

/// A coordinate field with lanes.
pub trait CoordinateField: Field {
    /// Elements as the lanes' outer form.
    type Words: Copy + PartialEq + Default + std::fmt::Debug + Send + Sync;

    /// The Montgomery form's words.
    fn to_words(&self) -> Self::Words;

    /// The element of these words, which are reduced.
    fn from_words(words: &Self::Words) -> Self;

    /// The endomorphism of the curve of this arkworks configuration, if it is known to have one.
    #[doc(hidden)]
    fn endomorphism(curve: TypeId) -> Option<&'static Endomorphism<Self>>;

    /// The twisted Edwards form of this curve, if it is known to have one.
    #[doc(hidden)]
    fn edwards<C: SWCurveConfig<BaseField = Self>>() -> Option<EdwardsForm<Self::Words>> {
        None
    }

    /// The test of the subgroup of the curve of this arkworks configuration: `None` if nothing is known of the curve,
    /// `Some(None)` if it is its own subgroup.
    #[doc(hidden)]
    fn membership(curve: TypeId) -> Option<Option<&'static Membership<Self>>>;

    /// Brings points into the layout of `backend`.
    #[doc(hidden)]
    fn prepare(backend: Backend, points: Source<'_, Self::Words>) -> PreparedResult<Self::Words>;

    /// An element's words, one after the other.
    #[doc(hidden)]
    fn as_words(words: &Self::Words) -> &[u64];

    /// Whether words are reduced.
    #[doc(hidden)]
    fn is_reduced(words: &Self::Words) -> bool;

    /// Takes over points that are in the layout of `backend`.
    #[doc(hidden)]
    fn restore(backend: Backend, points: Restored<'_, Self::Words>) -> PreparedResult<Self::Words>;

    /// The bytes of a point in the layout of `backend`.
    #[doc(hidden)]
    fn point_bytes(backend: Backend) -> Result<usize, Error>;

    /// Opens an accumulator of `backend`.
    #[doc(hidden)]
    fn accumulator(backend: Backend, opening: Opening<Self::Words>) -> AccumulatorResult<Self::Words>;

    /// The words of an element from little-endian integers, as many bytes as the words have; `None` if one is not
    /// below the modulus. They are the element's Montgomery form but for a factor ([`integer_factor`]).
    #[doc(hidden)]
    fn read_integers(bytes: &[u8]) -> Option<Self::Words>;

    /// The first of these points that fails.
    #[doc(hidden)]
    fn examine(
        backend: Backend,
        examination: Examination<'_, Self::Words>,
    ) -> Result<Option<(usize, Failure)>, Error>;

    /// A y for each x.
    #[doc(hidden)]
    fn ordinates(
        backend: Backend,
        abscissas: Abscissas<'_, Self::Words>,
    ) -> Result<Vec<Option<Self::Words>>, Error>;
}

/// An element of the curve's coordinate field outside the lanes.
pub(crate) type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// Implements [`CoordinateField`] for concrete types, so that the adders are compiled here and not again in every
/// crate that uses them.
macro_rules! coordinate_field {
    ($field:ty, $curve:ty, $prime:ty, $words:literal) => {
        impl CoordinateField for $field {
            type Words = [u64; $words];

            fn to_words(&self) -> Self::Words {
                self.0 .0
            }

            fn from_words(words: &Self::Words) -> Self {
                Self::new_unchecked(BigInt(*words))
            }

            fn endomorphism(curve: TypeId) -> Option<&'static Endomorphism<Self>> {
                static KNOWN: OnceLock<Endomorphism<$field>> = OnceLock::new();
                (curve == TypeId::of::<$curve>()).then(|| KNOWN.get_or_init(Endomorphism::of::<$curve>))
            }

            fn edwards<C: SWCurveConfig<BaseField = Self>>() -> Option<EdwardsForm<Self::Words>> {
                static KNOWN: OnceLock<Option<EdwardsForm<[u64; $words]>>> = OnceLock::new();
                let known = KNOWN.get_or_init(|| TwistedEdwards::of_inner_bls::<$curve>().map(Into::into));
                let same = (C::COEFF_A, C::COEFF_B) == (<$curve>::COEFF_A, <$curve>::COEFF_B);
                known.filter(|_| same)
            }

            fn prepare(backend: Backend, points: Source<'_, Self::Words>) -> PreparedResult<Self::Words> {
                let prepared = backend.visit::<$prime, _>(OverPrime(points));
                prepared.unwrap_or(Err(Error::UnsupportedBackend(backend)))
            }

            fn point_bytes(backend: Backend) -> Result<usize, Error> {
                let bytes = backend.visit::<$prime, _>(OverPrime(PointBytes));
                bytes.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn restore(backend: Backend, points: Restored<'_, Self::Words>) -> PreparedResult<Self::Words> {
                let prepared = backend.visit::<$prime, _>(OverPrime(points));
                prepared.unwrap_or(Err(Error::UnsupportedBackend(backend)))
            }

            fn as_words(words: &Self::Words) -> &[u64] {
                words
            }

            fn is_reduced(words: &Self::Words) -> bool {
                BigInt(*words) < Self::MODULUS
            }

            fn accumulator(
                backend: Backend,
                opening: Opening<Self::Words>,
            ) -> AccumulatorResult<Self::Words> {
                let accumulator = backend.visit::<$prime, _>(OverPrime(opening));
                accumulator.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn read_integers(bytes: &[u8]) -> Option<Self::Words> {
                let bytes: &[u8; 8 * $words] = bytes.try_into().ok()?;
                let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j]));
                let integer = BigInt(std::array::from_fn(word));
                (integer < Self::MODULUS).then_some(integer.0)
            }

            fn membership(curve: TypeId) -> Option<Option<&'static Membership<Self>>> {
                static KNOWN: OnceLock<Option<Membership<$field>>> = OnceLock::new();
                let endomorphism = Self::endomorphism(curve)?;
                Some(KNOWN.get_or_init(|| Membership::of_g1::<$curve>(endomorphism)).as_ref())
            }

            fn examine(
                backend: Backend,
                examination: Examination<'_, Self::Words>,
            ) -> Result<Option<(usize, Failure)>, Error> {
                let failure = backend.visit::<$prime, _>(OverPrime(examination));
                failure.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn ordinates(
                backend: Backend,
                abscissas: Abscissas<'_, Self::Words>,
            ) -> Result<Vec<Option<Self::Words>>, Error> {
                static TABLES: OnceLock<RootTables<[u64; $words]>> = OnceLock::new();
                let tables = TABLES.get_or_init(RootTables::of::<$field>);
                let ys = backend.visit::<$prime, _>(PrimeOrdinates { abscissas, tables });
                ys.map_err(|_| Error::UnsupportedBackend(backend))
            }
        }
    };
    ($field:ty, $curve:ty, $partner:ty, $base:ty, $prime:ty, $words:literal, $beta:literal) => {
        impl CoordinateField for $field {
            type Words = [[u64; $words]; 2];

            fn to_words(&self) -> Self::Words {
                [self.c0.to_words(), self.c1.to_words()]
            }

            fn from_words(words: &Self::Words) -> Self {
                Self::new(<$base>::from_words(&words[0]), <$base>::from_words(&words[1]))
            }

            fn endomorphism(curve: TypeId) -> Option<&'static Endomorphism<Self>> {
                static KNOWN: OnceLock<Endomorphism<$field>> = OnceLock::new();
                (curve == TypeId::of::<$curve>()).then(|| KNOWN.get_or_init(Endomorphism::of::<$curve>))
            }

            fn prepare(backend: Backend, points: Source<'_, Self::Words>) -> PreparedResult<Self::Words> {
                let prepared = backend.visit::<$prime, _>(OverQuadratic::<$beta, _>(points));
                prepared.unwrap_or(Err(Error::UnsupportedBackend(backend)))
            }

            fn point_bytes(backend: Backend) -> Result<usize, Error> {
                let bytes = backend.visit::<$prime, _>(OverQuadratic::<$beta, _>(PointBytes));
                bytes.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn restore(backend: Backend, points: Restored<'_, Self::Words>) -> PreparedResult<Self::Words> {
                let prepared = backend.visit::<$prime, _>(OverQuadratic::<$beta, _>(points));
                prepared.unwrap_or(Err(Error::UnsupportedBackend(backend)))
            }

            fn as_words(words: &Self::Words) -> &[u64] {
                words.as_flattened()
            }

            fn is_reduced(words: &Self::Words) -> bool {
                words.iter().all(<$base>::is_reduced)
            }

            fn accumulator(
                backend: Backend,
                opening: Opening<Self::Words>,
            ) -> AccumulatorResult<Self::Words> {
                let accumulator = backend.visit::<$prime, _>(OverQuadratic::<$beta, _>(opening));
                accumulator.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn read_integers(bytes: &[u8]) -> Option<Self::Words> {
                let (c0, c1) = bytes.split_at(bytes.len() / 2);
                Some([<$base>::read_integers(c0)?, <$base>::read_integers(c1)?])
            }

            fn membership(curve: TypeId) -> Option<Option<&'static Membership<Self>>> {
                static KNOWN: OnceLock<Option<Membership<$field>>> = OnceLock::new();
                (curve == TypeId::of::<$curve>())
                    .then(|| KNOWN.get_or_init(Membership::of_g2::<$partner, $curve>).as_ref())
            }

            fn examine(
                backend: Backend,
                examination: Examination<'_, Self::Words>,
            ) -> Result<Option<(usize, Failure)>, Error> {
                let failure = backend.visit::<$prime, _>(OverQuadratic::<$beta, _>(examination));
                failure.map_err(|_| Error::UnsupportedBackend(backend))
            }

            fn ordinates(
                backend: Backend,
                abscissas: Abscissas<'_, Self::Words>,
            ) -> Result<Vec<Option<Self::Words>>, Error> {
                static TABLES: OnceLock<QuadraticRootTables<[u64; $words]>> = OnceLock::new();
                let tables = TABLES.get_or_init(|| QuadraticRootTables::of::<$base>($beta));
                let ys = backend.visit::<$prime, _>(QuadraticOrdinates::<_, $beta> { abscissas, tables });
                ys.map_err(|_| Error::UnsupportedBackend(backend))
            }
        }
    };
}

coordinate_field!(ark_bls12_381::Fq, ark_bls12_381::g1::Config, Bls12_381Fq, 6);
coordinate_field!(ark_bls12_377::Fq, ark_bls12_377::g1::Config, Bls12_377Fq, 6);
coordinate_field!(ark_bn254::Fq, ark_bn254::g1::Config, Bn254Fq, 4);
coordinate_field!(
    ark_bls12_381::Fq2,
    ark_bls12_381::g2::Config,
    ark_bls12_381::g1::Config,
    ark_bls12_381::Fq,
    Bls12_381Fq,
    6,
    1
);
coordinate_field!(
    ark_bls12_377::Fq2,
    ark_bls12_377::g2::Config,
    ark_bls12_377::g1::Config,
    ark_bls12_377::Fq,
    Bls12_377Fq,
    6,
    5
);
coordinate_field!(ark_bn254::Fq2, ark_bn254::g2::Config, ark_bn254::g1::Config, ark_bn254::Fq, Bn254Fq, 4, 1);

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
        edwards: C::BaseField::edwards::<C>(),
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
