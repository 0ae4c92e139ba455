//! The operations of a field in lanes, on single digits (vectors) or pairs of digits (sums).

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::kernels::Kernel;
use super::vector::*;
use super::{AtRest, Avx2, Avx2Table, Radix};
use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prefetch::prefetch;
use crate::prime::WordTable;
use crate::{each, words, Backend, OutOfLine};

const LANES: usize = 4;

impl<const W: usize, const N: usize, const PAIRS: usize> Avx2<W, N, PAIRS>
where
    [(); N]: Radix,
{
    const WIDTH: i32 = <[(); N]>::WIDTH as i32;

    /// Returns the lanes of a prime, if the CPU has AVX2, BMI1 and BMI2. See the [example](crate).
    pub fn detect(prime: &'static Avx2Table<N>, words: &'static WordTable<W>) -> Option<Self> {
        super::is_supported().then_some(Avx2 { prime, words })
    }

    /// Calls a kernel of one product.
    ///
    /// # Safety
    /// - The kernel is this prime's, and reads N vectors of `a` and no `c`.
    /// - The digits of `a` and `b` are in the ranges of [`Vec`](LaneField::Vec) and [`Factor`](LaneField::Factor).
    #[inline(always)]
    unsafe fn call(self, kernel: Kernel, a: &[__m256i; N], b: &[__m256i; N], out: &mut [__m256i; N]) {
        let table: *const Avx2Table<N> = self.prime;
        let b = b.as_ptr().cast();
        // SAFETY: the token proves AVX2. The arrays have N aligned vectors each; the caller vouches for the rest.
        unsafe { kernel(out.as_mut_ptr().cast(), a.as_ptr().cast(), b, table.cast(), b) }
    }

    /// Calls a kernel of a sum or difference of two products.
    ///
    /// # Safety
    /// - The kernel is this prime's, and reads 2 N vectors of `a`.
    /// - The digits of `a`, `b` and `c` are in the ranges of [`Vec`](LaneField::Vec) and [`Factor`](LaneField::Factor).
    #[inline(always)]
    unsafe fn call2(
        self,
        kernel: Kernel,
        a: &[[__m256i; N]; 2],
        b: &[__m256i; N],
        c: &[__m256i; N],
        out: &mut [__m256i; N],
    ) {
        let table: *const Avx2Table<N> = self.prime;
        let (out, b, c) = (out.as_mut_ptr().cast(), b.as_ptr().cast(), c.as_ptr().cast());
        // SAFETY: the token proves AVX2. The arrays have N or 2 N aligned vectors; the caller vouches for the rest.
        unsafe { kernel(out, a.as_ptr().cast(), b, table.cast(), c) }
    }

    #[inline(always)]
    fn splat_digits(digits: &[i64; N]) -> [__m256i; N] {
        // SAFETY: only methods of a token, which proves AVX2, call this function.
        each!(|j| unsafe { _mm256_set1_epi64x(digits[j]) })
    }

    /// Subtracts the nearest of eight multiples, -3 to 4 times a number, and carries once. The reciprocal of the
    /// number's last digit is given.
    #[inline(always)]
    fn subtract_multiple(
        sum: &[__m256i; PAIRS],
        multiples: &[[i32; 8]; N],
        reciprocal: i64,
    ) -> [__m256i; PAIRS] {
        const { assert!(N % 2 == 1 && PAIRS == N.div_ceil(2)) };
        // SAFETY: only methods of a token, which proves AVX2, call this function. `multiples` has the 32 bytes of a
        // load for each digit.
        unsafe {
            let quotient = _mm256_mul_epi32(sum[PAIRS - 1], _mm256_set1_epi64x(reciprocal));
            let quotient = _mm256_srli_epi64::<32>(_mm256_add_epi64(quotient, _mm256_set1_epi64x(1 << 31)));
            let quotient = _mm256_min_epi32(quotient, _mm256_set1_epi32(4));
            let quotient = _mm256_max_epi32(quotient, _mm256_set1_epi32(-3));
            let index = _mm256_add_epi32(quotient, _mm256_set1_epi32(3));
            let index = pair(index, index);
            let zero = _mm256_setzero_si256();
            let mut carried = zero;
            each!(|k| {
                let low = _mm256_loadu_si256(multiples[2 * k].as_ptr().cast());
                let low = _mm256_permutevar8x32_epi32(low, index);
                let high = if 2 * k + 1 < N {
                    let high = _mm256_loadu_si256(multiples[2 * k + 1].as_ptr().cast());
                    _mm256_permutevar8x32_epi32(high, index)
                } else {
                    zero
                };
                let digits = _mm256_sub_epi32(sum[k], _mm256_blend_epi32::<0xaa>(low, high));
                // round(digits / 2^width), which does not wait for the carry from below, and does not overflow,
                // although a digit may be almost 2^31. The last digit keeps its whole value.
                let (rest, carry) = if 2 * k + 1 < N {
                    let halves = halves::<N>(digits);
                    let carry = _mm256_srai_epi32::<1>(_mm256_sub_epi32(halves, _mm256_set1_epi32(-1)));
                    let whole = _mm256_sll_epi32(carry, _mm_cvtsi32_si128(Self::WIDTH));
                    (_mm256_sub_epi32(digits, whole), carry)
                } else {
                    (digits, zero)
                };
                // A lower half gets the carry of the pair before, an upper half the carry of its own pair.
                let swapped = _mm256_blend_epi32::<0xaa>(carry, carried);
                carried = carry;
                _mm256_add_epi32(rest, _mm256_shuffle_epi32::<0b10_11_00_01>(swapped))
            })
        }
    }

    /// Turns words into unsigned digits.
    #[inline(always)]
    fn unsigned_digits(words: &[[u64; W]]) -> [__m256i; N] {
        let width = Self::WIDTH as usize;
        // SAFETY: only methods of a token, which proves AVX2, call this function.
        unsafe {
            // Loads four words at a time, and zeros beyond the last word.
            let words: [[__m256i; 4]; 2] = each!(|half| {
                transpose(each!(|lane| {
                    let words: [i64; 4] = each!(|k| {
                        let k = 4 * half + k;
                        if k < W {
                            words[lane][k] as i64
                        } else {
                            0
                        }
                    });
                    _mm256_setr_epi64x(words[0], words[1], words[2], words[3])
                }))
            });
            let mask = _mm256_set1_epi64x((1 << width) - 1);
            each!(|j| {
                let (index, shift) = (width * j / 64, width * j % 64);
                let mut digit = _mm256_srl_epi64(words[index / 4][index % 4], count(shift));
                if shift + width > 64 && index + 1 < W {
                    let next = words[(index + 1) / 4][(index + 1) % 4];
                    digit = _mm256_or_si256(digit, _mm256_sll_epi64(next, count(64 - shift)));
                }
                _mm256_and_si256(digit, mask)
            })
        }
    }

    /// Carries signed digits in the lower halves of the lanes. All digits but the last become unsigned.
    ///
    /// # Safety
    /// - The CPU has AVX2.
    #[inline(always)]
    unsafe fn carry(digits: [__m256i; N]) -> [__m256i; N] {
        // SAFETY: the caller vouches for AVX2.
        unsafe {
            let mask = _mm256_set1_epi64x((1 << Self::WIDTH) - 1);
            let mut carry = _mm256_setzero_si256();
            each!(|j| {
                let digit = _mm256_add_epi32(digits[j], carry);
                carry = _mm256_sra_epi32(digit, count(Self::WIDTH as usize));
                if j + 1 < N {
                    _mm256_and_si256(digit, mask)
                } else {
                    digit
                }
            })
        }
    }
}

impl<const W: usize, const N: usize, const PAIRS: usize> LaneField for Avx2<W, N, PAIRS>
where
    [(); N]: Radix,
    [u64; W]: Default,
    [__m256i; PAIRS]: AtRest,
{
    const LANES: usize = LANES;
    const FACTORS_ARE_SUMS: bool = true;

    type Words = [u64; W];
    type Elem = <Self::Sum as AtRest>::Elem;
    type Vec = [__m256i; N];
    type Factor = Self::Vec;
    /// Pairs of digits, which take half of the instructions. The upper half of the last pair is zero.
    type Sum = [__m256i; PAIRS];

    fn backend(self) -> Backend {
        Backend::Avx2
    }

    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn inner<T: Task>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: the token proves AVX2, BMI1 and BMI2, which `Backend::Avx2` needs.
        unsafe { inner(task) }
    }

    #[inline(always)]
    fn encode(self, words: &[Self::Words]) -> Self::Vec {
        let digits = Self::unsigned_digits(words);
        let mut out = digits;
        self.mul(&Self::splat_digits(&self.prime.enter), &digits, &mut out);
        self.reduce(&self.lift(&out))
    }

    #[inline(always)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let mut product = *v;
        self.mul(v, &Self::splat_digits(&self.prime.leave), &mut product);
        self.join(&self.lift(&product))
    }

    #[inline(always)]
    fn one(self) -> Self::Vec {
        Self::splat_digits(&self.prime.one)
    }

    #[inline(always)]
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers.
        unsafe { AtRest::load(src) }
    }

    #[inline(always)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers on both sides.
        unsafe { unpack(&<Self::Sum as AtRest>::load_difference(left, right)) }
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers.
        unsafe { sum.store(dst) }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: the kernel is this prime's product. Vectors and factors are in range by their types.
        unsafe { self.call(self.prime.kernels.mul, a, b, out) }
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        // SAFETY: the kernel is this prime's square. Vectors are in range by their type.
        unsafe { self.call(self.prime.kernels.square, a, a, out) }
    }

    #[inline(always)]
    fn as_factor(v: &Self::Vec) -> &Self::Factor {
        v
    }

    #[inline(always)]
    fn lift(self, v: &Self::Vec) -> Self::Sum {
        // SAFETY: the token proves AVX2.
        unsafe {
            let zero = _mm256_setzero_si256();
            each!(|k| pair(v[2 * k], if 2 * k + 1 < N { v[2 * k + 1] } else { zero }))
        }
    }

    #[inline(always)]
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
        // SAFETY: the token proves AVX2.
        unsafe {
            let mask = lane_mask(mask);
            each!(|k| _mm256_sub_epi32(_mm256_xor_si256(sum[k], mask), mask))
        }
    }

    #[inline(always)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        // SAFETY: the token proves AVX2.
        each!(|k| unsafe { _mm256_add_epi32(a[k], b[k]) })
    }

    #[inline(always)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        // SAFETY: the token proves AVX2.
        each!(|k| unsafe { _mm256_sub_epi32(a[k], b[k]) })
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        // SAFETY: the token proves AVX2.
        unsafe { unpack(sum) }
    }

    #[inline(always)]
    fn vectorize_with_factors<T: Task>(self, task: T) -> Option<T::Output> {
        Some(self.vectorize(task))
    }

    #[inline(always)]
    fn factor_as_sum(self, factor: &Self::Factor) -> Self::Sum {
        self.lift(factor)
    }

    /// Subtracts the nearest multiple of p, estimated from the last digit, and carries once: digits end within
    /// half a digit and 3.
    #[inline(always)]
    fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
        let table = self.prime;
        Self::subtract_multiple(sum, &table.multiples, table.reciprocal)
    }

    #[inline(always)]
    fn vector(self, reduced: &Self::Sum) -> Self::Vec {
        // SAFETY: the token proves AVX2.
        unsafe { unpack(reduced) }
    }

    #[inline(always)]
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        // Digits are less than 2^width in absolute value, so that only zeros sum up to 0.
        // SAFETY: the token proves AVX2.
        unsafe {
            let mut any = v[0];
            for &digit in &v[1..] {
                any = _mm256_or_si256(any, digit);
            }
            let zero = _mm256_cmpeq_epi64(_mm256_slli_epi64::<32>(any), _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(zero)) as u32
        }
    }

    #[inline(always)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        // SAFETY: the token proves AVX2.
        unsafe {
            let mask = lane_mask(mask);
            each!(|j| _mm256_blendv_epi8(a[j], b[j], mask))
        }
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        prefetch(address);
    }

    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
    }
}

impl<const W: usize, const N: usize, const PAIRS: usize> PrimeLanes for Avx2<W, N, PAIRS>
where
    [(); N]: Radix,
    [u64; W]: Default,
    [__m256i; PAIRS]: AtRest,
{
    const TERMS: usize = <[(); N]>::TERMS;

    type Scalar = [i32; N];

    fn scalar(self, words: &Self::Words) -> Self::Scalar {
        // The digits of `encode` in the first lane, balanced.
        let v = OutOfLine::of(self).encode(&[*words; LANES]);
        // SAFETY: both types have 32 bytes, and every bit pattern is a valid value. The lower half of the first lane is the digit.
        each!(|j| unsafe { core::mem::transmute::<__m256i, [i32; 2 * LANES]>(v[j])[0] })
    }

    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        let mut v = MaybeUninit::<Self::Vec>::uninit();
        // SAFETY: the token proves AVX2. All N vectors of `v` are written, in place, since returning an array by value
        // is one more copy.
        unsafe {
            for j in 0..N {
                v.as_mut_ptr().cast::<__m256i>().add(j).write(_mm256_set1_epi32(scalar[j]));
            }
            self.mul_lazy(sum, v.assume_init_ref())
        }
    }

    #[inline(always)]
    fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum {
        let mut factor = MaybeUninit::<Self::Vec>::uninit();
        let mut out = MaybeUninit::<Self::Vec>::uninit();
        let table: *const Avx2Table<N> = self.prime;
        // SAFETY: the token proves AVX2. All N vectors of the factor are written before it is read. The kernel writes all of the
        // product.
        unsafe {
            for j in 0..N {
                let digit = if j % 2 == 0 { sum[j / 2] } else { _mm256_srli_epi64::<32>(sum[j / 2]) };
                factor.as_mut_ptr().cast::<__m256i>().add(j).write(digit);
            }
            let factor = factor.as_ptr().cast();
            (self.prime.kernels.mul)(
                out.as_mut_ptr().cast(),
                v.as_ptr().cast(),
                factor,
                table.cast(),
                factor,
            );
            self.lift(out.assume_init_ref())
        }
    }

    /// Subtracts the nearest multiple of 6 p, so that the value ends within 3.2 p.
    #[inline(always)]
    fn shrink(self, sum: &Self::Sum) -> Self::Sum {
        let table = self.prime;
        Self::subtract_multiple(sum, &table.coarse, table.reciprocal / 6)
    }

    #[inline(always)]
    fn split(self, words: &[Self::Words]) -> Self::Sum {
        self.reduce_sum(&self.lift(&Self::unsigned_digits(words)))
    }

    #[inline(always)]
    fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES] {
        let width = Self::WIDTH as usize;
        let table = self.prime;
        let v = self.reduce(sum);
        let mut out = [[0; W]; MAX_LANES];
        // SAFETY: the token proves AVX2. `multiples[j][4]` is digit j of p.
        unsafe {
            // The value is within 0.51 p. Adds p if it is negative.
            let signed = Self::carry(v);
            let negative = _mm256_srai_epi32::<31>(signed[N - 1]);
            let low_half = _mm256_set1_epi64x(u32::MAX as i64);
            let digits = Self::carry(each!(|j| {
                let digit = _mm256_set1_epi32(table.multiples[j][4]);
                _mm256_add_epi32(signed[j], _mm256_and_si256(negative, digit))
            }));
            let words: [[__m256i; 4]; 2] = each!(|half| transpose(each!(|k| {
                let mut word = _mm256_setzero_si256();
                for j in 0..N {
                    let (index, shift) = (width * j / 64, width * j % 64);
                    let digit = _mm256_and_si256(digits[j], low_half);
                    if index == 4 * half + k {
                        word = _mm256_or_si256(word, _mm256_sll_epi64(digit, count(shift)));
                    } else if index + 1 == 4 * half + k && shift + width > 64 {
                        word = _mm256_or_si256(word, _mm256_srl_epi64(digit, count(64 - shift)));
                    }
                }
                word
            })));
            for lane in 0..LANES {
                for k in 0..W {
                    let row: [u64; 4] = core::mem::transmute(words[k / 4][lane]);
                    out[lane][k] = row[k % 4];
                }
            }
        }
        out
    }

    #[inline(always)]
    fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]) {
        for k in 0..PAIRS {
            // SAFETY: the token proves AVX2.
            let columns = unsafe { transpose(each!(|lane| vectors[lane][k])) };
            for lane in 0..LANES {
                vectors[lane][k] = columns[lane];
            }
        }
    }

    fn invert_words(self, words: &Self::Words) -> Option<Self::Words> {
        words::invert(words, self.words)
    }

    /// Computes the product out of line, because the code is long and only used for constants.
    #[inline(never)]
    fn mul_words(self, a: &Self::Words, b: &Self::Words) -> Self::Words {
        words::mul(a, b, self.words)
    }

    #[inline(always)]
    fn beta(self) -> u32 {
        self.words.beta
    }

    /// Multiplies digits by 5. They overflow 32 bits, but wrap back once the carry is subtracted. The carry comes from
    /// the digits' upper halves, which leaves digits within half a digit and 2^18.
    #[inline(always)]
    fn times_beta(self, v: &Self::Vec) -> Self::Vec {
        if self.beta() == 1 {
            return *v;
        }
        // SAFETY: the token proves AVX2.
        unsafe {
            let mut incoming = _mm256_setzero_si256();
            each!(|j| {
                let product = _mm256_add_epi32(times_five(v[j]), incoming);
                if j + 1 < N {
                    let upper = times_five(_mm256_srai_epi32::<15>(v[j]));
                    let rounded = _mm256_add_epi32(upper, _mm256_set1_epi32(1 << (Self::WIDTH - 16)));
                    incoming = _mm256_sra_epi32(rounded, _mm_cvtsi32_si128(Self::WIDTH - 15));
                    _mm256_sub_epi32(product, _mm256_sll_epi32(incoming, _mm_cvtsi32_si128(Self::WIDTH)))
                } else {
                    product
                }
            })
        }
    }

    /// Returns the sum unreduced: the kernels' columns have room for the difference of two vectors.
    #[inline(always)]
    fn quadratic_factor(self, sum: &Self::Sum) -> Self::Vec {
        self.factor(sum)
    }

    /// Computes two sums of two products, with one reduction each.
    #[inline(always)]
    fn mul_quadratic(self, a: &[Self::Vec; 2], b: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        let beta_b1 = self.times_beta(&b[1]);
        let [out0, out1] = out;
        // SAFETY: the kernels are this prime's sums of products. Columns have room for a second factor times beta
        // (docs/kernels.md).
        unsafe {
            self.call2(self.prime.kernels.mul_sub, a, &b[0], &beta_b1, out0);
            self.call2(self.prime.kernels.mul_add, a, &b[1], &b[0], out1);
        }
    }

    /// Computes `(a0 + a1)(a0 - a1)` if beta is 1, else `a0 a0 - a1 (beta a1)`; and `a0 (2 a1)`.
    #[inline(always)]
    fn square_quadratic(self, a: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        let [out0, out1] = out;
        // SAFETY: the token proves AVX2. The kernels are this prime's, and have room for sums and differences of two vectors, and
        // for a second factor times beta (docs/kernels.md).
        unsafe {
            if self.beta() == 1 {
                let sum: Self::Vec = each!(|j| _mm256_add_epi32(a[0][j], a[1][j]));
                let difference: Self::Vec = each!(|j| _mm256_sub_epi32(a[0][j], a[1][j]));
                self.call(self.prime.kernels.mul_wide, &sum, &difference, out0);
            } else {
                self.call2(self.prime.kernels.mul_sub, a, &a[0], &self.times_beta(&a[1]), out0);
            }
            self.call(self.prime.kernels.mul, &a[0], &each!(|j| _mm256_add_epi32(a[1][j], a[1][j])), out1);
        }
    }
}
