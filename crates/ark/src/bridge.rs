//! Converts between the points of an older arkworks and the engine's points, which are arkworks 0.6 points. Both
//! versions hold the same words.

/// Defines `Same`, the trait of elements of the same field in both versions, and implements it. The argument is the name of
/// the version's crate.
macro_rules! fields {
    ($ff:ident) => {
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
    };
}

/// Defines `Sums`, the trait of configurations in Weierstrass form that the engine knows by another arkworks' name, and
/// implements it for each.
macro_rules! weierstrass {
    ($($config:ty => $engine:ty,)*) => {
        /// A curve whose sums the engine computes.
        pub trait Sums: FormConfig {
            /// The engine's configuration of the same curve.
            type Engine: bucketwheel::Curve;

            /// Returns the same point for the engine.
            #[doc(hidden)]
            fn to_engine(point: &OriginalAffine<Self>) -> EngineAffine<Self::Engine>;

            /// Returns the engine's point as this version of arkworks has it.
            #[doc(hidden)]
            fn from_engine(point: &EngineProjective<Self::Engine>) -> OriginalProjective<Self>;

            /// Returns the same scalar for the engine.
            #[doc(hidden)]
            fn scalar(scalar: &Self::ScalarField) -> <Self::Engine as ark_ec_0_6::CurveConfig>::ScalarField;
        }

        $(impl Sums for $config {
            type Engine = $engine;

            fn to_engine(point: &OriginalAffine<Self>) -> EngineAffine<$engine> {
                match point.infinity {
                    true => EngineAffine::identity(),
                    false => EngineAffine::new_unchecked(point.x.to(), point.y.to()),
                }
            }

            fn from_engine(point: &EngineProjective<$engine>) -> OriginalProjective<Self> {
                let [x, y, z] = [&point.x, &point.y, &point.z].map(Same::of);
                OriginalProjective::new_unchecked(x, y, z)
            }

            fn scalar(scalar: &Self::ScalarField) -> <$engine as ark_ec_0_6::CurveConfig>::ScalarField {
                scalar.to()
            }
        })*

        impl<C: Sums> Point for Affine<C> {
            type Engine = C::Engine;
            type Group = Projective<C>;

            fn to_engine(&self) -> Result<EngineAffine<C::Engine>, Error> {
                Ok(C::to_engine(&self.0))
            }

            fn prepare(points: &[Self], options: BasesOptions) -> Result<Bases<C::Engine>, Error> {
                options.prepare_from(points.len(), |index| C::to_engine(&points[index].0))
            }

            fn group(point: EngineProjective<C::Engine>) -> Option<Projective<C>> {
                Some(Projective(C::from_engine(&point)))
            }

            fn from_engine(points: Vec<EngineAffine<C::Engine>>) -> Option<Vec<Self>> {
                Some(points.into_iter().map(|point| Affine(C::from_engine(&point.into()).into())).collect())
            }
        }
    };
}

/// Defines `Sums`, the trait of configurations in twisted Edwards form that the engine knows by another arkworks' name, and
/// implements it for each.
macro_rules! edwards {
    ($($config:ty => $engine:ty,)*) => {
        /// A curve whose sums the engine computes.
        pub trait Sums: FormConfig {
            /// The engine's configuration of the same curve.
            type Engine: EdwardsCurve;

            /// Returns the coordinates of a point, for the engine.
            #[doc(hidden)]
            fn to_engine(point: &OriginalAffine<Self>) -> [Coordinate<Self::Engine>; 2];

            /// Returns the point with these extended coordinates.
            #[doc(hidden)]
            fn from_engine(coordinates: &[Coordinate<Self::Engine>; 4]) -> OriginalProjective<Self>;

            /// Returns the same scalar for the engine.
            #[doc(hidden)]
            fn scalar(scalar: &Self::ScalarField) -> <Self::Engine as ark_ec_0_6::CurveConfig>::ScalarField;
        }

        $(impl Sums for $config {
            type Engine = $engine;

            fn to_engine(point: &OriginalAffine<Self>) -> [Coordinate<$engine>; 2] {
                [point.x.to(), point.y.to()]
            }

            fn from_engine(coordinates: &[Coordinate<$engine>; 4]) -> OriginalProjective<Self> {
                let [x, y, t, z] = coordinates.each_ref().map(Same::of);
                OriginalProjective::new_unchecked(x, y, t, z)
            }

            fn scalar(scalar: &Self::ScalarField) -> <$engine as ark_ec_0_6::CurveConfig>::ScalarField {
                scalar.to()
            }
        })*
    };
}

/// Implements `VariableBaseMSM` for the points whose configurations are `Sums`.
macro_rules! sums {
    () => {
        impl<C: Sums> VariableBaseMSM for Projective<C> {
            fn msm_unchecked(bases: &[Affine<C>], scalars: &[C::ScalarField]) -> Self {
                let len = bases.len().min(scalars.len());
                let (points, scalars) = (&bases[..len], &scalars[..len]);
                let words: Vec<_> = scalars.iter().map(C::scalar).collect();
                let original =
                    || Projective(VariableBaseMSM::msm_unchecked(Affine::peel_slice(points), scalars));
                sums::sum(points, &words, |words| Scalars::Field(words)).unwrap_or_else(original)
            }

            fn msm_bigint(bases: &[Affine<C>], bigints: &[<C::ScalarField as PrimeField>::BigInt]) -> Self {
                let len = bases.len().min(bigints.len());
                let (points, bigints) = (&bases[..len], &bigints[..len]);
                let words: Vec<_> = bigints.iter().map(sums::integer::<C::Engine>).collect();
                let original =
                    || Projective(VariableBaseMSM::msm_bigint(Affine::peel_slice(points), bigints));
                sums::sum(points, &words, |words| Scalars::Integers(words)).unwrap_or_else(original)
            }
        }
    };
}

pub(crate) use {edwards, fields, sums, weierstrass};
