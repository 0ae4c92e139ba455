//! WebAssembly's relaxed SIMD: the eight lanes of [`radix51`](crate::radix51) in registers of two.

mod kernels;
mod vector;

use crate::radix51::Radix51;

pub use vector::V128;

/// The WebAssembly backend.
pub type Wasm<const W: usize, const N: usize> = Radix51<V128, W, N>;
