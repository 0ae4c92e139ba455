//! The functions beside halo2curves' own, for each version.

/// Defines the tests of one version, from the name of its crate.
macro_rules! tests {
    ($module:ident, $halo2curves:ident) => {
        mod $module {
            use bucketwheel_halo2curves::$module as ours;
            use rand::rngs::StdRng;
            use rand::SeedableRng;
            use $halo2curves::ff::Field;
            use $halo2curves::group::prime::PrimeCurveAffine;
            use $halo2curves::group::{Curve, Group};
            use $halo2curves::{bn256, grumpkin, msm, pasta, secp256k1, CurveAffine};

            /// Returns scalars at the edges first, then uniform ones.
            fn scalars<F: Field>(len: usize, rng: &mut StdRng) -> Vec<F> {
                let edges = [F::ZERO, F::ONE, -F::ONE, F::ONE.double(), -F::ONE.double()];
                (0..len).map(|i| edges.get(i).copied().unwrap_or_else(|| F::random(&mut *rng))).collect()
            }

            /// Returns random points, among them infinity, two equal points, and a point with its negative.
            fn points<C: CurveAffine>(len: usize, rng: &mut StdRng) -> Vec<C> {
                let mut points: Vec<C> =
                    (0..len).map(|_| <C as PrimeCurveAffine>::Curve::random(&mut *rng).to_affine()).collect();
                if len > 9 {
                    points[3] = C::identity();
                    points[7] = points[6];
                    points[8] = -points[6];
                }
                points
            }

            fn check<C: CurveAffine>() {
                let rng = &mut StdRng::seed_from_u64(1);
                let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                for len in [0, 1, 2, 3, 10, 33, 1000] {
                    let (points, scalars) = (points::<C>(len, rng), scalars::<C::Scalar>(len, rng));
                    let expected = msm::msm_best(&scalars, &points);
                    let same = |sum: <C as PrimeCurveAffine>::Curve| {
                        assert_eq!(sum, expected, "{len}");
                        assert_eq!(sum.to_affine(), expected.to_affine(), "{len}");
                        // Arithmetic goes on with the sum's coordinates.
                        assert_eq!(sum + sum, expected.double(), "{len}");
                    };
                    same(ours::msm_best(&scalars, &points));
                    same(ours::msm_parallel(&scalars, &points));
                    same(one.install(|| ours::msm_best(&scalars, &points)));
                    let integers: Vec<u64> = (0..len as u64).map(|i| i * i * i << 20).collect();
                    let elements: Vec<_> = integers.iter().map(|&i| C::Scalar::from(i)).collect();
                    assert_eq!(ours::msm_u64(&integers, &points), msm::msm_best(&elements, &points), "{len}");
                    let serial = |scalars: &[C::Scalar], points: &[C], mut acc| {
                        ours::msm_serial(scalars, points, &mut acc);
                        acc
                    };
                    let identity = <C as PrimeCurveAffine>::Curve::identity();
                    same(serial(&scalars, &points, identity));
                    // If slices have different lengths, the shorter length counts.
                    let longer = [&points[..], &[C::generator()]].concat();
                    same(serial(&scalars, &longer, identity));
                    // A sum into another point than infinity.
                    let mut acc = expected + C::generator();
                    let start = acc;
                    msm::msm_serial(&scalars, &points, &mut acc);
                    assert_eq!(serial(&scalars, &points, start), acc, "{len}");
                }
            }

            #[test]
            fn sums_are_halo2curves() {
                check::<bn256::G1Affine>();
                check::<grumpkin::G1Affine>();
                check::<pasta::PallasAffine>();
                check::<pasta::VestaAffine>();
            }

            #[test]
            fn other_curves_are_left_to_halo2curves() {
                check::<bn256::G2Affine>();
                check::<secp256k1::Secp256k1Affine>();
            }

            /// halo2curves' formulas are defined for any point that satisfies none of its checks, too.
            #[test]
            fn a_point_off_the_curve_gives_the_same_sum() {
                let rng = &mut StdRng::seed_from_u64(2);
                let (mut points, scalars) =
                    (points::<bn256::G1Affine>(40, rng), scalars::<bn256::Fr>(40, rng));
                points[20].y += bn256::Fq::ONE;
                assert_eq!(ours::msm_best(&scalars, &points), msm::msm_best(&scalars, &points));
            }

            #[test]
            #[should_panic(expected = "assertion `left == right` failed")]
            fn different_lengths_panic() {
                ours::msm_best(&[bn256::Fr::ONE; 40], &[bn256::G1Affine::generator(); 41]);
            }
        }
    };
}

#[cfg(feature = "halo2curves-0_10")]
tests!(v0_10, halo2curves_0_10);
#[cfg(feature = "halo2curves-0_9")]
tests!(v0_9, halo2curves_0_9);
