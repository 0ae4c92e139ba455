//! Operations on a register of eight lanes.

use super::Packed;
use crate::field::Task;
use crate::Backend;

/// Eight 64-bit words and the instructions on them. Implementations agree bit for bit.
///
/// ```
/// # #[cfg(feature = "model")] {
/// use bucketwheel_lanes::model::EightWords;
/// use bucketwheel_lanes::radix52::Eight;
///
/// let (a, b) = (EightWords::splat(3), EightWords::from_array([0, 1, 2, 3, 4, 5, 6, 7]));
/// assert_eq!(EightWords::splat(100).madd_low(a, b).to_array()[7], 121);
/// assert_eq!(a.add(b).sub(b).equal_lanes(a), 0xff);
/// assert_eq!(a.select(0b1, b).to_array()[..2], [0, 3]);
/// # }
/// ```
///
/// # Safety
/// - [`is_supported`](Self::is_supported) returns true only if the CPU has the instructions.
/// - Values of the type exist only where its instructions do. The functions without a value to start from (`splat`, `from_array`,
///   `look_up`, `odd_lanes`) are for [`Radix52`](super::Radix52) alone, whose token proves the instructions.
pub unsafe trait Eight: Copy + Send + Sync + 'static {
    /// The backend that these words make.
    const BACKEND: Backend;

    /// Returns true if the CPU has the instructions. See the [example](crate::radix52::Eight).
    fn is_supported() -> bool;

    /// Runs a task compiled for the instruction set. See the [example](crate::radix52::Eight).
    ///
    /// # Safety
    /// - [`is_supported`](Self::is_supported) is true.
    unsafe fn vectorize<T: Task>(task: T) -> T::Output;

    /// Returns `x` in all lanes. The [example](crate::radix52::Eight) uses it.
    fn splat(x: u64) -> Self;
    /// Makes a register of one word per lane. The [example](crate::radix52::Eight) uses it.
    fn from_array(x: [u64; 8]) -> Self;
    /// Returns the words of all lanes. The [example](crate::radix52::Eight) uses it.
    fn to_array(self) -> [u64; 8];
    /// Returns the sum modulo 2^64. The [example](crate::radix52::Eight) uses it.
    fn add(self, other: Self) -> Self;
    /// Returns the difference modulo 2^64. The [example](crate::radix52::Eight) uses it.
    fn sub(self, other: Self) -> Self;
    /// Combines the registers bit by bit with AND. See the [example](crate::radix52::Eight).
    fn and(self, other: Self) -> Self;
    /// Shifts right and fills with the sign. See the [example](crate::radix52::Eight).
    fn shift_right<const BITS: u32>(self) -> Self;
    /// Combines the registers bit by bit with OR. See the [example](crate::radix52::Eight).
    fn or(self, other: Self) -> Self;
    /// Shifts left by the same amount in all lanes. See the [example](crate::radix52::Eight).
    fn shift_left_by(self, bits: u32) -> Self;
    /// Shifts right and fills with zeros by the same amount in all lanes. See the [example](crate::radix52::Eight).
    fn shift_right_logical_by(self, bits: u32) -> Self;
    /// Shifts right and fills with the sign by the same amount in all lanes. See the [example](crate::radix52::Eight).
    fn shift_right_by(self, bits: u32) -> Self;
    /// Computes `self + low 52 bits of the 104-bit product of the low 52 bits of a and b`.
    /// The [example](crate::radix52::Eight) uses it.
    fn madd_low(self, a: Self, b: Self) -> Self;
    /// Computes `self + high 52 bits of the 104-bit product of the low 52 bits of a and b`.
    /// See the [example](crate::radix52::Eight).
    fn madd_high(self, a: Self, b: Self) -> Self;
    /// Computes `table[index & 15]`, lane by lane. See the [example](crate::radix52::Eight).
    fn look_up(table: &[u64; 16], index: Self) -> Self;
    /// Computes `-self` in the lanes of `mask`. See the [example](crate::radix52::Eight).
    fn negate_lanes(self, mask: u32) -> Self;
    /// Returns `other` in the lanes of `mask`, and `self` in other lanes. The [example](crate::radix52::Eight) uses it.
    fn select(self, mask: u32, other: Self) -> Self;
    /// Returns the lanes in which both words are equal. The [example](crate::radix52::Eight) uses it.
    fn equal_lanes(self, other: Self) -> u32;
    /// Returns the lanes (as bits) whose number is odd. See the [example](crate::radix52::Eight).
    fn odd_lanes(numbers: &[u32; 8]) -> u32;
    /// Turns eight rows into eight columns. See the [example](crate::radix52::Eight).
    fn transpose(rows: [Self; 8]) -> [Self; 8];
    /// Gathers eight rows of four words, as columns. See the [example](crate::radix52::Eight).
    ///
    /// # Safety
    /// - The CPU has the instructions.
    /// - The pointers are valid for reads of a row, and aligned.
    unsafe fn gather(rows: &[*const Packed; 8]) -> [Self; 4];
    /// Scatters four columns as eight rows. See the [example](crate::radix52::Eight).
    ///
    /// # Safety
    /// - The pointers are valid for writes of a row, and aligned.
    unsafe fn scatter(columns: [Self; 4], rows: &[*mut Packed; 8]);
    /// Fetches a cache line. See the [example](crate::radix52::Eight).
    fn prefetch(address: *const u8);
}
