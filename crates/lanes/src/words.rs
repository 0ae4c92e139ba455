//! Single elements in 64-bit words: Montgomery products and the inverse.
//!
//! The portable backend is four of these beside each other; all backends use the inverse.

mod invert;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod lazy;

pub use invert::invert;

use crate::each;
use crate::prime::Words64;

/// `t + a b + carry` as (low, high).
#[inline(always)]
fn mac(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let wide = t as u128 + a as u128 * b as u128 + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// `a + b` modulo p, for both below p.
#[inline(always)]
pub fn add<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut sum = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (x, c0) = a[i].overflowing_add(b[i]);
        let (x, c1) = x.overflowing_add(carry as u64);
        sum[i] = x;
        carry = c0 | c1;
    }
    // p has a spare bit: no carry out.
    subtract_modulus::<N, P>(&sum)
}

/// `a - b` modulo p, for both below p.
#[inline(always)]
pub fn sub<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    let mut out = [0; N];
    let mut carry = 0;
    for i in 0..N {
        let wide = difference[i] as u128 + (P::TABLE.modulus[i] & mask) as u128 + carry as u128;
        out[i] = wide as u64;
        carry = (wide >> 64) as u64;
    }
    out
}

#[inline(always)]
fn sub_borrow<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut out = [0; N];
    let mut borrow = false;
    for i in 0..N {
        let (x, b0) = a[i].overflowing_sub(b[i]);
        let (x, b1) = x.overflowing_sub(borrow as u64);
        out[i] = x;
        borrow = b0 | b1;
    }
    (out, borrow)
}

/// `a` or `a - p`, whichever is in `0..p`, for `a < 2p`.
#[inline(always)]
pub fn subtract_modulus<const N: usize, P: Words64<N>>(a: &[u64; N]) -> [u64; N] {
    let (reduced, borrow) = sub_borrow(a, &P::TABLE.modulus);
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if borrow { a[i] } else { reduced[i] };
    }
    out
}

/// The Montgomery product `a b / 2^(64 N)`, below p for factors below p.
///
/// The product without carry words of EdMSM (appendix A, Algorithm 4), whose condition on the top word of p
/// is checked at compile time.
#[inline(always)]
pub fn mul<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    const { assert!(P::TABLE.modulus[N - 1] < u64::MAX / 2, "Algorithm 4 needs a spare bit") };
    let p = &P::TABLE.modulus;
    let mut t = [0; N];
    for &b_i in b {
        let (t0, mut product_carry) = mac(t[0], a[0], b_i, 0);
        let m = t0.wrapping_mul(P::TABLE.n0);
        let (_, mut multiple_carry) = mac(t0, m, p[0], 0);
        for j in 1..N {
            let (t_j, carry) = mac(t[j], a[j], b_i, product_carry);
            product_carry = carry;
            (t[j - 1], multiple_carry) = mac(t_j, m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus::<N, P>(&t)
}

/// The Montgomery square, below p for `a` below p.
///
/// EdMSM, appendix A, Algorithm 5, where the top word of p leaves two bits free; else the product.
#[inline(always)]
pub fn square<const N: usize, P: Words64<N>>(a: &[u64; N]) -> [u64; N] {
    if P::TABLE.modulus[N - 1] >= u64::MAX / 4 {
        return mul::<N, P>(a, a);
    }
    let p = &P::TABLE.modulus;
    // 2 a, which fits.
    let doubled: [u64; N] = each!(|j| a[j] << 1 | if j > 0 { a[j - 1] >> 63 } else { 0 });
    let mut t = [0u64; N];
    for i in 0..N {
        let mut product_carry;
        (t[i], product_carry) = mac(t[i], a[i], a[i], 0);
        for j in i + 1..N {
            // Twice the words from i + 1 on: without the bit that comes from word i.
            let twice = if j == i + 1 { a[j] << 1 } else { doubled[j] };
            (t[j], product_carry) = mac(t[j], a[i], twice, product_carry);
        }
        let m = t[0].wrapping_mul(P::TABLE.n0);
        let (_, mut multiple_carry) = mac(t[0], m, p[0], 0);
        for j in 1..N {
            (t[j - 1], multiple_carry) = mac(t[j], m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus::<N, P>(&t)
}

/// What [`LaneField`](crate::LaneField) asks for of backends whose vectors and sums are arrays of four elements in
/// words, four since independent products give a superscalar core enough to do. Not inlined, here and below, is what
/// is large: plain code needs no instruction set's context.
macro_rules! arrays_of_words {
    () => {
        const LANES: usize = LANES;

        type Words = [u64; N];
        type Elem = [u64; N];
        type Vec = [[u64; N]; LANES];
        type Factor = Self::Vec;
        type Sum = Self::Vec;

        #[inline(always)]
        fn vectorize<T: Task>(self, task: T) -> T::Output {
            task.run()
        }

        #[inline(never)]
        fn encode(self, words: &[Self::Words]) -> Self::Vec {
            each!(|lane| words[lane])
        }

        #[inline(always)]
        fn one(self) -> Self::Vec {
            [P::TABLE.one; LANES]
        }

        #[inline(always)]
        unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
            // SAFETY: the caller's.
            each!(|lane| unsafe { *src[lane] })
        }

        #[inline(always)]
        unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
            for lane in 0..LANES {
                // SAFETY: the caller's.
                unsafe { *dst[lane] = sum[lane] };
            }
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
        fn factor(self, sum: &Self::Sum) -> Self::Factor {
            *sum
        }

        #[inline(always)]
        fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
            *sum
        }

        #[inline(always)]
        fn vector(self, reduced: &Self::Sum) -> Self::Vec {
            *reduced
        }

        #[inline(never)]
        fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
            each!(|lane| if mask >> lane & 1 == 0 { a[lane] } else { b[lane] })
        }

        fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
            self.invert_lanes(v)
        }
    };
}
pub(crate) use arrays_of_words;

/// What [`PrimeLanes`](crate::PrimeLanes) asks for, but for the product by a constant, of backends whose vectors and
/// sums are arrays of elements, reduced at every step.
macro_rules! reduced_sums {
    () => {
        const TERMS: usize = usize::MAX;

        type Scalar = [u64; N];

        fn scalar(words: &Self::Words) -> Self::Scalar {
            *words
        }

        #[inline(always)]
        fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum {
            let mut out = *v;
            self.mul(v, sum, &mut out);
            out
        }

        #[inline(always)]
        fn shrink(self, sum: &Self::Sum) -> Self::Sum {
            *sum
        }

        #[inline(always)]
        fn split(self, words: &[Self::Words]) -> Self::Sum {
            each!(|lane| words[lane])
        }

        #[inline(always)]
        fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES] {
            self.decode(sum)
        }

        #[inline(always)]
        fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]) {
            for i in 0..LANES {
                for j in 0..i {
                    let element = vectors[i][j];
                    vectors[i][j] = vectors[j][i];
                    vectors[j][i] = element;
                }
            }
        }

        fn invert_words(words: &Self::Words) -> Option<Self::Words> {
            $crate::words::invert::<N, P>(words)
        }

        fn mul_words(a: &Self::Words, b: &Self::Words) -> Self::Words {
            $crate::words::mul::<N, P>(a, b)
        }

        #[inline(never)]
        fn times<const BETA: u32>(self, v: &Self::Vec) -> Self::Vec {
            let twice = self.add(v, v);
            match BETA {
                1 => *v,
                _ => self.add(&self.add(&twice, &twice), v),
            }
        }
    };
}
pub(crate) use reduced_sums;
