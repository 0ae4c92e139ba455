//! Vectors and sums below a bound, 2p or p, by conditional corrections.

use super::sub_borrow;
use crate::each;
use crate::prime::WordTable;

#[inline(always)]
fn add_unreduced<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut carry = false;
    each!(|i| {
        let (x, c0) = a[i].overflowing_add(b[i]);
        let (x, c1) = x.overflowing_add(carry as u64);
        carry = c0 | c1;
        x
    })
}

/// Returns `a - b` modulo the bound, for a and b below it.
#[inline(always)]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    add_unreduced(&difference, &each!(|i| prime.bound[i] & mask))
}

/// Returns `a + b` modulo the bound, for a and b below it.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    subtract_bound(&add_unreduced(a, b), prime)
}

/// Returns `a + b` modulo the bound as [`sub_by_sign`] does, for a and b below it.
#[inline(always)]
pub(crate) fn add_by_sign<const N: usize>(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    sub_by_sign(&add_unreduced(a, b), &prime.bound, prime)
}

/// Returns `a - b` modulo the bound, for a and b below it, or for a below twice the bound and b equal to it. For single elements:
/// the compiler makes branches of a borrow, which the CPU mispredicts, and none of the highest bit. This bit is the sign, because
/// the bound leaves it free.
#[inline(always)]
pub(crate) fn sub_by_sign<const N: usize>(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let (difference, _) = sub_borrow(a, b);
    let mask = ((difference[N - 1] as i64) >> 63) as u64;
    add_unreduced(&difference, &each!(|i| prime.bound[i] & mask))
}

/// Returns `a / 2` modulo the prime, below the bound, for a below it. The highest bit of a and of the prime is free.
#[inline(always)]
pub(crate) fn halve<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let mask = (a[0] & 1).wrapping_neg();
    let even = add_unreduced(a, &each!(|i| prime.modulus[i] & mask));
    each!(|i| even[i] >> 1 | if i + 1 < N { even[i + 1] << 63 } else { 0 })
}

/// Returns `a` or `a` less the bound, whichever is not negative and below the bound, for `a` below twice the bound.
#[inline(always)]
pub(crate) fn subtract_bound<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let (reduced, borrow) = sub_borrow(a, &prime.bound);
    each!(|i| if borrow { a[i] } else { reduced[i] })
}
