//! Scalars to magnitudes: folded to at most half of the order, and split into halves.

use std::ops::Range;

use super::{Scalars, PART};
use crate::control::Control;
use crate::curve::endomorphism::Split;
use crate::curve::{Integer, ScalarWords};
use crate::memory::Output;
use crate::Error;

/// A scalar k, or r - k and a minus sign.
#[derive(Clone, Copy, Debug, Default)]
pub struct Magnitude<B> {
    pub words: B,
    pub negative: bool,
}

impl<B: Integer> Magnitude<B> {
    /// A scalar below the order, folded to at most half of it if `fold`.
    #[inline(always)]
    fn of(order: &B, scalar: B, fold: bool) -> Option<Self> {
        let (complement, borrow) = subtract(order, &scalar);
        if borrow || complement.is_zero() {
            return None;
        }
        let (_, complement_is_less) = subtract(&complement, &scalar);
        let negative = fold && complement_is_less;
        Some(Magnitude { words: if negative { complement } else { scalar }, negative })
    }

    /// The number of bits up to the leading one.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        let words = self.words.as_ref();
        let top = words.iter().rposition(|&word| word != 0);
        top.map_or(0, |i| 64 * (i as u32 + 1) - words[i].leading_zeros())
    }
}

#[inline(always)]
fn subtract<B: Integer>(a: &B, b: &B) -> (B, bool) {
    let mut difference = *a;
    let borrow = difference.sub_with_borrow(b);
    (difference, borrow)
}

impl<F: ScalarWords> Scalars<'_, F> {
    /// Scalar `index`, folded if `fold`; `None` if it is not below the order.
    #[inline(always)]
    pub(crate) fn magnitude(&self, index: usize, fold: bool) -> Option<Magnitude<F::BigInt>> {
        Magnitude::of(&F::MODULUS, self.integer_if_reduced(index)?, fold)
    }
}

/// Conversion of scalars to magnitudes.
pub(crate) struct Fold<'a> {
    /// True if they may be folded.
    pub in_subgroup: bool,
    /// Split of long ones.
    pub split: Option<&'a Split>,
}

impl Fold<'_> {
    /// Writes the magnitudes and signs of the scalars in `range`, and behind them those of the second halves where they
    /// split.
    ///
    /// # Errors
    /// [`Error::ScalarRange`] for the first scalar that is not below the order, [`Error::Cancelled`]; else all are
    /// written.
    ///
    /// # Safety
    /// There is room for them, and nobody else accesses it.
    pub unsafe fn write<F: ScalarWords>(
        &self,
        scalars: &Scalars<'_, F>,
        range: Range<usize>,
        out: &Output<Magnitude<F::BigInt>>,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let (first, len) = (range.start, range.len());
        let write = |i: usize| {
            let magnitude = scalars.magnitude(first + i, self.in_subgroup)?;
            match self.split {
                None => out.write(i, magnitude),
                Some(split) => {
                    let [low, high] = split.apply(magnitude);
                    out.write(i, low);
                    out.write(len + i, high);
                }
            }
            Some(())
        };
        let bad = control.find_first(len, PART, |mut part| part.find(|&i| write(i).is_none()));
        control.check()?;
        bad.map_or(Ok(()), |i| Err(Error::ScalarRange { index: first + i }))
    }
}
