//! Scalars in the callers' forms.

use std::marker::PhantomData;
use std::ops::Range;

use ark_ff::{BigInt, BigInteger, Fp, FpConfig, PrimeField};

use super::words::{MontgomeryWords, Reduce};
use crate::raw::{Form, Records};
use crate::Error;

/// Scalars, in any of the forms that provers have. Nothing is copied.
#[derive(Clone, Copy, Debug)]
pub enum Scalars<'a, F: PrimeField> {
    /// Field elements.
    Field(&'a [F]),
    /// Integers below the group's order.
    Integers(&'a [F::BigInt]),
    /// 64-bit integers.
    U64(&'a [u64]),
    /// 32-bit integers.
    U32(&'a [u32]),
    /// 16-bit integers.
    U16(&'a [u16]),
    /// Bytes.
    U8(&'a [u8]),
    /// Bits.
    Bool(&'a [bool]),
    /// Scalars of another library, or of a file: [`Scalars::raw`].
    Raw(RawScalars<'a, F>),
}

/// Scalars of this field as they lie in memory.
#[derive(Clone, Copy, Debug)]
pub struct RawScalars<'a, F> {
    records: Records<'a>,
    form: Form,
    field: PhantomData<F>,
}

impl<F: PrimeField> RawScalars<'_, F> {
    /// Returns the words of a scalar.
    #[inline(always)]
    fn words(&self, index: usize) -> F::BigInt {
        words(&self.records, index)
    }
}

macro_rules! from_slice {
    ([$($generics:tt)*] $variant:ident: $element:ty => $field:ty) => {
        impl<'a, $($generics)*> From<&'a [$element]> for Scalars<'a, $field> {
            fn from(scalars: &'a [$element]) -> Self {
                Scalars::$variant(scalars)
            }
        }

        impl<'a, $($generics)*> From<&'a Vec<$element>> for Scalars<'a, $field> {
            fn from(scalars: &'a Vec<$element>) -> Self {
                Scalars::$variant(scalars)
            }
        }
    };
}

from_slice!([P: FpConfig<N>, const N: usize] Field: Fp<P, N> => Fp<P, N>);
from_slice!([F: PrimeField<BigInt = BigInt<4>>] Integers: BigInt<4> => F);
from_slice!([F: PrimeField<BigInt = BigInt<6>>] Integers: BigInt<6> => F);
from_slice!([F: PrimeField] U64: u64 => F);
from_slice!([F: PrimeField] U32: u32 => F);
from_slice!([F: PrimeField] U16: u16 => F);
from_slice!([F: PrimeField] U8: u8 => F);
from_slice!([F: PrimeField] Bool: bool => F);

impl<'a, F: MontgomeryWords<BigInt: Reduce>> Scalars<'a, F> {
    /// Takes scalars of another library. Each scalar has the field's number of little-endian words, and starts `stride`
    /// bytes behind the one before. The [example](crate::Points) uses it.
    ///
    /// # Errors
    /// [`Error::Stride`] if a scalar does not fit in the stride, [`Error::Records`].
    pub fn raw(bytes: &'a [u8], stride: usize, form: Form) -> Result<Self, Error> {
        let records = Records::new(bytes, stride, size_of::<F::BigInt>())?;
        Ok(Scalars::Raw(RawScalars { records, form, field: PhantomData }))
    }

    /// Returns the number of scalars. The [example](crate::Points) uses it.
    pub fn len(&self) -> usize {
        match self {
            Scalars::Field(s) => s.len(),
            Scalars::Integers(s) => s.len(),
            Scalars::U64(s) => s.len(),
            Scalars::U32(s) => s.len(),
            Scalars::U16(s) => s.len(),
            Scalars::U8(s) => s.len(),
            Scalars::Bool(s) => s.len(),
            Scalars::Raw(s) => s.records.len(),
        }
    }

    /// Returns true if there are no scalars. The [example](crate::Points) uses it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns scalar `index` as a field element, or `None` if it is not below the order.
    pub(crate) fn element(&self, index: usize) -> Option<F> {
        match self {
            Scalars::Field(s) => Some(s[index]),
            Scalars::Raw(s) if s.form == Form::Montgomery => {
                Some(s.words(index)).filter(|words| *words < F::MODULUS).map(F::from_montgomery)
            }
            _ => {
                let mut integer = [F::BigInt::default()];
                self.source().read(index, &mut integer);
                F::from_bigint(integer[0])
            }
        }
    }

    /// Returns the first scalar in the range that is not below the order.
    pub(crate) fn out_of_range(&self, range: Range<usize>) -> Option<usize> {
        match self {
            Scalars::Integers(s) => range.into_iter().find(|&index| s[index] >= F::MODULUS),
            Scalars::Raw(s) => range.into_iter().find(|&index| s.words(index) >= F::MODULUS),
            // Field elements are reduced, and small integers are below the order of every curve here, which exceeds 64 bits.
            _ => None,
        }
    }

    /// Returns a reader of the scalars without the field's type.
    pub(super) fn source(&self) -> ScalarReader<'_, F::BigInt> {
        let kind = match *self {
            Scalars::Field(s) => ScalarSlice::Montgomery(F::as_montgomery(s)),
            Scalars::Integers(s) => ScalarSlice::Canonical(s),
            Scalars::U64(s) => ScalarSlice::U64(s),
            Scalars::U32(s) => ScalarSlice::U32(s),
            Scalars::U16(s) => ScalarSlice::U16(s),
            Scalars::U8(s) => ScalarSlice::U8(s),
            Scalars::Bool(s) => ScalarSlice::Bool(s),
            Scalars::Raw(s) => ScalarSlice::Raw(s.records, s.form),
        };
        ScalarReader {
            kind,
            order: F::MODULUS,
            one: F::as_montgomery(&[F::ONE])[0],
            inverse: negated_inverse(F::MODULUS.as_ref()[0]),
        }
    }
}

/// Returns `-1/m` modulo 2^64 for an odd m.
fn negated_inverse(m: u64) -> u64 {
    // Newton's iteration doubles the number of correct low bits. m itself has three correct bits.
    let inverse = (0..5).fold(m, |x, _| x.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(x))));
    inverse.wrapping_neg()
}

/// Scalars of any field whose integers are `B`.
#[derive(Clone, Copy, Debug)]
pub struct ScalarReader<'a, B> {
    kind: ScalarSlice<'a, B>,
    /// The field's modulus m, the Montgomery form of 1, and -1/m modulo 2^64.
    pub order: B,
    one: B,
    inverse: u64,
}

#[derive(Clone, Copy, Debug)]
enum ScalarSlice<'a, B> {
    /// Reduced Montgomery forms, as in field elements.
    Montgomery(&'a [B]),
    Canonical(&'a [B]),
    U64(&'a [u64]),
    U32(&'a [u32]),
    U16(&'a [u16]),
    U8(&'a [u8]),
    Bool(&'a [bool]),
    Raw(Records<'a>, Form),
}

impl<B: BigInteger + Reduce> ScalarReader<'_, B> {
    /// Reads scalars from `first` on as integers, which may not be below the order. A Montgomery form that is not below
    /// the order becomes the order, since no integer would show it.
    #[inline(always)]
    pub fn read(&self, first: usize, integers: &mut [B]) {
        let range = first..first + integers.len();
        match self.kind {
            ScalarSlice::Montgomery(s) => fill(integers, &s[range], |s| s.reduce(&self.order, self.inverse)),
            ScalarSlice::Canonical(s) => integers.copy_from_slice(&s[range]),
            ScalarSlice::U64(s) => fill(integers, &s[range], B::from),
            ScalarSlice::U32(s) => fill(integers, &s[range], B::from),
            ScalarSlice::U16(s) => fill(integers, &s[range], B::from),
            ScalarSlice::U8(s) => fill(integers, &s[range], B::from),
            ScalarSlice::Bool(s) => fill(integers, &s[range], |bit| B::from(u8::from(bit))),
            ScalarSlice::Raw(records, form) => {
                for (integer, index) in integers.iter_mut().zip(range) {
                    let words: B = words(&records, index);
                    *integer = match form {
                        Form::Canonical => words,
                        Form::Montgomery if words >= self.order => self.order,
                        Form::Montgomery => words.reduce(&self.order, self.inverse),
                    };
                }
            }
        }
    }

    /// Writes these scalars to `bits` if all are 0 or 1. Returns false if one of them is neither.
    #[inline(always)]
    pub fn bits(&self, range: Range<usize>, bits: &mut [u8]) -> bool {
        let integer_one = B::from(1u8);
        match self.kind {
            ScalarSlice::Montgomery(s) => fill(bits, &s[range], |s| bit(&s, &self.one)),
            ScalarSlice::Canonical(s) => fill(bits, &s[range], |s| bit(&s, &integer_one)),
            ScalarSlice::U64(s) => fill(bits, &s[range], |s| s.min(OTHER.into()) as u8),
            ScalarSlice::U32(s) => fill(bits, &s[range], |s| s.min(OTHER.into()) as u8),
            ScalarSlice::U16(s) => fill(bits, &s[range], |s| s.min(OTHER.into()) as u8),
            ScalarSlice::U8(s) => fill(bits, &s[range], |s| s.min(OTHER)),
            ScalarSlice::Bool(s) => fill(bits, &s[range], u8::from),
            ScalarSlice::Raw(records, form) => {
                let one = if form == Form::Montgomery { &self.one } else { &integer_one };
                bits.iter_mut().zip(range).for_each(|(out, index)| *out = bit(&words(&records, index), one));
            }
        }
        bits.iter().fold(0, |all, bit| all | bit) < OTHER
    }
}

/// Value for a scalar that is neither 0 nor 1.
const OTHER: u8 = 2;

/// Returns 0 for 0, 1 for `one`, and [`OTHER`] for any other scalar.
#[inline(always)]
fn bit<B: BigInteger>(words: &B, one: &B) -> u8 {
    let words = words.as_ref();
    let not_zero = words.iter().fold(0, |all, word| all | word);
    let not_one = words.iter().zip(one.as_ref()).fold(0, |all, (word, one)| all | word ^ one);
    match (not_zero, not_one) {
        (0, _) => 0,
        (_, 0) => 1,
        _ => OTHER,
    }
}

#[inline(always)]
fn fill<T: Copy, B>(integers: &mut [B], scalars: &[T], integer: impl Fn(T) -> B) {
    for (out, &scalar) in integers.iter_mut().zip(scalars) {
        *out = integer(scalar);
    }
}

/// Returns the words of a record.
#[inline(always)]
fn words<B: BigInteger>(records: &Records<'_>, index: usize) -> B {
    let mut words = B::default();
    for (word, bytes) in words.as_mut().iter_mut().zip(records.get(index).as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
