//! The wrappers of points and pairings, written once for all versions of arkworks.

/// Defines `Affine` and `Projective` over one version of arkworks, and every trait whose form the versions share.
///
/// The arguments are the names of the version's crates, arkworks' module for one form of curves, and the trait of the
/// form's configurations. The module that calls it implements the remaining traits: `AffineRepr`, `CurveGroup`, the group
/// traits and `VariableBaseMSM`.
macro_rules! points {
    ($ec:ident, $ff:ident, $serialize:ident, $std:ident, $form:ident, $config:ident) => {
        use std::borrow::Borrow;
        use std::fmt;
        use std::hash::{Hash, Hasher};
        use std::iter::Sum;
        use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

        use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};
        use $ec::$form::{self, $config as FormConfig};
        use zeroize::Zeroize;
        use $ff::{Field, ToConstraintField, Zero};
        use $serialize::{
            CanonicalDeserialize, CanonicalSerialize, Compress, Read, SerializationError, Valid, Validate,
            Write,
        };
        use $std::rand::distributions::{Distribution, Standard};
        use $std::rand::Rng;

        type OriginalAffine<C> = $form::Affine<C>;
        type OriginalProjective<C> = $form::Projective<C>;

        /// A point with two coordinates: arkworks' own, whose group has the engine's sums.
        #[repr(transparent)]
        pub struct Affine<C: FormConfig>(pub OriginalAffine<C>);

        /// A point with three coordinates: arkworks' own, whose sums the engine computes.
        #[repr(transparent)]
        pub struct Projective<C: FormConfig>(pub OriginalProjective<C>);

        // SAFETY: a wrapper is `repr(transparent)` over the point, its only field, and adds no invariant.
        #[allow(unsafe_code)]
        unsafe impl<C: FormConfig> TransparentWrapper<OriginalAffine<C>> for Affine<C> {}
        // SAFETY: a wrapper is `repr(transparent)` over the point, its only field, and adds no invariant.
        #[allow(unsafe_code)]
        unsafe impl<C: FormConfig> TransparentWrapper<OriginalProjective<C>> for Projective<C> {}

        $crate::newtypes::wrapper!(Affine, OriginalAffine);
        $crate::newtypes::wrapper!(Projective, OriginalProjective);

        impl<C: FormConfig> From<Affine<C>> for Projective<C> {
            fn from(point: Affine<C>) -> Self {
                Projective(point.0.into())
            }
        }

        impl<C: FormConfig> From<Projective<C>> for Affine<C> {
            fn from(point: Projective<C>) -> Self {
                Affine(point.0.into())
            }
        }

        impl<C: FormConfig> PartialEq<Projective<C>> for Affine<C> {
            fn eq(&self, other: &Projective<C>) -> bool {
                self.0 == other.0
            }
        }

        impl<C: FormConfig> PartialEq<Affine<C>> for Projective<C> {
            fn eq(&self, other: &Affine<C>) -> bool {
                self.0 == other.0
            }
        }

        impl<C: FormConfig> Zero for Projective<C> {
            fn zero() -> Self {
                Projective(Zero::zero())
            }

            fn is_zero(&self) -> bool {
                self.0.is_zero()
            }
        }

        $crate::newtypes::operator!(Add, add, AddAssign, add_assign);
        $crate::newtypes::operator!(Sub, sub, SubAssign, sub_assign);

        impl<C: FormConfig, T: Borrow<C::ScalarField>> Mul<T> for Affine<C> {
            type Output = Projective<C>;

            fn mul(self, scalar: T) -> Projective<C> {
                Projective(self.0 * *scalar.borrow())
            }
        }

        impl<C: FormConfig, T: Borrow<C::ScalarField>> Mul<T> for Projective<C> {
            type Output = Self;

            fn mul(self, scalar: T) -> Self {
                Projective(self.0 * *scalar.borrow())
            }
        }

        impl<C: FormConfig, T: Borrow<C::ScalarField>> MulAssign<T> for Projective<C> {
            fn mul_assign(&mut self, scalar: T) {
                self.0 *= *scalar.borrow();
            }
        }

        impl<C: FormConfig, T: Borrow<Affine<C>>> Sum<T> for Projective<C> {
            fn sum<I: Iterator<Item = T>>(points: I) -> Self {
                Projective(points.map(|point| point.borrow().0).sum())
            }
        }

        impl<C: FormConfig> Sum<Self> for Projective<C> {
            fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
                Projective(points.map(|point| point.0).sum())
            }
        }

        impl<'a, C: FormConfig> Sum<&'a Self> for Projective<C> {
            fn sum<I: Iterator<Item = &'a Self>>(points: I) -> Self {
                points.copied().sum()
            }
        }
    };
}

/// Implements for a wrapper the operations of arkworks' point that both kinds of points share.
macro_rules! wrapper {
    ($wrapper:ident, $original:ident) => {
        impl<C: FormConfig> Clone for $wrapper<C> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<C: FormConfig> Copy for $wrapper<C> {}

        impl<C: FormConfig> PartialEq for $wrapper<C> {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<C: FormConfig> Eq for $wrapper<C> {}

        impl<C: FormConfig> Hash for $wrapper<C> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }

        impl<C: FormConfig> Default for $wrapper<C> {
            fn default() -> Self {
                $wrapper(Default::default())
            }
        }

        impl<C: FormConfig> fmt::Debug for $wrapper<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl<C: FormConfig> fmt::Display for $wrapper<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl<C: FormConfig> Zeroize for $wrapper<C> {
            fn zeroize(&mut self) {
                self.0.zeroize();
            }
        }

        impl<C: FormConfig> Distribution<$wrapper<C>> for Standard {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $wrapper<C> {
                $wrapper(self.sample(rng))
            }
        }

        impl<C: FormConfig> Neg for $wrapper<C> {
            type Output = Self;

            fn neg(self) -> Self {
                $wrapper(-self.0)
            }
        }

        impl<C: FormConfig> From<$original<C>> for $wrapper<C> {
            fn from(point: $original<C>) -> Self {
                $wrapper(point)
            }
        }

        impl<C: FormConfig> From<$wrapper<C>> for $original<C> {
            fn from(point: $wrapper<C>) -> Self {
                point.0
            }
        }

        impl<C: FormConfig, F: Field> ToConstraintField<F> for $wrapper<C>
        where
            $original<C>: ToConstraintField<F>,
        {
            fn to_field_elements(&self) -> Option<Vec<F>> {
                self.0.to_field_elements()
            }
        }

        $crate::newtypes::serialized!(impl<C: FormConfig> for $wrapper<C>, $original<C>);
    };
}

/// Implements serialization for a wrapper: the bytes of the value inside.
macro_rules! serialized {
    (impl<$param:ident: $bound:ident> for $wrapper:ident<$arg:ident>, $original:ty) => {
        impl<$param: $bound> CanonicalSerialize for $wrapper<$arg> {
            fn serialize_with_mode<W: Write>(
                &self,
                writer: W,
                compress: Compress,
            ) -> Result<(), SerializationError> {
                self.0.serialize_with_mode(writer, compress)
            }

            fn serialized_size(&self, compress: Compress) -> usize {
                self.0.serialized_size(compress)
            }
        }

        impl<$param: $bound> Valid for $wrapper<$arg> {
            fn check(&self) -> Result<(), SerializationError> {
                self.0.check()
            }

            fn batch_check<'a>(batch: impl Iterator<Item = &'a Self> + Send) -> Result<(), SerializationError>
            where
                Self: 'a,
            {
                <$original as Valid>::batch_check(batch.map(|value| &value.0))
            }
        }

        impl<$param: $bound> CanonicalDeserialize for $wrapper<$arg> {
            fn deserialize_with_mode<R: Read>(
                reader: R,
                compress: Compress,
                validate: Validate,
            ) -> Result<Self, SerializationError> {
                CanonicalDeserialize::deserialize_with_mode(reader, compress, validate).map($wrapper)
            }
        }
    };
}

/// Implements an operator between points of both kinds, by value and by reference.
macro_rules! operator {
    ($operator:ident, $function:ident, $assign:ident, $assign_function:ident) => {
        impl<C: FormConfig, T: Borrow<Affine<C>>> $operator<T> for Affine<C> {
            type Output = Projective<C>;

            fn $function(self, other: T) -> Projective<C> {
                Projective::from(self).$function(other)
            }
        }

        impl<C: FormConfig> $operator<Projective<C>> for Affine<C> {
            type Output = Projective<C>;

            fn $function(self, other: Projective<C>) -> Projective<C> {
                Projective(OriginalProjective::from(self.0).$function(other.0))
            }
        }

        impl<'a, C: FormConfig> $operator<&'a Projective<C>> for Affine<C> {
            type Output = Projective<C>;

            fn $function(self, other: &'a Projective<C>) -> Projective<C> {
                self.$function(*other)
            }
        }

        impl<C: FormConfig, T: Borrow<Affine<C>>> $operator<T> for Projective<C> {
            type Output = Self;

            fn $function(self, other: T) -> Self {
                Projective(self.0.$function(other.borrow().0))
            }
        }

        impl<C: FormConfig, T: Borrow<Affine<C>>> $assign<T> for Projective<C> {
            fn $assign_function(&mut self, other: T) {
                self.0.$assign_function(other.borrow().0);
            }
        }

        $crate::newtypes::operator!(@ $operator, $function, $assign, $assign_function; Projective<C>);
        $crate::newtypes::operator!(@ $operator, $function, $assign, $assign_function; &'a Projective<C>);
        $crate::newtypes::operator!(@ $operator, $function, $assign, $assign_function; &'a mut Projective<C>);
    };
    (@ $operator:ident, $function:ident, $assign:ident, $assign_function:ident; $other:ty) => {
        #[allow(clippy::extra_unused_lifetimes)]
        impl<'a, C: FormConfig> $operator<$other> for Projective<C> {
            type Output = Self;

            fn $function(self, other: $other) -> Self {
                Projective(self.0.$function(other.0))
            }
        }

        #[allow(clippy::extra_unused_lifetimes)]
        impl<'a, C: FormConfig> $assign<$other> for Projective<C> {
            fn $assign_function(&mut self, other: $other) {
                self.0.$assign_function(other.0);
            }
        }
    };
}

/// Defines pairings over the wrapped points of one version of arkworks.
///
/// `$bound` is the trait of configurations whose wrapped points are a `CurveGroup`; `$fields` are the bounds that it puts on
/// the fields.
macro_rules! pairings {
    ($ec:ident, $ff:ident, $bound:path, $($fields:tt)*) => {
        use std::marker::PhantomData;

        use $ec::pairing::{MillerLoopOutput, Pairing, PairingOutput};
        use $ec::short_weierstrass::SWCurveConfig;

        /// A pairing of arkworks over points in Weierstrass form.
        pub trait OriginalPairing:
            Pairing<
            $($fields)*
            G1 = OriginalProjective<Self::First>,
            G1Affine = OriginalAffine<Self::First>,
            G2 = OriginalProjective<Self::Second>,
            G2Affine = OriginalAffine<Self::Second>,
        >
        {
            /// Configuration of the first group.
            type First: $bound + SWCurveConfig<BaseField = Self::BaseField, ScalarField = Self::ScalarField>;
            /// Configuration of the second group.
            type Second: $bound
                + SWCurveConfig<
                    BaseField: $ff::Field<BasePrimeField = Self::BaseField>,
                    ScalarField = Self::ScalarField,
                >;
        }

        /// arkworks' pairing `E` over the wrapped points, in place of `E` in a prover.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Accelerated<E>(PhantomData<E>);

        $crate::newtypes::prepared!(G1Prepared, First, "first");
        $crate::newtypes::prepared!(G2Prepared, Second, "second");

        impl<E: OriginalPairing> Pairing for Accelerated<E> {
            type BaseField = E::BaseField;
            type ScalarField = E::ScalarField;
            type G1 = Projective<E::First>;
            type G1Affine = Affine<E::First>;
            type G1Prepared = G1Prepared<E>;
            type G2 = Projective<E::Second>;
            type G2Affine = Affine<E::Second>;
            type G2Prepared = G2Prepared<E>;
            type TargetField = E::TargetField;

            fn multi_miller_loop(
                a: impl IntoIterator<Item = impl Into<Self::G1Prepared>>,
                b: impl IntoIterator<Item = impl Into<Self::G2Prepared>>,
            ) -> MillerLoopOutput<Self> {
                let (a, b) = (a.into_iter().map(|a| a.into().0), b.into_iter().map(|b| b.into().0));
                MillerLoopOutput(E::multi_miller_loop(a, b).0)
            }

            fn final_exponentiation(output: MillerLoopOutput<Self>) -> Option<PairingOutput<Self>> {
                E::final_exponentiation(MillerLoopOutput(output.0)).map(|output| PairingOutput(output.0))
            }
        }
    };
}

/// Names the pairings of one version of arkworks. The arguments are the names of the curves' crates.
macro_rules! curves {
    ($bn254:ident, $bls12_381:ident, $bls12_377:ident, $bw6_761:ident) => {
        /// BN254 with the engine's sums.
        pub type Bn254 = Accelerated<$bn254::Bn254>;
        /// BLS12-381 with the engine's sums.
        pub type Bls12_381 = Accelerated<$bls12_381::Bls12_381>;
        /// BLS12-377 with the engine's sums.
        pub type Bls12_377 = Accelerated<$bls12_377::Bls12_377>;
        /// BW6-761 with the engine's sums.
        pub type BW6_761 = Accelerated<$bw6_761::BW6_761>;

        $crate::newtypes::curves!(@ $bn254, Bn254);
        $crate::newtypes::curves!(@ $bls12_381, Bls12_381);
        $crate::newtypes::curves!(@ $bls12_377, Bls12_377);
        $crate::newtypes::curves!(@ $bw6_761, BW6_761);
    };
    (@ $curve:ident, $pairing:ident) => {
        impl OriginalPairing for $curve::$pairing {
            type First = $curve::g1::Config;
            type Second = $curve::g2::Config;
        }
    };
}

/// Names the groups of one version of arkworks that have no pairing. The arguments are the names of the curves' crates.
macro_rules! groups {
    ($pallas:ident, $vesta:ident, $jubjub:ident, $bandersnatch:ident) => {
        /// Pallas with the engine's sums.
        pub type Pallas = Projective<$pallas::PallasConfig>;
        /// Vesta with the engine's sums.
        pub type Vesta = Projective<$vesta::VestaConfig>;
        /// Jubjub in twisted Edwards form, with the engine's sums.
        pub type Jubjub = edwards::Projective<$jubjub::JubjubConfig>;
        /// Bandersnatch in twisted Edwards form, with the engine's sums.
        pub type Bandersnatch = edwards::Projective<$bandersnatch::BandersnatchConfig>;
    };
}

/// Defines a group's points as a pairing prepares them.
macro_rules! prepared {
    ($wrapper:ident, $group:ident, $name:literal) => {
        #[doc = concat!("A point of the ", $name, " group, prepared for a pairing: arkworks' own.")]
        #[derive(Clone, Debug)]
        pub struct $wrapper<E: OriginalPairing>(pub E::$wrapper);

        impl<E: OriginalPairing> Default for $wrapper<E> {
            fn default() -> Self {
                $wrapper(Default::default())
            }
        }

        impl<E: OriginalPairing> From<Affine<E::$group>> for $wrapper<E> {
            fn from(point: Affine<E::$group>) -> Self {
                $wrapper(point.0.into())
            }
        }

        impl<E: OriginalPairing> From<Projective<E::$group>> for $wrapper<E> {
            fn from(point: Projective<E::$group>) -> Self {
                $wrapper(point.0.into())
            }
        }

        impl<'a, E: OriginalPairing> From<&'a Affine<E::$group>> for $wrapper<E> {
            fn from(point: &'a Affine<E::$group>) -> Self {
                (*point).into()
            }
        }

        impl<'a, E: OriginalPairing> From<&'a Projective<E::$group>> for $wrapper<E> {
            fn from(point: &'a Projective<E::$group>) -> Self {
                (*point).into()
            }
        }

        $crate::newtypes::serialized!(impl<E: OriginalPairing> for $wrapper<E>, E::$wrapper);
    };
}

pub(crate) use {curves, groups, operator, pairings, points, prepared, serialized, wrapper};
