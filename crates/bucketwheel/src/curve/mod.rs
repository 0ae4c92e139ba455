//! What a curve is to the engine: arkworks types outside, a field in lanes inside.

mod adder;
mod affine;
mod projective;
mod xyzz;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{BigInt, Field, Fp, MontBackend, MontConfig, PrimeField, Zero};
use bucketwheel_lanes::{
    Backend, BaseField, Bls12_377Fq, Bls12_381Fq, Bn254Fq, LaneField, PrimeLanes, Quadratic, Visitor,
};

pub(crate) use adder::{Adder, Arena, Coefficients, Point};
pub(crate) use affine::{BatchAffine, BATCH};
pub(crate) use projective::CompleteProjective;
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

    /// Calls `visitor` with the lanes of `backend`, or returns it where the CPU lacks the instructions.
    fn visit<V: LanesVisitor<Self::Words>>(backend: Backend, visitor: V) -> Result<V::Output, V>;
}

/// Code that is generic over a coordinate field's lanes.
pub trait LanesVisitor<W> {
    /// What it returns.
    type Output;

    /// Runs on these lanes.
    fn visit<L: LaneField<Words = W>>(self, lanes: L) -> Self::Output;
}

/// The prime of an arkworks field.
trait HasPrime {
    type Prime: BaseField;
}

impl HasPrime for ark_bls12_381::FqConfig {
    type Prime = Bls12_381Fq;
}

impl HasPrime for ark_bls12_377::FqConfig {
    type Prime = Bls12_377Fq;
}

impl HasPrime for ark_bn254::FqConfig {
    type Prime = Bn254Fq;
}

struct OverPrime<V>(V);

impl<W, V: LanesVisitor<W>> Visitor<W> for OverPrime<V> {
    type Output = V::Output;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> V::Output {
        self.0.visit(lanes)
    }
}

impl<M, const N: usize> CoordinateField for Fp<MontBackend<M, N>, N>
where
    M: MontConfig<N> + HasPrime<Prime: BaseField<Words = [u64; N]>>,
    [u64; N]: Default,
{
    type Words = [u64; N];

    fn to_words(&self) -> [u64; N] {
        self.0 .0
    }

    fn from_words(words: &[u64; N]) -> Self {
        Fp::new_unchecked(BigInt(*words))
    }

    fn visit<V: LanesVisitor<[u64; N]>>(backend: Backend, visitor: V) -> Result<V::Output, V> {
        backend.visit::<M::Prime, _>(OverPrime(visitor)).map_err(|OverPrime(visitor)| visitor)
    }
}

struct OverQuadratic<V, const BETA: u32>(V);

impl<W, V: LanesVisitor<[W; 2]>, const BETA: u32> Visitor<W> for OverQuadratic<V, BETA> {
    type Output = V::Output;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> V::Output {
        self.0.visit(Quadratic::<L, BETA>::over(lanes))
    }
}

macro_rules! quadratic {
    ($field:ty, $base:ty, $prime:ty, $beta:literal) => {
        impl CoordinateField for $field {
            type Words = [<$base as CoordinateField>::Words; 2];

            fn to_words(&self) -> Self::Words {
                [self.c0.to_words(), self.c1.to_words()]
            }

            fn from_words(words: &Self::Words) -> Self {
                <$field>::new(<$base>::from_words(&words[0]), <$base>::from_words(&words[1]))
            }

            fn visit<V: LanesVisitor<Self::Words>>(backend: Backend, visitor: V) -> Result<V::Output, V> {
                let outcome = backend.visit::<$prime, _>(OverQuadratic::<V, $beta>(visitor));
                outcome.map_err(|OverQuadratic(visitor)| visitor)
            }
        }
    };
}

quadratic!(ark_bls12_381::Fq2, ark_bls12_381::Fq, Bls12_381Fq, 1);
quadratic!(ark_bls12_377::Fq2, ark_bls12_377::Fq, Bls12_377Fq, 5);
quadratic!(ark_bn254::Fq2, ark_bn254::Fq, Bn254Fq, 1);

/// The curve's coefficients for the adders.
pub(crate) fn coefficients<C: Curve>() -> Coefficients<<C::BaseField as CoordinateField>::Words> {
    let three_b = C::COEFF_B.double() + C::COEFF_B;
    Coefficients { a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()), three_b: three_b.to_words() }
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
pub(crate) fn horner<C: Curve>(bits: usize, points_at: impl Fn(usize) -> Vec<Affine<C>>) -> Projective<C> {
    let mut sum = Projective::<C>::zero();
    for position in (0..bits).rev() {
        sum.double_in_place();
        for point in points_at(position) {
            sum += point;
        }
    }
    sum
}
