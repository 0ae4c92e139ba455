//! Field elements as little-endian bytes.

use ark_ff::{Field, Fp, MontBackend, MontConfig, PrimeField, QuadExtConfig, QuadExtField};
use bucketwheel::MontgomeryWords;

use crate::parallel;

/// A field whose elements have the form of the files: words in Montgomery form with R = 2^(64 words), little-endian.
/// Elements of an extension are stored coefficient by coefficient. arkworks has the same form in memory.
///
/// ```
/// use ark_bn254::Fr;
/// use bucketwheel_snarkjs::Montgomery;
///
/// let mut bytes = Vec::new();
/// Fr::from(7).write_montgomery(&mut bytes);
/// assert!(Fr::is_reduced(&bytes) && !Fr::is_reduced(&[255; 32]));
/// assert_eq!(Fr::from_montgomery(&bytes), Fr::from(7));
/// assert_eq!(Fr::from_montgomery_words(&[7, 0, 0, 0]), Fr::from(7).over_r());
/// assert_eq!(Fr::from(7).times_r().over_r(), Fr::from(7));
/// ```
pub trait Montgomery: Field {
    /// Number of bytes of an element.
    const BYTES: usize;

    /// Returns the element in the first [`BYTES`](Self::BYTES) bytes, which must be reduced. Needs no arithmetic.
    /// The [example](Self) uses it.
    fn from_montgomery(bytes: &[u8]) -> Self;

    /// Returns the element with these words. They must be reduced, and their number must fit the element. Needs no
    /// arithmetic. The [example](Self) uses it.
    fn from_montgomery_words(words: &[u64]) -> Self;

    /// Appends the element. The [example](Self) uses it.
    fn write_montgomery(&self, out: &mut Vec<u8>);

    /// Returns true if the integers in the first [`BYTES`](Self::BYTES) bytes are below the modulus.
    /// The [example](Self) uses it.
    fn is_reduced(bytes: &[u8]) -> bool;

    /// Returns the element times R. The [example](Self) uses it.
    fn times_r(&self) -> Self;

    /// Returns the element divided by R. The [example](Self) uses it.
    fn over_r(&self) -> Self;
}

impl<P: MontConfig<N>, const N: usize> Montgomery for Fp<MontBackend<P, N>, N> {
    const BYTES: usize = 8 * N;

    fn from_montgomery(bytes: &[u8]) -> Self {
        Self::new_unchecked(ark_ff::BigInt(words(bytes)))
    }

    fn from_montgomery_words(words: &[u64]) -> Self {
        Self::new_unchecked(ark_ff::BigInt(std::array::from_fn(|i| words[i])))
    }

    fn write_montgomery(&self, out: &mut Vec<u8>) {
        write_words(&self.0 .0, out);
    }

    fn is_reduced(bytes: &[u8]) -> bool {
        is_below(words(bytes), Self::MODULUS.0)
    }

    fn times_r(&self) -> Self {
        *self * Self::new_unchecked(P::R2)
    }

    fn over_r(&self) -> Self {
        Self::new_unchecked(self.to_integer())
    }
}

impl<P: QuadExtConfig<BaseField: Montgomery>> Montgomery for QuadExtField<P> {
    const BYTES: usize = 2 * P::BaseField::BYTES;

    fn from_montgomery(bytes: &[u8]) -> Self {
        let coefficient = |i| P::BaseField::from_montgomery(&bytes[i * P::BaseField::BYTES..]);
        Self::new(coefficient(0), coefficient(1))
    }

    fn from_montgomery_words(words: &[u64]) -> Self {
        let (c0, c1) = words.split_at(words.len() / 2);
        Self::new(P::BaseField::from_montgomery_words(c0), P::BaseField::from_montgomery_words(c1))
    }

    fn write_montgomery(&self, out: &mut Vec<u8>) {
        self.c0.write_montgomery(out);
        self.c1.write_montgomery(out);
    }

    fn is_reduced(bytes: &[u8]) -> bool {
        P::BaseField::is_reduced(bytes) && P::BaseField::is_reduced(&bytes[P::BaseField::BYTES..])
    }

    fn times_r(&self) -> Self {
        Self::new(self.c0.times_r(), self.c1.times_r())
    }

    fn over_r(&self) -> Self {
        Self::new(self.c0.over_r(), self.c1.over_r())
    }
}

/// Returns the words at the beginning of these bytes.
#[inline(always)]
pub fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes[..8 * N].as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Appends words.
pub fn write_words(words: &[u64], out: &mut Vec<u8>) {
    for word in words {
        out.extend_from_slice(&word.to_le_bytes());
    }
}

/// Returns true if `a` is below `b`. The most significant words nearly always decide.
fn is_below<const N: usize>(a: [u64; N], b: [u64; N]) -> bool {
    (0..N).rev().find(|&i| a[i] != b[i]).is_some_and(|i| a[i] < b[i])
}

/// Number of elements that one task checks.
const BLOCK: usize = 1 << 12;

/// Returns the index of the first record whose element, `offset` bytes into the record, is not reduced. Runs on all
/// threads of the current pool.
pub fn first_unreduced<F: Montgomery>(records: &[u8], size: usize, offset: usize) -> Option<usize> {
    let unreduced = |record: &[u8]| !F::is_reduced(&record[offset..]);
    parallel::find_first(records.len() / size, BLOCK, |block| {
        let first = block.start;
        let records = records[size * first..size * block.end].chunks_exact(size);
        records.map(unreduced).position(|unreduced| unreduced).map(|index| first + index)
    })
}
