//! Wrapped curves beside arkworks' own, for each version of arkworks.

/// Defines the tests of one version of arkworks, from the names of its crates.
macro_rules! tests {
    ($module:ident, $group:ident, $ec:ident, $ff:ident, $serialize:ident, $std:ident, $bls12_381:ident) => {
        mod $module {
            use bucketwheel_ark::$module::{
                Affine, Bandersnatch, Bls12_377, Bls12_381, Bn254, Jubjub, Pallas, Projective, Vesta, BW6_761,
            };
            use bucketwheel_ark::LEAST_SHORT;
            use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};
            use $bls12_381::g1::Config;
            use $ec::pairing::Pairing;
            use $ec::short_weierstrass;
            use $ec::{$group, AffineRepr, CurveGroup, ScalarMul, VariableBaseMSM};
            use $ff::{PrimeField, UniformRand, Zero};
            use $serialize::{CanonicalDeserialize, CanonicalSerialize, Compress, Validate};
            use $std::rand::rngs::StdRng;
            use $std::rand::{Rng, SeedableRng};

            type Original = short_weierstrass::Affine<Config>;
            type G1 = Projective<Config>;

            /// Returns scalars at the edges first, then uniform ones.
            fn scalars<F: PrimeField>(len: usize, rng: &mut impl Rng) -> Vec<F> {
                let edges = [F::zero(), F::one(), -F::one(), F::from(2u64), -F::from(2u64)];
                (0..len).map(|i| edges.get(i).copied().unwrap_or_else(|| F::rand(rng))).collect()
            }

            /// Returns random points, among them infinity, two equal points, and a point with its negative.
            fn points<G: CurveGroup>(len: usize, rng: &mut impl Rng) -> Vec<G::Affine> {
                let mut points: Vec<_> = (0..len).map(|_| G::rand(rng).into_affine()).collect();
                if len > 9 {
                    points[3] = G::Affine::zero();
                    points[7] = points[6];
                    points[8] = (-points[6].into_group()).into_affine();
                }
                points
            }

            fn check_sums<G: CurveGroup>(seed: u64) {
                let rng = &mut StdRng::seed_from_u64(seed);
                for len in [0, 1, 2, LEAST_SHORT - 1, LEAST_SHORT, 33, 100] {
                    let (points, scalars) = (points::<G>(len, rng), scalars::<G::ScalarField>(len, rng));
                    let integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
                    let expected: G =
                        points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
                    assert_eq!(G::msm(&points, &scalars), Ok(expected), "{len}");
                    assert_eq!(G::msm_unchecked(&points, &scalars), expected, "{len}");
                    assert_eq!(G::msm_bigint(&points, &integers), expected, "{len}");
                    assert_eq!(G::msm_chunks(&&points[..], &&scalars[..]), expected, "{len}");
                    // If slices have different lengths, the shorter length counts.
                    let longer: Vec<_> =
                        points.iter().copied().chain([G::generator().into_affine()]).collect();
                    assert_eq!(G::msm(&longer, &scalars), Err(len));
                    assert_eq!(G::msm_unchecked(&longer, &scalars), expected);
                    assert_eq!(G::msm_bigint(&points, &[&integers[..], &integers[..]].concat()), expected);
                }
            }

            #[test]
            fn sums_are_those_of_the_definition() {
                check_sums::<<Bn254 as Pairing>::G1>(1);
                check_sums::<<Bn254 as Pairing>::G2>(2);
                check_sums::<<Bls12_381 as Pairing>::G1>(3);
                check_sums::<<Bls12_381 as Pairing>::G2>(4);
                check_sums::<<Bls12_377 as Pairing>::G1>(5);
                check_sums::<<Bls12_377 as Pairing>::G2>(6);
                check_sums::<<BW6_761 as Pairing>::G1>(7);
                check_sums::<<BW6_761 as Pairing>::G2>(8);
                check_sums::<Pallas>(9);
                check_sums::<Vesta>(10);
                check_sums::<Jubjub>(11);
                check_sums::<Bandersnatch>(12);
            }

            /// Returns a point of the curve that lies outside of the subgroup.
            fn outside() -> Original {
                let candidates =
                    (1u64..).filter_map(|x| Original::get_point_from_x_unchecked(x.into(), false));
                let mut outside =
                    candidates.filter(|point| !point.is_in_correct_subgroup_assuming_on_curve());
                outside.next().expect("most points of the curve lie outside")
            }

            #[test]
            fn points_outside_of_the_subgroup_are_summed_exactly() {
                let rng = &mut StdRng::seed_from_u64(9);
                let points: Vec<_> = (0..50)
                    .map(|i| Affine(if i % 3 == 0 { outside() } else { Original::rand(rng) }))
                    .collect();
                let scalars: Vec<<G1 as $group>::ScalarField> = scalars(50, rng);
                let products =
                    points.iter().zip(&scalars).map(|(point, scalar)| point.mul_bigint(scalar.into_bigint()));
                let expected: G1 = products.sum();
                assert_eq!(G1::msm_unchecked(&points, &scalars), expected);
            }

            #[test]
            fn what_the_engine_refuses_is_what_arkworks_computes() {
                let rng = &mut StdRng::seed_from_u64(10);
                let mut points: Vec<Original> = (0..20).map(|_| Original::rand(rng)).collect();
                let mut integers: Vec<_> = scalars::<<G1 as $group>::ScalarField>(20, rng)
                    .iter()
                    .map(|scalar| scalar.into_bigint())
                    .collect();
                // One scalar is the order.
                integers[10] = <G1 as $group>::ScalarField::MODULUS;
                type Sum = short_weierstrass::Projective<Config>;
                let wrapped = Affine::wrap_slice(&points);
                assert_eq!(G1::msm_bigint(wrapped, &integers).0, Sum::msm_bigint(&points, &integers));
                // One point is not on the curve.
                let x = points[4].x;
                points[4].y += x;
                let wrapped = Affine::wrap_slice(&points);
                assert_eq!(G1::msm_bigint(wrapped, &integers).0, Sum::msm_bigint(&points, &integers));
            }

            #[test]
            fn wrappers_serialize_to_the_bytes_of_arkworks() {
                let rng = &mut StdRng::seed_from_u64(11);
                let points = points::<short_weierstrass::Projective<Config>>(12, rng);
                let wrapped: Vec<Affine<Config>> = TransparentWrapperAlloc::wrap_vec(points.clone());
                for compress in [Compress::Yes, Compress::No] {
                    let (mut expected, mut bytes) = (Vec::new(), Vec::new());
                    points.serialize_with_mode(&mut expected, compress).unwrap();
                    wrapped.serialize_with_mode(&mut bytes, compress).unwrap();
                    assert_eq!(bytes, expected);
                    let read: Vec<Affine<Config>> =
                        CanonicalDeserialize::deserialize_with_mode(&bytes[..], compress, Validate::Yes)
                            .unwrap();
                    assert_eq!(wrapped, read);
                }
                let mut bytes = Vec::new();
                outside().serialize_uncompressed(&mut bytes).unwrap();
                assert!(Affine::<Config>::deserialize_uncompressed(&bytes[..]).is_err());
            }

            #[test]
            fn pairings_are_those_of_arkworks() {
                let rng = &mut StdRng::seed_from_u64(12);
                let (a, b) = (<Bls12_381 as Pairing>::G1::rand(rng), <Bls12_381 as Pairing>::G2::rand(rng));
                assert_eq!(Bls12_381::pairing(a, b).0, $bls12_381::Bls12_381::pairing(a.0, b.0).0);
                let zero = <Bls12_381 as Pairing>::G1::zero();
                assert!(Bls12_381::multi_pairing([a, -a, zero], [b, b, b]).is_zero());
            }

            #[test]
            fn batches_of_multiples_are_those_of_the_definition() {
                let rng = &mut StdRng::seed_from_u64(13);
                let (point, scalars) = (G1::rand(rng), scalars::<<G1 as $group>::ScalarField>(40, rng));
                let expected: Vec<_> = scalars.iter().map(|scalar| point * scalar).collect();
                assert_eq!(G1::batch_convert_to_mul_base(&expected), G1::normalize_batch(&expected));
                assert_eq!(expected[5].into_affine().into_group(), expected[5]);
            }
        }
    };
}

#[cfg(feature = "ark-0_6")]
tests!(v0_6, PrimeGroup, ark_ec_0_6, ark_ff_0_6, ark_serialize_0_6, ark_std_0_6, ark_bls12_381_0_6);
#[cfg(feature = "ark-0_5")]
tests!(v0_5, PrimeGroup, ark_ec_0_5, ark_ff_0_5, ark_serialize_0_5, ark_std_0_5, ark_bls12_381_0_5);
#[cfg(feature = "ark-0_4")]
tests!(v0_4, Group, ark_ec_0_4, ark_ff_0_4, ark_serialize_0_4, ark_std_0_4, ark_bls12_381_0_4);

#[cfg(feature = "ark-0_6")]
#[test]
fn small_scalars_are_summed_as_arkworks_sums_them() {
    use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
    use ark_std_0_6::rand::Rng;
    use ark_std_0_6::UniformRand;
    use bucketwheel_ark::v0_6::{Affine, Projective};
    use bytemuck::TransparentWrapper;

    type G = ark_bn254_0_6::G1Projective;
    type Wrapped = Projective<ark_bn254_0_6::g1::Config>;
    let rng = &mut ark_std_0_6::test_rng();
    for len in [0, 1, 31, 32, 47, 48, 100] {
        let points: Vec<_> = (0..len).map(|_| G::rand(rng).into_affine()).collect();
        let wrapped = Affine::wrap_slice(&points);
        let words: Vec<u64> = (0..len).map(|_| rng.gen()).collect();
        let bits: Vec<bool> = words.iter().map(|word| word % 2 == 1).collect();
        assert_eq!(Wrapped::msm_u1(wrapped, &bits).0, G::msm_u1(&points, &bits));
        let bytes: Vec<u8> = words.iter().map(|&word| word as u8).collect();
        assert_eq!(Wrapped::msm_u8(wrapped, &bytes).0, G::msm_u8(&points, &bytes));
        let shorts: Vec<u16> = words.iter().map(|&word| word as u16).collect();
        assert_eq!(Wrapped::msm_u16(wrapped, &shorts).0, G::msm_u16(&points, &shorts));
        let ints: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        assert_eq!(Wrapped::msm_u32(wrapped, &ints).0, G::msm_u32(&points, &ints));
        assert_eq!(Wrapped::msm_u64(wrapped, &words).0, G::msm_u64(&points, &words));
    }
}

/// Defines the test of products of one point for a version of arkworks that has them.
macro_rules! products {
    ($test:ident, $module:ident, $ec:ident, $ff:ident, $std:ident, $bls12_381:ident) => {
        #[test]
        fn $test() {
            use bucketwheel_ark::$module::{
                Bandersnatch, Bls12_377, Bls12_381, Bn254, Jubjub, Pallas, Projective, Vesta, BW6_761,
            };
            use $ec::pairing::Pairing;
            use $ec::short_weierstrass::Affine as Original;
            use $ec::{AffineRepr, CurveGroup, ScalarMul};
            use $ff::{UniformRand, Zero};

            fn check<G: CurveGroup>(point: G) {
                let rng = &mut $std::test_rng();
                for len in [0, 1, 15, 16, 100] {
                    let edges = [G::ScalarField::zero(), 1u64.into(), 2u64.into()];
                    let scalar =
                        |i: usize| edges.get(i).copied().unwrap_or_else(|| G::ScalarField::rand(rng));
                    let scalars: Vec<_> = (0..len).map(scalar).flat_map(|scalar| [scalar, -scalar]).collect();
                    let expected: Vec<G> = scalars.iter().map(|scalar| point * scalar).collect();
                    assert_eq!(point.batch_mul(&scalars), G::normalize_batch(&expected), "{len}");
                }
            }

            let rng = &mut $std::test_rng();
            check(<Bls12_381 as Pairing>::G1::rand(rng));
            check(<Bls12_381 as Pairing>::G2::rand(rng));
            check(<Bls12_377 as Pairing>::G1::rand(rng));
            check(<Bn254 as Pairing>::G1::rand(rng));
            check(<Bn254 as Pairing>::G2::rand(rng));
            check(<BW6_761 as Pairing>::G1::rand(rng));
            check(Pallas::rand(rng));
            check(Vesta::rand(rng));
            check(Jubjub::rand(rng));
            check(Bandersnatch::rand(rng));
            check(<Bn254 as Pairing>::G1::zero());
            check(Jubjub::zero());
            // Outside of the subgroup, a scalar and its residue differ: arkworks' products are the promise.
            let outside = (0u64..).find_map(|x| {
                let point = Original::<$bls12_381::g1::Config>::get_point_from_x_unchecked(x.into(), true)?;
                (!point.is_in_correct_subgroup_assuming_on_curve()).then_some(point)
            });
            let outside = outside.expect("most points lie outside").into_group();
            let scalars: Vec<_> = (0..40).map(|_| $bls12_381::Fr::rand(rng)).collect();
            let products: Vec<_> =
                Projective(outside).batch_mul(&scalars).into_iter().map(|product| product.0).collect();
            assert_eq!(products, outside.batch_mul(&scalars));
        }
    };
}

#[cfg(feature = "ark-0_6")]
products!(products_of_one_point_in_0_6, v0_6, ark_ec_0_6, ark_ff_0_6, ark_std_0_6, ark_bls12_381_0_6);
#[cfg(feature = "ark-0_5")]
products!(products_of_one_point_in_0_5, v0_5, ark_ec_0_5, ark_ff_0_5, ark_std_0_5, ark_bls12_381_0_5);
