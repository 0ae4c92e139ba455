//! Elements at rest: 13 digits and zeros in a cache line, or nine digits in half a cache line.

use core::arch::x86_64::*;

use super::vector::transpose;
use crate::each;

/// Pairs of digits of four elements, in the form of sums, and the same elements at rest.
pub trait AtRest: Sized {
    /// An element at rest.
    type Elem: Copy + Send + Sync;

    /// Gathers four elements' digits, within half a digit and 3. See the [example](crate).
    ///
    /// # Safety
    /// - The CPU has AVX2.
    /// - The first four pointers are valid for reads of an element, and aligned.
    unsafe fn load(src: &[*const Self::Elem; 8]) -> Self;

    /// Gathers four differences of digits, `left - right`. See the [example](crate).
    ///
    /// # Safety
    /// - The CPU has AVX2.
    /// - The first four pointers on both sides are valid for reads of an element, and aligned.
    unsafe fn load_difference(left: &[*const Self::Elem; 8], right: &[*const Self::Elem; 8]) -> Self;

    /// Scatters four elements of reduced values; digits are within half a digit and 3. See the [example](crate).
    ///
    /// # Safety
    /// - The CPU has AVX2.
    /// - The first four pointers are valid for writes of an element, and aligned.
    unsafe fn store(&self, dst: &[*mut Self::Elem; 8]);
}

/// Thirteen digits and zeros: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Digits([i32; 16]);

/// Returns half of an element.
///
/// # Safety
/// - The CPU has AVX2.
/// - `element` is valid for reads, and aligned.
/// - `index` is 0 or 1.
#[inline(always)]
unsafe fn half(element: *const Digits, index: usize) -> __m256i {
    // SAFETY: the caller vouches for AVX2 and an aligned, readable element, of which `index` is a half.
    unsafe { _mm256_load_si256(element.cast::<__m256i>().add(index)) }
}

/// Turns the halves of four elements into pairs of digits: digits `2 k` and `2 k + 1` in the halves of each lane.
///
/// # Safety
/// - The CPU has AVX2.
#[inline(always)]
unsafe fn pairs(low: [__m256i; 4], high: [__m256i; 4]) -> [__m256i; 7] {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let (low, high) = (transpose(low), transpose(high));
        each!(|k| if k < 4 { low[k] } else { high[k - 4] })
    }
}

impl AtRest for [__m256i; 7] {
    type Elem = Digits;

    #[inline(always)]
    unsafe fn load(src: &[*const Digits; 8]) -> Self {
        // SAFETY: the caller vouches for AVX2, and for four aligned, readable elements.
        unsafe { pairs(each!(|lane| half(src[lane], 0)), each!(|lane| half(src[lane], 1))) }
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Digits; 8], right: &[*const Digits; 8]) -> Self {
        // SAFETY: the caller vouches for AVX2, and for four aligned, readable elements on either side.
        unsafe {
            let low = each!(|lane| _mm256_sub_epi32(half(left[lane], 0), half(right[lane], 0)));
            let high = each!(|lane| _mm256_sub_epi32(half(left[lane], 1), half(right[lane], 1)));
            pairs(low, high)
        }
    }

    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Digits; 8]) {
        // SAFETY: the caller vouches for AVX2, and for four aligned, writable elements of two vectors each.
        unsafe {
            let zero = _mm256_setzero_si256();
            let low = transpose(each!(|k| self[k]));
            let high = transpose(each!(|k| if k < 3 { self[k + 4] } else { zero }));
            for lane in 0..4 {
                let row = dst[lane].cast::<__m256i>();
                _mm256_store_si256(row, low[lane]);
                _mm256_store_si256(row.add(1), high[lane]);
            }
        }
    }
}

/// Nine digits in half a cache line, so that a point fills one. Word k has digits 2 k and 2 k + 1, of 29 bits each, in
/// two's complement, and above them six bits of the last digit's 24.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Packed([u64; 4]);

/// Bits of a digit, of a pair, and of the last digit's part in a word.
const WIDTH: i32 = 29;
const PAIR: i32 = 2 * WIDTH;
const PART: i32 = 64 - PAIR;

impl AtRest for [__m256i; 5] {
    type Elem = Packed;

    #[inline(always)]
    unsafe fn load(src: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller vouches for AVX2, and for four aligned, readable elements.
        unsafe {
            let words = transpose(each!(|lane| _mm256_load_si256(src[lane].cast())));
            // Shifts out the bits above the last digit's part, and shifts its sign back in.
            let parts: [__m256i; 4] = each!(|k| _mm256_srli_epi64::<PAIR>(words[k]));
            let last = _mm256_or_si256(parts[2], _mm256_slli_epi64::<PART>(parts[3]));
            let first = _mm256_or_si256(parts[0], _mm256_slli_epi64::<PART>(parts[1]));
            let last = _mm256_or_si256(first, _mm256_slli_epi64::<{ 2 * PART }>(last));
            const SPARE: i32 = 32 - 4 * PART;
            let last = _mm256_srai_epi32::<SPARE>(_mm256_slli_epi32::<SPARE>(last));
            each!(|k| if k < 4 {
                // The upper digit moves to its half of the lane. Then each digit sheds the bits above it.
                let pair =
                    _mm256_blend_epi32::<0xaa>(words[k], _mm256_slli_epi64::<{ 32 - WIDTH }>(words[k]));
                _mm256_srai_epi32::<{ 32 - WIDTH }>(_mm256_slli_epi32::<{ 32 - WIDTH }>(pair))
            } else {
                last
            })
        }
    }

    #[inline(always)]
    unsafe fn load_difference(left: &[*const Packed; 8], right: &[*const Packed; 8]) -> Self {
        // SAFETY: the caller vouches for AVX2, and for four aligned, readable elements on either side.
        unsafe {
            let (left, right) = (Self::load(left), Self::load(right));
            each!(|k| _mm256_sub_epi32(left[k], right[k]))
        }
    }

    /// Makes digits exact. Each digit plus half a digit is a digit without a sign. Subtracting half a digit again, in
    /// two's complement, flips its leading bit.
    #[inline(always)]
    unsafe fn store(&self, dst: &[*mut Packed; 8]) {
        // SAFETY: the caller vouches for AVX2, and for four aligned, writable elements.
        unsafe {
            const HALVES: i64 = (1 << (WIDTH - 1)) * (1 + (1 << WIDTH));
            // Constant for digits that are out of range by some units, and for the last pair's carry, which is then one too much.
            const MORE: i64 = 8;
            const CARRY: i64 = 1 << PAIR;
            let zero = _mm256_setzero_si256();
            let more = _mm256_set1_epi32((1 << (WIDTH - 1)) + MORE as i32);
            let mask = _mm256_set1_epi64x(CARRY - 1);
            let mut carry = _mm256_set1_epi64x(1);
            let pairs: [__m256i; 4] = each!(|k| {
                let pair = _mm256_add_epi32(self[k], more);
                let (low, high) =
                    (_mm256_blend_epi32::<0xaa>(pair, zero), _mm256_blend_epi32::<0xaa>(zero, pair));
                let pair = _mm256_add_epi64(low, _mm256_srli_epi64::<{ 32 - WIDTH }>(high));
                let pair = _mm256_add_epi64(pair, _mm256_set1_epi64x(CARRY - 1 - MORE * (1 + (1 << WIDTH))));
                let pair = _mm256_add_epi64(pair, carry);
                carry = _mm256_srli_epi64::<PAIR>(pair);
                _mm256_and_si256(pair, mask)
            });
            let last = _mm256_add_epi32(self[4], _mm256_set1_epi64x((1 << (4 * PART - 1)) - 1));
            let last = _mm256_add_epi32(last, carry);
            let parts: [__m256i; 4] = [
                last,
                _mm256_srli_epi64::<PART>(last),
                _mm256_srli_epi64::<{ 2 * PART }>(last),
                _mm256_srli_epi64::<{ 3 * PART }>(last),
            ];
            let words = each!(|k| {
                let word = _mm256_or_si256(pairs[k], _mm256_slli_epi64::<PAIR>(parts[k]));
                let signs = if k == 3 { HALVES ^ i64::MIN } else { HALVES };
                _mm256_xor_si256(word, _mm256_set1_epi64x(signs))
            });
            let rows = transpose(words);
            for lane in 0..4 {
                _mm256_store_si256(dst[lane].cast(), rows[lane]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::Backend;

    /// Stores and loads nine digits each, as pairs.
    #[target_feature(enable = "avx2")]
    fn stored_and_loaded(digits: &[[i32; 10]; 4]) -> ([Packed; 4], [[i32; 10]; 4]) {
        let pairs: [__m256i; 5] = each!(|k| {
            let pair: [[i32; 2]; 4] = each!(|lane| [digits[lane][2 * k], digits[lane][2 * k + 1]]);
            // SAFETY: both types have 32 bytes, and every bit pattern is a valid value.
            unsafe { core::mem::transmute::<[[i32; 2]; 4], __m256i>(pair) }
        });
        let mut packed = [Packed([0; 4]); 4];
        let start = packed.as_mut_ptr();
        // SAFETY: this function has AVX2. All pointers are to elements of `packed`.
        let pairs = unsafe {
            pairs.store(&each!(|lane| start.wrapping_add(lane & 3)));
            <[__m256i; 5]>::load(&each!(|lane| start.wrapping_add(lane & 3).cast_const()))
        };
        let mut loaded = [[0; 10]; 4];
        for (k, pair) in pairs.into_iter().enumerate() {
            // SAFETY: both types have 32 bytes, and every bit pattern is a valid value.
            let pair: [[i32; 2]; 4] = unsafe { core::mem::transmute(pair) };
            for lane in 0..4 {
                loaded[lane][2 * k..2 * k + 2].copy_from_slice(&pair[lane]);
            }
        }
        (packed, loaded)
    }

    /// Returns the digits within half a digit, by carries one after the other.
    fn exact(digits: &[i32; 10]) -> [i32; 10] {
        let (mut exact, half) = (*digits, 1 << (WIDTH - 1));
        for j in 0..8 {
            let carry = (exact[j] + half) >> WIDTH;
            exact[j] -= carry << WIDTH;
            exact[j + 1] += carry;
        }
        exact
    }

    #[test]
    fn packed_digits_are_exact() {
        if !Backend::Avx2.is_supported() {
            return;
        }
        let mut rng = StdRng::seed_from_u64(1);
        let (half, last) = (1 << (WIDTH - 1), 5 << 20);
        for round in 0..1000 {
            let digits = [(); 4].map(|()| {
                let mut digits = [0; 10];
                for (j, digit) in digits[..9].iter_mut().enumerate() {
                    let most = if j == 8 { last } else { half + 3 };
                    *digit = match round % 4 {
                        0 => rng.gen_range(-most..=most),
                        1 => most - rng.gen_range(0..8),
                        2 => rng.gen_range(0..8) - most,
                        _ => [0, 1, -1, half, -half, half - 1, most, -most][rng.gen_range(0..8)]
                            .clamp(-most, most),
                    };
                }
                digits
            });
            // SAFETY: the CPU has AVX2.
            let (_, loaded) = unsafe { stored_and_loaded(&digits) };
            assert_eq!(loaded, digits.each_ref().map(exact), "{digits:?}");
        }
        // SAFETY: the CPU has AVX2.
        let (packed, _) = unsafe { stored_and_loaded(&[[0; 10]; 4]) };
        assert!(packed.iter().all(|packed| packed.0 == [0; 4]), "zero is zeros");
    }
}
