//! The scalars file.

use std::borrow::Cow;

use ark_ff::BigInt;
use bucketwheel::ScalarWords;
use rayon::prelude::*;

use super::{Header, Kind, HEADER_BYTES};
use crate::curve::CurveId;
use crate::error::FormatError;

/// The bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;

/// A scalars file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarsFile<'a> {
    /// The curve whose order the scalars are below.
    pub curve: CurveId,
    /// How many scalars.
    pub count: usize,
    /// The scalars, see [`decode_scalars`].
    pub payload: &'a [u8],
}

impl<'a> ScalarsFile<'a> {
    /// Takes the file apart. The scalars are looked at in [`decode_scalars`].
    ///
    /// # Errors
    /// Whatever a header can do wrong, or a length that contradicts it.
    pub fn parse(file: &'a [u8]) -> Result<Self, FormatError> {
        let (header, payload) = Header::parse(file, Kind::Scalars)?;
        let Header { curve, count, .. } = header;
        let expected = u128::from(count) * SCALAR_BYTES as u128;
        if payload.len() as u128 != expected {
            let (expected, actual) = (expected + HEADER_BYTES as u128, file.len());
            return Err(FormatError::Length { kind: Kind::Scalars, count, expected, actual });
        }
        Ok(ScalarsFile { curve, count: payload.len() / SCALAR_BYTES, payload })
    }
}

/// Appends scalars.
pub fn encode_scalars(scalars: &[BigInt<4>], out: &mut Vec<u8>) {
    out.extend(scalars.iter().flat_map(|scalar| scalar.0).flat_map(u64::to_le_bytes));
}

/// The scalars as integers: in place where their bytes lie as the machine wants them, as in a mapped file.
///
/// # Errors
/// [`FormatError::Scalar`] for the first one that is not below the order.
pub fn decode_scalars<F: ScalarWords>(bytes: &[u8]) -> Result<Cow<'_, [BigInt<4>]>, FormatError> {
    let integers = integers(bytes);
    match integers.par_iter().position_first(|integer| *integer >= F::MODULUS) {
        None => Ok(integers),
        Some(index) => Err(FormatError::Scalar { index }),
    }
}

fn integers(bytes: &[u8]) -> Cow<'_, [BigInt<4>]> {
    // Four words and nothing else.
    const { assert!(size_of::<BigInt<4>>() == SCALAR_BYTES && align_of::<BigInt<4>>() == align_of::<u64>()) };
    // SAFETY: any bytes are four valid words.
    if let ([], integers, []) = unsafe { bytes.align_to::<BigInt<4>>() } {
        if cfg!(target_endian = "little") {
            return Cow::Borrowed(integers);
        }
    }
    let word = |scalar: &[u8], i: usize| u64::from_le_bytes(std::array::from_fn(|j| scalar[8 * i + j]));
    let integer = |scalar: &[u8]| BigInt(std::array::from_fn(|i| word(scalar, i)));
    Cow::Owned(bytes.par_chunks_exact(SCALAR_BYTES).map(integer).collect())
}
