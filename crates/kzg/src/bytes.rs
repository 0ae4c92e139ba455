//! Field elements and points as bytes: EIP-4844's field elements, and compressed points in the format of Zcash.

use ark_bls12_381::{g1::Config, Fq, Fr, G1Affine};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};
use bucketwheel::{default_backend_of, ordinates, BasesOptions, Check};

use crate::sizes::{BYTES_PER_ELEMENT, BYTES_PER_POINT};
use crate::Error;

/// Flags of a compressed point in its first byte: it is compressed, it is infinity, its y is the larger one.
const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGER: u8 = 0x20;

/// Reads an integer, the most significant byte first, if it is below the modulus.
fn read<F: PrimeField>(bytes: &[u8]) -> Option<F> {
    let mut integer = F::BigInt::default();
    for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.rchunks(8)) {
        *word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    }
    F::from_bigint(integer)
}

/// Reads field elements, or returns the place of the first element that is not below the order.
pub fn read_elements(bytes: &[u8]) -> Result<Vec<Fr>, usize> {
    let elements = bytes.chunks_exact(BYTES_PER_ELEMENT).enumerate();
    elements.map(|(index, bytes)| read(bytes).ok_or(index)).collect()
}

/// Returns the bytes of field elements.
pub fn write_elements<'a>(elements: impl Iterator<Item = &'a Fr>) -> Vec<u8> {
    elements.flat_map(|element| element.into_bigint().to_bytes_be()).collect()
}

/// Reads points of the prime-order subgroup. `what` is the name of a point in errors.
///
/// # Errors
/// [`Error::Point`] for the first entry that is not the compressed form of a point of the subgroup.
pub fn read_points(points: &[[u8; BYTES_PER_POINT]], what: &'static str) -> Result<Vec<G1Affine>, Error> {
    let bad = |index| Error::Point { what, index };
    // The abscissa of a point, and whether its y is the larger one; `None` for infinity.
    let mut parts = Vec::with_capacity(points.len());
    for (index, bytes) in points.iter().enumerate() {
        let mut coordinate = *bytes;
        coordinate[0] &= !(COMPRESSED | INFINITY | LARGER);
        let flags = bytes[0] ^ coordinate[0];
        let is_infinity = flags == COMPRESSED | INFINITY && coordinate == [0; BYTES_PER_POINT];
        parts.push(match flags {
            _ if is_infinity => None,
            COMPRESSED => Some((read::<Fq>(&coordinate).ok_or(bad(index))?, false)),
            flags if flags == COMPRESSED | LARGER => Some((read::<Fq>(&coordinate).ok_or(bad(index))?, true)),
            _ => return Err(bad(index)),
        });
    }
    let abscissas: Vec<Fq> = parts.iter().flatten().map(|part| part.0).collect();
    let mut ys = ordinates::<Config>(default_backend_of::<Config>()?, &abscissas)?.into_iter();
    let mut read = Vec::with_capacity(points.len());
    for (index, part) in parts.into_iter().enumerate() {
        let Some((x, larger)) = part else {
            read.push(G1Affine::identity());
            continue;
        };
        let y = ys.next().expect("a y for each x").ok_or(bad(index))?;
        let y = if is_larger(&y) == larger { y } else { -y };
        read.push(G1Affine::new_unchecked(x, y));
    }
    match BasesOptions::new().check(Check::Subgroup).verify(&read) {
        Ok(()) => Ok(read),
        Err(bucketwheel::Error::NotInSubgroup { index } | bucketwheel::Error::NotOnCurve { index }) => {
            Err(bad(index))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the compressed bytes of a point.
pub fn write_point(point: &G1Affine) -> [u8; BYTES_PER_POINT] {
    let mut bytes = [0; BYTES_PER_POINT];
    let Some((x, y)) = point.xy() else {
        bytes[0] = COMPRESSED | INFINITY;
        return bytes;
    };
    bytes.copy_from_slice(&x.into_bigint().to_bytes_be());
    bytes[0] |= COMPRESSED | if is_larger(&y) { LARGER } else { 0 };
    bytes
}

/// Returns true if an element is larger than its negative.
fn is_larger(y: &Fq) -> bool {
    debug_assert_ne!(*y, Fq::ZERO, "no point of G1 has order 2");
    y.into_bigint() > (-*y).into_bigint()
}
