//! The kernels of AVX-512 IFMA in plain Rust, equal bit for bit.

use super::vector::MASK52;
use super::EightWords;
use crate::each;
use crate::radix52::{Eight, IfmaTable, Kernels};

/// Twice the digits of the largest field.
const MAX_COLUMNS: usize = 30;

type Columns = [EightWords; MAX_COLUMNS];

/// Adds the low and high half of `x * y` to columns `i` and `i + 1`.
#[inline(always)]
fn add(columns: &mut Columns, x: EightWords, y: EightWords, i: usize) {
    columns[i] = columns[i].madd_low(x, y);
    columns[i + 1] = columns[i + 1].madd_high(x, y);
}

#[inline(always)]
fn add_product<const N: usize>(columns: &mut Columns, a: &[EightWords; N], b: &[EightWords; N]) {
    for i in 0..N {
        for j in 0..N {
            add(columns, a[i], b[j], i + j);
        }
    }
}

/// Returns the result of the generated kernels' reduction (generator/avx512ifma.rs).
#[inline(always)]
fn reduce<const N: usize>(columns: &mut Columns, table: &IfmaTable<N>) -> [EightWords; N] {
    for i in 0..N - 1 {
        let digit = columns[i];
        columns[i + 1] = columns[i + 1].add(digit.shift_right::<52>());
        for j in 0..N {
            add(columns, digit, EightWords::splat(table.shifted[j]), i + 1 + j);
        }
    }
    let quotient = EightWords::splat(0).madd_low(columns[N - 1], EightWords::splat(table.n0));
    for j in 0..N {
        add(columns, quotient, EightWords::splat(table.modulus[j]), N - 1 + j);
    }
    for i in N - 1..2 * N - 1 {
        columns[i + 1] = columns[i + 1].add(columns[i].shift_right::<52>());
        columns[i] = columns[i].and(EightWords::splat(MASK52));
    }
    each!(|j| columns[N + j])
}

/// Returns the product of a and b in the extension by a root of -beta, in the steps of the generated kernels.
#[inline(always)]
fn mul_quadratic<const N: usize>(
    beta: u32,
    [a0, a1]: &[[EightWords; N]; 2],
    [b0, b1]: &[[EightWords; N]; 2],
    table: &IfmaTable<N>,
) -> [[EightWords; N]; 2] {
    let product = |a: &[EightWords; N], b: &[EightWords; N]| {
        let mut columns = [EightWords::splat(0); MAX_COLUMNS];
        add_product(&mut columns, a, b);
        columns
    };
    let sum = |a: &[EightWords; N], b: &[EightWords; N]| {
        let mut carry = EightWords::splat(0);
        each!(|j| {
            let digit = a[j].add(b[j]).add(carry);
            carry = digit.shift_right::<52>();
            digit
        })
    };
    let (mut low, high) = (product(a0, b0), product(a1, b1));
    let mut cross = product(&sum(a0, a1), &sum(b0, b1));
    for i in 0..2 * N {
        cross[i] = cross[i].sub(low[i]).sub(high[i]);
        for _ in 0..beta {
            low[i] = low[i].sub(high[i]);
        }
    }
    for (j, offset) in table.offset.into_iter().chain([table.last_offset]).enumerate() {
        low[N - 1 + j] = low[N - 1 + j].add(EightWords::splat(offset));
    }
    [reduce(&mut low, table), reduce(&mut cross, table)]
}

// SAFETY: each method writes N vectors with the same digits as the generated kernels.
unsafe impl<const N: usize> Kernels<N> for EightWords {
    unsafe fn mul(out: *mut Self, a: *const Self, b: *const Self, table: &IfmaTable<N>) {
        let mut columns = [EightWords::splat(0); MAX_COLUMNS];
        // SAFETY: the caller vouches for N readable, aligned vectors each.
        let (a, b) = unsafe { (&*a.cast(), &*b.cast()) };
        add_product::<N>(&mut columns, a, b);
        // SAFETY: the caller vouches for N writable, aligned vectors. They may be a factor, which is no longer borrowed.
        unsafe { *out.cast() = reduce::<N>(&mut columns, table) };
    }

    unsafe fn square(out: *mut Self, a: *const Self, table: &IfmaTable<N>) {
        // SAFETY: the caller vouches for the one factor as `mul` demands it of both.
        unsafe { Self::mul(out, a, a, table) }
    }

    unsafe fn mul_quadratic(
        beta: u32,
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        table: &IfmaTable<N>,
    ) {
        // SAFETY: the caller vouches for both coordinates of each element, readable or writable, and aligned. `out` may
        // be a factor: it is written after the product is complete.
        unsafe { *out.cast() = mul_quadratic(beta, &*a.cast(), &*b.cast(), table) };
    }

    unsafe fn square_quadratic(beta: u32, out: *mut [Self; N], a: *const [Self; N], table: &IfmaTable<N>) {
        // SAFETY: the caller vouches for the one factor as `mul_quadratic` demands it of both.
        unsafe { Self::mul_quadratic(beta, out, a, a, table) }
    }
}
