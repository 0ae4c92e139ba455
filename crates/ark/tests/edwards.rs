//! Wrapped twisted Edwards curves beside arkworks' own, for each version of arkworks.

/// Defines the tests of one version of arkworks, from the names of its crates.
macro_rules! tests {
    ($module:ident, $ec:ident, $ff:ident, $serialize:ident, $std:ident, $bls12_377:ident, $jubjub:ident,
        $bandersnatch:ident) => {
        mod $module {
            use bucketwheel_ark::$module::edwards::{Affine, Projective, Sums};
            use bucketwheel_ark::Prepared;
            use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};
            use $bandersnatch::BandersnatchConfig;
            use $bls12_377::g1::Config as Bls12_377Config;
            use $ec::twisted_edwards::{self, TECurveConfig};
            use $ec::{AffineRepr, CurveGroup, VariableBaseMSM};
            use $ff::{One, PrimeField, UniformRand, Zero};
            use $jubjub::JubjubConfig;
            use $serialize::{CanonicalDeserialize, CanonicalSerialize, Compress, Validate};
            use $std::rand::rngs::StdRng;
            use $std::rand::SeedableRng;

            type Original<C> = twisted_edwards::Affine<C>;
            type OriginalGroup<C> = twisted_edwards::Projective<C>;

            /// Returns the point of order 2 that both coordinates' forms have, (0, -1).
            fn order_two<C: TECurveConfig>() -> Original<C> {
                Original::new_unchecked(C::BaseField::zero(), -C::BaseField::one())
            }

            /// Returns points of the curve, most of them outside of the subgroup.
            fn any_points<C: TECurveConfig>(len: usize) -> Vec<Original<C>> {
                let points =
                    (2u64..).filter_map(|y| Original::get_point_from_y_unchecked(y.into(), y % 2 == 1));
                [Original::zero(), order_two()].into_iter().chain(points).take(len).collect()
            }

            fn points<C: TECurveConfig>(len: usize, rng: &mut StdRng) -> Vec<Original<C>> {
                let points: Vec<_> = (0..len).map(|_| OriginalGroup::<C>::rand(rng)).collect();
                OriginalGroup::normalize_batch(&points)
            }

            /// Returns scalars at the edges first, then uniform scalars.
            fn scalars<F: PrimeField>(len: usize, rng: &mut StdRng) -> Vec<F> {
                let edges = [F::zero(), F::one(), -F::one(), F::from(2u64), -F::from(2u64)];
                (0..len).map(|i| edges.get(i).copied().unwrap_or_else(|| F::rand(rng))).collect()
            }

            /// Compares sums with arkworks' sums, with and without points that a scope has prepared.
            fn check_sums<C: Sums>(points: &[Original<C>], seed: u64) {
                let scalars = scalars::<C::ScalarField>(points.len(), &mut StdRng::seed_from_u64(seed));
                let integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
                let products = points.iter().zip(&integers).map(|(point, integer)| point.mul_bigint(integer));
                let expected: OriginalGroup<C> = products.sum();
                let wrapped = Affine::wrap_slice(points);
                let check = || {
                    assert_eq!(Projective::msm(wrapped, &scalars), Ok(Projective(expected)));
                    assert_eq!(Projective::msm_unchecked(wrapped, &scalars).0, expected);
                    assert_eq!(Projective::msm_bigint(wrapped, &integers).0, expected);
                };
                check();
                Prepared::new().points(wrapped).unwrap().scope(check);
            }

            fn check_curve<C: Sums>(seed: u64) {
                let rng = &mut StdRng::seed_from_u64(seed);
                for len in [0, 1, 2, 3, 15, 16, 100, 1025] {
                    check_sums::<C>(&points(len, rng), seed + 1);
                }
                // Infinity, equal points, and a point with its negative.
                let mut points = points::<C>(40, rng);
                (points[3], points[7], points[8]) = (Original::zero(), points[6], -points[6]);
                check_sums(&points, seed + 2);
            }

            #[test]
            fn sums_are_those_of_arkworks() {
                check_curve::<JubjubConfig>(1);
                check_curve::<BandersnatchConfig>(2);
                check_curve::<Bls12_377Config>(3);
            }

            #[test]
            fn points_outside_of_the_subgroup_are_summed_exactly() {
                check_sums::<JubjubConfig>(&any_points(60), 1);
                check_sums::<BandersnatchConfig>(&any_points(60), 2);
                check_sums::<Bls12_377Config>(&any_points(60), 3);
                // The sum is the point of order 2.
                check_sums::<JubjubConfig>(&[Original::zero(), order_two()], 4);
                check_sums::<JubjubConfig>(&[order_two(), order_two(), order_two()], 5);
            }

            /// Compares sums that the engine leaves to arkworks.
            fn check_refused(
                points: &[Original<JubjubConfig>],
                scalars: &[<$jubjub::Fr as PrimeField>::BigInt],
            ) {
                let sum = Projective::msm_bigint(Affine::wrap_slice(points), scalars).0;
                let expected = OriginalGroup::msm_bigint(points, scalars);
                // Off the curve, points have no group, but arkworks' formulas yield the same coordinates.
                assert_eq!([sum.x, sum.y, sum.t, sum.z], [expected.x, expected.y, expected.t, expected.z]);
            }

            #[test]
            fn what_the_engine_refuses_is_what_arkworks_computes() {
                let rng = &mut StdRng::seed_from_u64(4);
                let points = points::<JubjubConfig>(20, rng);
                let mut integers: Vec<_> =
                    scalars::<$jubjub::Fr>(20, rng).iter().map(|scalar| scalar.into_bigint()).collect();
                let [zero, one] = [$jubjub::Fq::zero(), $jubjub::Fq::one()];
                // Each of them is off the curve, some where the map to Weierstrass form has an exception.
                for off in [[zero, zero], [one, one], [one, -one], [zero, one + one], [one, zero]] {
                    let mut points = points.clone();
                    points[9] = Original::new_unchecked(off[0], off[1]);
                    assert!(!points[9].is_on_curve());
                    check_refused(&points, &integers);
                    assert!(Prepared::new().points(Affine::wrap_slice(&points)).is_err());
                }
                // One scalar is the order.
                integers[10] = $jubjub::Fr::MODULUS;
                check_refused(&points, &integers);
            }

            #[test]
            fn the_shorter_slice_counts() {
                let rng = &mut StdRng::seed_from_u64(5);
                let (points, scalars) = (points::<JubjubConfig>(9, rng), scalars::<$jubjub::Fr>(9, rng));
                let wrapped = Affine::wrap_slice(&points);
                let expected = OriginalGroup::msm_unchecked(&points[..7], &scalars[..7]);
                assert_eq!(Projective::msm(&wrapped[..7], &scalars), Err(7));
                assert_eq!(Projective::msm(wrapped, &scalars[..7]), Err(7));
                assert_eq!(Projective::msm_unchecked(wrapped, &scalars[..7]).0, expected);
                assert_eq!(Projective::msm_unchecked(&wrapped[..7], &scalars).0, expected);
            }

            #[test]
            fn wrappers_serialize_to_the_bytes_of_arkworks() {
                let rng = &mut StdRng::seed_from_u64(6);
                let points = points::<BandersnatchConfig>(12, rng);
                let wrapped: Vec<Affine<BandersnatchConfig>> =
                    TransparentWrapperAlloc::wrap_vec(points.clone());
                let group: Vec<_> = wrapped.iter().map(|point| point.into_group()).collect();
                for compress in [Compress::Yes, Compress::No] {
                    let [mut expected, mut bytes, mut of_group] = [const { Vec::new() }; 3];
                    points.serialize_with_mode(&mut expected, compress).unwrap();
                    wrapped.serialize_with_mode(&mut bytes, compress).unwrap();
                    group.serialize_with_mode(&mut of_group, compress).unwrap();
                    assert_eq!((&bytes, &of_group), (&expected, &expected));
                    let read: Vec<Affine<BandersnatchConfig>> =
                        CanonicalDeserialize::deserialize_with_mode(&bytes[..], compress, Validate::Yes)
                            .unwrap();
                    assert_eq!(wrapped, read);
                }
                let mut bytes = Vec::new();
                order_two::<BandersnatchConfig>().serialize_uncompressed(&mut bytes).unwrap();
                assert!(Affine::<BandersnatchConfig>::deserialize_uncompressed(&bytes[..]).is_err());
            }
        }
    };
}

#[cfg(feature = "ark-0_6")]
tests!(
    v0_6,
    ark_ec_0_6,
    ark_ff_0_6,
    ark_serialize_0_6,
    ark_std_0_6,
    ark_bls12_377_0_6,
    ark_ed_on_bls12_381_0_6,
    ark_ed_on_bls12_381_bandersnatch_0_6
);
#[cfg(feature = "ark-0_5")]
tests!(
    v0_5,
    ark_ec_0_5,
    ark_ff_0_5,
    ark_serialize_0_5,
    ark_std_0_5,
    ark_bls12_377_0_5,
    ark_ed_on_bls12_381_0_5,
    ark_ed_on_bls12_381_bandersnatch_0_5
);
#[cfg(feature = "ark-0_4")]
tests!(
    v0_4,
    ark_ec_0_4,
    ark_ff_0_4,
    ark_serialize_0_4,
    ark_std_0_4,
    ark_bls12_377_0_4,
    ark_ed_on_bls12_381_0_4,
    ark_ed_on_bls12_381_bandersnatch_0_4
);

#[cfg(feature = "ark-0_6")]
#[test]
fn small_scalars_are_summed_as_arkworks_sums_them() {
    use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
    use ark_ed_on_bls12_381_0_6::EdwardsProjective as Original;
    use ark_std_0_6::rand::Rng;
    use ark_std_0_6::UniformRand;
    use bucketwheel_ark::v0_6::{edwards::Affine, Jubjub};
    use bytemuck::TransparentWrapper;

    let rng = &mut ark_std_0_6::test_rng();
    for len in [0, 31, 32, 48, 100] {
        let points: Vec<_> = (0..len).map(|_| Original::rand(rng).into_affine()).collect();
        let wrapped = Affine::wrap_slice(&points);
        let words: Vec<u64> = (0..len).map(|_| rng.gen()).collect();
        let bits: Vec<bool> = words.iter().map(|word| word % 2 == 1).collect();
        assert_eq!(Jubjub::msm_u1(wrapped, &bits).0, Original::msm_u1(&points, &bits));
        let bytes: Vec<u8> = words.iter().map(|&word| word as u8).collect();
        assert_eq!(Jubjub::msm_u8(wrapped, &bytes).0, Original::msm_u8(&points, &bytes));
        assert_eq!(Jubjub::msm_u64(wrapped, &words).0, Original::msm_u64(&points, &words));
    }
}
