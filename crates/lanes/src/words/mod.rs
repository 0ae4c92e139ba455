//! Single elements in 64-bit words: Montgomery products and the inverse.
//!
//! [`Radix64`](crate::radix64::Radix64) is four elements beside each other; all backends use the inverse.
//!
//! ```
//! use bucketwheel_lanes::words::{invert, mul, square, subtract_modulus};
//! use bucketwheel_lanes::{Bn254Fq, Words64};
//!
//! let prime = <Bn254Fq as Words64<4>>::TABLE;
//! let seven = mul(&[7, 0, 0, 0], &prime.r_squared, prime); // Montgomery form
//! let inverse = invert(&seven, prime).expect("not 0");
//! assert_eq!(subtract_modulus(&mul(&seven, &inverse, prime), prime), prime.one);
//! assert_eq!(square(&seven, prime), mul(&seven, &seven, prime));
//! ```

mod invert;
pub(crate) mod lazy;

pub use invert::invert;

use crate::each;
use crate::prime::WordTable;

/// Returns `t + a b + carry` as (low, high).
#[inline(always)]
fn mac(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let wide = t as u128 + a as u128 * b as u128 + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

#[inline(always)]
fn sub_borrow<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut out = [0; N];
    let mut borrow = false;
    for i in 0..N {
        let (x, b0) = a[i].overflowing_sub(b[i]);
        let (x, b1) = x.overflowing_sub(borrow as u64);
        out[i] = x;
        borrow = b0 | b1;
    }
    (out, borrow)
}

/// Returns `a` or `a - p`, whichever is in `0..p`, for `a < 2p`.
///
/// The [example](crate::words) uses it.
#[inline(always)]
pub fn subtract_modulus<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let (reduced, borrow) = sub_borrow(a, &prime.modulus);
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if borrow { a[i] } else { reduced[i] };
    }
    out
}

/// Returns the Montgomery product `a b / 2^(64 N)`. It is below p for factors below p, or below 2p if p leaves two bits free.
///
/// This is the product without carry words of EdMSM (appendix A, Algorithm 4). The generator checks its condition on
/// the top word of p, a spare bit. After every row `t < a + p`, at most 3p, which fits the words. At the end
/// `(a b + m p) / 2^(64 N) < 2p`, since 4p also fits the words if factors are below 2p.
///
/// The [example](crate::words) uses it.
#[inline(always)]
pub fn mul<const N: usize>(a: &[u64; N], b: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    let p = &prime.modulus;
    let mut t = [0; N];
    for &b_i in b {
        let (t0, mut product_carry) = mac(t[0], a[0], b_i, 0);
        let m = t0.wrapping_mul(prime.n0);
        let (_, mut multiple_carry) = mac(t0, m, p[0], 0);
        for j in 1..N {
            let (t_j, carry) = mac(t[j], a[j], b_i, product_carry);
            product_carry = carry;
            (t[j - 1], multiple_carry) = mac(t_j, m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus(&t, prime)
}

/// Returns the Montgomery square, below p, of a factor that [`mul`] takes.
///
/// EdMSM, appendix A, Algorithm 5, if `t < 2a + p` fits the words after every row, which is 5p for `a` below 2p.
/// Otherwise, it is a product.
///
/// The [example](crate::words) uses it.
#[inline(always)]
pub fn square<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    if prime.modulus[N - 1] >= u64::MAX / 5 {
        return mul(a, a, prime);
    }
    let p = &prime.modulus;
    // 2 a fits the words.
    let doubled: [u64; N] = each!(|j| a[j] << 1 | if j > 0 { a[j - 1] >> 63 } else { 0 });
    let mut t = [0u64; N];
    for i in 0..N {
        let mut product_carry;
        (t[i], product_carry) = mac(t[i], a[i], a[i], 0);
        for j in i + 1..N {
            // Twice the words from i + 1 on, without the bit that comes from word i.
            let twice = if j == i + 1 { a[j] << 1 } else { doubled[j] };
            (t[j], product_carry) = mac(t[j], a[i], twice, product_carry);
        }
        let m = t[0].wrapping_mul(prime.n0);
        let (_, mut multiple_carry) = mac(t[0], m, p[0], 0);
        for j in 1..N {
            (t[j - 1], multiple_carry) = mac(t[j], m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus(&t, prime)
}
