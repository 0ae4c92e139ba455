//! Magnitudes to signed digits, packed with the buckets that they belong to.

use std::ops::Range;

use super::bucket_set::{forms, Form};
use super::largest::Largest;
use super::Magnitude;
use crate::control::Control;
use crate::curve::Integer;
use crate::memory::{Array, Output, Uninit};
use crate::plan::table::Multiples;
use crate::windows::Windows;
use crate::Error;

/// The digits of scalars by window.
#[derive(Debug)]
pub struct Digits {
    /// `window_count` rows of `len` digits each, see [`pack`].
    digits: Array<u32>,
    len: usize,
    /// Rows.
    pub window_count: usize,
}

/// No bucket: the digit is 0.
pub(crate) const NO_BUCKET: u32 = u32::MAX;

/// The bucket of a packed digit that is not 0.
#[inline(always)]
pub(crate) fn bucket(packed: u32) -> usize {
    (packed >> 1 & ((1 << Form::BUCKET_BITS) - 1)) as usize
}

/// Bits of the multiple in a packed digit.
pub(crate) const MULTIPLE_BITS: u32 = u32::BITS - 1 - Form::BUCKET_BITS;

/// The multiple of the point that goes there: 0 for the point itself.
#[inline(always)]
pub(crate) fn multiple(packed: u32) -> usize {
    (packed >> (Form::BUCKET_BITS + 1)) as usize
}

/// A nonzero digit d as its bucket `|d| - 1` and sign bit; 0 as [`NO_BUCKET`].
#[inline(always)]
fn pack(digit: i32, negate: u32) -> u32 {
    let sign = digit >> 31;
    let magnitude = ((digit ^ sign) - sign) as u32;
    // 0 - 1 wraps to all ones; so does the shift, but for the sign bit.
    let packed = magnitude.wrapping_sub(1) << 1 | (sign as u32 & 1) ^ negate;
    if magnitude == 0 {
        NO_BUCKET
    } else {
        packed
    }
}

/// A digit whose magnitude is a multiple of the point as that and the bucket of 1; else as [`pack`] has it.
#[inline(always)]
fn pack_largest(digit: i32, largest: Largest, negate: u32) -> u32 {
    match largest.index(digit.unsigned_abs()) {
        0 => pack(digit, negate),
        index => index << (Form::BUCKET_BITS + 1) | u32::from(digit < 0) ^ negate,
    }
}

/// A digit and the last one's carry as a multiple of a bucket's digit, by these forms or directly.
#[inline(always)]
fn pack_form(digit: i32, forms: Option<&[Form]>, negate: u32, carry: &mut i32) -> u32 {
    let digit = digit + std::mem::take(carry);
    let magnitude = digit.unsigned_abs();
    if magnitude == 0 {
        return NO_BUCKET;
    }
    let form = forms.map_or_else(|| Form::direct(magnitude), |forms| forms[magnitude as usize]);
    let mut negative = u32::from(digit < 0);
    if form.carries() {
        *carry = digit.signum();
        negative ^= 1;
    }
    form.packed() | negative ^ negate
}

impl Digits {
    /// The digits of the magnitudes at `indices`, which fit the first `window_count` windows, over points with
    /// these multiples.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new<B: Integer>(
        magnitudes: &[Magnitude<B>],
        indices: &[u32],
        windows: Windows,
        window_count: usize,
        multiples: Multiples,
        control: &Control<'_>,
    ) -> Result<Self, Error> {
        let len = indices.len();
        let digits: Uninit<u32> = Uninit::new(len.saturating_mul(window_count))?;
        let rows = digits.output();
        control.for_each(
            len.div_ceil(BLOCK),
            || (),
            |_, block| {
                let range = block * BLOCK..len.min((block + 1) * BLOCK);
                let block = indices[range.clone()].iter().map(|&index| &magnitudes[index as usize]);
                // SAFETY: in range; each block of scalars writes its own part of each row.
                unsafe {
                    let target = Target { rows: &rows, len, columns: range, windows, count: window_count };
                    match multiples {
                        Multiples::One => target.write(block, |_, _| |digit, negate, _| pack(digit, negate)),
                        Multiples::BucketSet => target.write(block, |width, last| {
                            // The last window has nowhere to carry to.
                            let forms = forms(width).filter(|_| !last);
                            move |digit, negate, carry| pack_form(digit, forms, negate, carry)
                        }),
                        Multiples::Largest(largest) => target.write(block, |_, _| {
                            move |digit, negate, _| pack_largest(digit, largest, negate)
                        }),
                    }
                }
            },
        );
        control.check()?;
        // SAFETY: what is cancelled stays so, hence the blocks have written all of it.
        let digits = unsafe { digits.written() };
        Ok(Digits { digits, len, window_count })
    }

    /// The digits of window `index`.
    pub fn row(&self, index: usize) -> &[u32] {
        &self.digits[index * self.len..][..self.len]
    }
}

/// Scalars that are recoded together, window by window: they stay in the first-level cache.
const BLOCK: usize = 256;

/// Half of the range of every window but the last, which makes their signed digits nonnegative.
fn bias<B: Integer>(windows: Windows, count: usize) -> B::Wide {
    let mut bias = B::Wide::default();
    for window in 1..count {
        let bit = windows.start(window) as usize - 1;
        bias.as_mut()[bit / 64] |= 1 << (bit % 64);
    }
    bias
}

/// `magnitude + bias`.
#[inline(always)]
fn add_bias<B: Integer>(magnitude: &Magnitude<B>, bias: &B::Wide) -> B::Wide {
    let (mut sum, mut carry) = (*bias, false);
    let words = magnitude.words.as_ref();
    for (i, sum) in sum.as_mut().iter_mut().enumerate() {
        let word = words.get(i).copied().unwrap_or(0);
        let (x, c0) = word.overflowing_add(*sum);
        let (x, c1) = x.overflowing_add(carry as u64);
        carry = c0 | c1;
        *sum = x;
    }
    sum
}

/// Destination of a block's digits.
struct Target<'a> {
    /// As many rows of `len` digits as there are windows.
    rows: &'a Output<u32>,
    len: usize,
    /// Below `len`, and at most [`BLOCK`].
    columns: Range<usize>,
    windows: Windows,
    count: usize,
}

impl Target<'_> {
    /// Writes the digits of a block's magnitudes, one for each column: `pack` makes of a window's width, and whether it is
    /// the last one, what packs its digits, of their values, their scalars' signs, and the carries from window to window.
    ///
    /// # Safety
    /// There is room for `count` rows of `len` digits, the block has as many magnitudes as there are columns, and nobody
    /// else accesses these columns meanwhile.
    #[inline(always)]
    unsafe fn write<'m, B: Integer, P: Fn(i32, u32, &mut i32) -> u32>(
        self,
        block: impl Iterator<Item = &'m Magnitude<B>>,
        pack: impl Fn(u32, bool) -> P,
    ) {
        let Target { rows, len, columns, windows, count } = self;
        let bias = bias::<B>(windows, count);
        let mut biased = [(B::Wide::default(), 0); BLOCK];
        for (magnitude, biased) in block.zip(&mut biased) {
            *biased = (add_bias(magnitude, &bias), magnitude.negative as u32);
        }
        let mut carries = [0; BLOCK];
        for window in 0..count {
            let (first, width, last) =
                (windows.start(window) as usize, windows.width(window), window + 1 == count);
            let (word, shift) = (first / 64, first % 64);
            let mask = (1u64 << width) - 1;
            let half = if last { 0 } else { 1 << (width - 1) };
            let row = window * len + columns.start;
            let pack = pack(width, last);
            for (i, (words, negative)) in biased[..columns.len()].iter().enumerate() {
                let words = words.as_ref();
                let wide = (words[word + 1] as u128) << 64 | words[word] as u128;
                let field = (wide >> shift) as u64 & mask;
                rows.write(row + i, pack(field as i32 - half, *negative, &mut carries[i]));
            }
        }
    }
}
