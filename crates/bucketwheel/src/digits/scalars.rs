//! Scalars as callers have them.

use std::marker::PhantomData;
use std::ops::Range;

use ark_ff::{BigInt, Fp, FpConfig, PrimeField};

use crate::curve::ScalarWords;
use crate::raw::{Form, Records};
use crate::Error;

/// Scalars, in any of the forms provers have them in. Nothing is copied.
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
    /// Those of another library, or of a file: [`Scalars::raw`].
    Raw(RawScalars<'a, F>),
}

/// Scalars of this field as they lie in memory.
#[derive(Clone, Copy, Debug)]
pub struct RawScalars<'a, F> {
    records: Records<'a>,
    form: Form,
    field: PhantomData<F>,
}

impl<F: ScalarWords> RawScalars<'_, F> {
    /// The words of a scalar.
    #[inline(always)]
    fn words(&self, index: usize) -> F::BigInt {
        let mut words = F::BigInt::default();
        for (word, bytes) in words.as_mut().iter_mut().zip(self.records.get(index).as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words
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
from_slice!([F: ScalarWords] U64: u64 => F);
from_slice!([F: ScalarWords] U32: u32 => F);
from_slice!([F: ScalarWords] U16: u16 => F);
from_slice!([F: ScalarWords] U8: u8 => F);
from_slice!([F: ScalarWords] Bool: bool => F);

impl<'a, F: ScalarWords> Scalars<'a, F> {
    /// Scalars of another library: as many little-endian words as the field has, `stride` bytes from one to the next.
    ///
    /// # Errors
    /// [`Error::Stride`] for a stride that a scalar does not fit in, [`Error::Records`].
    pub fn raw(bytes: &'a [u8], stride: usize, form: Form) -> Result<Self, Error> {
        let records = Records::new(bytes, stride, size_of::<F::BigInt>())?;
        Ok(Scalars::Raw(RawScalars { records, form, field: PhantomData }))
    }

    /// The number of scalars.
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

    /// Returns true if there are no scalars.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Scalar `index` as a field element, if it is below the order.
    pub(crate) fn element(&self, index: usize) -> Option<F> {
        match self {
            Scalars::Field(s) => Some(s[index]),
            Scalars::Raw(s) if s.form == Form::Montgomery => {
                Some(s.words(index)).filter(|words| *words < F::MODULUS).map(F::from_montgomery)
            }
            _ => F::from_bigint(self.integer(index)),
        }
    }

    /// The first scalar in the range that is not below the order.
    pub(crate) fn out_of_range(&self, range: Range<usize>) -> Option<usize> {
        match self {
            Scalars::Integers(s) => range.into_iter().find(|&index| s[index] >= F::MODULUS),
            Scalars::Raw(s) => range.into_iter().find(|&index| s.words(index) >= F::MODULUS),
            // Field elements are reduced, and the order of every curve here exceeds 64 bits.
            _ => None,
        }
    }

    /// Scalar `index` as an integer, which may not be below the order; `None` if its Montgomery form is not, which no integer
    /// tells.
    #[inline(always)]
    pub(super) fn integer_if_reduced(&self, index: usize) -> Option<F::BigInt> {
        match self {
            Scalars::Raw(s) if s.form == Form::Montgomery && s.words(index) >= F::MODULUS => None,
            _ => Some(self.integer(index)),
        }
    }

    /// Scalar `index` as an integer.
    #[inline(always)]
    fn integer(&self, index: usize) -> F::BigInt {
        match self {
            Scalars::Field(s) => s[index].to_integer(),
            Scalars::Integers(s) => s[index],
            Scalars::U64(s) => s[index].into(),
            Scalars::U32(s) => s[index].into(),
            Scalars::U16(s) => s[index].into(),
            Scalars::U8(s) => s[index].into(),
            Scalars::Bool(s) => u8::from(s[index]).into(),
            Scalars::Raw(s) => match s.form {
                Form::Canonical => s.words(index),
                Form::Montgomery => F::from_montgomery(s.words(index)).to_integer(),
            },
        }
    }
}
