//! The products that an instruction set has.

use super::{Eight, IfmaTable};

/// The multiplication kernels for `N` digits.
///
/// # Safety
/// - The kernels write N vectors to `out`: exact digits of the result, for factors in range (docs/kernels.md).
pub unsafe trait Kernels<const N: usize>: Eight {
    /// Computes `out = a b`. See the [example](crate).
    ///
    /// # Safety
    /// - `a` and `b` are valid for reads of N vectors, which are in range, and `out` for writes. All are aligned.
    /// - `out` may be the same vectors as `a` or `b`; no other overlap is allowed.
    /// - `table` is the prime's.
    unsafe fn mul(out: *mut Self, a: *const Self, b: *const Self, table: &IfmaTable<N>);

    /// Computes `out = a^2`. See the [example](crate).
    ///
    /// # Safety
    /// - The obligations of [`mul`](Self::mul), without `b`.
    unsafe fn square(out: *mut Self, a: *const Self, table: &IfmaTable<N>);

    /// Computes `out = a b` in the prime's extension, by a root of -beta. See the [example](crate).
    ///
    /// # Safety
    /// - `a` and `b` are valid for reads of both coordinates, which are in range, and `out` for writes. All are aligned.
    /// - `out` may be the same coordinates as `a` or `b`; no other overlap is allowed.
    /// - `table` and `beta` are the prime's.
    unsafe fn mul_quadratic(
        beta: u32,
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        table: &IfmaTable<N>,
    );

    /// Computes `out = a^2` in the extension. See the [example](crate).
    ///
    /// # Safety
    /// - The obligations of [`mul_quadratic`](Self::mul_quadratic), without `b`.
    unsafe fn square_quadratic(beta: u32, out: *mut [Self; N], a: *const [Self; N], table: &IfmaTable<N>);
}
