//! The functions of a version of halo2curves.

/// Defines the module of a version, from the name of its crate.
macro_rules! module {
    (#[$build:meta] #[$about:meta] $module:ident, $halo2curves:ident) => {
        #[$build]
        #[$about]
        pub mod $module {
            use ark_ec::short_weierstrass::{Affine, Projective};
            use ark_ff::{BigInt, Field, Fp};
            use $halo2curves::group::Group;
            use $halo2curves::{bn256, grumpkin, msm, pasta, CurveAffine};

            use crate::sums::{sum, Coefficients, Point, Threads};

            /// Implements [`Point`] for an affine point with its scalar and sum, over a curve of the engine.
            macro_rules! point {
                ($affine:ty, $scalar:ty, $sum:ident: $point:ident, $curve:ty) => {
                    impl Point for $affine {
                        type Curve = $curve;
                        type Scalar = $scalar;
                        type Sum = $sum::$point;

                        fn point(&self) -> Affine<$curve> {
                            let [x, y] = [self.x, self.y].map(|element| element.0);
                            match x.iter().chain(&y).all(|&word| word == 0) {
                                true => Affine::identity(),
                                false => Affine::new_unchecked(
                                    Fp::new_unchecked(BigInt(x)),
                                    Fp::new_unchecked(BigInt(y)),
                                ),
                            }
                        }

                        fn bytes(scalars: &[$scalar]) -> &[u8] {
                            const { assert!(size_of::<$scalar>() == 32) };
                            // SAFETY: the scalar's only field is an array of 32 bytes without padding, so each byte is
                            // initialised, and any byte is a value.
                            unsafe {
                                std::slice::from_raw_parts(scalars.as_ptr().cast(), size_of_val(scalars))
                            }
                        }

                        fn sum(sum: Projective<$curve>) -> $sum::$point {
                            // From Jacobian coordinates, x / z^2 and y / z^3, to homogeneous ones, x / z and y / z.
                            let [x, y, z] = [sum.x * sum.z, sum.y, sum.z.square() * sum.z];
                            let [x, y, z] = [x, y, z].map(|element| element.0 .0);
                            let mut point = $sum::$point::identity();
                            (point.x.0, point.y.0, point.z.0) = (x, y, z);
                            point
                        }
                    }
                };
            }

            point!(bn256::G1Affine, bn256::Fr, bn256: G1, ark_bn254::g1::Config);
            point!(grumpkin::G1Affine, grumpkin::Fr, grumpkin: G1, ark_grumpkin::GrumpkinConfig);
            point!(pasta::PallasAffine, pasta::Fq, pasta: Pallas, ark_pallas::PallasConfig);
            point!(pasta::VestaAffine, pasta::Fp, pasta: Vesta, ark_vesta::VestaConfig);

            fn engine<C: CurveAffine>(
                coeffs: Coefficients<'_, C::Scalar>,
                bases: &[C],
                threads: Threads,
            ) -> Option<C::Curve> {
                None.or_else(|| sum::<_, _, _, bn256::G1Affine>(coeffs, bases, threads))
                    .or_else(|| sum::<_, _, _, grumpkin::G1Affine>(coeffs, bases, threads))
                    .or_else(|| sum::<_, _, _, pasta::PallasAffine>(coeffs, bases, threads))
                    .or_else(|| sum::<_, _, _, pasta::VestaAffine>(coeffs, bases, threads))
            }

            /// Returns the sum of points times scalars, computed on the current rayon pool. See the [example](crate).
            ///
            /// # Panics
            /// If the slices have different lengths.
            pub fn msm_best<C: CurveAffine>(coeffs: &[C::Scalar], bases: &[C]) -> C::Curve {
                assert_eq!(coeffs.len(), bases.len());
                let scalars = Coefficients::Field(coeffs);
                engine(scalars, bases, Threads::All).unwrap_or_else(|| msm::msm_best(coeffs, bases))
            }

            /// Returns the same sum as [`msm_best`]. See the [example](crate).
            ///
            /// # Panics
            /// If the slices have different lengths.
            pub fn msm_parallel<C: CurveAffine>(coeffs: &[C::Scalar], bases: &[C]) -> C::Curve {
                assert_eq!(coeffs.len(), bases.len());
                let scalars = Coefficients::Field(coeffs);
                engine(scalars, bases, Threads::All).unwrap_or_else(|| msm::msm_parallel(coeffs, bases))
            }

            /// Returns the sum of points times integers, computed on the current rayon pool. halo2curves itself takes field elements
            /// only. See the [example](crate).
            ///
            /// # Panics
            /// If the slices have different lengths.
            pub fn msm_u64<C: CurveAffine>(coeffs: &[u64], bases: &[C]) -> C::Curve {
                assert_eq!(coeffs.len(), bases.len());
                engine(Coefficients::U64(coeffs), bases, Threads::All).unwrap_or_else(|| {
                    let coeffs: Vec<_> = coeffs.iter().map(|&scalar| C::Scalar::from(scalar)).collect();
                    msm::msm_best(&coeffs, bases)
                })
            }

            /// Computes the sum on the calling thread, into `acc`, which is infinity before. halo2curves computes the sum if `acc`
            /// is another point. If the slices have different lengths, the shorter length counts. See the [example](crate).
            pub fn msm_serial<C: CurveAffine>(coeffs: &[C::Scalar], bases: &[C], acc: &mut C::Curve) {
                let len = coeffs.len().min(bases.len());
                let is_start = bool::from(acc.is_identity());
                let scalars = Coefficients::Field(&coeffs[..len]);
                match is_start.then(|| engine(scalars, &bases[..len], Threads::One)).flatten() {
                    Some(sum) => *acc = sum,
                    None => msm::msm_serial(coeffs, bases, acc),
                }
            }
        }
    };
}

pub(crate) use module;
