//! The numbers of a prime in digits of 52 bits.

use crate::prime::Prime;

/// A prime in `N` digits of 52 bits: the AVX-512 IFMA backend and its model.
pub trait Digits52<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static IfmaTable<N>;
}

/// Numbers of a prime for the IFMA kernels, which read all fields up to `last_offset` by offset; R = 2^(52 N).
#[repr(C)]
#[derive(Debug)]
pub struct IfmaTable<const N: usize> {
    /// N' = (k p + 1) / 2^52, k = -p^-1 mod 2^52
    pub shifted: [u64; N],
    /// p
    pub modulus: [u64; N],
    /// -p^-1 mod 2^52
    pub n0: u64,
    /// 2^52 - 1
    pub mask: u64,
    /// All digits but the last of a multiple of p that is more than beta times a product of a vector and a factor. The
    /// multiple is also a multiple of `2^(52 (N - 1))`, by which it is divided here
    pub offset: [u64; N],
    /// The last digit of the same number
    pub last_offset: u64,
    /// `multiples[j][q]` is digit j of `q p`
    pub multiples: [[u64; 16]; N],
    /// `coarse[j][q]` is digit j of `2 q p`
    pub coarse: [[u64; 16]; N],
    /// 3 p, which makes the difference of two vectors positive
    pub factor_offset: [u64; N],
    /// `signed[j][q]` is digit j of `q p`, minus digit j of `6 p`, modulo 2^64
    pub signed: [[u64; 16]; N],
    /// The last digit of 6 p, less 1
    pub top_offset: u64,
    /// Number of low bits of the last digit that the quotient estimate leaves out
    pub top_shift: u32,
    /// 2^52 / (the leading bits of p, plus 1)
    pub reciprocal: u64,
    /// R - p
    pub complement: [u64; N],
    /// -p^-1 mod R
    pub inverse: [u64; N],
    /// R mod p
    pub one: [u64; N],
    /// R^2 / 2^(64 words): one product brings words in Montgomery form into this radix
    pub enter: [u64; N],
    /// 2^(64 words): one product brings an element back
    pub leave: [u64; N],
}
