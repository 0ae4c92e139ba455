//! A prime, and its numbers in words. Its numbers in digits stand with the digits' radix.

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
