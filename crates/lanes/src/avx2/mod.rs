//! AVX2: four lanes, signed digits of 30 bits (13 of them) or 29 bits (9), in the low halves of 64-bit lanes.
//!
//! The digits of a product are balanced, so that the difference of two products is a factor without carries. The high
//! halves of the lanes are undefined; `vpmuldq` does not read them.

mod at_rest;
mod kernels;
mod lanes;
mod vector;

pub use at_rest::{AtRest, Digits, Packed};
pub(crate) use kernels::kernels;
pub use kernels::KernelSet;

use crate::prime::{Avx2Table, WordTable};

/// The AVX2 backend of primes of `W` words outside in `N` digits, an odd number; `PAIRS` is `(N + 1) / 2`.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<const W: usize, const N: usize, const PAIRS: usize> {
    prime: &'static Avx2Table<N>,
    words: &'static WordTable<W>,
}
