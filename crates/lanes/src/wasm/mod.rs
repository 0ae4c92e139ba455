//! WebAssembly's SIMD, relaxed or plain: the eight lanes of [`doubles`](crate::doubles) in registers of two.

mod kernels;
mod vector;

#[cfg(target_feature = "relaxed-simd")]
use core::arch::wasm32::{f64x2_extract_lane, f64x2_relaxed_madd, f64x2_splat};
#[cfg(target_feature = "relaxed-simd")]
use core::hint::black_box;

use crate::doubles::{DoubleDigits, Doubles, Kernels};
use crate::field::PrimeLanes;
use crate::prime::Words64;
use crate::visitor::{call, Visitor};

pub use vector::V128;

/// The WebAssembly backend.
pub type Wasm<const W: usize, const N: usize> = Doubles<V128, W, N>;

/// Returns true if the engine's multiply-add rounds once. An engine may also round the product first.
#[cfg(target_feature = "relaxed-simd")]
pub(crate) fn is_supported() -> bool {
    let power = |exponent: u32| 1.0 / (1u64 << exponent) as f64;
    let x = f64x2_splat(black_box(1.0 + power(27)));
    let rest = f64x2_relaxed_madd(x, x, f64x2_splat(black_box(-(1.0 + power(26)))));
    f64x2_extract_lane::<0>(rest) == power(54)
}

/// Returns true: products of 24-bit digits are exact in any engine.
#[cfg(not(target_feature = "relaxed-simd"))]
pub(crate) fn is_supported() -> bool {
    true
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
