//! Elements at rest: eight digits in a cache line, fifteen digits in two, or five digits in half a cache line.

use super::{Eight, WIDTH};
use crate::each;

/// Digits of eight elements, and the same elements at rest.
pub trait AtRest: Sized {
    /// An element at rest.
    type Elem: Copy + Send + Sync;

    /// Gathers eight elements' digits. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers are valid for reads of an element, and aligned.
    unsafe fn load(src: &[*const Self::Elem; 8]) -> Self;

    /// Gathers eight differences of digits, `left - right`. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers on both sides are valid for reads of an element, and aligned.
    unsafe fn load_difference(left: &[*const Self::Elem; 8], right: &[*const Self::Elem; 8]) -> Self;

    /// Scatters eight elements, of exact digits. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers are valid for writes of an element, and aligned.
    unsafe fn store(&self, dst: &[*mut Self::Elem; 8]);
}

/// Eight digits: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Digits([u64; 8]);

impl<E: Eight> AtRest for [E; 8] {
    type Elem = Digits;

    #[inline(always)]
    unsafe fn load(src: &[*const Digits; 8]) -> Self {
        // SAFETY: the caller vouches for eight readable elements. An element is as large and as aligned as the register.
        E::transpose(each!(|lane| unsafe { *src[lane].cast::<E>() }))
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Digits; 8], right: &[*const Digits; 8]) -> Self {
        // SAFETY: the caller vouches for eight readable elements on either side, as large and as aligned as the register.
        E::transpose(each!(|lane| unsafe { (*left[lane].cast::<E>()).sub(*right[lane].cast::<E>()) }))
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Digits; 8]) {
        let rows = E::transpose(*self);
        for lane in 0..8 {
            // SAFETY: the caller vouches for a writable element, as large and as aligned as the register.
            unsafe { *dst[lane].cast::<E>() = rows[lane] };
        }
    }
}

/// Fifteen digits and a zero: two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct TwoLines([Digits; 2]);

impl TwoLines {
    /// Returns the lines of the eight elements, first or second.
    #[inline(always)]
    fn lines(elements: &[*const TwoLines; 8], which: usize) -> [*const Digits; 8] {
        // The line is not beyond the element's end.
        each!(|lane| elements[lane].cast::<Digits>().wrapping_add(which))
    }

    #[inline(always)]
    fn digits<E: Eight>([first, second]: [[E; 8]; 2]) -> [E; 15] {
        each!(|j| if j < 8 { first[j] } else { second[j - 8] })
    }
}

impl<E: Eight> AtRest for [E; 15] {
    type Elem = TwoLines;

    #[inline(always)]
    unsafe fn load(src: &[*const TwoLines; 8]) -> Self {
        // SAFETY: the caller vouches for eight readable, aligned elements. These pointers are to their lines.
        TwoLines::digits(each!(|which| unsafe { AtRest::load(&TwoLines::lines(src, which)) }))
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const TwoLines; 8], right: &[*const TwoLines; 8]) -> Self {
        TwoLines::digits(each!(|which| {
            let (left, right) = (TwoLines::lines(left, which), TwoLines::lines(right, which));
            // SAFETY: the caller vouches for eight readable, aligned elements on either side. These pointers are to their lines.
            unsafe { AtRest::load_difference(&left, &right) }
        }))
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut TwoLines; 8]) {
        for which in 0..2 {
            let line: [E; 8] = each!(|j| if 8 * which + j < 15 { self[8 * which + j] } else { E::splat(0) });
            let lines: [*mut Digits; 8] = each!(|lane| dst[lane].cast::<Digits>().wrapping_add(which));
            // SAFETY: the caller vouches for eight writable, aligned elements. These pointers are to their lines.
            unsafe { line.store(&lines) };
        }
    }
}

/// Five digits of a value below 2^256, as its four words: half a cache line, so that a point fills one.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Packed(pub(crate) [u64; 4]);

impl<E: Eight> AtRest for [E; 5] {
    type Elem = Packed;

    #[inline(always)]
    unsafe fn load(src: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller vouches for eight readable, aligned elements.
        digits_of(&unsafe { E::gather(src) })
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Packed; 8], right: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller vouches for eight readable, aligned elements on either side.
        let (left, right) = unsafe { (Self::load(left), Self::load(right)) };
        each!(|j| left[j].sub(right[j]))
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Packed; 8]) {
        // SAFETY: the caller vouches for eight writable, aligned elements.
        unsafe { E::scatter(words_of(self), dst) }
    }
}

/// Returns the digits of integers of `W` words.
#[inline(always)]
pub(super) fn digits_of<E: Eight, const W: usize, const N: usize>(words: &[E; W]) -> [E; N] {
    let mask = E::splat(u64::MAX >> (64 - WIDTH));
    each!(|j| {
        let (index, shift) = (WIDTH * j / 64, WIDTH * j % 64);
        if index >= W {
            E::splat(0)
        } else {
            let low = words[index].shift_right_logical_by(shift as u32);
            let all_bits = shift + WIDTH <= 64 || index + 1 == W;
            let digit =
                if all_bits { low } else { low.or(words[index + 1].shift_left_by(64 - shift as u32)) };
            // The rest of the last word may fit one digit.
            if index + 1 == W && 64 - shift <= WIDTH {
                digit
            } else {
                digit.and(mask)
            }
        }
    })
}

/// Returns the integers of exact digits, in `W` words.
#[inline(always)]
pub(super) fn words_of<E: Eight, const W: usize, const N: usize>(digits: &[E; N]) -> [E; W] {
    each!(|k| {
        let mut word = E::splat(0);
        for j in 0..N {
            let (index, shift) = (WIDTH * j / 64, WIDTH * j % 64);
            if index == k {
                word = word.or(digits[j].shift_left_by(shift as u32));
            } else if index + 1 == k && shift + WIDTH > 64 {
                word = word.or(digits[j].shift_right_logical_by(64 - shift as u32));
            }
        }
        word
    })
}
