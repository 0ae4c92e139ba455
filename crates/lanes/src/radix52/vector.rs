//! Operations on a register of eight lanes.

use super::Packed;
use crate::field::Task;
use crate::Backend;

/// Eight 64-bit words and the instructions on them. Implementations agree bit for bit.
///
/// # Safety
/// - Values of the type exist only where its instructions do. The functions without a value to start from (`splat`, `from_array`,
///   `look_up`) are for [`Radix52`](super::Radix52) alone, whose token proves the instructions.
pub unsafe trait Eight: Copy + Send + Sync + 'static {
    /// The backend these words make.
    const BACKEND: Backend;

    /// Runs a task compiled for the instruction set.
    ///
    /// # Safety
    /// - [`BACKEND`](Self::BACKEND) is supported.
    unsafe fn vectorize<T: Task>(task: T) -> T::Output;

    /// `x` in all lanes.
    fn splat(x: u64) -> Self;
    /// One word per lane.
    fn from_array(x: [u64; 8]) -> Self;
    /// The words of all lanes.
    fn to_array(self) -> [u64; 8];
    /// The sum modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^64.
    fn sub(self, other: Self) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Arithmetic shift right.
    fn shift_right<const BITS: u32>(self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Shift left by the same amount in all lanes.
    fn shift_left_by(self, bits: u32) -> Self;
    /// Logical shift right by the same amount in all lanes.
    fn shift_right_logical_by(self, bits: u32) -> Self;
    /// Arithmetic shift right by the same amount in all lanes.
    fn shift_right_by(self, bits: u32) -> Self;
    /// `self + low 52 bits of the 104-bit product of the low 52 bits of a and b`.
    fn madd_low(self, a: Self, b: Self) -> Self;
    /// `self + high 52 bits of the 104-bit product of the low 52 bits of a and b`.
    fn madd_high(self, a: Self, b: Self) -> Self;
    /// `table[index & 15]`, lane by lane.
    fn look_up(table: &[u64; 16], index: Self) -> Self;
    /// `-self` in the lanes of `mask`.
    fn negate_lanes(self, mask: u32) -> Self;
    /// `other` in the lanes of `mask`.
    fn select(self, mask: u32, other: Self) -> Self;
    /// The lanes in which both are equal.
    fn equal_lanes(self, other: Self) -> u32;
    /// Eight rows to eight columns.
    fn transpose(rows: [Self; 8]) -> [Self; 8];
    /// Gathers eight rows of four words, as columns.
    ///
    /// # Safety
    /// - The instructions are there.
    /// - The pointers are valid for reads of a row, and aligned.
    unsafe fn gather(rows: &[*const Packed; 8]) -> [Self; 4];
    /// Scatters four columns as eight rows.
    ///
    /// # Safety
    /// - The pointers are valid for writes of a row, and aligned.
    unsafe fn scatter(columns: [Self; 4], rows: &[*mut Packed; 8]);
    /// Fetches a cache line.
    fn prefetch(address: *const u8);
}
