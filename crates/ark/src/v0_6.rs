//! arkworks 0.6, the engine's own version.

use ark_ec_0_6::short_weierstrass::{Affine as EngineAffine, Projective as EngineProjective};
use ark_ec_0_6::{AffineRepr, CurveGroup, PrimeGroup, ScalarMul, VariableBaseMSM};
use ark_ff_0_6::{AdditiveGroup, PrimeField};
use bucketwheel::{Bases, BasesOptions, CoordinateField, Curve, Error, ScalarWords, Scalars};

use crate::prepared::Point;
use crate::sums;

/// Implements the traits of groups for the wrappers of one form, whose configurations are `$curve`.
macro_rules! groups {
    ($curve:ident) => {
        impl<C: $curve> AffineRepr for Affine<C> {
            type Config = C;
            type ScalarField = C::ScalarField;
            type BaseField = C::BaseField;
            type Group = Projective<C>;

            const GENERATOR: Self = Affine(<OriginalAffine<C> as AffineRepr>::GENERATOR);
            const ZERO: Self = Affine(<OriginalAffine<C> as AffineRepr>::ZERO);

            fn xy(&self) -> Option<(C::BaseField, C::BaseField)> {
                self.0.xy()
            }

            fn zero() -> Self {
                Self::ZERO
            }

            fn is_zero(&self) -> bool {
                self.0.is_zero()
            }

            fn generator() -> Self {
                Affine(AffineRepr::generator())
            }

            fn from_random_bytes(bytes: &[u8]) -> Option<Self> {
                OriginalAffine::from_random_bytes(bytes).map(Affine)
            }

            fn mul_bigint(&self, by: impl AsRef<[u64]>) -> Projective<C> {
                Projective(self.0.mul_bigint(by))
            }

            fn clear_cofactor(&self) -> Self {
                Affine(self.0.clear_cofactor())
            }

            fn mul_by_cofactor_to_group(&self) -> Projective<C> {
                Projective(self.0.mul_by_cofactor_to_group())
            }
        }

        impl<C: $curve> AdditiveGroup for Projective<C> {
            type Scalar = C::ScalarField;

            const ZERO: Self = Projective(<OriginalProjective<C> as AdditiveGroup>::ZERO);

            fn double_in_place(&mut self) -> &mut Self {
                self.0.double_in_place();
                self
            }
        }

        impl<C: $curve> PrimeGroup for Projective<C> {
            type ScalarField = C::ScalarField;

            fn generator() -> Self {
                Projective(PrimeGroup::generator())
            }

            fn mul_bigint(&self, other: impl AsRef<[u64]>) -> Self {
                Projective(self.0.mul_bigint(other))
            }
        }

        impl<C: $curve> CurveGroup for Projective<C> {
            type Config = C;
            type BaseField = C::BaseField;
            type Affine = Affine<C>;
            type FullGroup = Affine<C>;

            fn normalize_batch(points: &[Self]) -> Vec<Affine<C>> {
                Affine::wrap_vec(OriginalProjective::normalize_batch(Self::peel_slice(points)))
            }
        }

        impl<C: $curve> ScalarMul for Projective<C> {
            type MulBase = Affine<C>;

            const NEGATION_IS_CHEAP: bool = <OriginalProjective<C> as ScalarMul>::NEGATION_IS_CHEAP;

            fn batch_convert_to_mul_base(bases: &[Self]) -> Vec<Affine<C>> {
                Self::normalize_batch(bases)
            }

            fn batch_mul(self, scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
                let products = sums::products(&self.into_affine(), scalars);
                products.unwrap_or_else(|| Affine::wrap_vec(self.0.batch_mul(scalars)))
            }
        }

        /// Computes a sum by the engine or, if the engine leaves the sum to arkworks, by arkworks' function of the same name.
        /// Both functions take the number of points and scalars that the shorter slice has.
        fn sum_or<C: $curve, S: Copy + Default>(
            bases: &[Affine<C>],
            scalars: &[S],
            to_engine: impl for<'s> Fn(&'s [S]) -> Scalars<'s, C::ScalarField>,
            original: impl FnOnce(&[OriginalAffine<C>], &[S]) -> OriginalProjective<C>,
        ) -> Projective<C> {
            let len = bases.len().min(scalars.len());
            let (points, scalars) = (&bases[..len], &scalars[..len]);
            let sum = sums::sum(points, scalars, to_engine);
            sum.unwrap_or_else(|| Projective(original(Affine::peel_slice(points), scalars)))
        }

        impl<C: $curve> VariableBaseMSM for Projective<C> {
            type Bucket = Self;

            const ZERO_BUCKET: Self = Self::ZERO;

            fn msm_unchecked(bases: &[Affine<C>], scalars: &[C::ScalarField]) -> Self {
                sum_or(bases, scalars, |scalars| Scalars::Field(scalars), VariableBaseMSM::msm_unchecked)
            }

            fn msm_bigint(bases: &[Affine<C>], bigints: &[<C::ScalarField as PrimeField>::BigInt]) -> Self {
                sum_or(bases, bigints, |bigints| Scalars::Integers(bigints), VariableBaseMSM::msm_bigint)
            }

            fn msm_u1(bases: &[Affine<C>], scalars: &[bool]) -> Self {
                sum_or(bases, scalars, |scalars| scalars.into(), VariableBaseMSM::msm_u1)
            }

            fn msm_u8(bases: &[Affine<C>], scalars: &[u8]) -> Self {
                sum_or(bases, scalars, |scalars| scalars.into(), VariableBaseMSM::msm_u8)
            }

            fn msm_u16(bases: &[Affine<C>], scalars: &[u16]) -> Self {
                sum_or(bases, scalars, |scalars| scalars.into(), VariableBaseMSM::msm_u16)
            }

            fn msm_u32(bases: &[Affine<C>], scalars: &[u32]) -> Self {
                sum_or(bases, scalars, |scalars| scalars.into(), VariableBaseMSM::msm_u32)
            }

            fn msm_u64(bases: &[Affine<C>], scalars: &[u64]) -> Self {
                sum_or(bases, scalars, |scalars| scalars.into(), VariableBaseMSM::msm_u64)
            }
        }
    };
}

crate::newtypes::points!(
    ark_ec_0_6,
    ark_ff_0_6,
    ark_serialize_0_6,
    ark_std_0_6,
    short_weierstrass,
    SWCurveConfig
);
crate::newtypes::pairings!(ark_ec_0_6, ark_ff_0_6, Curve, BaseField: CoordinateField, ScalarField: ScalarWords,);
groups!(Curve);

crate::newtypes::curves!(ark_bn254_0_6, ark_bls12_381_0_6, ark_bls12_377_0_6, ark_bw6_761_0_6);
crate::newtypes::groups!(
    ark_pallas_0_6,
    ark_vesta_0_6,
    ark_ed_on_bls12_381_0_6,
    ark_ed_on_bls12_381_bandersnatch_0_6
);
#[cfg(feature = "groth16-0_6")]
crate::groth16::groth16!(ark_groth16_0_6);

impl<C: Curve> Point for Affine<C> {
    type Engine = C;
    type Group = Projective<C>;

    fn to_engine(&self) -> Result<EngineAffine<C>, Error> {
        Ok(self.0)
    }

    fn prepare(points: &[Self], options: BasesOptions) -> Result<Bases<C>, Error> {
        options.prepare(Self::peel_slice(points))
    }

    fn group(point: EngineProjective<C>) -> Option<Projective<C>> {
        Some(Projective(point))
    }

    fn from_engine(points: Vec<EngineAffine<C>>) -> Option<Vec<Self>> {
        Some(Self::wrap_vec(points))
    }
}

/// Points in twisted Edwards form.
pub mod edwards {
    use super::*;
    pub use crate::edwards::EdwardsCurve as Sums;

    crate::newtypes::points!(
        ark_ec_0_6,
        ark_ff_0_6,
        ark_serialize_0_6,
        ark_std_0_6,
        twisted_edwards,
        TECurveConfig
    );
    crate::edwards::point!(C);
    groups!(Sums);
}
