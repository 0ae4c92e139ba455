//! The instructions on registers of two lanes.

use core::arch::wasm32::*;

use crate::doubles::Pair;
use crate::field::Task;
use crate::Backend;

/// A register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct V128(v128);

// SAFETY: this module is compiled only where the whole build may use the instructions.
unsafe impl Pair for V128 {
    const BACKEND: Backend = Backend::Wasm;

    fn is_supported() -> bool {
        super::is_supported()
    }

    #[inline(always)]
    unsafe fn vectorize<T: Task>(task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn from_bits(lanes: [u64; 2]) -> Self {
        V128(u64x2(lanes[0], lanes[1]))
    }

    #[inline(always)]
    fn to_bits(self) -> [u64; 2] {
        [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)]
    }

    #[inline(always)]
    unsafe fn gather(first: *const u64, second: *const u64) -> Self {
        // SAFETY: the caller vouches that both pointers are valid for reads of a double.
        V128(unsafe { v128_load64_lane::<1>(v128_load64_zero(first), second) })
    }

    #[inline(always)]
    unsafe fn scatter(self, first: *mut u64, second: *mut u64) {
        // SAFETY: the caller vouches that both pointers are valid for writes of a double.
        unsafe {
            v128_store64_lane::<0>(self.0, first);
            v128_store64_lane::<1>(self.0, second);
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        V128(f64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        V128(f64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn madd(self, factor: Self, sum: Self) -> Self {
        #[cfg(target_feature = "relaxed-simd")]
        let sum = f64x2_relaxed_madd(self.0, factor.0, sum.0);
        #[cfg(not(target_feature = "relaxed-simd"))]
        let sum = f64x2_add(f64x2_mul(self.0, factor.0), sum.0);
        V128(sum)
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        i64x2_bitmask(f64x2_eq(self.0, f64x2_splat(0.0))).into()
    }

    #[inline(always)]
    fn add_int(self, other: Self) -> Self {
        V128(i64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub_int(self, other: Self) -> Self {
        V128(i64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        V128(u64x2_shr(self.0, bits))
    }

    #[inline(always)]
    fn shift_right_signed(self, bits: u32) -> Self {
        V128(i64x2_shr(self.0, bits))
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        V128(i64x2_shl(self.0, bits))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        V128(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        V128(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        V128(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn first_lanes(self, other: Self) -> Self {
        V128(i64x2_shuffle::<0, 2>(self.0, other.0))
    }

    #[inline(always)]
    fn second_lanes(self, other: Self) -> Self {
        V128(i64x2_shuffle::<1, 3>(self.0, other.0))
    }
}
