//! The sparse matrices A and B of a key, which the prover multiplies with the witness.

use std::ops::Range;

use ark_ff::BigInt;
use bucketwheel::{Control, MontgomeryWords};

use super::element::{words, write_words};
use super::{FileError, Montgomery, Section};
use crate::parallel;

/// The section of a key with the entries.
pub(super) const COEFFICIENTS: Section = Section { id: 4, name: "coefficients" };

/// Matrix of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// The matrix A, of the left factors.
    A,
    /// The matrix B, of the right factors.
    B,
}

/// One entry of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    /// The matrix.
    pub matrix: Matrix,
    /// Row: an index into the domain.
    pub constraint: u32,
    /// Column: an index into the witness.
    pub signal: u32,
    /// Value times R^2, where R = 2^256. The Montgomery product of these words with the *canonical* words of a
    /// witness value is the product of value and witness value in Montgomery form.
    pub scaled: [u64; 4],
}

impl Coefficient {
    /// Number of bytes in the file.
    pub(super) const BYTES: usize = 44;

    /// Returns the entry with this value. The [example](crate::ZkeyWriter) uses it.
    pub fn new<F: MontgomeryWords<BigInt = BigInt<4>> + Montgomery>(
        matrix: Matrix,
        constraint: u32,
        signal: u32,
        value: F,
    ) -> Self {
        let scaled = value.times_r().times_r().to_integer().0;
        Coefficient { matrix, constraint, signal, scaled }
    }

    /// Returns the value, without the factor. The [example](crate::ZkeyWriter) uses it.
    pub fn value<F: MontgomeryWords<BigInt = BigInt<4>> + Montgomery>(&self) -> F {
        F::from_bigint(BigInt(self.scaled)).unwrap_or_default().over_r().over_r()
    }

    fn read(bytes: &[u8]) -> Self {
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let matrix = if number(0) == 0 { Matrix::A } else { Matrix::B };
        Coefficient { matrix, constraint: number(4), signal: number(8), scaled: words(&bytes[12..]) }
    }

    /// Appends the entry to a section.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for number in [self.matrix as u32, self.constraint, self.signal] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        write_words(&self.scaled, out);
    }
}

/// Number of entries that one task checks.
const BLOCK: usize = 1 << 12;

/// Entries of both matrices, as bytes of the file.
#[derive(Clone, Debug)]
pub struct Coefficients<'a> {
    bytes: &'a [u8],
    /// Order of the entries by rows; empty if the file has this order, as snarkjs writes it.
    order: Vec<u32>,
}

impl<'a> Coefficients<'a> {
    /// Returns the entries, checked on all threads of the current pool.
    pub(super) fn parse<F: Montgomery>(
        bytes: &'a [u8],
        domain_size: usize,
        signals: usize,
    ) -> Result<Self, FileError> {
        let size = BLOCK * Coefficient::BYTES;
        let blocks = parallel::map(bytes.len().div_ceil(size), |block| {
            let bytes = &bytes[block * size..bytes.len().min((block + 1) * size)];
            check::<F>(bytes, block * BLOCK, domain_size, signals)
        });
        let mut sorted = true;
        let mut last = 0;
        for rows in blocks {
            let rows = rows?;
            sorted &= rows.as_ref().is_some_and(|rows| last <= rows.start);
            last = rows.map_or(last, |rows| rows.end);
        }
        let mut coefficients = Coefficients { bytes, order: Vec::new() };
        if !sorted {
            // The section's header counts its entries in 32 bits.
            let mut order: Vec<u32> = (0..coefficients.len() as u32).collect();
            Control::sort_by_key(&mut order, |&index| coefficients.get(index as usize).constraint);
            coefficients.order = order;
        }
        Ok(coefficients)
    }

    /// Returns the number of entries in both matrices together. The [example](crate::Zkey) uses it.
    pub fn len(&self) -> usize {
        self.bytes.len() / Coefficient::BYTES
    }

    /// Returns true if there are no entries. The [example](crate::Zkey) uses it.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes of all entries. The [example](crate::Zkey) uses it.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns one entry, in the order of the file. Costs as much as reading its bytes.
    /// The [example](crate::Zkey) uses it.
    ///
    /// # Panics
    /// Panics if the index is not below the number of entries.
    pub fn get(&self, index: usize) -> Coefficient {
        Coefficient::read(&self.bytes[index * Coefficient::BYTES..][..Coefficient::BYTES])
    }

    /// Returns all entries, in the order of the file. The [example](crate::Zkey) uses it.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Coefficient> + use<'a> {
        self.bytes.chunks_exact(Coefficient::BYTES).map(Coefficient::read)
    }

    /// Returns the entries of some rows, row by row. The [example](crate::Zkey) uses it.
    pub fn rows(&self, rows: Range<usize>) -> impl ExactSizeIterator<Item = Coefficient> + '_ {
        (self.first_of_row(rows.start)..self.first_of_row(rows.end)).map(|place| self.by_row(place))
    }

    /// Returns the entry at this place in the order of rows.
    fn by_row(&self, place: usize) -> Coefficient {
        self.get(self.order.get(place).map_or(place, |&index| index as usize))
    }

    /// Returns the place of the first entry whose row is at least `row`.
    fn first_of_row(&self, row: usize) -> usize {
        let mut range = 0..self.len();
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            match (self.by_row(middle).constraint as usize) < row {
                true => range.start = middle + 1,
                false => range.end = middle,
            }
        }
        range.start
    }
}

/// Checks a block of entries that starts at this index. Returns its first and last row if the rows never descend.
fn check<F: Montgomery>(
    bytes: &[u8],
    first: usize,
    domain_size: usize,
    signals: usize,
) -> Result<Option<Range<u32>>, FileError> {
    let mut rows: Option<Range<u32>> = None;
    let mut sorted = true;
    for (index, bytes) in (first..).zip(bytes.chunks_exact(Coefficient::BYTES)) {
        let coefficient = Coefficient::read(bytes);
        let below = |what: &str, found: u32, limit: usize| match (found as usize) < limit {
            true => Ok(()),
            false => Err(FileError::Number {
                what: format!("the {what} of entry {index} in {COEFFICIENTS}"),
                found: found.into(),
                expected: format!("less than {limit}"),
            }),
        };
        below("matrix", u32::from_le_bytes(std::array::from_fn(|i| bytes[i])), 2)?;
        below("constraint", coefficient.constraint, domain_size)?;
        below("signal", coefficient.signal, signals)?;
        if !F::is_reduced(&bytes[12..]) {
            let what = format!("the value of entry {index} in {COEFFICIENTS}");
            return Err(FileError::Unreduced { what });
        }
        let row = coefficient.constraint;
        let rows = rows.get_or_insert(row..row);
        sorted &= rows.end <= row;
        rows.end = row;
    }
    Ok(rows.filter(|_| sorted))
}
