//! Elements at rest: eight digits in a cache line, or five in half of one.

use super::{Eight, WIDTH};
use crate::each;

/// Elements of `N` digits at rest.
pub trait AtRest<const N: usize>: Copy + Send + Sync {
    /// Gathers eight elements' digits.
    ///
    /// # Safety
    /// The pointers are valid for reads and aligned.
    unsafe fn load<E: Eight>(src: &[*const Self; 8]) -> [E; N];

    /// Gathers eight differences of digits, `left - right`.
    ///
    /// # Safety
    /// As for [`load`](Self::load), for both.
    unsafe fn load_difference<E: Eight>(left: &[*const Self; 8], right: &[*const Self; 8]) -> [E; N];

    /// Scatters eight elements, of exact digits.
    ///
    /// # Safety
    /// The pointers are valid for writes and aligned.
    unsafe fn store<E: Eight>(digits: &[E; N], dst: &[*mut Self; 8]);
}

/// Eight digits: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Digits([u64; 8]);

impl AtRest<8> for Digits {
    #[inline(always)]
    unsafe fn load<E: Eight>(src: &[*const Self; 8]) -> [E; 8] {
        // SAFETY: the caller's: eight aligned words each.
        E::transpose(each!(|lane| unsafe { *src[lane].cast::<E>() }))
    }

    #[inline(always)]
    unsafe fn load_difference<E: Eight>(left: &[*const Self; 8], right: &[*const Self; 8]) -> [E; 8] {
        // SAFETY: as above.
        E::transpose(each!(|lane| unsafe { (*left[lane].cast::<E>()).sub(*right[lane].cast::<E>()) }))
    }

    #[inline(always)]
    unsafe fn store<E: Eight>(digits: &[E; 8], dst: &[*mut Self; 8]) {
        let rows = E::transpose(*digits);
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

impl AtRest<5> for Packed {
    #[inline(always)]
    unsafe fn load<E: Eight>(src: &[*const Self; 8]) -> [E; 5] {
        // SAFETY: the caller's.
        digits_of(&unsafe { E::gather(src) })
    }

    #[inline(always)]
    unsafe fn load_difference<E: Eight>(left: &[*const Self; 8], right: &[*const Self; 8]) -> [E; 5] {
        // SAFETY: the caller's.
        let (left, right): ([E; 5], [E; 5]) = unsafe { (Self::load(left), Self::load(right)) };
        each!(|j| left[j].sub(right[j]))
    }

    #[inline(always)]
    unsafe fn store<E: Eight>(digits: &[E; 5], dst: &[*mut Self; 8]) {
        // SAFETY: the caller's.
        unsafe { E::scatter(words_of(digits), dst) }
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
