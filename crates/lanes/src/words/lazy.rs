//! Vectors and sums below a bound, 2p or p, by conditional corrections.

use super::sub_borrow;
use crate::each;
use crate::prime::Words64;

/// Returns true if a product of factors below 2p is below 2p, and 4p fits the words: two bits are free.
pub(crate) const fn is_lazy<const N: usize, P: Words64<N>>() -> bool {
    P::TABLE.modulus[N - 1] < 1 << 62
}

/// Bound of lazy vectors and sums: they are below 2p if possible, else below p. Twice as much fits the words.
#[inline(always)]
pub(crate) fn bound<const N: usize, P: Words64<N>>() -> [u64; N] {
    let p = &P::TABLE.modulus;
    match is_lazy::<N, P>() {
        true => each!(|i| p[i] << 1 | if i > 0 { p[i - 1] >> 63 } else { 0 }),
        false => *p,
    }
}

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

/// `a - b` modulo the bound, for both below it.
#[inline(always)]
pub(crate) fn sub<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    add_unreduced(&difference, &bound::<N, P>().map(|word| word & mask))
}

/// `a + b` modulo the bound, for both below it.
#[inline(always)]
pub(crate) fn add<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let sum = add_unreduced(a, b);
    let (reduced, borrow) = sub_borrow(&sum, &bound::<N, P>());
    each!(|i| if borrow { sum[i] } else { reduced[i] })
}
