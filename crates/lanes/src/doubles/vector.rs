//! Operations on a register of two lanes.

use crate::field::Task;
use crate::Backend;

/// Two 64-bit lanes, doubles or integers, and the instructions on them. Implementations agree bit for bit.
///
/// ```
/// # #[cfg(all(feature = "model", feature = "std"))] {
/// use bucketwheel_lanes::model::TwoDoubles;
/// use bucketwheel_lanes::doubles::Pair;
///
/// let (a, b) = (TwoDoubles::splat(3.0), TwoDoubles::splat(5.0));
/// assert_eq!(a.madd(b, a).sub(a).to_bits(), [15f64.to_bits(); 2]);
/// assert_eq!(TwoDoubles::splat_bits(6).shift_right(1).to_bits(), [3; 2]);
/// # }
/// ```
///
/// # Safety
/// - [`is_supported`](Self::is_supported) returns true only if the CPU has the instructions.
/// - Values of the type exist only where its instructions do.
pub unsafe trait Pair: Copy + Send + Sync + 'static {
    /// The backend of lanes on these pairs.
    const BACKEND: Backend;

    /// Returns true if the CPU has the instructions. See the [example](crate::doubles::Pair).
    fn is_supported() -> bool;

    /// Runs a task compiled for the instruction set. See the [example](crate::doubles::Pair).
    ///
    /// # Safety
    /// - [`is_supported`](Self::is_supported) is true.
    unsafe fn vectorize<T: Task>(task: T) -> T::Output;

    /// Returns the bits of both lanes. See the [example](crate::doubles::Pair).
    fn from_bits(lanes: [u64; 2]) -> Self;
    /// Returns the bits of both lanes. The [example](crate::doubles::Pair) uses it.
    fn to_bits(self) -> [u64; 2];
    /// Reads a double for each lane. See the [example](crate::doubles::Pair).
    ///
    /// # Safety
    /// - Both pointers are valid for reads and aligned.
    unsafe fn gather(first: *const u64, second: *const u64) -> Self;
    /// Writes each lane. See the [example](crate::doubles::Pair).
    ///
    /// # Safety
    /// - Both pointers are valid for writes and aligned.
    unsafe fn scatter(self, first: *mut u64, second: *mut u64);

    /// Computes `self + other` on doubles. See the [example](crate::doubles::Pair).
    fn add(self, other: Self) -> Self;
    /// Computes `self - other` on doubles. The [example](crate::doubles::Pair) uses it.
    fn sub(self, other: Self) -> Self;
    /// Computes `self * factor + sum` on doubles. Pairs of 51-bit digits round once. The [example](crate::doubles::Pair) uses it.
    fn madd(self, factor: Self, sum: Self) -> Self;
    /// Returns the lanes (as bits) whose double is 0. See the [example](crate::doubles::Pair).
    fn zeros(self) -> u32;

    /// Computes `self + other` modulo 2^64 on integers. See the [example](crate::doubles::Pair).
    fn add_int(self, other: Self) -> Self;
    /// Computes `self - other` modulo 2^64 on integers. See the [example](crate::doubles::Pair).
    fn sub_int(self, other: Self) -> Self;
    /// Shifts integers right and fills with zeros. The [example](crate::doubles::Pair) uses it.
    fn shift_right(self, bits: u32) -> Self;
    /// Shifts integers right and fills with the sign. See the [example](crate::doubles::Pair).
    fn shift_right_signed(self, bits: u32) -> Self;
    /// Shifts integers left. See the [example](crate::doubles::Pair).
    fn shift_left(self, bits: u32) -> Self;
    /// Combines the registers bit by bit with AND. See the [example](crate::doubles::Pair).
    fn and(self, other: Self) -> Self;
    /// Combines the registers bit by bit with OR. See the [example](crate::doubles::Pair).
    fn or(self, other: Self) -> Self;
    /// Combines the registers bit by bit with XOR. See the [example](crate::doubles::Pair).
    fn xor(self, other: Self) -> Self;

    /// Returns the first lanes of both registers. See the [example](crate::doubles::Pair).
    fn first_lanes(self, other: Self) -> Self;
    /// Returns the second lanes of both registers. See the [example](crate::doubles::Pair).
    fn second_lanes(self, other: Self) -> Self;

    /// Returns the same double in both lanes. The [example](crate::doubles::Pair) uses it.
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self::splat_bits(x.to_bits())
    }

    /// Returns the same bits in both lanes. The [example](crate::doubles::Pair) uses it.
    #[inline(always)]
    fn splat_bits(x: u64) -> Self {
        Self::from_bits([x; 2])
    }

    /// Returns a register with all bits set in the lanes of `mask`. See the [example](crate::doubles::Pair).
    #[inline(always)]
    fn lane_mask(mask: u32) -> Self {
        Self::from_bits([u64::from(mask & 1).wrapping_neg(), u64::from(mask >> 1 & 1).wrapping_neg()])
    }
}
