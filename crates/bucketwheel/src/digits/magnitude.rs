//! Scalars to magnitudes: folded to at most half of the order, and split into halves. They are all that is kept of scalars;
//! digits are made of them when they are wanted.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel_lanes::Backend;

use super::scalars::Source;
use super::vectorize::{vectorize, Task};
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

/// Signed magnitudes as they are kept: two's complements of some words, all lowest words first, then all second ones, and so
/// on, so that a window of many scalars is read from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The words of a magnitude.
    pub words: usize,
    /// False if there are no signs, and the highest bit is as the others.
    is_signed: bool,
}

impl Layout {
    /// The layout of magnitudes of `F`, which have signs, or split, or do not.
    pub(crate) fn of<F: ScalarWords>(fold: &Fold<'_>) -> Self {
        let words = F::MODULUS.as_ref().len();
        match (fold.split, fold.in_subgroup) {
            // Below 2^127.
            (Some(_), _) => Layout { words: 2, is_signed: true },
            // At most half of the order, so that there is a bit left.
            (None, is_signed) => Layout { words, is_signed },
        }
    }

    /// Writes a magnitude into an array of `stride` of them.
    ///
    /// # Safety
    /// There is room for it, and nobody else accesses it.
    #[inline(always)]
    unsafe fn write<B: Integer>(
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
            out.write(i * stride + index, word);
            carry = overflow;
        }
    }

    /// Sets magnitudes of an array of `stride` of them to 0, and counts them as such.
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
    layout: Layout,
}

impl<'a> Magnitudes<'a> {
    /// The first `len` of the magnitudes that an array has room for.
    pub fn new(words: &'a [u64], len: usize, layout: Layout) -> Self {
        let stride = words.len() / layout.words;
        debug_assert!(words.len().is_multiple_of(layout.words) && len <= stride);
        Magnitudes { words, stride, len, layout }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Those in front of `index`, and those from there on.
    pub fn split_at(self, index: usize) -> (Self, Self) {
        let back = Magnitudes { words: &self.words[index..], len: self.len - index, ..self };
        (Magnitudes { len: index, ..self }, back)
    }

    /// Bits of the magnitude `index`, up to the leading one.
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

    /// Place of a window's bits in a magnitude.
    pub fn field(&self, start: u32, width: u32) -> Field {
        // The bit below the window, too.
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

    /// The digits of some magnitudes: of `index(i)` in `digits[i]`, as [`Digit`] has them.
    ///
    /// # Safety
    /// There are such magnitudes, and the field is of these magnitudes.
    #[inline(always)]
    pub unsafe fn digits(&self, index: impl Fn(usize) -> usize, field: &Field, digits: &mut [u32]) {
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

/// The words above the highest one of a two's complement.
#[inline(always)]
fn sign(highest: u64) -> u64 {
    ((highest as i64) >> 63) as u64
}

/// The bits of a window in a magnitude, and the bit below.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The word of the lowest one.
    word: usize,
    /// Its position there.
    shift: u32,
    above: Above,
    /// 1 for the first window, which has no bit below it.
    raise: u32,
    mask: u32,
    width: u32,
}

/// Place of bits that the word does not have.
#[derive(Clone, Copy, Debug)]
enum Above {
    /// There are none, or zeros.
    Nothing,
    /// In the next word.
    Word,
    /// They are all the sign.
    Sign,
}

impl Field {
    /// Booth's digit of a window of c bits, `bits + below - 2^c top`, where `bits` are its own, `top` is the highest one of
    /// them, and `below` the bit under the window: what that one's window has taken away from the next. So digits are
    /// between `-2^(c-1)` and `2^(c-1)`, no carry goes from window to window, and two's complements need nothing of their
    /// own.
    #[inline(always)]
    fn digit(&self, low: u64, high: u64) -> u32 {
        let bits = (low >> self.shift | high << 1 << (63 - self.shift)) as u32;
        let bits = bits << self.raise & self.mask;
        let negative = bits >> self.width;
        let magnitude = ((bits ^ (negative.wrapping_neg() & self.mask)) + 1) >> 1;
        magnitude.wrapping_sub(1) << 1 | negative
    }
}

/// Conversion of scalars to magnitudes.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    /// True if they may be folded.
    pub in_subgroup: bool,
    /// Split of long ones.
    pub split: Option<&'a Split>,
}

impl Fold<'_> {
    /// Writes the magnitudes of the scalars in `range` in their [layout](Layout::of), from `position` on into an array of
    /// `stride` of them, and behind them those of the second halves where they split. Returns how many there are of each length
    /// in bits.
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
        (out, position, stride): (&Output<u64>, usize, usize),
        backend: Backend,
        control: &Control<'_>,
    ) -> Result<Vec<usize>, Error> {
        let (fold, layout, scalars) = (*self, Layout::of::<F>(self), scalars.source());
        let bits = F::MODULUS_BIT_SIZE;
        let writing = Writing { fold, layout, scalars, bits, range, out, position, stride, backend, control };
        F::BigInt::write_magnitudes(writing)
    }
}

/// Magnitudes under way: see [`Fold::write`], whose arguments they are.
pub struct Writing<'a, B> {
    fold: Fold<'a>,
    layout: Layout,
    scalars: Source<'a, B>,
    /// Those of the order.
    bits: u32,
    range: Range<usize>,
    out: &'a Output<u64>,
    position: usize,
    stride: usize,
    backend: Backend,
    control: &'a Control<'a>,
}

/// Scalars that are converted together: they stay in the first-level cache.
const BLOCK: usize = 64;

impl<B: Integer> Writing<'_, B> {
    /// Number of magnitudes of each length.
    pub(crate) fn run(self) -> Result<Vec<usize>, Error> {
        let len = self.range.len();
        let none = || vec![0; self.bits as usize + 1];
        let first = AtomicUsize::new(len);
        let counts = self.control.for_each(len.div_ceil(PART), none, |counts, part| {
            let part = part * PART..len.min((part + 1) * PART);
            if part.start < first.load(Ordering::Relaxed) {
                if let Some(bad) = vectorize(self.backend, Part { writing: &self, part, counts }) {
                    first.fetch_min(bad, Ordering::Relaxed);
                }
            }
        });
        self.control.check()?;
        let bad = Some(first.into_inner()).filter(|&bad| bad < len);
        bad.map_or(Ok(()), |i| Err(Error::ScalarRange { index: self.range.start + i }))?;
        let mut sum = none();
        for counts in counts {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(sum)
    }
}

/// Part of the scalars of a range, by their places in it: writes their magnitudes, up to the first one that is not below the
/// order.
struct Part<'a, B> {
    writing: &'a Writing<'a, B>,
    part: Range<usize>,
    counts: &'a mut [usize],
}

impl<B: Integer> Task for Part<'_, B> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let Part { writing, part, counts } = self;
        let Writing { fold, layout, scalars, range, out, position, stride, .. } = writing;
        let mut put = |i: usize, magnitude: &Magnitude<B>| {
            counts[magnitude.bits() as usize] += 1;
            // SAFETY: `Fold::write`'s caller's.
            unsafe { layout.write(position + i, *stride, magnitude, out) };
        };
        let mut integers = [B::default(); BLOCK];
        for first in part.clone().step_by(BLOCK) {
            let integers = &mut integers[..BLOCK.min(part.end - first)];
            scalars.read(range.start + first, integers);
            for (i, &integer) in (first..).zip(&*integers) {
                let Some(magnitude) = Magnitude::of(&scalars.order, integer, fold.in_subgroup) else {
                    return Some(i);
                };
                match fold.split {
                    None => put(i, &magnitude),
                    Some(split) => {
                        let [low, high] = split.apply(magnitude);
                        put(i, &low);
                        put(range.len() + i, &high);
                    }
                }
            }
        }
        None
    }
}
