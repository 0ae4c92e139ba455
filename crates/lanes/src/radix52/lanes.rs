//! The operations of a field in lanes.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::at_rest::{digits_of, words_of};
use super::{AtRest, IfmaTable, Kernels, Radix52, WIDTH};
use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prime::WordTable;
use crate::{each, words, Backend};

/// Bound of a term of a lazy sum, in multiples of p.
const TERM: usize = 3;

/// A constant, for products with a lazy sum.
#[derive(Clone, Copy, Debug)]
pub struct Constant<const N: usize> {
    /// a, not in Montgomery form
    digits: [u64; N],
    /// floor(a R / p)
    quotient: [u64; N],
}

impl<E: Kernels<N>, const W: usize, const N: usize> Radix52<E, W, N> {
    /// Returns the lanes of a prime, if the CPU has the words' instructions. See the [example](crate).
    pub fn detect(prime: &'static IfmaTable<N>, words: &'static WordTable<W>) -> Option<Self> {
        E::is_supported().then_some(Radix52 { prime, words, instructions: PhantomData })
    }

    #[inline(always)]
    fn splat_digits(digits: impl Fn(usize) -> u64) -> [E; N] {
        each!(|j| E::splat(digits(j)))
    }

    fn constant_digits(words: &[u64; W]) -> [u64; N] {
        each!(|j| {
            let (index, shift) = (WIDTH * j / 64, WIDTH * j % 64);
            let word = |i: usize| words.get(i).copied().unwrap_or(0) as u128;
            let wide = word(index) | word(index + 1) << 64;
            (wide >> shift) as u64 & ((1 << WIDTH) - 1)
        })
    }

    /// Returns `a b` modulo R, which is exact if the product is below R.
    fn low_product(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut out = [0; N];
        let mut carry = 0u128;
        for column in 0..N {
            for i in 0..=column {
                // There are at most 15 products of 104 bits.
                carry += a[i] as u128 * b[column - i] as u128;
            }
            out[column] = carry as u64 & ((1 << WIDTH) - 1);
            carry >>= WIDTH;
        }
        out
    }

    /// Returns the words of a value in `0..3p`, reduced.
    fn constant_words(self, digits: &[u64; N]) -> [u64; W] {
        let mut wide = [0u64; W];
        for (j, &digit) in digits.iter().enumerate() {
            let (index, shift) = (WIDTH * j / 64, WIDTH * j % 64);
            if index < W {
                wide[index] |= digit << shift;
            }
            if shift > 0 && index + 1 < W {
                wide[index + 1] |= digit >> (64 - shift);
            }
        }
        let once = words::subtract_modulus(&wide, self.words);
        words::subtract_modulus(&once, self.words)
    }

    /// Returns the exact digits of a nonnegative sum.
    #[inline(always)]
    fn carry(self, digits: [E; N]) -> [E; N] {
        let mask = E::splat(self.prime.mask);
        let mut carry = E::splat(0);
        each!(|j| {
            let digit = digits[j].add(carry);
            carry = digit.shift_right::<52>();
            if j + 1 < N {
                digit.and(mask)
            } else {
                digit
            }
        })
    }

    /// Returns digits of a nonnegative sum whose low 52 bits are exact: the form that products read.
    #[inline(always)]
    fn carry_low(digits: &[E; N]) -> [E; N] {
        let mut carry = E::splat(0);
        each!(|j| {
            let digit = digits[j].add(carry);
            carry = digit.shift_right::<52>();
            digit
        })
    }

    /// Returns a sum or difference of two vectors as a factor of products alone, which read the low 52 bits of a digit.
    #[inline(always)]
    fn low_factor(self, sum: &[E; N]) -> [E; N] {
        let positive: [E; N] = each!(|j| sum[j].add(E::splat(self.prime.factor_offset[j])));
        // The kernel of eight digits adds halves of its factors.
        match N {
            8 => self.carry(positive),
            _ => Self::carry_low(&positive),
        }
    }

    /// Returns the quotient by p of a value with this last digit. The quotient is never too large.
    #[inline(always)]
    fn quotient(self, last: E) -> E {
        let leading = last.shift_right_by(self.prime.top_shift);
        E::splat(0).madd_high(leading, E::splat(self.prime.reciprocal))
    }

    /// Returns the last digit after the carries, or one less: the carry into the digit may still be off by one.
    #[inline(always)]
    fn last_digit(digits: &[E; N]) -> E {
        digits[N - 1].add(digits[N - 2].shift_right::<52>()).sub(E::splat(1))
    }

    /// Returns the last digit, as `last_digit` does, of a value that may be 0.
    #[inline(always)]
    fn last_digit_or_zero(digits: &[E; N]) -> E {
        let last = Self::last_digit(digits);
        last.sub(last.and(last.shift_right::<63>()))
    }

    #[inline(always)]
    fn subtract_multiple(self, digits: &[E; N], multiples: &[[u64; 16]; N], index: E) -> [E; N] {
        self.carry(each!(|j| digits[j].sub(E::look_up(&multiples[j], index))))
    }
}

impl<E: Kernels<N>, const W: usize, const N: usize> LaneField for Radix52<E, W, N>
where
    [u64; W]: Default,
    [E; N]: AtRest,
{
    const LANES: usize = 8;
    const FACTORS_ARE_SUMS: bool = true;

    type Words = [u64; W];
    type Elem = <[E; N] as AtRest>::Elem;
    type Vec = [E; N];
    type Factor = Self::Vec;
    type Sum = Self::Vec;

    fn backend(self) -> Backend {
        E::BACKEND
    }

    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        // SAFETY: the token proves that the instruction set is supported.
        unsafe { E::vectorize(task) }
    }

    #[inline(always)]
    fn encode(self, words: &[Self::Words]) -> Self::Vec {
        let digits = self.split(words);
        let mut out = digits;
        self.mul(&digits, &Self::splat_digits(|j| self.prime.enter[j]), &mut out);
        self.reduce(&out)
    }

    #[inline(always)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let mut product = *v;
        self.mul(v, &Self::splat_digits(|j| self.prime.leave[j]), &mut product);
        self.join(&product)
    }

    #[inline(always)]
    fn one(self) -> Self::Vec {
        Self::splat_digits(|j| self.prime.one[j])
    }

    #[inline(always)]
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
        // SAFETY: the caller vouches for eight readable, aligned elements.
        unsafe { AtRest::load(src) }
    }

    #[inline(always)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the caller vouches for eight readable, aligned elements on either side.
        self.factor(&unsafe { <[E; N]>::load_difference(left, right) })
    }

    #[inline(always)]
    unsafe fn load_minus(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Factor,
    ) {
        // SAFETY: the caller vouches for eight readable, aligned elements.
        let loaded: Self::Sum = unsafe { AtRest::load(src) };
        *out = match mask {
            None => self.factor(&self.sub(&loaded, from)),
            Some(mask) => self.low_factor(&self.sub(&self.negate(&loaded, mask), from)),
        };
    }

    #[inline(always)]
    fn chord_x(
        self,
        square: &Self::Vec,
        denominator: &Self::Factor,
        x: &mut Self::Sum,
        difference: &mut Self::Factor,
    ) {
        let x1 = *x;
        let rest = self.sub(square, denominator);
        *x = self.reduce_sum(&self.sub(&self.sub(&rest, &x1), &x1));
        *difference = self.low_factor(&self.sub(&x1, x));
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        // SAFETY: the caller vouches for eight writable, aligned elements.
        unsafe { sum.store(dst) }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: arrays of N aligned vectors each, in range by their types.
        unsafe { E::mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), self.prime) }
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        // SAFETY: arrays of N aligned vectors each, in range by their types.
        unsafe { E::square(out.as_mut_ptr(), a.as_ptr(), self.prime) }
    }

    #[inline(always)]
    fn as_factor(v: &Self::Vec) -> &Self::Factor {
        v
    }

    #[inline(always)]
    fn lift(self, v: &Self::Vec) -> Self::Sum {
        *v
    }

    #[inline(always)]
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
        each!(|j| sum[j].negate_lanes(mask))
    }

    #[inline(always)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|j| a[j].add(b[j]))
    }

    #[inline(always)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|j| a[j].sub(b[j]))
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        self.carry(each!(|j| sum[j].add(E::splat(self.prime.factor_offset[j]))))
    }

    #[inline(always)]
    fn vectorize_with_factors<T: Task>(self, task: T) -> Option<T::Output> {
        Some(self.vectorize(task))
    }

    #[inline(always)]
    fn factor_as_sum(self, factor: &Self::Factor) -> Self::Sum {
        *factor
    }

    /// Subtracts the multiple of p that the leading bits show, so that the value ends in `0..1.01p`.
    #[inline(always)]
    fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
        let table = self.prime;
        // The carries lower the last digit by at most one, which `top_offset` has taken off.
        let last = sum[N - 1].add(sum[N - 2].shift_right::<52>()).add(E::splat(table.top_offset));
        self.subtract_multiple(sum, &table.signed, self.quotient(last))
    }

    #[inline(always)]
    fn vector(self, reduced: &Self::Sum) -> Self::Vec {
        *reduced
    }

    #[inline(always)]
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        let (mut zero, mut modulus) = (0xff, 0xff);
        for j in 0..N {
            zero &= v[j].equal_lanes(E::splat(0));
            modulus &= v[j].equal_lanes(E::splat(self.prime.modulus[j]));
        }
        zero | modulus
    }

    #[inline(always)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        each!(|j| a[j].select(mask, b[j]))
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        E::prefetch(address);
    }

    #[inline(always)]
    fn odd_lanes(self, numbers: &[u32]) -> u32 {
        E::odd_lanes(numbers.try_into().expect("a number for each lane"))
    }

    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
    }
}

impl<E: Kernels<N>, const W: usize, const N: usize> PrimeLanes for Radix52<E, W, N>
where
    [u64; W]: Default,
    [E; N]: AtRest,
{
    const TERMS: usize = 10;

    type Scalar = Constant<N>;

    fn scalar(self, words: &Self::Words) -> Self::Scalar {
        let mut one = [0; W];
        one[0] = 1;
        let plain = words::mul(words, &one, self.words);
        // For a R, with R of this radix: the remainder of a R divided by p.
        let remainder = words::mul(words, &self.constant_words(&self.prime.one), self.words);
        Constant {
            digits: Self::constant_digits(&plain),
            quotient: Self::low_product(&Self::constant_digits(&remainder), &self.prime.inverse),
        }
    }

    /// Computes Barrett's product with a precomputed quotient of the constant (Shoup): `a b - floor(a' b / R) p` modulo
    /// R, where `a' = floor(a R / p)`.
    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        let b = Self::carry_low(sum);
        let zero = E::splat(0);
        // The quotient's columns from N - 1 on. The columns below carry at most one into column N. Low and high halves
        // are summed apart, here and below, since the chains of additions determine the time.
        let (mut quotient_low, mut quotient_high) = ([zero; N], [zero; N]);
        let (mut below_low, mut below_high) = (zero, zero);
        for i in 0..N {
            let a = E::splat(scalar.quotient[i]);
            below_low = below_low.madd_low(a, b[N - 1 - i]);
            if i + 1 < N {
                below_high = below_high.madd_high(a, b[N - 2 - i]);
            }
            for j in N - 1 - i..N {
                let column = i + j + 1 - N;
                quotient_high[column] = quotient_high[column].madd_high(a, b[j]);
                if column > 0 {
                    quotient_low[column - 1] = quotient_low[column - 1].madd_low(a, b[j]);
                }
            }
        }
        // The product a b modulo R.
        let mut low = [zero; N];
        for i in 0..N {
            let a = E::splat(scalar.digits[i]);
            for j in 0..N - i {
                low[i + j] = low[i + j].madd_low(a, b[j]);
                if i + j + 1 < N {
                    low[i + j + 1] = low[i + j + 1].madd_high(a, b[j]);
                }
            }
        }
        let mut quotient = each!(|j| quotient_low[j].add(quotient_high[j]));
        quotient[0] = quotient[0].add(below_low.add(below_high).shift_right::<52>());
        let quotient = Self::carry_low(&quotient);
        // Subtracts the quotient times p.
        let mut high = [zero; N];
        for i in 0..N {
            for j in 0..N - i {
                let complement = E::splat(self.prime.complement[j]);
                low[i + j] = low[i + j].madd_low(complement, quotient[i]);
                if i + j + 1 < N {
                    high[i + j + 1] = high[i + j + 1].madd_high(complement, quotient[i]);
                }
            }
        }
        let low: [E; N] = each!(|j| low[j].add(high[j]));
        let low = self.carry(low);
        each!(|j| if j + 1 < N { low[j] } else { low[j].and(E::splat(self.prime.mask)) })
    }

    #[inline(always)]
    fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum {
        let mut out = MaybeUninit::<Self::Vec>::uninit();
        // The kernel of eight digits adds halves of its factors.
        let factor = if N == 8 { self.carry(*sum) } else { Self::carry_low(sum) };
        // SAFETY: arrays of N aligned vectors each, in range by their types. The kernel writes all of the product.
        unsafe {
            E::mul(out.as_mut_ptr().cast(), v.as_ptr(), factor.as_ptr(), self.prime);
            out.assume_init()
        }
    }

    #[inline(always)]
    fn add_lazy(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        self.add(a, b)
    }

    /// Adds 3 p for each of b's terms, which makes the difference positive.
    #[inline(always)]
    fn sub_lazy(self, a: &Self::Sum, b: &Self::Sum, terms: usize) -> Self::Sum {
        let multiples = &self.prime.multiples;
        each!(|j| a[j].sub(b[j]).add(E::splat(multiples[j][TERM * terms])))
    }

    #[inline(always)]
    fn shrink(self, sum: &Self::Sum) -> Self::Sum {
        let quotient = self.quotient(Self::last_digit_or_zero(sum));
        self.subtract_multiple(sum, &self.prime.coarse, quotient.shift_right::<1>())
    }

    #[inline(always)]
    fn split(self, words: &[Self::Words]) -> Self::Sum {
        let mut columns = [E::splat(0); W];
        for first in (0..W).step_by(8) {
            let rows = each!(|lane| {
                E::from_array(each!(|k| if first + k < W { words[lane][first + k] } else { 0 }))
            });
            let last = W.min(first + 8);
            columns[first..last].copy_from_slice(&E::transpose(rows)[..last - first]);
        }
        digits_of(&columns)
    }

    #[inline(always)]
    fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES] {
        let table = self.prime;
        let quotient = self.quotient(Self::last_digit_or_zero(sum));
        let reduced = self.subtract_multiple(sum, &table.multiples, quotient);
        // Subtracts p, and adds p again if the result is negative.
        let less = self.carry(each!(|j| reduced[j].sub(E::splat(table.modulus[j]))));
        let negative = less[N - 1].shift_right::<63>();
        let digits = self.carry(each!(|j| less[j].add(negative.and(E::splat(table.modulus[j])))));
        let columns: [E; W] = words_of(&digits);
        let mut words = [[0; W]; MAX_LANES];
        for first in (0..W).step_by(8) {
            let zero = E::splat(0);
            let rows = E::transpose(each!(|k| if first + k < W { columns[first + k] } else { zero }));
            for lane in 0..MAX_LANES {
                let last = W.min(first + 8);
                words[lane][first..last].copy_from_slice(&rows[lane].to_array()[..last - first]);
            }
        }
        words
    }

    #[inline(always)]
    fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]) {
        for j in 0..N {
            let columns = E::transpose(each!(|i| vectors[i][j]));
            for i in 0..8 {
                vectors[i][j] = columns[i];
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

    #[inline(always)]
    fn times_beta(self, v: &Self::Vec) -> Self::Vec {
        match self.beta() {
            1 => *v,
            _ => self.carry(each!(|j| v[j].add(v[j]).add(v[j]).add(v[j]).add(v[j]))),
        }
    }

    /// Returns the sum unreduced: an extension's kernels have room for a difference that was made positive.
    #[inline(always)]
    fn quadratic_factor(self, sum: &Self::Sum) -> Self::Vec {
        self.factor(sum)
    }

    /// Computes Karatsuba's three products, which are added up before two reductions.
    #[inline(always)]
    fn mul_quadratic(self, a: &[Self::Vec; 2], b: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        // SAFETY: arrays of both coordinates each, aligned, and in range by their types. Beta is the prime's.
        unsafe { E::mul_quadratic(self.beta(), out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), self.prime) }
    }

    /// Computes Karatsuba's three squares, which are added up before two reductions.
    #[inline(always)]
    fn square_quadratic(self, a: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        // SAFETY: arrays of both coordinates each, aligned, and in range by their types. Beta is the prime's.
        unsafe { E::square_quadratic(self.beta(), out.as_mut_ptr(), a.as_ptr(), self.prime) }
    }
}
