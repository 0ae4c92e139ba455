//! Pairing curves for provers: arkworks' pairing, and groups that the engine knows. The engine's catalogue ([`CurveId`]) has their
//! names in snarkjs, primes and orders.

use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{BigInt, One};
use bucketwheel::{
    Bases, BasesOptions, Cancel, CoordinateField, Curve, CurveId, Error, Msm, ScalarWords, Scalars,
};
use bucketwheel_transform::TransformField;

#[cfg(feature = "bls12-377")]
pub use ark_bls12_377::Bls12_377;
#[cfg(feature = "bls12-381")]
pub use ark_bls12_381::Bls12_381;
#[cfg(feature = "bn254")]
pub use ark_bn254::Bn254;
#[cfg(feature = "bw6-761")]
pub use ark_bw6_761::BW6_761 as Bw6_761;

use crate::Montgomery;

/// A group of a pairing curve. Its functions are not generic, so that they are compiled once, in this crate. A generic function would be
/// compiled again in each crate that calls it.
///
/// ```
/// use ark_bn254::{g1::Config, Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{BasesOptions, Cancel, Msm};
/// use bucketwheel_snarkjs::Group;
///
/// let g = G1Affine::generator();
/// Config::check(&[g], &Cancel::new())?;
/// let bases = Config::prepare(BasesOptions::new(), 2, &|_| g)?;
/// let scalars = [3u64, 4].map(ark_ff::BigInt::from);
/// assert_eq!(Config::run(Msm::new(), &bases, &scalars)?, g * Fr::from(7));
/// assert_eq!(Config::sum(&[g, g], &[Fr::from(3), Fr::from(4)])?, g * Fr::from(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Group: Curve<BaseField: Montgomery> {
    /// Prepares points that are made one by one, as [`BasesOptions::prepare_from`]. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::prepare_from`].
    fn prepare(
        options: BasesOptions<'_>,
        len: usize,
        point: &(dyn Fn(usize) -> Affine<Self> + Sync),
    ) -> Result<Bases<Self>, Error>;

    /// Returns the sum of prepared points times integers, as [`Msm::run`]. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`Msm::run`].
    fn run(msm: Msm<'_>, bases: &Bases<Self>, scalars: &[BigInt<4>]) -> Result<Projective<Self>, Error>;

    /// Returns the sum of points times scalars, as [`bucketwheel::msm`] does. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`bucketwheel::msm`].
    fn sum(points: &[Affine<Self>], scalars: &[Self::ScalarField]) -> Result<Projective<Self>, Error>;

    /// Checks that points are on the curve and in the prime-order subgroup, as [`BasesOptions::verify`] does.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::verify`].
    fn check(points: &[Affine<Self>], cancel: &Cancel) -> Result<(), Error>;
}

/// A pairing curve whose proofs can be verified. Like the functions of [`Group`], its functions are not generic.
pub trait VerifyingCurve:
    Pairing<
    BaseField: CoordinateField,
    ScalarField: ScalarWords,
    G1 = Projective<<Self as VerifyingCurve>::G1Curve>,
    G1Affine = Affine<<Self as VerifyingCurve>::G1Curve>,
    G2 = Projective<<Self as VerifyingCurve>::G2Curve>,
    G2Affine = Affine<<Self as VerifyingCurve>::G2Curve>,
>
{
    /// The first group of the pairing.
    type G1Curve: Curve<BaseField = Self::BaseField, ScalarField = Self::ScalarField>;
    /// The second group of the pairing.
    type G2Curve: Curve<ScalarField = Self::ScalarField>;
    /// The curve as a value.
    const ID: CurveId;

    /// Returns the sum of points times scalars, as [`bucketwheel::msm`] does. See the [example](crate::Group).
    ///
    /// # Errors
    /// The errors of [`bucketwheel::msm`].
    fn sum(points: &[Self::G1Affine], scalars: &[Self::ScalarField]) -> Result<Self::G1, Error>;

    /// Prepares a point for pairings. The [example](crate::Group) uses it.
    fn prepare(point: Self::G2Affine) -> Self::G2Prepared;

    /// Returns the product of the Miller loops of pairs of points. See the [example](crate::Group).
    fn miller_loops(g1: &[Self::G1Affine], g2: &[Self::G2Prepared]) -> Self::TargetField;

    /// Returns the product of pairings from the product of their Miller loops; `None` for 0, which no Miller loops have.
    /// See the [example](crate::Group).
    fn exponentiate(product: Self::TargetField) -> Option<Self::TargetField>;

    /// Returns true if the pairings with these Miller loops have the product 1. See the [example](crate::Group).
    fn have_product_one(loops: &[Self::TargetField]) -> bool;
}

/// A curve for Groth16 with snarkjs' keys.
pub trait PairingCurve:
    VerifyingCurve<
    BaseField: Montgomery,
    ScalarField: Montgomery + TransformField<BigInt = BigInt<4>, Element = [u64; 4]>,
    G1Curve: Group,
    G2Curve: Group,
>
{
    /// Returns the sums in both groups, as [`Msm::run_pair`] does. See the [example](crate::Group).
    ///
    /// # Errors
    /// The errors of [`Msm::run_pair`].
    fn run_pair(
        msm: Msm<'_>,
        bases: (&Bases<Self::G1Curve>, &Bases<Self::G2Curve>),
        scalars: &[BigInt<4>],
    ) -> Result<(Self::G1, Self::G2), Error>;
}

#[cfg(feature = "sums")]
use lanes::{check, sum};
#[cfg(not(feature = "sums"))]
use plain::{check, sum};

/// The engine's sums and checks.
#[cfg(feature = "sums")]
mod lanes {
    use bucketwheel::{BasesOptions, Check};

    use super::{Affine, Cancel, Curve, Error};

    pub use bucketwheel::msm as sum;

    pub fn check<C: Curve>(points: &[Affine<C>], cancel: &Cancel) -> Result<(), Error> {
        BasesOptions::new().check(Check::Subgroup).cancel(cancel).verify(points)
    }
}

/// arkworks' sums and checks, for few points.
#[cfg(any(test, not(feature = "sums")))]
mod plain {
    use ark_ec::VariableBaseMSM;

    use super::{Affine, Cancel, Curve, Error, Projective};

    pub fn sum<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Result<Projective<C>, Error> {
        Projective::msm(points, scalars)
            .map_err(|_| Error::Length { points: points.len(), scalars: scalars.len() })
    }

    pub fn check<C: Curve>(points: &[Affine<C>], cancel: &Cancel) -> Result<(), Error> {
        for (index, point) in points.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if !point.is_on_curve() {
                return Err(Error::NotOnCurve { index });
            }
            if !point.is_in_correct_subgroup_assuming_on_curve() {
                return Err(Error::NotInSubgroup { index });
            }
        }
        Ok(())
    }
}

macro_rules! verifying_curve {
    ($curve:ident, $g1:ty, $g2:ty) => {
        impl VerifyingCurve for $curve {
            type G1Curve = $g1;
            type G2Curve = $g2;
            const ID: CurveId = CurveId::$curve;

            fn sum(points: &[Self::G1Affine], scalars: &[Self::ScalarField]) -> Result<Self::G1, Error> {
                sum(points, scalars)
            }

            fn prepare(point: Self::G2Affine) -> Self::G2Prepared {
                point.into()
            }

            fn miller_loops(g1: &[Self::G1Affine], g2: &[Self::G2Prepared]) -> Self::TargetField {
                Self::multi_miller_loop(g1.iter().copied(), g2.iter().cloned()).0
            }

            fn exponentiate(product: Self::TargetField) -> Option<Self::TargetField> {
                Self::final_exponentiation(MillerLoopOutput(product)).map(|product| product.0)
            }

            fn have_product_one(loops: &[Self::TargetField]) -> bool {
                Self::exponentiate(loops.iter().product()).is_some_and(|product| product.is_one())
            }
        }
    };
}

macro_rules! pairing_curve {
    ($curve:ident, $g1:ty, $g2:ty) => {
        verifying_curve! { $curve, $g1, $g2 }
        pairing_curve! { group $g1 }
        pairing_curve! { group $g2 }

        impl PairingCurve for $curve {
            fn run_pair(
                msm: Msm<'_>,
                bases: (&Bases<$g1>, &Bases<$g2>),
                scalars: &[BigInt<4>],
            ) -> Result<(Self::G1, Self::G2), Error> {
                msm.run_pair(bases, Scalars::Integers(scalars))
            }
        }
    };
    (group $group:ty) => {
        impl Group for $group {
            fn prepare(
                options: BasesOptions<'_>,
                len: usize,
                point: &(dyn Fn(usize) -> Affine<Self> + Sync),
            ) -> Result<Bases<Self>, Error> {
                options.prepare_from(len, point)
            }

            fn run(
                msm: Msm<'_>,
                bases: &Bases<Self>,
                scalars: &[BigInt<4>],
            ) -> Result<Projective<Self>, Error> {
                msm.run(bases, Scalars::Integers(scalars))
            }

            fn sum(
                points: &[Affine<Self>],
                scalars: &[Self::ScalarField],
            ) -> Result<Projective<Self>, Error> {
                sum(points, scalars)
            }

            fn check(points: &[Affine<Self>], cancel: &Cancel) -> Result<(), Error> {
                check(points, cancel)
            }
        }
    };
}

#[cfg(feature = "bn254")]
pairing_curve! { Bn254, ark_bn254::g1::Config, ark_bn254::g2::Config }
#[cfg(feature = "bls12-381")]
pairing_curve! { Bls12_381, ark_bls12_381::g1::Config, ark_bls12_381::g2::Config }
// snarkjs does not have these curves.
#[cfg(feature = "bls12-377")]
verifying_curve! { Bls12_377, ark_bls12_377::g1::Config, ark_bls12_377::g2::Config }
#[cfg(feature = "bw6-761")]
verifying_curve! { Bw6_761, ark_bw6_761::g1::Config, ark_bw6_761::g2::Config }

/// All curves for Groth16. This build may lack some of them.
pub const CURVES: [CurveId; 2] = [CurveId::Bn254, CurveId::Bls12_381];

/// Expands `{ this } { or that }` to the first block if the build has the curve. This crate evaluates the condition;
/// in a macro's text, the calling crate would.
#[cfg(feature = "bn254")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_bn254 {
    ({ $($this:tt)* } { $($that:tt)* }) => { $($this)* };
}
#[cfg(not(feature = "bn254"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_bn254 {
    ({ $($this:tt)* } { $($that:tt)* }) => { $($that)* };
}
#[cfg(feature = "bls12-381")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_bls12_381 {
    ({ $($this:tt)* } { $($that:tt)* }) => { $($this)* };
}
#[cfg(not(feature = "bls12-381"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_bls12_381 {
    ({ $($this:tt)* } { $($that:tt)* }) => { $($that)* };
}

/// Evaluates `$body` with `$curve` bound to the pairing of a curve that is known at run time. Returns `Ok` of the body,
/// or [`MissingCurve`](crate::MissingCurve) if this build has no such pairing.
///
/// ```
/// use bucketwheel_snarkjs::{curve_named, with_pairing, VerifyingCurve};
///
/// let id = curve_named("bn128").expect("a curve of snarkjs");
/// assert_eq!(with_pairing!(id, E => E::ID)?, id);
/// # Ok::<(), bucketwheel_snarkjs::MissingCurve>(())
/// ```
#[macro_export]
macro_rules! with_pairing {
    ($id:expr, $curve:ident => $body:expr) => {
        $crate::with_pairing! { @ $id, $curve => $body; Bn254, __if_bn254; Bls12_381, __if_bls12_381 }
    };
    (@ $id:expr, $curve:ident => $body:expr; $($variant:ident, $if:ident);*) => {
        match $id {
            $($crate::CurveId::$variant => $crate::$if! {
                {{
                    type $curve = $crate::$variant;
                    ::core::result::Result::<_, $crate::MissingCurve>::Ok($body)
                }}
                { ::core::result::Result::<_, $crate::MissingCurve>::Err($crate::MissingCurve($crate::CurveId::$variant)) }
            },)*
            missing => ::core::result::Result::<_, $crate::MissingCurve>::Err($crate::MissingCurve(missing)),
        }
    };
}

/// The curves' names in snarkjs' files, for messages.
pub const CURVE_NAMES: &str = "bn128 or bls12381";

/// Returns the name of a curve in snarkjs' files, or ours if snarkjs lacks the curve.
///
/// ```
/// use bucketwheel_snarkjs::{curve_named, curve_of_order, curve_of_prime, snarkjs_name, CurveId};
///
/// assert_eq!(snarkjs_name(CurveId::Bn254), "bn128");
/// assert_eq!(curve_named("BN-128"), Some(CurveId::Bn254));
/// assert_eq!(curve_of_order(CurveId::Bn254.order()), Some(CurveId::Bn254));
/// assert_eq!(curve_of_prime(&[7]), None);
/// ```
pub fn snarkjs_name(curve: CurveId) -> &'static str {
    curve.snarkjs_name().unwrap_or(curve.name())
}

/// Returns the curve of a name, as snarkjs reads names: upper or lower case, signs between letters and digits do not matter,
/// and BN254 has three names.
///
/// The [example](crate::snarkjs_name) uses it.
pub fn curve_named(name: &str) -> Option<CurveId> {
    let letters = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let wanted = letters(name);
    let names = |&&curve: &&CurveId| {
        [snarkjs_name(curve), curve.name()].iter().any(|name| letters(name) == wanted)
            || curve == CurveId::Bn254 && wanted == "altbn128"
    };
    CURVES.iter().find(names).copied()
}

/// Returns the curve whose groups have this order, a little-endian integer.
///
/// The [example](crate::snarkjs_name) uses it.
pub fn curve_of_order(order: &[u8]) -> Option<CurveId> {
    CURVES.iter().copied().find(|curve| curve.order() == order)
}

/// Returns the curve over the field of this prime, a little-endian integer.
///
/// The [example](crate::snarkjs_name) uses it.
pub fn curve_of_prime(prime: &[u8]) -> Option<CurveId> {
    CURVES.iter().copied().find(|curve| curve.prime() == prime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(feature = "bn254", feature = "sums"))]
    fn arkworks_and_the_engine_agree() {
        use ark_bn254::{Fq, Fr, G1Affine, G2Affine};
        use ark_ec::{AffineRepr, CurveGroup};
        use ark_ff::Field;

        let g = G1Affine::generator();
        let points: Vec<_> = (0..20u64).map(|i| (g * Fr::from(i)).into_affine()).collect();
        let scalars: Vec<_> = (0..20u64).map(|i| Fr::from(i + 5).pow([7])).collect();
        assert_eq!(plain::sum(&points, &scalars), lanes::sum(&points, &scalars));
        assert_eq!(plain::sum(&points, &scalars[1..]), lanes::sum(&points, &scalars[1..]));

        let cancel = Cancel::new();
        let off_curve = G1Affine::new_unchecked(Fq::from(1), Fq::from(1));
        let outside = (0..).find_map(|x: u64| {
            let point = G2Affine::get_point_from_x_unchecked(x.into(), false)?;
            (!point.is_in_correct_subgroup_assuming_on_curve()).then_some(point)
        });
        let inside = G2Affine::generator();
        for points in [vec![inside; 2], vec![inside, outside.expect("a point outside of the subgroup")]] {
            assert_eq!(plain::check(&points, &cancel), lanes::check(&points, &cancel));
        }
        for points in [vec![g, G1Affine::identity()], vec![g, off_curve]] {
            assert_eq!(plain::check(&points, &cancel), lanes::check(&points, &cancel));
        }
        cancel.cancel();
        assert_eq!(plain::check(&[g], &cancel), lanes::check(&[g], &cancel));
    }

    #[test]
    fn the_curves_are_those_with_a_name_in_snarkjs() {
        let named = CurveId::ALL.iter().copied().filter(|curve| curve.snarkjs_name().is_some());
        assert!(CURVES.iter().all(|curve| curve.snarkjs_name().is_some()));
        assert_eq!(named.count(), CURVES.len());
        assert_eq!(CURVES.map(snarkjs_name).join(" or "), CURVE_NAMES);
    }
}
