//! The numbers of a prime in signed digits.

use super::KernelSet;
use crate::prime::Prime;

/// A prime in `N` signed digits of 30 or 29 bits: the AVX2 backend.
pub trait SignedDigits<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static Avx2Table<N>;
}

/// Common part of all primes in `N` signed digits: implemented for `[(); N]`.
pub trait Radix {
    /// Bits of a digit.
    const WIDTH: u32;

    /// Most terms of a lazy sum: its digits fit 32 bits, and it is a factor.
    const TERMS: usize;
}

/// Numbers of a prime for the AVX2 kernels, which read all fields up to `half` by offset; R = 2^(width N).
/// Digits are balanced.
#[repr(C, align(32))]
#[derive(Debug)]
pub struct Avx2Table<const N: usize> {
    /// N' = (k p + 1) / 2^width, k = -p^-1 mod 2^width
    pub shifted: [[i64; 4]; N],
    /// p
    pub modulus: [[i64; 4]; N],
    /// -p^-1 mod 2^width
    pub n0: [u64; 4],
    /// 2^width - 1
    pub mask: [u64; 4],
    /// 2^63, which makes signed columns unsigned
    pub bias: [u64; 4],
    /// The bias less its part in the carry from the column below
    pub column: [u64; 4],
    /// `column` and half a digit, which makes the result's digits balanced
    pub output_column: [u64; 4],
    /// The bias in the carry out of the last column
    pub top_bias: [u64; 4],
    /// 2^(width - 1)
    pub half: [u64; 4],
    /// `multiples[j][q + 3]` is digit j of `q p`, for q in -3..=4
    pub multiples: [[i32; 8]; N],
    /// `coarse[j][q + 3]` is digit j of `6 q p`, for q in -3..=4
    pub coarse: [[i32; 8]; N],
    /// 2^32 / (p / 2^(width (N - 1)))
    pub reciprocal: i64,
    /// R mod p
    pub one: [i64; N],
    /// R^2 / 2^(64 words): one product brings words in Montgomery form into this radix
    pub enter: [i64; N],
    /// 2^(64 words): one product brings an element back
    pub leave: [i64; N],
    /// The kernels
    pub kernels: KernelSet,
}
