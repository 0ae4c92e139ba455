//! The instructions on zmm registers.

use core::arch::x86_64::*;

use crate::field::Task;
use crate::prefetch::prefetch;
use crate::radix52::{Eight, Packed};
use crate::{each, Backend};

/// A zmm register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Zmm(__m512i);

// SAFETY: the field is private, and only methods of this trait make values. So values exist only if the CPU has AVX-512
// F, DQ, VL and IFMA, which `Backend::Avx512Ifma` needs.
unsafe impl Eight for Zmm {
    const BACKEND: Backend = Backend::Avx512Ifma;

    fn is_supported() -> bool {
        super::is_supported()
    }

    #[inline(always)]
    unsafe fn vectorize<T: Task>(task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512ifma,bmi1,bmi2")]
        fn inner<T: Task>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: the caller vouches that the backend is supported: the CPU has all of these features.
        unsafe { inner(task) }
    }

    #[inline(always)]
    fn splat(x: u64) -> Self {
        // SAFETY: `Eight`'s methods are only called where the instructions exist, among them AVX-512 F.
        Zmm(unsafe { _mm512_set1_epi64(x as i64) })
    }

    #[inline(always)]
    fn from_array(x: [u64; 8]) -> Self {
        // SAFETY: both types have 64 bytes, and every bit pattern is a valid value. `Eight`'s methods are only called
        // where AVX-512 F exists.
        Zmm(unsafe { core::mem::transmute::<[u64; 8], __m512i>(x) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        // SAFETY: both types have 64 bytes, and every bit pattern is a valid value.
        unsafe { core::mem::transmute(self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_srai_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_right_logical_by(self, bits: u32) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shift_left_by(self, bits: u32) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shift_right_by(self, bits: u32) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_sra_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn madd_low(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 IFMA.
        Zmm(unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn madd_high(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 IFMA.
        Zmm(unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn look_up(table: &[u64; 16], index: Self) -> Self {
        // SAFETY: `Eight`'s methods are only called where AVX-512 F exists. Each half of the table has the 64 bytes
        // that a load reads.
        unsafe {
            let half = |i: usize| _mm512_loadu_si512(table.as_ptr().add(8 * i).cast());
            Zmm(_mm512_permutex2var_epi64(half(0), index.0, half(1)))
        }
    }

    #[inline(always)]
    fn negate_lanes(self, mask: u32) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_mask_sub_epi64(self.0, mask as __mmask8, _mm512_setzero_si512(), self.0) })
    }

    #[inline(always)]
    fn select(self, mask: u32, other: Self) -> Self {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        Zmm(unsafe { _mm512_mask_mov_epi64(self.0, mask as __mmask8, other.0) })
    }

    #[inline(always)]
    fn equal_lanes(self, other: Self) -> u32 {
        // SAFETY: `self` exists, so the CPU has AVX-512 F.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) as u32 }
    }

    #[inline(always)]
    fn odd_lanes(numbers: &[u32; 8]) -> u32 {
        // SAFETY: `Eight`'s methods are only called where AVX-512 VL exists. The array has the 32 bytes that a load reads.
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            _mm256_test_epi32_mask(numbers, _mm256_set1_epi32(1)).into()
        }
    }

    #[inline(always)]
    fn transpose(r: [Self; 8]) -> [Self; 8] {
        // SAFETY: the rows exist, so the CPU has AVX-512 F.
        unsafe {
            // First pairs of rows, then 128-bit blocks across four rows, then across eight rows.
            let a = transpose_blocks(each!(|i| _mm512_unpacklo_epi64(r[2 * i].0, r[2 * i + 1].0)));
            let b = transpose_blocks(each!(|i| _mm512_unpackhi_epi64(r[2 * i].0, r[2 * i + 1].0)));
            each!(|j| Zmm(if j % 2 == 0 { a[j / 2] } else { b[j / 2] }))
        }
    }

    #[inline(always)]
    unsafe fn gather(rows: &[*const Packed; 8]) -> [Self; 4] {
        // SAFETY: `Eight`'s methods are only called where AVX-512 F exists. The caller vouches for eight readable,
        // aligned rows of 32 bytes.
        unsafe {
            // Rows i and i + 2 go together: `shuffle` then finds pairs of words of neighbouring rows in whole blocks.
            let pair = |i: usize| {
                let half = |i: usize| _mm256_load_si256(rows[i].cast());
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(i)), half(i + 2))
            };
            let rows: [__m512i; 4] = [pair(0), pair(1), pair(4), pair(5)];
            let even: [__m512i; 2] = each!(|i| _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]));
            let odd: [__m512i; 2] = each!(|i| _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]));
            [
                Zmm(_mm512_shuffle_i64x2::<0x88>(even[0], even[1])),
                Zmm(_mm512_shuffle_i64x2::<0x88>(odd[0], odd[1])),
                Zmm(_mm512_shuffle_i64x2::<0xdd>(even[0], even[1])),
                Zmm(_mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1])),
            ]
        }
    }

    #[inline(always)]
    unsafe fn scatter(columns: [Self; 4], rows: &[*mut Packed; 8]) {
        let [a, b, c, d] = columns.map(|column| column.0);
        // SAFETY: the columns exist, so the CPU has AVX-512 F. The caller vouches for eight writable, aligned rows of 32 bytes.
        unsafe {
            // Pairs of words of the even lanes, and of the odd lanes.
            let low = [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)];
            let high = [_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d)];
            let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            for odd in 0..2 {
                for (lane, index) in [(odd, first), (odd + 4, second)] {
                    let pair = _mm512_permutex2var_epi64(low[odd], index, high[odd]);
                    _mm256_store_si256(rows[lane].cast(), _mm512_castsi512_si256(pair));
                    _mm256_store_si256(rows[lane + 2].cast(), _mm512_extracti64x4_epi64::<1>(pair));
                }
            }
        }
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        prefetch(address);
    }
}

/// Transposes 4 x 4 blocks of 128 bits.
///
/// # Safety
/// - The CPU has AVX-512 F.
#[inline(always)]
unsafe fn transpose_blocks(x: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller vouches for AVX-512 F.
    unsafe {
        let even: [__m512i; 2] = each!(|i| _mm512_shuffle_i64x2::<0x88>(x[2 * i], x[2 * i + 1]));
        let odd: [__m512i; 2] = each!(|i| _mm512_shuffle_i64x2::<0xdd>(x[2 * i], x[2 * i + 1]));
        [
            _mm512_shuffle_i64x2::<0x88>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0x88>(odd[0], odd[1]),
            _mm512_shuffle_i64x2::<0xdd>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1]),
        ]
    }
}
