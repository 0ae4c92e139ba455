//! Points and scalars of other libraries, as they lie in memory.

use crate::Error;

/// A form of field elements, in little-endian words of 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Integers below the modulus.
    #[default]
    Canonical,
    /// Integers below the modulus, times 2^(64 w) modulo it, with w words: the form that arkworks, blst, gnark-crypto,
    /// halo2curves and mcl compute with.
    Montgomery,
}

/// A form of the point at infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Infinity {
    /// Coordinates that are all zero, as in blst, gnark-crypto and halo2curves.
    #[default]
    Zeros,
    /// A byte at this offset that is not zero: a flag, as in C copies of arkworks' points.
    Flag(usize),
    /// A third coordinate, at this offset, that is all zero, as in mcl.
    ZeroCoordinate(usize),
}

/// A layout of affine points: x at the start, then y, each with the number of words of the field. Over an extension, the
/// constant coefficient comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointLayout {
    /// Bytes from one point to the next.
    pub stride: usize,
    /// The form of the coordinates.
    pub form: Form,
    /// The form of the point at infinity.
    pub infinity: Infinity,
}

/// Records of the same size. The first bytes of each record count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Records<'a> {
    /// Returns records of at least `least` bytes.
    ///
    /// # Errors
    /// [`Error::Stride`], [`Error::Records`].
    pub fn new(bytes: &'a [u8], stride: usize, least: usize) -> Result<Self, Error> {
        if stride < least {
            return Err(Error::Stride { stride, least });
        }
        match bytes.len().is_multiple_of(stride) {
            true => Ok(Records { bytes, stride }),
            false => Err(Error::Records { bytes: bytes.len(), size: stride }),
        }
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Returns the bytes of a record.
    #[inline(always)]
    pub fn get(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * self.stride..][..self.stride]
    }
}
