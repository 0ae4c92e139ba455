//! The curves of the designs.

use std::fmt;

use bucketwheel::CurveId;
use serde::{Deserialize, Serialize};

/// A curve of the designs.
///
/// ```
/// use bucketwheel_hardware::Curve;
///
/// let curve = Curve::Bls12_377;
/// assert_eq!((curve.name(), Curve::ALL[0]), ("bls12-377", curve));
/// assert_eq!((curve.scalar_bits(), curve.coordinate_bits(), curve.coordinate_bytes()), (253, 377, 48));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// BLS12-377, 253 bits of scalar.
    #[serde(rename = "bls12-377")]
    Bls12_377,
    /// BLS12-381, 255 bits of scalar.
    #[serde(rename = "bls12-381")]
    Bls12_381,
    /// BN254, 254 bits of scalar; BN128 and BN256 in the papers.
    Bn254,
}

impl Curve {
    /// All curves.
    pub const ALL: [Curve; 3] = [Curve::Bls12_377, Curve::Bls12_381, Curve::Bn254];

    /// Returns the curve's name. The [example](Self) uses it.
    pub fn name(self) -> &'static str {
        CurveId::from(self).name()
    }

    /// Returns the order of the groups, rounded.
    pub(crate) fn order(self) -> f64 {
        let bytes = CurveId::from(self).order().iter().rev();
        bytes.fold(0.0, |order, &byte| 256.0 * order + f64::from(byte))
    }

    /// Returns the bits of the group's order. The [example](Self) uses it.
    pub fn scalar_bits(self) -> u32 {
        CurveId::from(self).scalar_bits()
    }

    /// Returns the bits of a coordinate. The [example](Self) uses it.
    pub fn coordinate_bits(self) -> u32 {
        match self {
            Curve::Bls12_377 => 377,
            Curve::Bls12_381 => 381,
            Curve::Bn254 => 254,
        }
    }

    /// Returns the bytes of a coordinate in memory. The [example](Self) uses it.
    pub fn coordinate_bytes(self) -> u64 {
        CurveId::from(self).field_bytes() as u64
    }
}

impl From<Curve> for CurveId {
    fn from(curve: Curve) -> Self {
        match curve {
            Curve::Bls12_377 => CurveId::Bls12_377,
            Curve::Bls12_381 => CurveId::Bls12_381,
            Curve::Bn254 => CurveId::Bn254,
        }
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CurveId::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_parameters_are_those_of_the_catalogue() {
        for curve in Curve::ALL {
            assert_eq!(serde_json::to_value(curve).unwrap(), CurveId::from(curve).name());
        }
    }
}
