//! What a pairing curve is to a prover: arkworks' pairing over groups that the engine knows, and a name in snarkjs.

use std::fmt;

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{BigInteger, PrimeField};
use bucketwheel::{CoordinateField, Curve, ScalarWords};

pub use ark_bls12_381::Bls12_381;
pub use ark_bn254::Bn254;

use crate::file::Montgomery;
use crate::ntt::TransformField;

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

impl PairingCurve for Bn254 {
    type G1Curve = ark_bn254::g1::Config;
    type G2Curve = ark_bn254::g2::Config;
    const ID: CurveId = CurveId::Bn254;
}

impl PairingCurve for Bls12_381 {
    type G1Curve = ark_bls12_381::g1::Config;
    type G2Curve = ark_bls12_381::g2::Config;
    const ID: CurveId = CurveId::Bls12_381;
}

/// The type of a curve known at run time: evaluates `$body` with `$curve` bound to it.
///
/// ```
/// use bucketwheel_groth16::{with_curve, CurveId, PairingCurve};
///
/// let id = CurveId::from_name("bn128").expect("a curve of snarkjs");
/// assert_eq!(with_curve!(id, E => E::ID.name()), "bn128");
/// ```
#[macro_export]
macro_rules! with_curve {
    ($id:expr, $curve:ident => $body:expr) => {
        match $id {
            $crate::CurveId::Bn254 => {
                type $curve = $crate::Bn254;
                $body
            }
            $crate::CurveId::Bls12_381 => {
                type $curve = $crate::Bls12_381;
                $body
            }
        }
    };
}

/// A curve that Groth16 runs on, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveId {
    /// BN254, which snarkjs calls bn128.
    Bn254,
    /// BLS12-381.
    Bls12_381,
}

impl CurveId {
    /// All of them.
    pub const ALL: [CurveId; 2] = [CurveId::Bn254, CurveId::Bls12_381];

    /// The name in snarkjs' files.
    pub fn name(self) -> &'static str {
        match self {
            CurveId::Bn254 => "bn128",
            CurveId::Bls12_381 => "bls12381",
        }
    }

    /// The curve of a name, as snarkjs reads names: upper or lower case, signs between letters and digits do not
    /// matter, and BN254 has three names.
    pub fn from_name(name: &str) -> Option<Self> {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        match letters.to_ascii_lowercase().as_str() {
            "bn128" | "bn254" | "altbn128" => Some(CurveId::Bn254),
            "bls12381" => Some(CurveId::Bls12_381),
            _ => None,
        }
    }

    /// The curve whose groups have this order, a little-endian integer.
    pub fn from_order(order: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|&id| with_curve!(id, E => modulus::<<E as Pairing>::ScalarField>() == order))
    }

    /// The curve over the field of this prime, a little-endian integer.
    pub fn from_prime(prime: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|&id| with_curve!(id, E => modulus::<<E as Pairing>::BaseField>() == prime))
    }

    /// The order of the groups, little-endian.
    pub fn order(self) -> Vec<u8> {
        with_curve!(self, E => modulus::<<E as Pairing>::ScalarField>())
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A field's modulus, little-endian, in whole words.
pub(crate) fn modulus<F: PrimeField>() -> Vec<u8> {
    F::MODULUS.to_bytes_le()
}
