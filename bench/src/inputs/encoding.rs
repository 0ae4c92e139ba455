//! The only byte format for inputs of foreign peers and for compared results.
//!
//! A base field element is its canonical value in little-endian bytes, 48 of
//! them for the BLS12 curves and 32 for BN254; an element of the quadratic
//! extension is its two coefficients in turn; a point is x and then y, with
//! zero bytes for the point at infinity. A scalar is 32 little-endian bytes.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

/// Bytes of one scalar, on each of the three curves.
pub const SCALAR_BYTES: usize = 32;

/// Returns the bytes of one point of this group.
pub fn point_bytes<C: SWCurveConfig>() -> usize {
    2 * C::BaseField::default().uncompressed_size()
}

pub fn encode_points<C: SWCurveConfig>(points: &[Affine<C>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(points.len() * point_bytes::<C>());
    for point in points {
        if point.is_zero() {
            bytes.resize(bytes.len() + point_bytes::<C>(), 0);
        } else {
            append(&point.x, &mut bytes);
            append(&point.y, &mut bytes);
        }
    }
    bytes
}

pub fn encode_scalars<F: CanonicalSerialize>(scalars: &[F]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(scalars.len() * SCALAR_BYTES);
    for scalar in scalars {
        append(scalar, &mut bytes);
    }
    bytes
}

/// Returns the bytes by which the results of all peers are compared.
pub fn encode_sum<C: SWCurveConfig>(sum: Projective<C>) -> Vec<u8> {
    encode_points(&[Affine::from(sum)])
}

/// Reads one finite point; `None` for infinity and for a point off the curve.
pub fn decode_point<C: SWCurveConfig>(bytes: &[u8]) -> Option<Affine<C>> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let x = C::BaseField::deserialize_uncompressed(x).ok()?;
    let y = C::BaseField::deserialize_uncompressed(y).ok()?;
    let point = Affine::new_unchecked(x, y);
    (point.is_on_curve() && !point.is_zero()).then_some(point)
}

fn append<T: CanonicalSerialize>(value: &T, bytes: &mut Vec<u8>) {
    value.serialize_uncompressed(bytes).expect("writing to memory cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::g2::Config;

    #[test]
    fn points_survive_a_round_trip() {
        let generator = Affine::<Config>::generator();
        let bytes = encode_points(&[generator]);
        assert_eq!(bytes.len(), point_bytes::<Config>());
        assert_eq!(decode_point(&bytes), Some(generator));
    }

    #[test]
    fn infinity_is_zero_bytes_and_foreign_bytes_are_refused() {
        let bytes = encode_points(&[Affine::<Config>::identity()]);
        assert_eq!(bytes, vec![0; point_bytes::<Config>()]);
        assert_eq!(decode_point::<Config>(&bytes), None);
    }
}
