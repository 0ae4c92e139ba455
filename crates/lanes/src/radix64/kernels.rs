//! Products, squares, sums and differences: plain code, and assembly that replaces it on some instruction sets.

use super::LANES;
use crate::prime::WordTable;
use crate::{each, words, Backend};

/// Operations that are worth assembly, on elements of `N` words: plain code, unless an implementation replaces it. All
/// elements, including the results, are below the prime's bound ([`WordTable::bound`]).
pub trait Kernels<const N: usize> {
    /// The backend whose assembly this is, or `None` for plain code.
    const ASSEMBLY: Option<Backend> = None;

    /// Returns true if there is assembly, and the CPU has its instructions.
    #[doc(hidden)]
    fn has_assembly() -> bool {
        false
    }

    /// Computes `out = a b`.
    ///
    /// # Safety
    /// - If there is assembly, [`has_assembly`](Self::has_assembly) is true.
    /// - Elements are below the prime's bound.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn mul(
        a: &[[u64; N]; LANES],
        b: &[[u64; N]; LANES],
        out: &mut [[u64; N]; LANES],
        prime: &WordTable<N>,
    ) {
        *out = each!(|lane| words::mul(&a[lane], &b[lane], prime));
    }

    /// Computes `out = a^2`.
    ///
    /// # Safety
    /// - The obligations of [`mul`](Self::mul).
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn square(a: &[[u64; N]; LANES], out: &mut [[u64; N]; LANES], prime: &WordTable<N>) {
        *out = each!(|lane| words::square(&a[lane], prime));
    }

    /// Returns `a b` of single elements.
    ///
    /// # Safety
    /// - The obligations of [`mul`](Self::mul).
    #[doc(hidden)]
    #[inline(never)]
    unsafe fn mul_one(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
        words::mul(a, b, prime)
    }

    /// Returns `a[0] b[0] + a[1] b[1]` of single elements.
    ///
    /// # Safety
    /// - The obligations of [`mul`](Self::mul).
    /// - [`WordTable::sums_products`] is true.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn two_products(a: &[[u64; N]; 2], b: &[[u64; N]; 2], prime: &WordTable<N>) -> [u64; N] {
        // SAFETY: `mul_one` has the obligations of `mul`, which this function's caller meets.
        let [x, y] = each!(|i| unsafe { Self::mul_one(&a[i], &b[i], prime) });
        words::lazy::add(&x, &y, prime)
    }

    /// Computes `(a, b) = (a + b, a - b)`.
    ///
    /// # Safety
    /// - The obligations of [`mul`](Self::mul).
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn sum_difference(a: &mut [[u64; N]; LANES], b: &mut [[u64; N]; LANES], prime: &WordTable<N>) {
        (*a, *b) = (add(a, b, prime), sub(a, b, prime));
    }
}

/// The [`Kernels`] of any CPU.
#[derive(Debug)]
pub struct Plain;

impl<const N: usize> Kernels<N> for Plain {}

/// The [`Kernels`] of this target, for the numbers of words in use.
#[derive(Debug)]
pub struct Target;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl<const N: usize> Kernels<N> for Target {}

#[inline(never)]
pub(super) fn add<const N: usize>(
    a: &[[u64; N]; LANES],
    b: &[[u64; N]; LANES],
    prime: &WordTable<N>,
) -> [[u64; N]; LANES] {
    each!(|lane| words::lazy::add(&a[lane], &b[lane], prime))
}

#[inline(never)]
pub(super) fn sub<const N: usize>(
    a: &[[u64; N]; LANES],
    b: &[[u64; N]; LANES],
    prime: &WordTable<N>,
) -> [[u64; N]; LANES] {
    each!(|lane| words::lazy::sub(&a[lane], &b[lane], prime))
}

/// Takes products of assembly, which are below 2p, below the bound.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(crate) fn correct<const N: usize, const COUNT: usize>(v: &mut [[u64; N]; COUNT], prime: &WordTable<N>) {
    // If p leaves two bits free, a product of factors below 2p is below 2p, and 4p fits the words.
    if prime.modulus[N - 1] >> 62 != 0 {
        *v = each!(|lane| words::subtract_modulus(&v[lane], prime));
    }
}
