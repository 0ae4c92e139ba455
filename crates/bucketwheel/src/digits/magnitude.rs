//! Scalars to magnitudes: folded to at most half of the order, and split into halves. They are all that is kept of scalars;
//! digits are made of them when they are wanted.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

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
        bits(self.words.as_ref())
    }
}

/// The number of bits up to the leading one.
#[inline(always)]
fn bits(words: &[u64]) -> u32 {
    let top = words.iter().rposition(|&word| word != 0);
    top.map_or(0, |i| 64 * (i as u32 + 1) - words[i].leading_zeros())
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

/// Magnitudes and signs as they are kept: some words each, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The words of a magnitude.
    pub words: usize,
    /// The bits of the last word that are a sign: the highest one, or none.
    sign: u64,
}

/// The highest bit of a word.
const SIGN: u64 = 1 << 63;

impl Layout {
    /// The layout of magnitudes of `F`, which have signs, or split, or do not.
    pub(crate) fn of<F: ScalarWords>(fold: &Fold<'_>) -> Self {
        let words = F::MODULUS.as_ref().len();
        match (fold.split, fold.in_subgroup) {
            // Below 2^127.
            (Some(_), _) => Layout { words: 2, sign: SIGN },
            // At most half of the order, so that there is a bit left.
            (None, true) => Layout { words, sign: SIGN },
            (None, false) => Layout { words, sign: 0 },
        }
    }

    /// Writes a magnitude.
    ///
    /// # Safety
    /// There is room for it, and nobody else accesses it.
    #[inline(always)]
    unsafe fn write<B: Integer>(self, index: usize, magnitude: &Magnitude<B>, out: &Output<u64>) {
        let words = &magnitude.words.as_ref()[..self.words];
        debug_assert!(
            words[self.words - 1] & self.sign == 0 && bits(&magnitude.words.as_ref()[self.words..]) == 0
        );
        let (start, last) = (index * self.words, self.words - 1);
        words[..last].iter().enumerate().for_each(|(i, &word)| out.write(start + i, word));
        let sign = if magnitude.negative { self.sign } else { 0 };
        out.write(start + last, words[last] | sign);
    }

    /// Sets magnitudes to 0, and counts them as such.
    pub fn clear(self, words: &mut [u64], indices: impl Iterator<Item = usize>, lengths: &mut [usize]) {
        for index in indices {
            lengths[Magnitudes::new(words, self).bits(index) as usize] -= 1;
            lengths[0] += 1;
            words[index * self.words..][..self.words].fill(0);
        }
    }
}

/// Magnitudes in their layout.
#[derive(Clone, Copy, Debug)]
pub struct Magnitudes<'a> {
    words: &'a [u64],
    layout: Layout,
}

impl<'a> Magnitudes<'a> {
    /// Magnitudes in this layout.
    pub fn new(words: &'a [u64], layout: Layout) -> Self {
        debug_assert!(words.len().is_multiple_of(layout.words));
        Magnitudes { words, layout }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.words.len() / self.layout.words
    }

    /// Those in front of `index`, and those from there on.
    pub fn split_at(self, index: usize) -> (Self, Self) {
        let (front, back) = self.words.split_at(index * self.layout.words);
        (Magnitudes { words: front, ..self }, Magnitudes { words: back, ..self })
    }

    /// Bits of the magnitude `index`, up to the leading one.
    #[inline(always)]
    pub fn bits(&self, index: usize) -> u32 {
        let words = &self.words[index * self.layout.words..][..self.layout.words];
        let (last, words) = words.split_last().expect("a magnitude has words");
        match last & !self.layout.sign {
            0 => bits(words),
            last => u64::BITS * self.layout.words as u32 - last.leading_zeros(),
        }
    }

    /// Where a window's bits are in a magnitude.
    pub fn field(&self, start: u32, width: u32, is_last: bool) -> Field {
        // The bit below the window, too. Of the last window, the highest bit is for a carry, and none of the magnitude's.
        let (below, bits) = (start.saturating_sub(1), if is_last { width } else { width + 1 });
        let byte = (below as usize / 8).min(8 * self.layout.words - 8);
        let shift = below - 8 * byte as u32;
        debug_assert!(shift + bits <= u64::BITS + u32::from(start == 0));
        Field { byte, shift, raise: u32::from(start == 0), mask: (1 << bits) - 1, width }
    }

    /// The digit of a magnitude.
    ///
    /// Booth's: a window of c bits has the digit `bits + below - 2^c top`, where `bits` are its own, `top` is the highest one of
    /// them, and `below` the bit under the window: what that one's window has taken away from the next. So digits are
    /// between `-2^(c-1)` and `2^(c-1)`, and no carry goes from window to window.
    ///
    /// # Safety
    /// There is such a magnitude, and the field is of these magnitudes.
    #[inline(always)]
    pub unsafe fn digit(&self, index: usize, field: &Field) -> Digit {
        debug_assert!(index < self.len());
        let words = self.words.as_ptr().add(index * self.layout.words);
        let bits = match cfg!(target_endian = "little") {
            true => words.cast::<u8>().add(field.byte).cast::<u64>().read_unaligned(),
            false => eight_bytes(words, field.byte),
        };
        let bits = ((bits >> field.shift) as u32) << field.raise & field.mask;
        let negative = bits >> field.width;
        let magnitude = ((bits ^ (negative.wrapping_neg() & field.mask)) + 1) >> 1;
        let negated = u32::from(*words.add(self.layout.words - 1) & self.layout.sign != 0);
        Digit { magnitude, negative, negated }
    }
}

/// The eight bytes of a number from its byte `byte` on, the lowest one being 0, on machines of any order of bytes.
///
/// # Safety
/// The words, the lowest first, have these bytes.
#[inline(always)]
unsafe fn eight_bytes(words: *const u64, byte: usize) -> u64 {
    let (words, shift) = (words.add(byte / 8), 8 * (byte % 8) as u32);
    match shift {
        0 => *words,
        _ => *words >> shift | *words.add(1) << (u64::BITS - shift),
    }
}

/// The bits of a window in a magnitude.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// They are in the eight bytes from this one on, which are the magnitude's.
    byte: usize,
    /// The position of the lowest one there.
    shift: u32,
    /// 1 for the first window, which has no bit below it.
    raise: u32,
    mask: u32,
    width: u32,
}

/// A digit of a magnitude.
#[derive(Clone, Copy, Debug)]
pub struct Digit {
    /// Its absolute value, at most `2^(c-1)` in a window of c bits.
    pub magnitude: u32,
    /// 1 if it is negative.
    pub negative: u32,
    /// 1 if the magnitude that it belongs to counts with a minus sign.
    pub negated: u32,
}

/// Conversion of scalars to magnitudes.
pub(crate) struct Fold<'a> {
    /// True if they may be folded.
    pub in_subgroup: bool,
    /// Split of long ones.
    pub split: Option<&'a Split>,
}

impl Fold<'_> {
    /// Writes the magnitudes and signs of the scalars in `range` in their [layout](Layout::of), and behind them those of the
    /// second halves where they split. Returns how many there are of each length in bits.
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
        out: &Output<u64>,
        control: &Control<'_>,
    ) -> Result<Vec<usize>, Error> {
        let (start, len) = (range.start, range.len());
        let layout = Layout::of::<F>(self);
        let none = || vec![0; F::MODULUS_BIT_SIZE as usize + 1];
        let write = |i: usize, counts: &mut [usize]| {
            let magnitude = scalars.magnitude(start + i, self.in_subgroup)?;
            let mut put = |i: usize, magnitude: &Magnitude<F::BigInt>| {
                counts[magnitude.bits() as usize] += 1;
                layout.write(i, magnitude, out);
            };
            match self.split {
                None => put(i, &magnitude),
                Some(split) => {
                    let [low, high] = split.apply(magnitude);
                    put(i, &low);
                    put(len + i, &high);
                }
            }
            Some(())
        };
        let first = AtomicUsize::new(len);
        let counts = control.for_each(len.div_ceil(PART), none, |counts, part| {
            let mut part = part * PART..len.min((part + 1) * PART);
            if part.start < first.load(Ordering::Relaxed) {
                if let Some(bad) = part.find(|&i| write(i, counts).is_none()) {
                    first.fetch_min(bad, Ordering::Relaxed);
                }
            }
        });
        control.check()?;
        let bad = Some(first.into_inner()).filter(|&bad| bad < len);
        bad.map_or(Ok(()), |i| Err(Error::ScalarRange { index: start + i }))?;
        let mut sum = none();
        for counts in counts {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_number() {
        let words = [0x0706_0504_0302_0100_u64, 0x0f0e_0d0c_0b0a_0908];
        for byte in 0..=8 {
            // SAFETY: 16 bytes.
            let found = unsafe { eight_bytes(words.as_ptr(), byte) };
            assert_eq!(found, u64::from_le_bytes(std::array::from_fn(|i| (byte + i) as u8)));
        }
    }
}
