//! Operations of more than one instruction on registers of four lanes.

use core::arch::x86_64::*;

use super::Radix;
use crate::each;

/// Returns `floor(digits / 2^(w - 1))`, for digits of w bits. The shift is in assembly. Otherwise the compiler knows
/// how few bits are left, and packs them into bytes and back.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn halves<const N: usize>(digits: __m256i) -> __m256i
where
    [(); N]: Radix,
{
    let shifted: __m256i;
    // SAFETY: the instruction is AVX2's and has no effect but its result.
    unsafe {
        core::arch::asm!(
            "vpsrad {shifted}, {digits}, {bits}",
            shifted = lateout(ymm_reg) shifted,
            digits = in(ymm_reg) digits,
            bits = const <[(); N]>::WIDTH - 1,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    shifted
}

/// Transposes 4 x 4 words of 64 bits.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn transpose(rows: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let (even0, odd0) =
            (_mm256_unpacklo_epi64(rows[0], rows[1]), _mm256_unpackhi_epi64(rows[0], rows[1]));
        let (even1, odd1) =
            (_mm256_unpacklo_epi64(rows[2], rows[3]), _mm256_unpackhi_epi64(rows[2], rows[3]));
        [
            _mm256_permute2x128_si256::<0x20>(even0, even1),
            _mm256_permute2x128_si256::<0x20>(odd0, odd1),
            _mm256_permute2x128_si256::<0x31>(even0, even1),
            _mm256_permute2x128_si256::<0x31>(odd0, odd1),
        ]
    }
}

/// Unpacks pairs of digits to one digit per lane.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn unpack<const N: usize, const PAIRS: usize>(pairs: &[__m256i; PAIRS]) -> [__m256i; N] {
    // SAFETY: the caller vouches for AVX2.
    unsafe { each!(|j| if j % 2 == 0 { pairs[j / 2] } else { _mm256_srli_epi64::<32>(pairs[j / 2]) }) }
}

/// Returns `5 x` modulo 2^32.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn times_five(x: __m256i) -> __m256i {
    // SAFETY: the caller vouches for AVX2.
    unsafe { _mm256_add_epi32(x, _mm256_slli_epi32::<2>(x)) }
}

/// Returns a vector with the lower halves of `low` in the lower halves of its lanes, and the lower halves of `high` in
/// the upper halves.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn pair(low: __m256i, high: __m256i) -> __m256i {
    // SAFETY: the caller vouches for AVX2.
    unsafe { _mm256_blend_epi32::<0xaa>(low, _mm256_slli_epi64::<32>(high)) }
}

/// Returns the operand of shifts by an amount that the compiler knows.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn count(bits: usize) -> __m128i {
    // SAFETY: the caller vouches for AVX2.
    unsafe { _mm_cvtsi32_si128(bits as i32) }
}

/// Returns a vector with all bits set in the lanes of `mask`.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn lane_mask(mask: u32) -> __m256i {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let bits = _mm256_setr_epi64x(1, 2, 4, 8);
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(mask as i64), bits), bits)
    }
}
