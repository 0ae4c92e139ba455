//! AVX2: four lanes, signed digits of 30 bits (13 of them) or 29 bits (9), in the low halves of 64-bit lanes.
//!
//! The digits of a product are balanced, so that the difference of two products is a factor without carries. The high
//! halves of the lanes are undefined; `vpmuldq` does not read them.

mod at_rest;
mod kernels;
mod lanes;
mod table;
mod vector;

pub use at_rest::{AtRest, Digits, Packed};
pub(crate) use kernels::kernels;
pub use kernels::KernelSet;
pub use table::{Avx2Table, Radix, SignedDigits};

use crate::features::has_features;
use crate::field::PrimeLanes;
use crate::prime::{WordTable, Words64};
use crate::visitor::{call, Visitor};

/// The AVX2 backend of primes of `W` words outside in `N` digits, an odd number; `PAIRS` is `(N + 1) / 2`.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<const W: usize, const N: usize, const PAIRS: usize> {
    prime: &'static Avx2Table<N>,
    words: &'static WordTable<W>,
}

pub(crate) fn is_supported() -> bool {
    has_features!("avx2", "bmi1", "bmi2")
}

/// Calls `visitor` with the lanes of `P`, or returns the visitor if the CPU lacks the instructions.
pub(crate) fn visit<P, V, const W: usize, const N: usize, const PAIRS: usize>(
    visitor: V,
) -> Result<V::Output, V>
where
    P: Words64<W> + SignedDigits<N>,
    V: Visitor<[u64; W]>,
    [(); N]: Radix,
    Avx2<W, N, PAIRS>: PrimeLanes<Words = [u64; W]>,
{
    call(Avx2::<W, N, PAIRS>::detect(<P as SignedDigits<N>>::TABLE, <P as Words64<W>>::TABLE), visitor)
}
