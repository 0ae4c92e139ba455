//! Elements at rest: eight digits in a cache line, or five in half of one.

use super::{Eight, WIDTH};
use crate::each;

/// Digits of eight elements, and the same elements at rest.
pub trait AtRest: Sized {
    /// An element at rest.
    type Elem: Copy + Send + Sync;

    /// Gathers eight elements' digits.
    ///
    /// # Safety
    /// The pointers are valid for reads and aligned.
    unsafe fn load(src: &[*const Self::Elem; 8]) -> Self;

    /// Gathers eight differences of digits, `left - right`.
    ///
    /// # Safety
    /// As for [`load`](Self::load), for both.
    unsafe fn load_difference(left: &[*const Self::Elem; 8], right: &[*const Self::Elem; 8]) -> Self;

    /// Scatters eight elements, of exact digits.
    ///
    /// # Safety
    /// The pointers are valid for writes and aligned.
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
        // SAFETY: the caller's: eight aligned words each.
        E::transpose(each!(|lane| unsafe { *src[lane].cast::<E>() }))
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Digits; 8], right: &[*const Digits; 8]) -> Self {
        // SAFETY: as above.
        E::transpose(each!(|lane| unsafe { (*left[lane].cast::<E>()).sub(*right[lane].cast::<E>()) }))
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Digits; 8]) {
        let rows = E::transpose(*self);
        for lane in 0..8 {
            // SAFETY: the caller's.
            unsafe { *dst[lane].cast::<E>() = rows[lane] };
        }
    }
}

/// Five digits of a value below 2^256, as its four words: half a cache line, so that a point has one.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Packed(pub(crate) [u64; 4]);

impl<E: Eight> AtRest for [E; 5] {
    type Elem = Packed;

    #[inline(always)]
    unsafe fn load(src: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller's.
        digits_of(&unsafe { E::gather(src) })
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Packed; 8], right: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller's.
        let (left, right) = unsafe { (Self::load(left), Self::load(right)) };
        each!(|j| left[j].sub(right[j]))
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Packed; 8]) {
        // SAFETY: the caller's.
        unsafe { E::scatter(words_of(self), dst) }
    }
}

/// The digits of integers of `W` words.
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
            // What is left of the last word may fit.
            if index + 1 == W && 64 - shift <= WIDTH {
                digit
            } else {
                digit.and(mask)
            }
        }
    })
}

/// The integers of exact digits, in `W` words.
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
