//! Magnitudes in memory, and the bits of a window in them. Only the magnitudes of scalars are stored; digits are made
//! of them when they are needed.

use ark_ff::BigInteger;

use super::fold::Fold;
use super::magnitude::{bits, Magnitude};
use super::split::PART_WORDS;
use super::words::MontgomeryWords;
use crate::memory::Output;

/// Signed magnitudes as they are stored: two's complements of some words, the lowest words of all magnitudes first,
/// then all second words, and so on. So the bits of a window of many scalars are read from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MagnitudeLayout {
    /// Number of words of a magnitude.
    pub words: usize,
    /// False if there are no signs, and the highest bit is a bit like any other.
    pub(crate) is_signed: bool,
}

impl MagnitudeLayout {
    /// Returns the layout of magnitudes of `F`: with signs, split, or neither.
    pub(crate) fn of<F: MontgomeryWords>(fold: &Fold<'_>) -> Self {
        let words = F::MODULUS.as_ref().len();
        match (fold.split, fold.in_subgroup) {
            (Some(_), _) => MagnitudeLayout { words: PART_WORDS, is_signed: true },
            // Folded magnitudes are at most half of the order, so one bit is free for the sign.
            (None, is_signed) => MagnitudeLayout { words, is_signed },
        }
    }

    /// Returns the number of positions of signed digits: one more than the bits, for a carry.
    pub fn positions(self) -> u32 {
        self.words as u32 * u64::BITS + 1
    }

    /// Writes a magnitude into an array of `stride` magnitudes.
    ///
    /// # Safety
    /// - `index` is below `stride`, and `out` has room for `stride` magnitudes.
    /// - Nobody else accesses the words of this magnitude during the call.
    #[inline(always)]
    pub(super) unsafe fn write<B: BigInteger>(
        self,
        index: usize,
        stride: usize,
        magnitude: &Magnitude<B>,
        out: &Output<u64>,
    ) {
        let (words, rest) = magnitude.words.as_ref().split_at(self.words);
        debug_assert!(bits(rest) == 0 && (!self.is_signed || words[self.words - 1] >> 63 == 0));
        debug_assert!(self.is_signed || !magnitude.negative);
        let mut carry = magnitude.negative;
        let mask = u64::from(carry).wrapping_neg();
        for (i, &word) in words.iter().enumerate() {
            let (word, overflow) = (word ^ mask).overflowing_add(u64::from(carry));
            // SAFETY: the caller vouches for room and for exclusive access to the words of this magnitude.
            unsafe { out.write(i * stride + index, word) };
            carry = overflow;
        }
    }

    /// Sets some magnitudes of an array of `stride` magnitudes to 0, and counts them as zeros.
    pub fn clear(
        self,
        words: &mut [u64],
        stride: usize,
        indices: impl Iterator<Item = usize>,
        lengths: &mut [usize],
    ) {
        for index in indices {
            lengths[Magnitudes::new(words, index + 1, self).bits(index) as usize] -= 1;
            lengths[0] += 1;
            (0..self.words).for_each(|i| words[i * stride + index] = 0);
        }
    }
}

/// Magnitudes in their layout.
#[derive(Clone, Copy, Debug)]
pub struct Magnitudes<'a> {
    /// Word j of magnitude i is `words[j * stride + i]`.
    words: &'a [u64],
    stride: usize,
    len: usize,
    layout: MagnitudeLayout,
}

impl<'a> Magnitudes<'a> {
    /// Returns the first `len` of the magnitudes that an array has room for.
    pub fn new(words: &'a [u64], len: usize, layout: MagnitudeLayout) -> Self {
        let stride = words.len() / layout.words;
        debug_assert!(words.len().is_multiple_of(layout.words) && len <= stride);
        Magnitudes { words, stride, len, layout }
    }

    /// Returns the number of magnitudes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of positions of signed digits: one more than the bits, for a carry.
    pub fn positions(&self) -> u32 {
        self.layout.positions()
    }

    /// Returns the magnitudes in front of `index`, and the magnitudes from there on.
    pub fn split_at(self, index: usize) -> (Self, Self) {
        let back = Magnitudes { words: &self.words[index..], len: self.len - index, ..self };
        (Magnitudes { len: index, ..self }, back)
    }

    /// Returns the bits of the magnitude `index`, up to the leading one.
    #[inline(always)]
    pub fn bits(&self, index: usize) -> u32 {
        let word = |i: usize| self.words[i * self.stride + index];
        let sign = match self.layout.is_signed {
            true => sign(word(self.layout.words - 1)),
            false => 0,
        };
        let (mut bits, mut carry) = (0, sign != 0);
        for i in 0..self.layout.words {
            let (word, overflow) = (word(i) ^ sign).overflowing_add(u64::from(carry));
            carry = overflow;
            if word != 0 {
                bits = u64::BITS * (i as u32 + 1) - word.leading_zeros();
            }
        }
        bits
    }

    /// Returns 64 bits of a magnitude from bit `start` on. Bits above its words are copies of the sign.
    pub fn bits_from(&self, index: usize, start: u32) -> u64 {
        let (first, shift) = ((start / u64::BITS) as usize, start % u64::BITS);
        let word = |i: usize| match (i < self.layout.words, self.layout.is_signed) {
            (true, _) => self.words[i * self.stride + index],
            (false, true) => sign(self.words[(self.layout.words - 1) * self.stride + index]),
            (false, false) => 0,
        };
        word(first) >> shift | word(first + 1) << 1 << (63 - shift)
    }

    /// Returns the place of a window's bits in a magnitude.
    pub fn field(&self, start: u32, width: u32) -> Field {
        // The field includes the bit below the window.
        let below = start.saturating_sub(1);
        let (word, shift) = ((below / u64::BITS) as usize, below % u64::BITS);
        let bits = width + u32::from(start > 0);
        let above = match (shift + bits > u64::BITS, word + 1 < self.layout.words) {
            (true, true) => Above::Word,
            (true, false) if self.layout.is_signed => Above::Sign,
            _ => Above::Nothing,
        };
        Field { word, shift, above, raise: u32::from(start == 0), mask: (1 << (width + 1)) - 1, width }
    }

    /// Writes the digits of some magnitudes: the digit of magnitude `index(i)` to `digits[i]`, in the form of [`Digit`].
    ///
    /// # Safety
    /// - `index(i)` is below the number of magnitudes for each `i` below the length of `digits`.
    /// - [`field`](Self::field) of magnitudes of this layout made the field.
    #[inline(always)]
    pub unsafe fn digits(&self, index: impl Fn(usize) -> usize, field: &Field, digits: &mut [u32]) {
        // SAFETY: the caller vouches for indices and a field of these magnitudes, so all words that are read belong to them.
        unsafe {
            let words = self.words.as_ptr().add(field.word * self.stride);
            match field.above {
                Above::Nothing => digits.iter_mut().enumerate().for_each(|(i, digit)| {
                    *digit = field.digit(*words.add(index(i)), 0);
                }),
                Above::Word => digits.iter_mut().enumerate().for_each(|(i, digit)| {
                    let low = words.add(index(i));
                    *digit = field.digit(*low, *low.add(self.stride));
                }),
                Above::Sign => digits.iter_mut().enumerate().for_each(|(i, digit)| {
                    let low = *words.add(index(i));
                    *digit = field.digit(low, sign(low));
                }),
            }
        }
    }
}

/// Returns the words above the highest word of a two's complement.
#[inline(always)]
fn sign(highest: u64) -> u64 {
    ((highest as i64) >> 63) as u64
}

/// The bits of a window in a magnitude, and the bit below.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The word of the lowest bit.
    word: usize,
    /// The position of the lowest bit in this word.
    shift: u32,
    above: Above,
    /// 1 for the first window, which has no bit below it.
    raise: u32,
    mask: u32,
    width: u32,
}

/// Place of the bits above the word.
#[derive(Clone, Copy, Debug)]
enum Above {
    /// There are no bits above, or only zeros.
    Nothing,
    /// The bits are in the next word.
    Word,
    /// All bits are copies of the sign.
    Sign,
}

impl Field {
    /// Returns Booth's digit of a window of c bits, `bits + below - 2^c top`: `bits` are the window's own bits, `top`
    /// is the highest one of them, and `below` is the bit under the window, which the window below has subtracted. So
    /// digits are between `-2^(c-1)` and `2^(c-1)`, no carry goes from window to window, and two's complements need no
    /// special case.
    #[inline(always)]
    fn digit(&self, low: u64, high: u64) -> u32 {
        let bits = (low >> self.shift | high << 1 << (63 - self.shift)) as u32;
        let bits = bits << self.raise & self.mask;
        let negative = bits >> self.width;
        let magnitude = ((bits ^ (negative.wrapping_neg() & self.mask)) + 1) >> 1;
        magnitude.wrapping_sub(1) << 1 | negative
    }
}
