//! WebAssembly's relaxed SIMD: the eight lanes of [`radix51`](crate::radix51) in registers of two.

mod kernels;
mod vector;

use core::arch::wasm32::{f64x2_extract_lane, f64x2_relaxed_madd, f64x2_splat};
use core::hint::black_box;

use crate::field::PrimeLanes;
use crate::prime::Words64;
use crate::radix51::{DoubleDigits, Kernels, Radix51};
use crate::visitor::{call, Visitor};

pub use vector::V128;

/// The WebAssembly backend.
pub type Wasm<const W: usize, const N: usize> = Radix51<V128, W, N>;

/// Returns true if the engine's multiply-add rounds once. An engine may also round the product first.
pub(crate) fn is_supported() -> bool {
    let power = |exponent: u32| 1.0 / (1u64 << exponent) as f64;
    let x = f64x2_splat(black_box(1.0 + power(27)));
    let rest = f64x2_relaxed_madd(x, x, f64x2_splat(black_box(-(1.0 + power(26)))));
    f64x2_extract_lane::<0>(rest) == power(54)
}

/// Calls `visitor` with the lanes of `P`, or returns the visitor if the engine lacks the instructions.
pub(crate) fn visit<P, V, const W: usize, const N: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W> + DoubleDigits<N>,
    V: Visitor<[u64; W]>,
    V128: Kernels<N>,
    Wasm<W, N>: PrimeLanes<Words = [u64; W]>,
{
    call(Wasm::detect(<P as DoubleDigits<N>>::TABLE, <P as Words64<W>>::TABLE), visitor)
}
