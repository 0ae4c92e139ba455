//! The numbers of a prime in doubles.

use crate::prime::Prime;

/// A prime in `N` balanced digits in doubles, of 51 bits or, for more than eight digits, of 24: the WebAssembly backend and its model.
pub trait DoubleDigits<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static DoubleTable<N>;
}

/// Numbers of a prime for WebAssembly's kernels, which read all fields up to `sum` by offset; R = 2^(w N) for digits of w bits. Each
/// number is the bits of a double unless it says integer, once for each lane. Fields that only products of 51-bit digits need are 0
/// for other digits.
#[repr(C, align(16))]
#[derive(Debug)]
pub struct DoubleTable<const N: usize> {
    /// 1.5 * 2^(52 + w), whose unit is 2^w
    pub high: [u64; 2],
    /// `high` and 1.5 * 2^52, whose unit is 1
    pub low: [u64; 2],
    /// 2^51 - 1, an integer
    pub mask: [u64; 2],
    /// 2^52
    pub exponent: [u64; 2],
    /// 2^52 and half a digit
    pub half: [u64; 2],
    /// 1.5 * 2^52
    pub integer: [u64; 2],
    /// -p^-1 mod 2^w, balanced
    pub n0: [u64; 2],
    /// The last missing addend of the last column, an integer
    pub pending: [u64; 2],
    /// 2^51 / (p / 2^(51 (N - 1))), or 1 / (p / 2^(24 (N - 1)))
    pub scale: [u64; 2],
    /// -`integer` times `scale`
    pub scale_offset: [u64; 2],
    /// 2^-w
    pub unit: [u64; 2],
    /// N' = (k p + 1) / 2^w, k = -p^-1 mod 2^w, balanced
    pub shifted: [[u64; 2]; N],
    /// p
    pub modulus: [[u64; 2]; N],
    /// Start values of the columns of a product, integers
    pub product: [[[u64; 2]; N]; 2],
    /// Start values of a square's columns
    pub square: [[[u64; 2]; N]; 2],
    /// Start values for a sum of two products
    pub sum: [[[u64; 2]; N]; 2],
    /// True if R / p is so small that a difference must be reduced before it is a factor
    pub reduce_factors: bool,
    /// 1 / (p / 2^(w (N - 1)))
    pub reciprocal: f64,
    /// R mod p
    pub one: [f64; N],
    /// R^2 / 2^(64 words): one product brings words in Montgomery form into this radix
    pub enter: [f64; N],
    /// 2^(64 words): one product brings an element back
    pub leave: [f64; N],
}
