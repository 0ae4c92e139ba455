//! The operations of a field in lanes.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{width, Digits, DoubleTable, Doubles, Kernels, Vector, PAIRS};
use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prime::WordTable;
use crate::{each, words, Backend, OutOfLine};

impl<E: Kernels<N>, const W: usize, const N: usize> Doubles<E, W, N> {
    /// Bits of a digit.
    const WIDTH: usize = width(N);

    /// Returns the lanes of a prime, if the CPU has the pairs' instructions. See the [example](crate).
    pub fn detect(prime: &'static DoubleTable<N>, words: &'static WordTable<W>) -> Option<Self> {
        E::is_supported().then_some(Doubles { prime, words, instructions: PhantomData })
    }

    #[inline(always)]
    fn splat_digits(digits: &[f64; N]) -> [E; N] {
        each!(|j| E::splat(digits[j]))
    }

    /// Returns the digits of two elements' words.
    #[inline(always)]
    fn split_pair(first: &[u64; W], second: &[u64; W]) -> [E; N] {
        let words: [E; W] = each!(|k| E::from_bits([first[k], second[k]]));
        let mask = E::splat_bits((1 << Self::WIDTH) - 1);
        // The bits of 2^52 turn an integer below 2^52 into the double 2^52 plus the integer.
        let exponent = E::splat((1u64 << 52) as f64);
        each!(|j| {
            let (index, shift) = (Self::WIDTH * j / 64, (Self::WIDTH * j % 64) as u32);
            let mut digit = if index < W { words[index].shift_right(shift) } else { E::splat_bits(0) };
            if shift as usize + Self::WIDTH > 64 && index + 1 < W {
                digit = digit.or(words[index + 1].shift_left(64 - shift));
            }
            digit.and(mask).or(exponent).sub(exponent)
        })
    }

    /// Returns integers with all digits but the last in range, in the lowest bits.
    #[inline(always)]
    fn carry_integers(digits: [E; N]) -> [E; N] {
        let mask = E::splat_bits((1 << Self::WIDTH) - 1);
        let mut carry = E::splat_bits(0);
        each!(|j| {
            let digit = digits[j].add_int(carry);
            carry = digit.shift_right_signed(Self::WIDTH as u32);
            if j + 1 < N {
                digit.and(mask)
            } else {
                digit
            }
        })
    }

    /// Returns the words of two elements, from reduced digits.
    #[inline(always)]
    fn join_pair(self, digits: &[E; N]) -> [E; W] {
        let integer = E::from_bits(self.prime.integer);
        let to_integer = |x: E| x.add(integer).sub_int(integer);
        let signed = Self::carry_integers(each!(|j| to_integer(digits[j])));
        let negative = signed[N - 1].shift_right_signed(63);
        let digits = Self::carry_integers(each!(|j| {
            let modulus = to_integer(E::from_bits(self.prime.modulus[j]));
            signed[j].add_int(modulus.and(negative))
        }));
        each!(|k| {
            let mut word = E::splat_bits(0);
            for j in 0..N {
                let (index, shift) = (Self::WIDTH * j / 64, (Self::WIDTH * j % 64) as u32);
                if index == k {
                    word = word.or(digits[j].shift_left(shift));
                } else if index + 1 == k && shift as usize + Self::WIDTH > 64 {
                    word = word.or(digits[j].shift_right(64 - shift));
                }
            }
            word
        })
    }

    /// Computes `a[0] b + a[1] c`.
    #[inline(always)]
    fn mul_add(self, a: &[Vector<E, N>; 2], b: &Vector<E, N>, c: &Vector<E, N>, out: &mut Vector<E, N>) {
        // SAFETY: the arrays have four pairs each, and `a` has eight. `out` is borrowed mutably, hence apart from all others.
        unsafe { E::mul_add(out.as_mut_ptr(), a.as_ptr().cast(), b.as_ptr(), c.as_ptr(), self.prime) }
    }
}

impl<E: Kernels<N>, const W: usize, const N: usize> LaneField for Doubles<E, W, N>
where
    [u64; W]: Default,
{
    const LANES: usize = 2 * PAIRS;
    const FACTORS_ARE_SUMS: bool = true;
    /// Reads that miss the caches stop the processor soon, but the reads of many groups wait at the same time. Sums of 2^16 points
    /// over BN254 G1 gather points from 10.5 MB.
    const FETCHED_AT_A_TIME: usize = 16;

    type Words = [u64; W];
    type Elem = Digits<N>;
    type Vec = Vector<E, N>;
    type Factor = Self::Vec;
    type Sum = Self::Vec;

    fn backend(self) -> Backend {
        E::BACKEND
    }

    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        // SAFETY: lanes are made by `detect` if the instruction set is supported, or by `new` for a model, which needs
        // no instructions.
        unsafe { E::vectorize(task) }
    }

    #[inline(always)]
    fn encode(self, words: &[Self::Words]) -> Self::Vec {
        let digits = self.split(words);
        let (mut out, enter) = (digits, Self::splat_digits(&self.prime.enter));
        // SAFETY: the arrays have four pairs each, and `enter` is a fifth pair apart from them, for the step 0.
        unsafe { E::mul(out.as_mut_ptr(), digits.as_ptr(), &enter, 0, self.prime) };
        out
    }

    #[inline(always)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let (mut out, leave) = (*v, Self::splat_digits(&self.prime.leave));
        // SAFETY: the arrays have four pairs each, and `leave` is a fifth pair apart from them, for the step 0.
        unsafe { E::mul(out.as_mut_ptr(), v.as_ptr(), &leave, 0, self.prime) };
        self.join(&out)
    }

    #[inline(always)]
    fn one(self) -> Self::Vec {
        [Self::splat_digits(&self.prime.one); PAIRS]
    }

    #[inline(always)]
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
        // SAFETY: the caller vouches that each pointer is valid for reads of an element, and aligned.
        unsafe { E::load_vector(src) }
    }

    #[inline(always)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the caller vouches that all pointers of both sides are valid for reads of an element, as `load_sum` demands.
        let (left, right) = unsafe { (self.load_sum(left), self.load_sum(right)) };
        self.factor(&self.sub(&left, &right))
    }

    #[inline(always)]
    unsafe fn load_minus(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Factor,
    ) {
        // SAFETY: the caller vouches that each pointer is valid for reads of an element, and aligned.
        unsafe { E::load_minus(src, mask.unwrap_or(0), from, out, self.prime) }
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        // SAFETY: the caller vouches that each pointer is valid for writes of an element, and aligned.
        unsafe { E::store_vector(sum, dst) }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: the arrays have four pairs each. `out` is borrowed mutably, hence apart from the factors.
        unsafe { E::mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 1, self.prime) }
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        // SAFETY: the arrays have four pairs each. `out` is borrowed mutably, hence apart from `a`.
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
        E::negate_vector(sum, mask)
    }

    #[inline(always)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        E::add_vectors(a, b)
    }

    #[inline(always)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        E::sub_vectors(a, b)
    }

    #[inline(always)]
    fn sum_difference(self, a: &mut Self::Sum, b: &mut Self::Sum) {
        E::sum_difference(a, b);
    }

    #[inline(always)]
    fn chord_x(
        self,
        square: &Self::Vec,
        denominator: &Self::Factor,
        x: &mut Self::Sum,
        difference: &mut Self::Factor,
    ) {
        E::chord_x(square, denominator, x, difference, self.prime);
    }

    #[inline(always)]
    fn chord_y(self, product: &Self::Vec, y: &mut Self::Sum) {
        E::chord_y(product, y, self.prime);
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        if self.prime.reduce_factors {
            self.reduce_sum(sum)
        } else {
            *sum
        }
    }

    #[inline(always)]
    fn vectorize_with_factors<T: Task>(self, task: T) -> Option<T::Output> {
        Some(self.vectorize(task))
    }

    #[inline(always)]
    fn factor_as_sum(self, factor: &Self::Factor) -> Self::Sum {
        *factor
    }

    #[inline(always)]
    fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
        E::reduce_vector(sum, self.prime)
    }

    #[inline(always)]
    fn vector(self, reduced: &Self::Sum) -> Self::Vec {
        *reduced
    }

    /// Finds the lanes whose digits are all 0. Digits within half a digit and 4 of a value within 0.54 p are 0 if the
    /// value is: the lowest digit is a multiple of the digits' base, hence 0; then the next digit is.
    #[inline(never)]
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        let mut lanes = 0;
        for pair in 0..PAIRS {
            let mut zeros = 3;
            for digit in v[pair] {
                zeros &= digit.zeros();
            }
            lanes |= zeros << (2 * pair);
        }
        lanes
    }

    #[inline(always)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        E::select_vectors(mask, a, b)
    }

    /// Does nothing: WebAssembly has no prefetch.
    #[inline(always)]
    fn prefetch(_address: *const u8) {}

    /// Reads a byte, because WebAssembly has no prefetch.
    #[inline(always)]
    unsafe fn prefetch_near(address: *const u8) {
        // SAFETY: the caller vouches for the address. Compilers keep a volatile read whose result nobody uses.
        unsafe { address.read_volatile() };
    }

    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
    }
}

impl<E: Kernels<N>, const W: usize, const N: usize> PrimeLanes for Doubles<E, W, N>
where
    [u64; W]: Default,
{
    const TERMS: usize = 5;

    type Scalar = [f64; N];

    fn scalar(self, words: &Self::Words) -> Self::Scalar {
        let lanes = OutOfLine::of(self);
        let v = lanes.reduce(&lanes.encode(&[*words; MAX_LANES]));
        each!(|j| f64::from_bits(v[0][j].to_bits()[0]))
    }

    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        let (factor, scalar) = (self.reduce_sum(sum), Self::splat_digits(scalar));
        let mut out = MaybeUninit::<Self::Sum>::uninit();
        // SAFETY: the arrays have four pairs each, and the constant is a fifth pair apart from them. The kernel writes
        // all of the product.
        unsafe {
            E::mul(out.as_mut_ptr().cast(), factor.as_ptr(), &scalar, 0, self.prime);
            out.assume_init()
        }
    }

    #[inline(always)]
    fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum {
        let factor = self.reduce_sum(sum);
        let mut out = MaybeUninit::<Self::Sum>::uninit();
        // SAFETY: the arrays have four pairs each. The kernel writes all of the product.
        unsafe {
            E::mul(out.as_mut_ptr().cast(), v.as_ptr(), factor.as_ptr(), 1, self.prime);
            out.assume_init()
        }
    }

    #[inline(always)]
    fn butterfly(self, a: &mut Self::Sum, b: &mut Self::Sum, w: &Self::Scalar) {
        *b = self.mul_scalar(b, w);
        self.sum_difference(a, b);
    }

    #[inline(always)]
    fn shrink(self, sum: &Self::Sum) -> Self::Sum {
        self.reduce_sum(sum)
    }

    #[inline(always)]
    fn split(self, words: &[Self::Words]) -> Self::Sum {
        self.reduce_sum(&each!(|pair| Self::split_pair(&words[2 * pair], &words[2 * pair + 1])))
    }

    #[inline(never)]
    fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES] {
        let sum = self.reduce_sum(sum);
        let mut out = [[0; W]; MAX_LANES];
        for pair in 0..PAIRS {
            let words: [[u64; 2]; W] = {
                let words = self.join_pair(&sum[pair]);
                each!(|k| words[k].to_bits())
            };
            for lane in 0..2 {
                out[2 * pair + lane] = each!(|k| words[k][lane]);
            }
        }
        out
    }

    #[inline(always)]
    fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]) {
        E::transpose_vectors(vectors);
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
            _ => {
                let v = self.reduce(v);
                self.reduce(&each!(|pair| each!(|j| {
                    let twice = v[pair][j].add(v[pair][j]);
                    twice.add(twice).add(v[pair][j])
                })))
            }
        }
    }

    /// Returns the sum unreduced: the kernels' columns have room for the difference of two vectors.
    #[inline(always)]
    fn quadratic_factor(self, sum: &Self::Sum) -> Self::Vec {
        self.factor(sum)
    }

    #[inline(always)]
    unsafe fn load_minus_coordinate(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Vec,
    ) {
        // SAFETY: the caller vouches that each pointer is valid for reads of an element, and aligned.
        unsafe { self.load_minus(src, mask, from, out) }
    }

    #[inline(always)]
    fn chord_x_coordinate(
        self,
        square: &Self::Vec,
        denominator: &Self::Vec,
        x: &mut Self::Sum,
        difference: &mut Self::Vec,
    ) {
        self.chord_x(square, denominator, x, difference);
    }

    /// Computes two sums of two products, with one reduction each.
    #[inline(always)]
    fn mul_quadratic(self, a: &[Self::Vec; 2], b: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        let negative = self.negate(&self.times_beta(&b[1]), 0xff);
        let [out0, out1] = out;
        self.mul_add(a, &b[0], &negative, out0);
        self.mul_add(a, &b[1], &b[0], out1);
    }

    /// Computes `a0 a0 - a1 (beta a1)` and `2 a0 a1`.
    #[inline(always)]
    fn square_quadratic(self, a: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        let negative = self.negate(&self.times_beta(&a[1]), 0xff);
        let [out0, out1] = out;
        self.mul_add(a, &a[0], &negative, out0);
        self.mul(&a[0], &self.add(&a[1], &a[1]), out1);
    }
}
