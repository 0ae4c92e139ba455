//! The scalars file.

use std::borrow::Cow;
use std::ops::Range;

use bucketwheel::{Control, CurveId, Error as EngineError, Integer, ScalarWords};

use super::{Header, Kind};
use crate::error::FormatError;
use crate::memory::{reserve, with_room};

/// Scalars that a thread reads at once.
const CHUNK: usize = 1 << 12;

/// The bytes of a scalars file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarsFile<'a> {
    /// The curve whose order the scalars are below.
    pub curve: CurveId,
    /// Number of scalars.
    pub count: usize,
    /// The scalars, for [`decode_scalars`].
    pub payload: &'a [u8],
}

impl<'a> ScalarsFile<'a> {
    /// Splits a file into its parts. [`decode_scalars`] checks the scalars.
    ///
    /// The [example](crate#types-instead-of-names) uses it.
    ///
    /// # Errors
    /// If the header has a fault, or the length contradicts it.
    pub fn parse(file: &'a [u8]) -> Result<Self, FormatError> {
        let (header, payload) = Header::parse(file, Kind::Scalars)?;
        let Header { curve, count, .. } = header;
        let (expected, actual) = (header.layout().1, file.len());
        if actual as u128 != expected {
            return Err(FormatError::Length { kind: Kind::Scalars, count, expected, actual });
        }
        Ok(ScalarsFile { curve, count: payload.len() / curve.scalar_bytes(), payload })
    }

    /// Returns the bytes of some scalars. The [example](crate#types-instead-of-names) uses it.
    pub fn bytes(&self, range: &Range<usize>) -> &'a [u8] {
        let size = self.curve.scalar_bytes();
        &self.payload[range.start * size..range.end * size]
    }
}

/// Appends scalars.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// [`EngineError::OutOfMemory`]. In this case, nothing is appended.
pub fn encode_scalars<B: Integer>(scalars: &[B], out: &mut Vec<u8>) -> Result<(), EngineError> {
    reserve(out, scalars.len(), size_of::<B>())?;
    for word in scalars.iter().flat_map(AsRef::as_ref) {
        out.extend_from_slice(&word.to_le_bytes());
    }
    Ok(())
}

/// Returns the scalars as integers. They stay in place if their bytes have the machine's alignment and order, as in a
/// mapped file.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// [`FormatError::Scalar`] for the first scalar that is not below the order, or [`FormatError::OutOfMemory`].
pub fn decode_scalars<F: ScalarWords>(bytes: &[u8]) -> Result<Cow<'_, [F::BigInt]>, FormatError> {
    let integers = integers::<F::BigInt>(bytes)?;
    let bad = |range: Range<usize>| range.into_iter().find(|&index| integers[index] >= F::MODULUS);
    match Control::new(None, None, None).find_first(integers.len(), CHUNK, bad) {
        None => Ok(integers),
        Some(index) => Err(FormatError::Scalar { index }),
    }
}

fn integers<B: Integer>(bytes: &[u8]) -> Result<Cow<'_, [B]>, FormatError> {
    // An integer consists of its words alone.
    const { assert!(size_of::<B>() == 8 * B::NUM_LIMBS && align_of::<B>() == align_of::<u64>()) };
    // SAFETY: an integer is words without padding (asserted above), so any initialised bytes are a valid integer.
    if let ([], integers, []) = unsafe { bytes.align_to::<B>() } {
        if cfg!(target_endian = "little") {
            return Ok(Cow::Borrowed(integers));
        }
    }
    let integer = |scalar: &[u8]| {
        let mut integer = B::default();
        for (word, bytes) in integer.as_mut().iter_mut().zip(scalar.chunks_exact(8)) {
            *word = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
        }
        integer
    };
    let scalars = bytes.chunks_exact(size_of::<B>());
    let mut integers = with_room(scalars.len()).map_err(|bytes| FormatError::OutOfMemory { bytes })?;
    integers.extend(scalars.map(integer));
    Ok(Cow::Owned(integers))
}
