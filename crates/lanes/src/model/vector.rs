//! The instructions on registers, word by word.

use crate::field::Task;
use crate::radix52::{Eight, Packed};
use crate::{each, Backend};

/// A register of eight words.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct EightWords([u64; 8]);

pub(super) const MASK52: u64 = (1 << 52) - 1;

impl EightWords {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        EightWords(each!(|i| f(self.0[i], other.0[i])))
    }
}

// SAFETY: the type needs no instructions: its methods are plain Rust.
unsafe impl Eight for EightWords {
    const BACKEND: Backend = Backend::Model;

    fn is_supported() -> bool {
        super::is_supported()
    }

    #[inline(always)]
    unsafe fn vectorize<T: Task>(task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn splat(x: u64) -> Self {
        EightWords([x; 8])
    }

    #[inline(always)]
    fn from_array(x: [u64; 8]) -> Self {
        EightWords(x)
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        self.0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map2(other, |a, b| a & b)
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        self.shift_right_by(BITS)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.map2(other, |a, b| a | b)
    }

    #[inline(always)]
    fn shift_right_logical_by(self, bits: u32) -> Self {
        EightWords(self.0.map(|x| x >> bits))
    }

    #[inline(always)]
    fn shift_left_by(self, bits: u32) -> Self {
        EightWords(each!(|i| self.0[i] << bits))
    }

    #[inline(always)]
    fn shift_right_by(self, bits: u32) -> Self {
        EightWords(self.0.map(|x| (x as i64 >> bits) as u64))
    }

    #[inline(always)]
    fn madd_low(self, a: Self, b: Self) -> Self {
        self.add(a.map2(b, |a, b| (a & MASK52).wrapping_mul(b & MASK52) & MASK52))
    }

    #[inline(always)]
    fn madd_high(self, a: Self, b: Self) -> Self {
        self.add(a.map2(b, |a, b| (((a & MASK52) as u128 * (b & MASK52) as u128) >> 52) as u64))
    }

    #[inline(always)]
    fn look_up(table: &[u64; 16], index: Self) -> Self {
        EightWords(index.0.map(|i| table[i as usize & 15]))
    }

    #[inline(always)]
    fn negate_lanes(self, mask: u32) -> Self {
        self.select(mask, Self::splat(0).sub(self))
    }

    #[inline(always)]
    fn select(self, mask: u32, other: Self) -> Self {
        EightWords(each!(|i| if mask >> i & 1 == 0 { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn equal_lanes(self, other: Self) -> u32 {
        (0..8).map(|i| u32::from(self.0[i] == other.0[i]) << i).sum()
    }

    #[inline(always)]
    fn odd_lanes(numbers: &[u32; 8]) -> u32 {
        (0..8).map(|i| (numbers[i] & 1) << i).sum()
    }

    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        each!(|j| EightWords(each!(|i| rows[i].0[j])))
    }

    #[inline(always)]
    unsafe fn gather(rows: &[*const Packed; 8]) -> [Self; 4] {
        // SAFETY: the caller vouches for eight readable, aligned rows.
        each!(|k| EightWords(each!(|lane| unsafe { (*rows[lane]).0[k] })))
    }

    #[inline(always)]
    unsafe fn scatter(columns: [Self; 4], rows: &[*mut Packed; 8]) {
        for lane in 0..8 {
            // SAFETY: the caller vouches for eight writable, aligned rows.
            unsafe { *rows[lane] = Packed(each!(|k| columns[k].0[lane])) };
        }
    }

    #[inline(always)]
    fn prefetch(_address: *const u8) {}
}
