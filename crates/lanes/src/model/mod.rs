//! The IFMA backend without IFMA: arrays of eight words that compute the instructions' results, bit for bit.
//!
//! The model runs everywhere, so the whole engine can be tested on eight lanes anywhere. The tests compare it with the
//! real kernels, natively or in an emulator.

#[cfg(feature = "std")]
mod doubles;
mod kernels;
mod vector;

use crate::radix52::Radix52;

#[cfg(feature = "std")]
pub use doubles::{wasm_model, TwoDoubles, WasmModel};
pub use vector::EightWords;

/// The model backend.
pub type Model<const W: usize, const N: usize> = Radix52<EightWords, W, N>;
