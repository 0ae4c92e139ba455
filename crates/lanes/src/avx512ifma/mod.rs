//! AVX-512 IFMA: the eight lanes of [`radix52`](crate::radix52) in zmm registers.

mod kernels;
mod vector;

use crate::features::has_features;
use crate::field::PrimeLanes;
use crate::prime::Words64;
use crate::radix52::{Digits52, Kernels, Radix52};
use crate::visitor::{call, Visitor};

pub use vector::Zmm;

/// The AVX-512 IFMA backend.
pub type Avx512Ifma<const W: usize, const N: usize> = Radix52<Zmm, W, N>;

pub(crate) fn is_supported() -> bool {
    has_features!("avx512f", "avx512dq", "avx512vl", "avx512ifma", "bmi1", "bmi2")
}

/// Calls `visitor` with the lanes of `P`, or returns the visitor if the CPU lacks the instructions.
pub(crate) fn visit<P, V, const W: usize, const N: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W> + Digits52<N>,
    V: Visitor<[u64; W]>,
    Zmm: Kernels<N>,
    Avx512Ifma<W, N>: PrimeLanes<Words = [u64; W]>,
{
    call(Avx512Ifma::detect(<P as Digits52<N>>::TABLE, <P as Words64<W>>::TABLE), visitor)
}
