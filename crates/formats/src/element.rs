//! Field elements as bytes.

use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::CoordinateField;

/// Encoding of the elements of a coordinate field.
///
/// ```
/// use ark_bn254::{g2, Fq, Fq2};
/// use bucketwheel_formats::{Codec, Elements, FlagBits};
///
/// let elements = Elements::little_endian(32);
/// assert_eq!((elements.element_bytes::<Fq>(), elements.element_bytes::<Fq2>()), (32, 64));
///
/// // Points of Ethereum's precompiles for BLS12-381 have 16 zeros before each coefficient.
/// let codec = Codec { elements: Elements::big_endian(64), flags: FlagBits::None, compressed: false };
/// assert_eq!(codec.point_bytes::<g2::Config>(), 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Bytes of an element of the prime field. If they are more than the field's words, the most significant bytes are 0.
    pub bytes: usize,
    /// True if the most significant byte comes first.
    pub big_endian: bool,
    /// True if c1 of `c0 + c1 u` comes first.
    pub imaginary_first: bool,
    /// True if integers are Montgomery forms, as in memory, and not canonical.
    pub montgomery: bool,
}

/// Returns the bytes of an element of the prime field `F` in canonical words.
pub(crate) fn prime_bytes<F: PrimeField>() -> usize {
    8 * F::BigInt::NUM_LIMBS
}

impl Elements {
    /// Returns the encoding as canonical little-endian integers of `bytes` bytes, c0 first. The [example](Self) uses
    /// it.
    pub const fn little_endian(bytes: usize) -> Self {
        Elements { bytes, big_endian: false, imaginary_first: false, montgomery: false }
    }

    /// Returns the encoding as canonical big-endian integers of `bytes` bytes, c1 first. The [example](Self) uses it.
    pub const fn big_endian(bytes: usize) -> Self {
        Elements { bytes, big_endian: true, imaginary_first: true, montgomery: false }
    }

    /// Returns the bytes of an element of `F`. The [example](Self) uses it.
    pub fn element_bytes<F: Field>(&self) -> usize {
        self.bytes.saturating_mul(F::extension_degree() as usize)
    }

    /// Returns Montgomery's R, by which integers are multiplied on their way to a file; `None` if they are canonical.
    pub(crate) fn factor<F: Field>(&self) -> Option<F::BasePrimeField> {
        let bits = 8 * prime_bytes::<F::BasePrimeField>() as u64;
        self.montgomery.then(|| F::BasePrimeField::from(2u32).pow([bits]))
    }

    /// Appends an element; `factor` comes from [`factor`](Self::factor).
    pub(crate) fn write<F: CoordinateField>(
        &self,
        element: &F,
        factor: Option<F::BasePrimeField>,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        let len = self.element_bytes::<F>();
        out.resize(start + len, 0);
        let degree = F::extension_degree() as usize;
        let integers =
            factor.map_or(*element, |factor| element.mul_by_base_prime_field(&factor)).to_integers();
        let integers = F::as_words(&integers);
        for (i, integer) in integers.chunks(integers.len() / degree).enumerate() {
            let place = if self.imaginary_first { degree - 1 - i } else { i };
            let bytes = &mut out[start + place * self.bytes..][..self.bytes];
            for (i, word) in integer.iter().enumerate() {
                bytes[8 * i..][..8].copy_from_slice(&word.to_le_bytes());
            }
            if self.big_endian {
                bytes.reverse();
            }
        }
    }

    /// Reads an element without the bits of `mask` in its most significant byte; `None` if a coefficient is not below
    /// the modulus. `inverse` comes from [`factor`](Self::factor).
    #[inline(always)]
    pub(crate) fn read<F: Field>(
        &self,
        bytes: &[u8],
        mask: u8,
        inverse: Option<F::BasePrimeField>,
    ) -> Option<F> {
        let degree = F::extension_degree() as usize;
        let mut canonical = true;
        let coefficients = (0..degree).map(|i| {
            let place = if self.imaginary_first { degree - 1 - i } else { i };
            // The most significant byte is in the last coefficient, in either order.
            let mask = if i == degree - 1 { mask } else { 0 };
            let integer = self.integer::<F::BasePrimeField>(&bytes[place * self.bytes..][..self.bytes], mask);
            canonical &= integer.is_some();
            let integer = integer.unwrap_or_default();
            inverse.map_or(integer, |inverse| integer * inverse)
        });
        F::from_base_prime_field_elems(coefficients).filter(|_| canonical)
    }

    /// Returns true if the element in these bytes, canonical integers, is larger than its negative. The coefficient of
    /// u decides if it is not 0.
    pub(crate) fn is_larger<F: Field>(&self, bytes: &[u8], mask: u8) -> bool {
        let degree = F::extension_degree() as usize;
        let integers = (0..degree).rev().map(|i| {
            let place = if self.imaginary_first { degree - 1 - i } else { i };
            let mask = if i == degree - 1 { mask } else { 0 };
            self.words::<F::BasePrimeField>(&bytes[place * self.bytes..][..self.bytes], mask).0
        });
        let mut nonzero = integers.filter(|integer| !integer.is_zero());
        nonzero.next().is_some_and(|integer| integer > F::BasePrimeField::MODULUS_MINUS_ONE_DIV_TWO)
    }

    #[inline(always)]
    fn integer<F: PrimeField>(&self, bytes: &[u8], mask: u8) -> Option<F> {
        let (integer, padding) = self.words::<F>(bytes, mask);
        F::from_bigint(integer).filter(|_| padding.iter().all(|&byte| byte == 0))
    }

    /// Returns the integer without the bits of `mask` in its most significant byte, and the bytes above it.
    #[inline(always)]
    fn words<'a, F: PrimeField>(&self, bytes: &'a [u8], mask: u8) -> (F::BigInt, &'a [u8]) {
        let mut integer = F::BigInt::default();
        let words = prime_bytes::<F>();
        let (padding, bytes) = match self.big_endian {
            true => bytes.split_at(bytes.len() - words),
            false => (&bytes[words..], &bytes[..words]),
        };
        for (i, word) in integer.as_mut().iter_mut().enumerate() {
            *word = match self.big_endian {
                true => u64::from_be_bytes(std::array::from_fn(|j| bytes[words - 8 * (i + 1) + j])),
                false => u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])),
            };
        }
        if let Some(top) = integer.as_mut().last_mut() {
            *top &= !(u64::from(mask) << 56);
        }
        (integer, padding)
    }
}
