//! Converts between the points of an older arkworks and the engine's points, which are arkworks 0.6 points. Both
//! versions hold the same words.

/// Defines `Sums`, the trait of configurations that the engine knows by another arkworks' name, and implements it for each.
///
/// The arguments are the names of the version's crates, and the methods of `ScalarMul` that only this version has.
macro_rules! bridge {
    ($ec:ident, $ff:ident, $bn254:ident, $bls12_381:ident, $bls12_377:ident, $bw6_761:ident, { $($scalar_mul:tt)* }) => {
        /// A curve whose sums the engine computes.
        pub trait Sums: SWCurveConfig {
            /// The engine's configuration of the same curve.
            type Engine: bucketwheel::Curve;

            /// Returns the same point for the engine.
            #[doc(hidden)]
            fn to_engine(point: &OriginalAffine<Self>) -> ark_ec_0_6::short_weierstrass::Affine<Self::Engine>;

            /// Returns the engine's point as this version of arkworks has it.
            #[doc(hidden)]
            fn from_engine(
                point: ark_ec_0_6::short_weierstrass::Projective<Self::Engine>,
            ) -> OriginalProjective<Self>;

            /// Returns the same scalar for the engine.
            #[doc(hidden)]
            fn scalar(scalar: &Self::ScalarField) -> <Self::Engine as ark_ec_0_6::CurveConfig>::ScalarField;
        }

        /// An element of the same field in arkworks 0.6, which has the same words.
        trait Same<F> {
            fn to(&self) -> F;
            fn of(element: &F) -> Self;
        }

        impl<P, Q, const N: usize> Same<ark_ff_0_6::Fp<ark_ff_0_6::MontBackend<Q, N>, N>>
            for $ff::Fp<$ff::MontBackend<P, N>, N>
        where
            P: $ff::MontConfig<N>,
            Q: ark_ff_0_6::MontConfig<N>,
        {
            fn to(&self) -> ark_ff_0_6::Fp<ark_ff_0_6::MontBackend<Q, N>, N> {
                ark_ff_0_6::Fp::new_unchecked(ark_ff_0_6::BigInt(self.0 .0))
            }

            fn of(element: &ark_ff_0_6::Fp<ark_ff_0_6::MontBackend<Q, N>, N>) -> Self {
                Self::new_unchecked($ff::BigInt(element.0 .0))
            }
        }

        impl<P, Q> Same<ark_ff_0_6::QuadExtField<Q>> for $ff::QuadExtField<P>
        where
            P: $ff::QuadExtConfig<BaseField: Same<Q::BaseField>>,
            Q: ark_ff_0_6::QuadExtConfig,
        {
            fn to(&self) -> ark_ff_0_6::QuadExtField<Q> {
                ark_ff_0_6::QuadExtField::new(self.c0.to(), self.c1.to())
            }

            fn of(element: &ark_ff_0_6::QuadExtField<Q>) -> Self {
                Self::new(Same::of(&element.c0), Same::of(&element.c1))
            }
        }

        $crate::bridge::sums!($bn254::g1::Config => ark_bn254_0_6::g1::Config);
        $crate::bridge::sums!($bn254::g2::Config => ark_bn254_0_6::g2::Config);
        $crate::bridge::sums!($bls12_381::g1::Config => ark_bls12_381_0_6::g1::Config);
        $crate::bridge::sums!($bls12_381::g2::Config => ark_bls12_381_0_6::g2::Config);
        $crate::bridge::sums!($bls12_377::g1::Config => ark_bls12_377_0_6::g1::Config);
        $crate::bridge::sums!($bls12_377::g2::Config => ark_bls12_377_0_6::g2::Config);
        $crate::bridge::sums!($bw6_761::g1::Config => ark_bw6_761_0_6::g1::Config);
        $crate::bridge::sums!($bw6_761::g2::Config => ark_bw6_761_0_6::g2::Config);

        impl<C: Sums> ScalarMul for Projective<C> {
            type MulBase = Affine<C>;

            const NEGATION_IS_CHEAP: bool = <OriginalProjective<C> as ScalarMul>::NEGATION_IS_CHEAP;

            fn batch_convert_to_mul_base(bases: &[Self]) -> Vec<Affine<C>> {
                Self::normalize_batch(bases)
            }

            $($scalar_mul)*
        }

        impl<C: Sums> Point for Affine<C> {
            type Engine = C::Engine;

            fn to_engine(&self) -> ark_ec_0_6::short_weierstrass::Affine<C::Engine> {
                C::to_engine(&self.0)
            }
        }

        impl<C: Sums> VariableBaseMSM for Projective<C> {
            fn msm_unchecked(bases: &[Affine<C>], scalars: &[C::ScalarField]) -> Self {
                let len = bases.len().min(scalars.len());
                let (points, scalars) = (&bases[..len], &scalars[..len]);
                let words: Vec<_> = scalars.iter().map(C::scalar).collect();
                let original = || VariableBaseMSM::msm_unchecked(Affine::peel_slice(points), scalars);
                let sum = sums::sum(points, &words, |words| Scalars::Field(words));
                Projective(sum.map_or_else(original, C::from_engine))
            }

            fn msm_bigint(bases: &[Affine<C>], bigints: &[<C::ScalarField as PrimeField>::BigInt]) -> Self {
                let len = bases.len().min(bigints.len());
                let (points, bigints) = (&bases[..len], &bigints[..len]);
                let words: Vec<_> = bigints.iter().map(sums::integer::<C::Engine>).collect();
                let original = || VariableBaseMSM::msm_bigint(Affine::peel_slice(points), bigints);
                let sum = sums::sum(points, &words, |words| Scalars::Integers(words));
                Projective(sum.map_or_else(original, C::from_engine))
            }
        }
    };
}

/// Implements `Sums` for a configuration.
macro_rules! sums {
    ($config:ty => $engine:ty) => {
        impl Sums for $config {
            type Engine = $engine;

            fn to_engine(point: &OriginalAffine<Self>) -> ark_ec_0_6::short_weierstrass::Affine<$engine> {
                match point.infinity {
                    true => ark_ec_0_6::short_weierstrass::Affine::identity(),
                    false => ark_ec_0_6::short_weierstrass::Affine::new_unchecked(point.x.to(), point.y.to()),
                }
            }

            fn from_engine(
                point: ark_ec_0_6::short_weierstrass::Projective<$engine>,
            ) -> OriginalProjective<Self> {
                let [x, y, z] = [&point.x, &point.y, &point.z].map(Same::of);
                OriginalProjective::new_unchecked(x, y, z)
            }

            fn scalar(scalar: &Self::ScalarField) -> <$engine as ark_ec_0_6::CurveConfig>::ScalarField {
                scalar.to()
            }
        }
    };
}

pub(crate) use {bridge, sums};
