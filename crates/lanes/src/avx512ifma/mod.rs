//! AVX-512 IFMA: the eight lanes of [`radix52`](crate::radix52) in zmm registers.

mod kernels;
mod vector;

use crate::radix52::Radix52;

pub use vector::Zmm;

/// The AVX-512 IFMA backend.
pub type Avx512Ifma<const W: usize, const N: usize> = Radix52<Zmm, W, N>;
