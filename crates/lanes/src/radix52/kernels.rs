//! The products that an instruction set has.

use super::Eight;
use crate::prime::IfmaTable;

/// The multiplication kernels for `N` digits.
///
/// # Safety
/// They write N vectors to `out`, the result's exact digits for factors in range (docs/kernels.md).
pub unsafe trait Kernels<const N: usize>: Eight {
    /// `out = a b`.
    ///
    /// # Safety
    /// Pointers to N vectors each, aligned; `out` may be a factor.
    unsafe fn mul(out: *mut Self, a: *const Self, b: *const Self, table: &IfmaTable<N>);

    /// `out = a^2`.
    ///
    /// # Safety
    /// As for [`mul`](Self::mul).
    unsafe fn square(out: *mut Self, a: *const Self, table: &IfmaTable<N>);

    /// `out = a b` in the extension by a root of -beta, which is the prime's.
    ///
    /// # Safety
    /// Pointers to both coordinates each, aligned; `out` may be a factor.
    unsafe fn mul_quadratic(
        beta: u32,
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        table: &IfmaTable<N>,
    );

    /// `out = a^2` in the extension.
    ///
    /// # Safety
    /// As for [`mul_quadratic`](Self::mul_quadratic).
    unsafe fn square_quadratic(beta: u32, out: *mut [Self; N], a: *const [Self; N], table: &IfmaTable<N>);
}
