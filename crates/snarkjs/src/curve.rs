//! Pairing curves as provers have them: arkworks' pairing over groups that the engine knows. The engine's catalogue
//! ([`CurveId`]) has their names in snarkjs, primes and orders.

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::{Affine, Projective};
use bucketwheel::{CoordinateField, Curve, CurveId, ScalarWords};
use bucketwheel_transform::TransformField;

use crate::Montgomery;

/// A curve that Groth16 runs on.
pub trait PairingCurve:
    Pairing<
    BaseField: CoordinateField + Montgomery,
    ScalarField: ScalarWords + Montgomery + TransformField,
    G1 = Projective<<Self as PairingCurve>::G1Curve>,
    G1Affine = Affine<<Self as PairingCurve>::G1Curve>,
    G2 = Projective<<Self as PairingCurve>::G2Curve>,
    G2Affine = Affine<<Self as PairingCurve>::G2Curve>,
>
{
    /// The group of the points over the prime field.
    type G1Curve: Curve<BaseField = Self::BaseField, ScalarField = Self::ScalarField>;
    /// The group of the points over the quadratic extension.
    type G2Curve: Curve<BaseField: Montgomery, ScalarField = Self::ScalarField>;
    /// The curve as a value.
    const ID: CurveId;
}

/// Makes pairing curves of arkworks' types, each with its cargo feature.
macro_rules! pairing_curves {
    ($($variant:ident = $feature:literal, $of:ident;)*) => {
        /// All curves that Groth16 runs on, also those that this build lacks.
        pub const CURVES: [CurveId; [$($feature),*].len()] = [$(CurveId::$variant),*];

        $(
            #[cfg(feature = $feature)]
            pub use $of::$variant;

            #[cfg(feature = $feature)]
            impl PairingCurve for $variant {
                type G1Curve = $of::g1::Config;
                type G2Curve = $of::g2::Config;
                const ID: CurveId = CurveId::$variant;
            }
        )*
    };
}

pairing_curves! {
    Bn254 = "bn254", ark_bn254;
    Bls12_381 = "bls12-381", ark_bls12_381;
}

/// `{ this } { or that }`: this where the build has the curve. The condition is this crate's, where in a macro's text it
/// would be that of the crate that calls it.
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

/// Evaluates `$body` with `$curve` bound to the pairing of a curve that is known at run time. Returns `Ok` of it, or
/// [`MissingCurve`](crate::MissingCurve) if this build has no such pairing.
///
/// ```
/// use bucketwheel_snarkjs::{curve_named, with_pairing, PairingCurve};
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

/// Returns the name of a curve in snarkjs' files, or ours if snarkjs lacks the curve.
pub fn snarkjs_name(curve: CurveId) -> &'static str {
    curve.snarkjs_name().unwrap_or(curve.name())
}

/// Returns the curve of a name, as snarkjs reads names: upper or lower case, signs between letters and digits do not matter,
/// and BN254 has three names.
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
pub fn curve_of_order(order: &[u8]) -> Option<CurveId> {
    CURVES.iter().copied().find(|curve| curve.order() == order)
}

/// Returns the curve over the field of this prime, a little-endian integer.
pub fn curve_of_prime(prime: &[u8]) -> Option<CurveId> {
    CURVES.iter().copied().find(|curve| curve.prime() == prime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_are_those_with_a_name_in_snarkjs() {
        let named = CurveId::ALL.iter().copied().filter(|curve| curve.snarkjs_name().is_some());
        assert!(CURVES.iter().all(|curve| curve.snarkjs_name().is_some()));
        assert_eq!(named.count(), CURVES.len());
    }
}
