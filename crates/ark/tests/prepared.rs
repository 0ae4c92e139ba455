//! Sums over points that a scope has prepared, beside sums without a scope.

/// Defines the tests of one version of arkworks, from the names of its crates.
macro_rules! tests {
    ($module:ident, $ec:ident, $ff:ident, $std:ident, $bls12_381:ident) => {
        mod $module {
            use bucketwheel_ark::$module::{Affine, Bls12_381, Bn254};
            use bucketwheel_ark::{Point, Prepared};
            use $bls12_381::g1::Config;
            use $ec::pairing::Pairing;
            use $ec::short_weierstrass;
            use $ec::{AffineRepr, CurveGroup};
            use $ff::{PrimeField, UniformRand};
            use $std::rand::rngs::StdRng;
            use $std::rand::{Rng, SeedableRng};

            const LEN: usize = 100;

            fn points<G: CurveGroup>(rng: &mut impl Rng) -> Vec<G::Affine> {
                let mut points: Vec<_> = (0..LEN).map(|_| G::rand(rng).into_affine()).collect();
                points[3] = G::Affine::zero();
                points
            }

            /// Compares sums over parts of the points with the definition, in a scope that has prepared all of them.
            fn check<G: CurveGroup>(points: &[G::Affine], seed: u64)
            where
                G::Affine: Point,
            {
                let rng = &mut StdRng::seed_from_u64(seed);
                let scalars: Vec<_> = (0..LEN).map(|_| G::ScalarField::rand(rng)).collect();
                let integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
                let products: Vec<G> =
                    points.iter().zip(&integers).map(|(point, integer)| point.mul_bigint(integer)).collect();
                let check = || {
                    for part in [0..LEN, 1..LEN, 0..LEN / 2, 20..80, 0..1, 50..50] {
                        let expected: G = products[part.clone()].iter().sum();
                        let (points, scalars) = (&points[part.clone()], &scalars[part.clone()]);
                        assert_eq!(G::msm_unchecked(points, scalars), expected, "{part:?}");
                        assert_eq!(G::msm_bigint(points, &integers[part.clone()]), expected, "{part:?}");
                    }
                };
                check();
                Prepared::new().points(points).unwrap().scope(check);
            }

            #[test]
            fn sums_are_those_of_the_definition() {
                let rng = &mut StdRng::seed_from_u64(1);
                check::<<Bn254 as Pairing>::G1>(&points::<<Bn254 as Pairing>::G1>(rng), 2);
                check::<<Bn254 as Pairing>::G2>(&points::<<Bn254 as Pairing>::G2>(rng), 3);
                check::<<Bls12_381 as Pairing>::G1>(&points::<<Bls12_381 as Pairing>::G1>(rng), 4);
                check::<<Bls12_381 as Pairing>::G2>(&points::<<Bls12_381 as Pairing>::G2>(rng), 5);
            }

            #[test]
            fn points_outside_of_the_subgroup_are_summed_exactly() {
                type Original = short_weierstrass::Affine<Config>;
                let mut points = points::<<Bls12_381 as Pairing>::G1>(&mut StdRng::seed_from_u64(6));
                let mut others =
                    (1u64..).filter_map(|x| Original::get_point_from_x_unchecked(x.into(), false));
                let outside = others.find(|point| !point.is_in_correct_subgroup_assuming_on_curve());
                points[60] = Affine(outside.unwrap());
                check::<<Bls12_381 as Pairing>::G1>(&points, 7);
            }
        }
    };
}

#[cfg(feature = "ark-0_6")]
tests!(v0_6, ark_ec_0_6, ark_ff_0_6, ark_std_0_6, ark_bls12_381_0_6);
#[cfg(feature = "ark-0_5")]
tests!(v0_5, ark_ec_0_5, ark_ff_0_5, ark_std_0_5, ark_bls12_381_0_5);
#[cfg(feature = "ark-0_4")]
tests!(v0_4, ark_ec_0_4, ark_ff_0_4, ark_std_0_4, ark_bls12_381_0_4);

/// Sums over different slices at once, as ark-groth16's own threads compute them, and sums of short scalars.
#[cfg(feature = "ark-0_6")]
#[test]
fn sums_on_many_threads_and_of_short_scalars_are_equal() {
    use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
    use ark_std_0_6::rand::Rng;
    use ark_std_0_6::UniformRand;
    use bucketwheel_ark::{v0_6::Projective, Prepared};

    type G = Projective<ark_bn254_0_6::g1::Config>;
    let rng = &mut ark_std_0_6::test_rng();
    let points: Vec<_> = (0..300).map(|_| G::rand(rng).into_affine()).collect();
    let words: Vec<u64> = (0..300).map(|_| rng.gen()).collect();
    let bits: Vec<bool> = words.iter().map(|word| word % 2 == 1).collect();
    let sums = || {
        let both = |part: std::ops::Range<usize>| {
            (
                G::msm_u64(&points[part.clone()], &words[part.clone()]),
                G::msm_u1(&points[part.clone()], &bits[part]),
            )
        };
        std::thread::scope(|scope| {
            let parts = [0..300, 1..300, 100..260, 200..290];
            parts.map(|part| scope.spawn(|| both(part))).map(|thread| thread.join().unwrap())
        })
    };
    let expected = sums();
    assert_eq!(Prepared::new().points(&points).unwrap().scope(sums), expected);
}
