//! Six lanes: four in vectors, two in words, for sums of points in columns.
//!
//! One kernel multiplies in all lanes (generator/six_lanes.rs). Elements in words are in Montgomery form with the R of the
//! vectors, and at most 2p (p if the words have no room for 3.6p), so that [`Avx2`] has the same elements at rest.

use core::arch::x86_64::*;

use super::kernels::Kernel;
use super::{AtRest, Avx2, Avx2Table, Radix, WordNumbers};
use crate::features::has_features;
use crate::field::{invert_by_one, LaneField, Task, MAX_LANES};
use crate::prefetch::prefetch;
use crate::{each, words, Backend};

/// Lanes in vectors, and in words.
const VECTORS: usize = 4;
const WORDS: usize = 2;
const LANES: usize = VECTORS + WORDS;

/// The lanes of [`Avx2`], and two more in words.
#[derive(Clone, Copy, Debug)]
pub struct SixLanes<const W: usize, const N: usize, const PAIRS: usize> {
    vectors: Avx2<W, N, PAIRS>,
    mul: Kernel,
}

/// Six elements. The kernels read this layout.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct SixVec<const W: usize, const N: usize> {
    digits: [__m256i; N],
    words: [[u64; W]; WORDS],
}

/// A sum of the lanes in vectors; elements in words, at most the bound at all times.
#[derive(Clone, Copy)]
pub struct SixSum<const W: usize, const PAIRS: usize> {
    pairs: [__m256i; PAIRS],
    words: [[u64; W]; WORDS],
}

impl<const W: usize, const N: usize, const PAIRS: usize> SixLanes<W, N, PAIRS>
where
    [(); N]: Radix,
{
    /// The exponent s in R = 2^(64 W + s), as in generator/six_lanes.rs.
    const MORE_BITS: usize = <[(); N]>::WIDTH as usize * N - 64 * W;

    /// Returns the lanes, given their lanes in vectors.
    pub(super) fn of(vectors: Avx2<W, N, PAIRS>) -> Self {
        let mul: Kernel = match has_features!("adx", "bmi2") {
            true => vectors.prime.words.mul,
            false => product::<W, N, PAIRS>,
        };
        SixLanes { vectors, mul }
    }

    /// Inverts with one inversion. Not inlined, since it is long and rarely called.
    #[inline(never)]
    fn invert_six(self, v: &SixVec<W, N>) -> Option<SixVec<W, N>>
    where
        Self: LaneField<Words = [u64; W], Vec = SixVec<W, N>>,
    {
        self.vectorize(Invert { lanes: self, v })
    }

    /// Returns `a - b` modulo the bound, for a and b of at most the bound.
    #[inline(always)]
    fn subtract(self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        let (difference, borrow) = sub_borrow(a, b);
        let mask = u64::from(borrow).wrapping_neg();
        add(&difference, &each!(|i| self.vectors.prime.words.bound[i] & mask))
    }

    /// Returns a multiple of p, up to 5p, modulo 2^(64 W).
    #[inline(always)]
    fn multiple(self, factor: usize) -> [u64; W] {
        each!(|i| self.vectors.prime.words.multiples[factor][i])
    }

    /// Returns `a - b` as a second factor, for a and b of at most the bound: `a - b + 2p` if there is room.
    #[inline(always)]
    fn difference(self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        if self.has_room() {
            add(&sub_borrow(a, b).0, &self.multiple(2))
        } else {
            self.subtract(a, b)
        }
    }

    /// Returns the number less a multiple of p, which its last word tells: at most 1.01p, or below p without room.
    #[inline(always)]
    fn reduce_words(self, a: &[u64; W]) -> [u64; W] {
        if !self.has_room() {
            return self.subtract_modulus(a);
        }
        let quotient =
            ((u128::from(a[W - 1]) * u128::from(self.vectors.prime.words.reciprocal)) >> 114) as usize;
        sub_borrow(a, &self.multiple(quotient.min(5))).0
    }

    /// Returns the bound less a.
    #[inline(always)]
    fn opposite(self, a: &[u64; W]) -> [u64; W] {
        sub_borrow(&each!(|i| self.vectors.prime.words.bound[i]), a).0
    }

    /// Returns true if elements in words are at most 2p, and not at most p. All primes of six words have room.
    #[inline(always)]
    fn has_room(self) -> bool {
        W == 6 || self.vectors.prime.words.bound[W - 1] != self.vectors.prime.words.modulus[W - 1]
    }

    /// Returns `b - a`, or `-b - a` if `negative`, as a second factor, for a number b from the digits at rest.
    #[inline(always)]
    fn signed_difference(self, b: &[u64; W], negative: bool, a: &[u64; W]) -> [u64; W] {
        if self.has_room() {
            // -b is the complement of b, plus 1. b is between 0.49p and 1.51p, so the differences are between 0.49p and 3.51p.
            let mask = u64::from(negative).wrapping_neg();
            let numbers = &self.vectors.prime.words.make_positive[usize::from(negative)];
            let signed = sub_borrow(&each!(|i| b[i] ^ mask), a).0;
            add(&signed, &each!(|i| numbers[i]))
        } else {
            self.exact_difference(b, negative, a)
        }
    }

    /// Returns `square - difference - 2a`, where the difference was made by [`signed_difference`](Self::signed_difference) from a
    /// reduced a.
    #[inline(always)]
    fn less_twice(self, square: &[u64; W], difference: &[u64; W], a: &[u64; W]) -> [u64; W] {
        if self.has_room() {
            // The difference and 2a are between 2.49p and 4.52p. With 5p more, the result is between 0.48p and 3.54p.
            let rest = sub_borrow(&sub_borrow(&sub_borrow(square, difference).0, a).0, a).0;
            self.reduce_words(&add(&rest, &self.multiple(5)))
        } else {
            self.exactly_less_twice(square, difference, a)
        }
    }

    /// Does [`signed_difference`](Self::signed_difference) without room. Not inlined, since few primes need it.
    #[inline(never)]
    fn exact_difference(self, b: &[u64; W], negative: bool, a: &[u64; W]) -> [u64; W] {
        let b = self.subtract_modulus(b);
        self.subtract(&if negative { self.opposite(&b) } else { b }, a)
    }

    /// Does [`less_twice`](Self::less_twice) without room. Not inlined, since few primes need it.
    #[inline(never)]
    fn exactly_less_twice(self, square: &[u64; W], difference: &[u64; W], a: &[u64; W]) -> [u64; W] {
        self.subtract(&self.subtract(&self.subtract(square, difference), a), a)
    }

    fn modulus(self) -> [u64; W] {
        each!(|i| self.vectors.prime.words.modulus[i])
    }

    /// Returns `a - p`, or `a` if it is below p.
    #[inline(always)]
    fn subtract_modulus(self, a: &[u64; W]) -> [u64; W] {
        let modulus = &self.vectors.prime.words.modulus;
        let (less, borrow) = sub_borrow(a, &each!(|i| modulus[i]));
        let mask = u64::from(borrow).wrapping_neg();
        each!(|i| less[i] ^ (less[i] ^ a[i]) & mask)
    }

    /// Returns the element below p, for a second factor, too.
    fn canonical(self, a: &[u64; W]) -> [u64; W] {
        (0..3).fold(*a, |a, _| self.subtract_modulus(&a))
    }

    /// Does [`zero_lanes`](LaneField::zero_lanes) in words. Not inlined, since it is rarely called.
    #[inline(never)]
    fn zero_words(self, words: &[[u64; W]; WORDS]) -> u32 {
        (0..WORDS).fold(0, |zeros, k| zeros | u32::from(self.canonical(&words[k]) == [0; W]) << (VECTORS + k))
    }

    /// Returns an element outside in this form.
    fn enter(self, words: &[u64; W]) -> [u64; W] {
        self.canonical(&(0..Self::MORE_BITS).fold(*words, |a, _| self.subtract(&a, &self.opposite(&a))))
    }

    /// Returns an element of this form outside.
    fn leave(self, a: &[u64; W]) -> [u64; W] {
        let modulus = self.modulus();
        (0..Self::MORE_BITS).fold(self.canonical(a), |a, _| {
            let odd = (a[0] & 1).wrapping_neg();
            let even = add(&a, &each!(|i| modulus[i] & odd));
            each!(|i| even[i] >> 1 | if i + 1 < W { even[i + 1] << 63 } else { 0 })
        })
    }

    /// Does [`load_sum`](LaneField::load_sum) in words. Not inlined, since it is long.
    ///
    /// # Safety
    /// - The CPU has AVX2.
    /// - The pointers of the lanes in words are valid for reads of an element, and aligned.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn load_words<E>(self, src: &[*const E; MAX_LANES], out: &mut [[u64; W]; WORDS])
    where
        [__m256i; PAIRS]: AtRest<W, Elem = E>,
    {
        for k in 0..WORDS {
            // SAFETY: the caller vouches for AVX2, and for the pointer.
            let words = unsafe {
                <[__m256i; PAIRS] as AtRest<W>>::load_words(
                    src[VECTORS + k],
                    &self.vectors.prime.words.from_digits,
                )
            };
            out[k] = self.reduce_words(&words);
        }
    }

    /// Does [`store_sum`](LaneField::store_sum) in words. Not inlined, since it is long.
    ///
    /// # Safety
    /// - The pointers of the lanes in words are valid for writes of an element, and aligned.
    #[inline(never)]
    unsafe fn store_words<E>(self, words: &[[u64; W]; WORDS], dst: &[*mut E; MAX_LANES])
    where
        [__m256i; PAIRS]: AtRest<W, Elem = E>,
    {
        let to_digits = &self.vectors.prime.words.to_digits;
        for k in 0..WORDS {
            let positive = add(&self.balanced(&words[k]), &each!(|i| to_digits[i]));
            // SAFETY: the caller vouches for the pointer.
            unsafe { <[__m256i; PAIRS] as AtRest<W>>::store_words(&positive, dst[VECTORS + k]) };
        }
    }

    /// Does [`load_minus`](LaneField::load_minus) in words.
    ///
    /// # Safety
    /// - The CPU has AVX2.
    /// - The pointers of the lanes in words are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load_words_minus<E>(
        self,
        src: &[*const E; MAX_LANES],
        negative: u32,
        from: &[[u64; W]; WORDS],
        out: &mut [[u64; W]; WORDS],
    ) where
        [__m256i; PAIRS]: AtRest<W, Elem = E>,
    {
        for k in 0..WORDS {
            let lane = VECTORS + k;
            // SAFETY: the caller vouches for AVX2, and for the pointer.
            let words = unsafe {
                <[__m256i; PAIRS] as AtRest<W>>::load_words(src[lane], &self.vectors.prime.words.from_digits)
            };
            out[k] = self.signed_difference(&words, negative >> lane & 1 == 1, &from[k]);
        }
    }

    /// Does [`load_words_minus`](Self::load_words_minus). Not inlined, since it is long for six words.
    ///
    /// # Safety
    /// - The contract is that [`load_words_minus`](Self::load_words_minus) has.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn load_six_words_minus<E>(
        self,
        src: &[*const E; MAX_LANES],
        negative: u32,
        from: &[[u64; W]; WORDS],
        out: &mut [[u64; W]; WORDS],
    ) where
        [__m256i; PAIRS]: AtRest<W, Elem = E>,
    {
        // SAFETY: the caller vouches for AVX2, and for the pointers.
        unsafe { self.load_words_minus(src, negative, from, out) }
    }

    /// Returns the element as a number between -p/2 and p/2, or a little beyond, in two's complement.
    #[inline(always)]
    fn balanced(self, a: &[u64; W]) -> [u64; W] {
        let half = self.modulus()[W - 1] / 2;
        let first = u64::from(a[W - 1] > half).wrapping_neg();
        let a = sub_borrow(a, &each!(|i| self.vectors.prime.words.modulus[i] & first)).0;
        let second = u64::from(a[W - 1] as i64 > half as i64).wrapping_neg();
        sub_borrow(&a, &each!(|i| self.vectors.prime.words.modulus[i] & second)).0
    }
}

/// The task of [`SixLanes::invert_six`].
struct Invert<'a, const W: usize, const N: usize, const PAIRS: usize> {
    lanes: SixLanes<W, N, PAIRS>,
    v: &'a SixVec<W, N>,
}

impl<const W: usize, const N: usize, const PAIRS: usize> Task for Invert<'_, W, N, PAIRS>
where
    SixLanes<W, N, PAIRS>: LaneField<Words = [u64; W], Vec = SixVec<W, N>>,
{
    type Output = Option<SixVec<W, N>>;

    #[inline(always)]
    fn run(self) -> Option<SixVec<W, N>> {
        let prime = self.lanes.vectors.words;
        invert_by_one(self.lanes, self.v, |a, b| words::mul(a, b, prime), |a| words::invert(a, prime))
    }
}

/// Returns `a - b`, and the borrow.
#[inline(always)]
fn sub_borrow<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], u8) {
    let mut borrow = 0;
    let difference = each!(|i| {
        let mut word = 0;
        borrow = _subborrow_u64(borrow, a[i], b[i], &mut word);
        word
    });
    (difference, borrow)
}

/// Returns `a + b` modulo 2^(64 W).
#[inline(always)]
pub(super) fn add<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    let mut carry = 0;
    each!(|i| {
        let mut word = 0;
        carry = _addcarry_u64(carry, a[i], b[i], &mut word);
        word
    })
}

/// Computes a product in words as the kernels do, without ADX.
fn word_product<const W: usize>(
    a: &[u64; W],
    b: &[u64; W],
    numbers: &WordNumbers,
    more_bits: usize,
) -> [u64; W] {
    let modulus = &numbers.modulus;
    let mut t = [0; 8];
    let add_row = |t: &mut [u64; 8], factor: &[u64], by: u64| {
        let mut carry = 0;
        for j in 0..W {
            let sum = t[j] as u128 + factor[j] as u128 * by as u128 + carry as u128;
            (t[j], carry) = (sum as u64, (sum >> 64) as u64);
        }
        t[W] += carry;
    };
    for &by in b {
        add_row(&mut t, a, by);
        let quotient = t[0].wrapping_mul(modulus[W]);
        add_row(&mut t, modulus, quotient);
        t.copy_within(1.., 0);
    }
    let quotient = t[0].wrapping_mul(modulus[W]) & ((1 << more_bits) - 1);
    add_row(&mut t, modulus, quotient);
    let product: [u64; W] = each!(|j| t[j] >> more_bits | t[j + 1] << (64 - more_bits));
    match sub_borrow(&product, &each!(|i| modulus[i])) {
        (reduced, 0) if numbers.bound[..W] == modulus[..W] => reduced,
        _ => product,
    }
}

/// The kernel of a product on CPUs without ADX. Contract: the contract of [`WordNumbers::mul`], without ADX.
unsafe extern "sysv64" fn product<const W: usize, const N: usize, const PAIRS: usize>(
    out: *mut core::ffi::c_void,
    a: *const core::ffi::c_void,
    b: *const core::ffi::c_void,
    table: *const core::ffi::c_void,
    c: *const core::ffi::c_void,
) where
    [(); N]: Radix,
{
    // SAFETY: the caller vouches for operands in this layout, for the prime's table, and for AVX2. The vectors come first.
    unsafe {
        let numbers = &*table.cast::<Avx2Table<N>>();
        let (left, right) = (&*a.cast::<SixVec<W, N>>(), &*b.cast::<SixVec<W, N>>());
        let more_bits = <[(); N]>::WIDTH as usize * N - 64 * W;
        let words =
            [0, 1].map(|lane| word_product(&left.words[lane], &right.words[lane], &numbers.words, more_bits));
        (numbers.kernels.mul)(out, a, b, table, c);
        (&raw mut (*out.cast::<SixVec<W, N>>()).words).write(words);
    }
}

impl<const W: usize, const N: usize, const PAIRS: usize> LaneField for SixLanes<W, N, PAIRS>
where
    [(); N]: Radix,
    [u64; W]: Default,
    [__m256i; PAIRS]: AtRest<W>,
{
    const LANES: usize = LANES;
    const FACTORS_ARE_SUMS: bool = true;

    type Words = [u64; W];
    type Elem = <[__m256i; PAIRS] as AtRest<W>>::Elem;
    type Vec = SixVec<W, N>;
    type Factor = Self::Vec;
    type Sum = SixSum<W, PAIRS>;
    type Columns = Self;

    fn columns(self) -> Self {
        self
    }

    fn backend(self) -> Backend {
        Backend::Avx2
    }

    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        self.vectors.vectorize(task)
    }

    #[inline(always)]
    fn encode(self, words: &[Self::Words]) -> Self::Vec {
        SixVec { digits: self.vectors.encode(words), words: each!(|k| self.enter(&words[VECTORS + k])) }
    }

    #[inline(always)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let mut words = self.vectors.decode(&v.digits);
        let more: [Self::Words; WORDS] = each!(|k| self.leave(&v.words[k]));
        words[VECTORS..LANES].copy_from_slice(&more);
        words
    }

    #[inline(always)]
    fn one(self) -> Self::Vec {
        let one = each!(|i| self.vectors.prime.words.one[i]);
        SixVec { digits: self.vectors.one(), words: [one; WORDS] }
    }

    #[inline(always)]
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers.
        unsafe {
            let mut words = [[0; W]; WORDS];
            self.load_words(src, &mut words);
            SixSum { pairs: self.vectors.load_sum(src), words }
        }
    }

    #[inline(always)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the caller vouches for the pointers on both sides.
        unsafe { self.factor(&self.sub(&self.load_sum(left), &self.load_sum(right))) }
    }

    #[inline(always)]
    unsafe fn load_minus(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Factor,
    ) {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers.
        unsafe {
            self.vectors.load_minus(src, mask, &from.pairs, &mut out.digits);
            let negative = mask.unwrap_or(0);
            if W == 6 {
                self.load_six_words_minus(src, negative, &from.words, &mut out.words);
            } else {
                self.load_words_minus(src, negative, &from.words, &mut out.words);
            }
        }
    }

    #[inline(always)]
    fn chord_x(
        self,
        square: &Self::Vec,
        denominator: &Self::Factor,
        x: &mut Self::Sum,
        difference: &mut Self::Factor,
    ) {
        self.vectors.chord_x(&square.digits, &denominator.digits, &mut x.pairs, &mut difference.digits);
        for k in 0..WORDS {
            let (square, denominator, x1) = (&square.words[k], &denominator.words[k], x.words[k]);
            x.words[k] = self.less_twice(square, denominator, &x1);
            difference.words[k] = self.difference(&x1, &x.words[k]);
        }
    }

    #[inline(always)]
    fn chord_y(self, product: &Self::Vec, y: &mut Self::Sum) {
        self.vectors.chord_y(&product.digits, &mut y.pairs);
        for k in 0..WORDS {
            y.words[k] = self.subtract(&product.words[k], &y.words[k]);
        }
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        // SAFETY: the token proves AVX2; the caller vouches for the pointers.
        unsafe {
            self.vectors.store_sum(&sum.pairs, dst);
            self.store_words(&sum.words, dst);
        }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        let table: *const Avx2Table<N> = self.vectors.prime;
        let (a, b): (*const SixVec<W, N>, *const SixVec<W, N>) = (a, b);
        // SAFETY: the token proves AVX2, and `of` has taken a kernel of this prime, with ADX if it needs it. Vectors and factors are
        // in range by their types.
        unsafe { (self.mul)((&raw mut *out).cast(), a.cast(), b.cast(), table.cast(), b.cast()) }
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        self.mul(a, a, out);
    }

    #[inline(always)]
    fn as_factor(v: &Self::Vec) -> &Self::Factor {
        v
    }

    #[inline(always)]
    fn lift(self, v: &Self::Vec) -> Self::Sum {
        SixSum { pairs: self.vectors.lift(&v.digits), words: v.words }
    }

    #[inline(always)]
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
        let words = each!(|k| {
            let (a, opposite) = (sum.words[k], self.opposite(&sum.words[k]));
            let negative = (u64::from(mask) >> (VECTORS + k) & 1).wrapping_neg();
            each!(|i| a[i] ^ (a[i] ^ opposite[i]) & negative)
        });
        SixSum { pairs: self.vectors.negate(&sum.pairs, mask), words }
    }

    #[inline(always)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        let words = each!(|k| self.subtract(&a.words[k], &self.opposite(&b.words[k])));
        SixSum { pairs: self.vectors.add(&a.pairs, &b.pairs), words }
    }

    #[inline(always)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        let words = each!(|k| self.subtract(&a.words[k], &b.words[k]));
        SixSum { pairs: self.vectors.sub(&a.pairs, &b.pairs), words }
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        SixVec { digits: self.vectors.factor(&sum.pairs), words: sum.words }
    }

    #[inline(always)]
    fn factor_as_sum(self, factor: &Self::Factor) -> Self::Sum {
        self.lift(factor)
    }

    #[inline(always)]
    fn vectorize_with_factors<T: Task>(self, task: T) -> Option<T::Output> {
        Some(self.vectorize(task))
    }

    #[inline(always)]
    fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
        SixSum {
            pairs: self.vectors.reduce_sum(&sum.pairs),
            words: each!(|k| self.reduce_words(&sum.words[k])),
        }
    }

    #[inline(always)]
    fn vector(self, reduced: &Self::Sum) -> Self::Vec {
        SixVec { digits: self.vectors.vector(&reduced.pairs), words: reduced.words }
    }

    #[inline(always)]
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        self.vectors.zero_lanes(&v.digits) | self.zero_words(&v.words)
    }

    #[inline(always)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        let words = each!(|k| if mask >> (VECTORS + k) & 1 == 1 { b.words[k] } else { a.words[k] });
        SixVec { digits: self.vectors.select(mask, &a.digits, &b.digits), words }
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        prefetch(address);
    }

    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_six(v)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::avx2::SignedDigits;
    use crate::{Bls12_377Fq, Bls12_381Fq, Bls12_381Fr, Bn254Fq, PallasFp, Words64};

    /// Compares the kernel with the product without ADX, to the last bit.
    fn compare<P, const W: usize, const N: usize, const PAIRS: usize>()
    where
        P: Words64<W> + SignedDigits<N>,
        [(); N]: Radix,
        SixLanes<W, N, PAIRS>: LaneField<Words = [u64; W], Vec = SixVec<W, N>, Factor = SixVec<W, N>>,
    {
        let table = <P as SignedDigits<N>>::TABLE;
        let Some(vectors) = Avx2::<W, N, PAIRS>::detect(table, <P as Words64<W>>::TABLE) else { return };
        let lanes = SixLanes::<W, N, PAIRS>::of(vectors);
        let without_adx = SixLanes { mul: product::<W, N, PAIRS>, ..lanes };
        let mut rng = StdRng::seed_from_u64(1);
        let limits = [[0; 6], table.words.bound, table.words.multiples[1], table.words.one];
        for round in 0..1000 {
            let mut operand = || {
                let mut v = lanes.one();
                for words in &mut v.words {
                    let limit = limits[rng.gen_range(0..limits.len())];
                    let random: [u64; W] = std::array::from_fn(|_| rng.gen());
                    *words =
                        if round % 2 == 0 { each!(|i| limit[i]) } else { lanes.subtract_modulus(&random) };
                    words[W - 1] = words[W - 1].min(table.words.bound[W - 1] - u64::from(round % 2 == 1));
                }
                v
            };
            let (a, b) = (operand(), operand());
            let (mut product, mut expected) = (a, a);
            lanes.mul(&a, &b, &mut product);
            without_adx.mul(&a, &b, &mut expected);
            assert_eq!(product.words, expected.words, "{:?} {:?}", a.words, b.words);
            assert_eq!(lanes.decode(&product), without_adx.decode(&expected));
        }
    }

    /// Reduces numbers on both sides of each multiple of p.
    fn reduce<P, const W: usize, const N: usize, const PAIRS: usize>()
    where
        P: Words64<W> + SignedDigits<N>,
        [(); N]: Radix,
    {
        let table = <P as SignedDigits<N>>::TABLE;
        let Some(vectors) = Avx2::<W, N, PAIRS>::detect(table, <P as Words64<W>>::TABLE) else { return };
        let lanes = SixLanes::<W, N, PAIRS>::of(vectors);
        // A number is at most 3.54p, or without room 1.51p.
        let most = if lanes.has_room() { 3 } else { 1 };
        for (factor, share) in
            (0..=most).flat_map(|factor| [0, 1, 5, 20, 54, 99].map(|share| (factor, share)))
        {
            if factor == most && share > 51 {
                continue;
            }
            let percents = |words: [u64; W], percents: u64| -> [u64; W] {
                let mut rest = 0;
                let mut out = [0; W];
                for i in (0..W).rev() {
                    let part = u128::from(words[i]) * u128::from(percents) + (rest << 64);
                    (out[i], rest) = ((part / 100) as u64, part % 100);
                }
                out
            };
            let share = percents(lanes.modulus(), share);
            let reduced = lanes.reduce_words(&add(&lanes.multiple(factor), &share));
            // Up to 0.01p more than p may be left.
            let bound = add(&lanes.modulus(), &percents(lanes.modulus(), 1));
            assert_eq!(sub_borrow(&bound, &reduced).1, 0, "{factor} p and {share:x?} left {reduced:x?}");
            assert_eq!(lanes.canonical(&reduced), lanes.canonical(&share));
        }
    }

    #[test]
    fn reduced_words_are_hardly_more_than_the_modulus() {
        reduce::<Bls12_381Fq, 6, 13, 7>();
        reduce::<Bls12_377Fq, 6, 13, 7>();
        reduce::<Bn254Fq, 4, 9, 5>();
        reduce::<PallasFp, 4, 9, 5>();
        reduce::<Bls12_381Fr, 4, 9, 5>();
    }

    #[test]
    fn adx_is_not_needed() {
        compare::<Bls12_381Fq, 6, 13, 7>();
        compare::<Bn254Fq, 4, 9, 5>();
        compare::<PallasFp, 4, 9, 5>();
        compare::<Bls12_381Fr, 4, 9, 5>();
    }
}
