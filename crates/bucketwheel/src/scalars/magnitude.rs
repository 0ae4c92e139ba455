//! Magnitudes: scalars that are folded to at most half of the order, and halves of scalars.

use ark_ff::BigInteger;

/// A scalar k, or r - k and a minus sign.
#[derive(Clone, Copy, Debug, Default)]
pub struct Magnitude<B> {
    pub words: B,
    pub negative: bool,
}

impl<B: BigInteger> Magnitude<B> {
    /// Returns the magnitude of a scalar, or `None` if it is not below the order. If `fold` is true, the magnitude is
    /// at most half of the order.
    #[inline(always)]
    pub fn of(order: &B, scalar: B, fold: bool) -> Option<Self> {
        let (complement, borrow) = subtract(order, &scalar);
        if borrow || complement.is_zero() {
            return None;
        }
        let (_, complement_is_less) = subtract(&complement, &scalar);
        let negative = fold && complement_is_less;
        Some(Magnitude { words: if negative { complement } else { scalar }, negative })
    }

    /// Returns the number of bits up to the leading one.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        bits(self.words.as_ref())
    }
}

/// Returns the number of bits up to the leading one.
#[inline(always)]
pub(super) fn bits(words: &[u64]) -> u32 {
    let top = words.iter().rposition(|&word| word != 0);
    top.map_or(0, |i| 64 * (i as u32 + 1) - words[i].leading_zeros())
}

#[inline(always)]
fn subtract<B: BigInteger>(a: &B, b: &B) -> (B, bool) {
    let mut difference = *a;
    let borrow = difference.sub_with_borrow(b);
    (difference, borrow)
}
