//! The numbers of a prime for each backend.

#[cfg(target_arch = "x86_64")]
use crate::avx2::KernelSet;

/// A prime modulus with its numbers in the radix of every backend.
pub trait Prime: Copy + Send + Sync + core::fmt::Debug + 'static {
    /// The field's name.
    const NAME: &'static str;
}

/// A prime in `N` words of 64 bits, for the portable, ADX and 64-bit Arm backends, and for elements outside.
pub trait Words64<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static WordTable<N>;
}

/// Numbers of a prime in 64-bit words, little endian; R = 2^(64 N). The ADX and Arm kernels read the first two fields.
#[repr(C)]
#[derive(Debug)]
pub struct WordTable<const N: usize> {
    /// p
    pub modulus: [u64; N],
    /// -p^-1 mod 2^64
    pub n0: u64,
    /// Bound of lazy vectors and sums: 2p if this bound leaves a bit free, else p. Twice the bound fits the words.
    pub bound: [u64; N],
    /// R mod p
    pub one: [u64; N],
    /// R^2 mod p
    pub r_squared: [u64; N],
    /// R^3 mod p
    pub r_cubed: [u64; N],
    /// Beta, 1 or 5: curves are over the extension by a root of -beta. 0 if no curve is over an extension.
    pub beta: u32,
}

impl<const N: usize> WordTable<N> {
    /// Returns true if the words have room for a sum of two products under way: five times the modulus if factors are below
    /// twice the modulus, three times otherwise.
    pub(crate) fn sums_products(&self) -> bool {
        let highest = self.modulus[N - 1];
        highest < u64::MAX / if self.bound[N - 1] > highest { 5 } else { 3 }
    }
}

/// A prime in `N` signed digits of 30 or 29 bits: the AVX2 backend.
#[cfg(target_arch = "x86_64")]
pub trait SignedDigits<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static Avx2Table<N>;
}

/// Common part of all primes in `N` signed digits: implemented for `[(); N]`.
#[cfg(target_arch = "x86_64")]
pub trait Radix {
    /// Bits of a digit.
    const WIDTH: u32;

    /// Most terms of a lazy sum: its digits fit 32 bits, and it is a factor.
    const TERMS: usize;
}

/// Numbers of a prime for the AVX2 kernels, which read all fields up to `half` by offset; R = 2^(width N).
/// Digits are balanced.
#[cfg(target_arch = "x86_64")]
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

/// A prime in `N` balanced digits of 51 bits in doubles: the WebAssembly backend and its model.
pub trait DoubleDigits<const N: usize>: Prime {
    /// The prime's numbers.
    const TABLE: &'static DoubleTable<N>;
}

/// Numbers of a prime for WebAssembly's kernels, which read all fields up to `sum` by offset; R = 2^(51 N). Each number
/// is the bits of a double unless it says integer, once for each lane.
#[repr(C, align(16))]
#[derive(Debug)]
pub struct DoubleTable<const N: usize> {
    /// 1.5 * 2^103, whose unit is 2^51
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
    /// -p^-1 mod 2^51, balanced
    pub n0: [u64; 2],
    /// The last missing addend of the last column, an integer
    pub pending: [u64; 2],
    /// 2^51 / (p / 2^(51 (N - 1)))
    pub scale: [u64; 2],
    /// -`integer` times `scale`
    pub scale_offset: [u64; 2],
    /// N' = (k p + 1) / 2^51, k = -p^-1 mod 2^51, balanced
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
    /// 1 / (p / 2^(51 (N - 1)))
    pub reciprocal: f64,
    /// R mod p
    pub one: [f64; N],
    /// R^2 / 2^(64 words): one product brings words in Montgomery form into this radix
    pub enter: [f64; N],
    /// 2^(64 words): one product brings an element back
    pub leave: [f64; N],
}

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
