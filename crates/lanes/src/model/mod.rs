//! The IFMA backend without IFMA: arrays of eight words that compute the instructions' results, bit for bit.
//!
//! The model runs everywhere, so the whole engine can be tested on eight lanes anywhere. The tests compare it with the
//! real kernels, natively or in an emulator.

#[cfg(feature = "std")]
mod doubles;
mod kernels;
mod vector;

#[cfg(feature = "model")]
use crate::field::PrimeLanes;
#[cfg(feature = "model")]
use crate::prime::Words64;
use crate::radix52::Radix52;
#[cfg(feature = "model")]
use crate::radix52::{Digits52, Kernels};
#[cfg(feature = "model")]
use crate::visitor::{call, Visitor};

#[cfg(feature = "std")]
pub use doubles::{TwoDoubles, WasmModel};
pub use vector::EightWords;

/// The model backend.
pub type Model<const W: usize, const N: usize> = Radix52<EightWords, W, N>;

pub(crate) fn is_supported() -> bool {
    cfg!(feature = "model")
}

/// Calls `visitor` with the lanes of `P`, or returns the visitor if the build lacks the feature `model`.
#[cfg(feature = "model")]
pub(crate) fn visit<P, V, const W: usize, const N: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W> + Digits52<N>,
    V: Visitor<[u64; W]>,
    EightWords: Kernels<N>,
    Model<W, N>: PrimeLanes<Words = [u64; W]>,
{
    call(Model::detect(<P as Digits52<N>>::TABLE, <P as Words64<W>>::TABLE), visitor)
}
