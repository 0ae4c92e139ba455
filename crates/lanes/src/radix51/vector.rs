//! Operations on a register of two lanes.

use crate::field::Task;
use crate::Backend;

/// Two 64-bit lanes, doubles or integers, and the instructions on them. Implementations agree bit for bit.
///
/// # Safety
/// Values of the type exist only where its instructions do.
pub unsafe trait Pair: Copy + Send + Sync + 'static {
    /// The backend of lanes on these pairs.
    const BACKEND: Backend;

    /// Runs a task compiled for the instruction set.
    ///
    /// # Safety
    /// The instruction set is supported.
    unsafe fn vectorize<T: Task>(task: T) -> T::Output;

    /// The bits of both lanes.
    fn from_bits(lanes: [u64; 2]) -> Self;
    /// The bits of both lanes.
    fn to_bits(self) -> [u64; 2];
    /// Reads a double for each lane.
    ///
    /// # Safety
    /// Both pointers are valid for reads and aligned.
    unsafe fn gather(first: *const u64, second: *const u64) -> Self;
    /// Writes each lane.
    ///
    /// # Safety
    /// Both pointers are valid for writes and aligned.
    unsafe fn scatter(self, first: *mut u64, second: *mut u64);

    /// `self + other`, doubles.
    fn add(self, other: Self) -> Self;
    /// `self - other`, doubles.
    fn sub(self, other: Self) -> Self;
    /// `self * factor + sum`, doubles, rounded once.
    fn madd(self, factor: Self, sum: Self) -> Self;
    /// The lanes (as bits) that are 0, doubles.
    fn zeros(self) -> u32;

    /// `self + other` modulo 2^64, integers.
    fn add_int(self, other: Self) -> Self;
    /// `self - other` modulo 2^64, integers.
    fn sub_int(self, other: Self) -> Self;
    /// Logical shift right, integers.
    fn shift_right(self, bits: u32) -> Self;
    /// Arithmetic shift right, integers.
    fn shift_right_signed(self, bits: u32) -> Self;
    /// Shift left, integers.
    fn shift_left(self, bits: u32) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;

    /// The first lanes of both.
    fn first_lanes(self, other: Self) -> Self;
    /// The second lanes of both.
    fn second_lanes(self, other: Self) -> Self;

    /// The same double in both lanes.
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self::splat_bits(x.to_bits())
    }

    /// The same bits in both lanes.
    #[inline(always)]
    fn splat_bits(x: u64) -> Self {
        Self::from_bits([x; 2])
    }

    /// All bits set in the lanes of `mask`.
    #[inline(always)]
    fn lane_mask(mask: u32) -> Self {
        Self::from_bits([u64::from(mask & 1).wrapping_neg(), u64::from(mask >> 1 & 1).wrapping_neg()])
    }
}
