//! arkworks 0.4.

use ark_ec_0_4::{AffineRepr, CurveGroup, Group, ScalarMul, VariableBaseMSM};
use ark_ec_0_6::short_weierstrass::{Affine as EngineAffine, Projective as EngineProjective};
use ark_ff_0_4::PrimeField;
use bucketwheel::{Bases, BasesOptions, Error, Scalars};

use crate::prepared::Point;
use crate::sums;

/// Implements the traits of groups for the wrappers of one form.
macro_rules! groups {
    () => {
        impl<C: Sums> AffineRepr for Affine<C> {
            type Config = C;
            type ScalarField = C::ScalarField;
            type BaseField = C::BaseField;
            type Group = Projective<C>;

            fn xy(&self) -> Option<(&C::BaseField, &C::BaseField)> {
                self.0.xy()
            }

            fn zero() -> Self {
                Affine(AffineRepr::zero())
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

        impl<C: Sums> Group for Projective<C> {
            type ScalarField = C::ScalarField;

            fn generator() -> Self {
                Projective(Group::generator())
            }

            fn double_in_place(&mut self) -> &mut Self {
                self.0.double_in_place();
                self
            }

            fn mul_bigint(&self, other: impl AsRef<[u64]>) -> Self {
                Projective(self.0.mul_bigint(other))
            }
        }

        impl<C: Sums> CurveGroup for Projective<C> {
            type Config = C;
            type BaseField = C::BaseField;
            type Affine = Affine<C>;
            type FullGroup = Affine<C>;

            fn normalize_batch(points: &[Self]) -> Vec<Affine<C>> {
                Affine::wrap_vec(OriginalProjective::normalize_batch(Self::peel_slice(points)))
            }
        }

        impl<C: Sums> ScalarMul for Projective<C> {
            type MulBase = Affine<C>;

            const NEGATION_IS_CHEAP: bool = <OriginalProjective<C> as ScalarMul>::NEGATION_IS_CHEAP;

            fn batch_convert_to_mul_base(bases: &[Self]) -> Vec<Affine<C>> {
                Self::normalize_batch(bases)
            }
        }

        crate::bridge::sums!();
    };
}

crate::newtypes::points!(
    ark_ec_0_4,
    ark_ff_0_4,
    ark_serialize_0_4,
    ark_std_0_4,
    short_weierstrass,
    SWCurveConfig
);
crate::newtypes::pairings!(ark_ec_0_4, ark_ff_0_4, Sums,);
crate::bridge::fields!(ark_ff_0_4);
crate::bridge::weierstrass!(
    ark_bn254_0_4::g1::Config => ark_bn254_0_6::g1::Config,
    ark_bn254_0_4::g2::Config => ark_bn254_0_6::g2::Config,
    ark_bls12_381_0_4::g1::Config => ark_bls12_381_0_6::g1::Config,
    ark_bls12_381_0_4::g2::Config => ark_bls12_381_0_6::g2::Config,
    ark_bls12_377_0_4::g1::Config => ark_bls12_377_0_6::g1::Config,
    ark_bls12_377_0_4::g2::Config => ark_bls12_377_0_6::g2::Config,
    ark_bw6_761_0_4::g1::Config => ark_bw6_761_0_6::g1::Config,
    ark_bw6_761_0_4::g2::Config => ark_bw6_761_0_6::g2::Config,
    ark_pallas_0_4::PallasConfig => ark_pallas_0_6::PallasConfig,
    ark_vesta_0_4::VestaConfig => ark_vesta_0_6::VestaConfig,
    ark_ed_on_bls12_381_0_4::JubjubConfig => ark_ed_on_bls12_381_0_6::JubjubConfig,
    ark_ed_on_bls12_381_bandersnatch_0_4::BandersnatchConfig =>
        ark_ed_on_bls12_381_bandersnatch_0_6::BandersnatchConfig,
);
groups!();

crate::newtypes::curves!(ark_bn254_0_4, ark_bls12_381_0_4, ark_bls12_377_0_4, ark_bw6_761_0_4);
crate::newtypes::groups!(
    ark_pallas_0_4,
    ark_vesta_0_4,
    ark_ed_on_bls12_381_0_4,
    ark_ed_on_bls12_381_bandersnatch_0_4
);
#[cfg(feature = "groth16-0_4")]
crate::groth16::groth16!(ark_groth16_0_4);

/// Points in twisted Edwards form.
pub mod edwards {
    use super::*;
    use crate::edwards::{Coordinate, EdwardsCurve};

    crate::newtypes::points!(
        ark_ec_0_4,
        ark_ff_0_4,
        ark_serialize_0_4,
        ark_std_0_4,
        twisted_edwards,
        TECurveConfig
    );
    crate::bridge::edwards!(
        ark_ed_on_bls12_381_0_4::JubjubConfig => ark_ed_on_bls12_381_0_6::JubjubConfig,
        ark_ed_on_bls12_381_bandersnatch_0_4::BandersnatchConfig =>
            ark_ed_on_bls12_381_bandersnatch_0_6::BandersnatchConfig,
        ark_bls12_377_0_4::g1::Config => ark_bls12_377_0_6::g1::Config,
    );
    crate::edwards::point!(C::Engine);
    groups!();
}
