//! A witness, `.wtns`.
//!
//! Section 1: bytes of r: u32, r, number of values: u32. Section 2: the values, canonical little-endian integers
//! below r: the constant 1, then outputs, public and private inputs and intermediate signals.

use std::io::{self, Seek, Write};

use ark_ff::BigInt;

use super::element::{first_unreduced, words, write_words};
use super::sections::{count_bytes, Reader, SectionWriter, Sections};
use super::{FileError, FileWarning, Kind, Section};
use crate::memory::collect;
use crate::{curve_of_order, with_pairing, CurveId, Error};

const HEADER: Section = Section { id: 1, name: "header" };
const VALUES: Section = Section { id: 2, name: "values" };

/// Number of bytes of a value.
const VALUE_BYTES: usize = 32;

/// A witness as bytes of the file; its values are below the order.
///
/// ```
/// use std::io::Cursor;
///
/// use ark_ff::BigInt;
/// use bucketwheel_snarkjs::{write_wtns, CurveId, Wtns};
///
/// let values = [1u64, 9, 3].map(BigInt::from);
/// let file = write_wtns(Cursor::new(Vec::new()), CurveId::Bn254, &values)?.into_inner();
/// let witness = Wtns::parse(&file)?;
/// assert!(witness.warnings().is_empty());
/// assert_eq!((witness.curve(), witness.len(), witness.get(1)), (CurveId::Bn254, 3, values[1]));
/// assert!(witness.iter().eq(values) && witness.to_vec()? == values);
/// let mut json = Vec::new();
/// witness.write_json(&mut json)?;
/// assert!(json.starts_with(b"["));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Wtns<'a> {
    warning: Option<FileWarning>,
    curve: CurveId,
    bytes: &'a [u8],
}

impl<'a> Wtns<'a> {
    /// Reads a witness and checks it, on all threads of the current pool. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError`] for the first error.
    pub fn parse(file: &'a [u8]) -> Result<Self, FileError> {
        let sections = Sections::parse(file, Kind::Wtns)?;
        let mut reader = Reader::new(sections.get(HEADER)?);
        let what = HEADER.to_string();
        let order = reader.prime(&what)?;
        let curve = curve_of_order(order).ok_or(FileError::Prime { what: "groups' order" })?;
        let count = reader.u32(&what)?;
        reader.end(|| what.clone())?;
        let bytes = sections.records(VALUES, count as usize, VALUE_BYTES)?;
        type Scalar<E> = <E as ark_ec::pairing::Pairing>::ScalarField;
        let unreduced: Option<usize> =
            with_pairing!(curve, E => first_unreduced::<Scalar<E>>(bytes, VALUE_BYTES, 0))?;
        match unreduced {
            None => Ok(Wtns { warning: sections.warning, curve, bytes }),
            Some(index) => Err(FileError::Unreduced { what: format!("value {index}") }),
        }
    }

    /// Returns warnings for the owner of the file. The [example](Self) uses it.
    pub fn warnings(&self) -> Vec<FileWarning> {
        self.warning.into_iter().collect()
    }

    /// Returns the curve whose order bounds the values. The [example](Self) uses it.
    pub fn curve(&self) -> CurveId {
        self.curve
    }

    /// Returns the number of values. The [example](Self) uses it.
    pub fn len(&self) -> usize {
        self.bytes.len() / VALUE_BYTES
    }

    /// Returns true if there are no values. The [example](Self) uses it.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns one value, a canonical integer. The [example](Self) uses it.
    ///
    /// # Panics
    /// Panics if the index is not below the number of values.
    pub fn get(&self, index: usize) -> BigInt<4> {
        BigInt(words(&self.bytes[index * VALUE_BYTES..]))
    }

    /// Returns all values, canonical integers. The [example](Self) uses it.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BigInt<4>> + use<'a> {
        self.bytes.chunks_exact(VALUE_BYTES).map(|bytes| BigInt(words(bytes)))
    }

    /// Writes the values as snarkjs does in JSON: a list of decimal strings. The [example](Self) uses it.
    ///
    /// # Errors
    /// The output's errors.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"[")?;
        for (index, value) in self.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(out, "{comma}\n \"{value}\"")?;
        }
        out.write_all(if self.is_empty() { b"]" } else { b"\n]" })
    }

    /// Returns all values as aligned integers in memory, made by all threads of the current pool.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn to_vec(&self) -> Result<Vec<BigInt<4>>, Error> {
        collect(self.len(), |index| BigInt(words(&self.bytes[index * VALUE_BYTES..][..VALUE_BYTES])))
    }
}

/// Writes a witness with these values, which must be below the curve's order.
///
/// The [example](crate::Wtns) uses it.
///
/// # Errors
/// The output's errors; `InvalidInput` if there are 2^32 values or more.
pub fn write_wtns<W: Write + Seek>(out: W, curve: CurveId, values: &[BigInt<4>]) -> io::Result<W> {
    let count = count_bytes(values.len())?;
    let mut file = SectionWriter::new(out, Kind::Wtns, 2)?;
    let order = curve.order();
    file.section(HEADER, |out| {
        out.write_all(&count_bytes(order.len())?)?;
        out.write_all(order)?;
        out.write_all(&count)
    })?;
    file.section(VALUES, |out| {
        let mut bytes = Vec::new();
        for values in values.chunks(1 << 11) {
            bytes.clear();
            values.iter().for_each(|value| write_words(&value.0, &mut bytes));
            out.write_all(&bytes)?;
        }
        Ok(())
    })?;
    file.finish()
}
