//! The operations of a field in lanes.

use super::kernels::{add, sub, Kernels, Plain, Target};
use super::{Radix64, LANES};
use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prefetch::prefetch;
use crate::prime::WordTable;
use crate::{each, words, Backend};

impl<const N: usize> Radix64<N>
where
    Target: Kernels<N>,
{
    /// Returns the lanes of a prime in plain code. See the [example](crate).
    pub fn plain(prime: &'static WordTable<N>) -> Self {
        Radix64 { assembly: false, prime }
    }

    /// Returns the lanes of a prime on this target's assembly, if the CPU has its instructions. See the [example](crate).
    pub fn assembly(prime: &'static WordTable<N>) -> Option<Self> {
        Target::has_assembly().then_some(Radix64 { assembly: true, prime })
    }
}

impl<const N: usize> LaneField for Radix64<N>
where
    Target: Kernels<N>,
    [u64; N]: Default,
{
    const LANES: usize = LANES;

    type Words = [u64; N];
    type Elem = [u64; N];
    type Vec = [[u64; N]; LANES];
    type Factor = Self::Vec;
    type Sum = Self::Vec;

    fn backend(self) -> Backend {
        Target::ASSEMBLY.filter(|_| self.assembly).unwrap_or(Backend::Portable)
    }

    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        task.run()
    }

    #[inline(never)]
    fn encode(self, words: &[Self::Words]) -> Self::Vec {
        each!(|lane| words[lane])
    }

    #[inline(never)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let mut out = [[0; N]; MAX_LANES];
        for lane in 0..LANES {
            out[lane] = words::subtract_modulus(&v[lane], self.prime);
        }
        out
    }

    #[inline(always)]
    fn one(self) -> Self::Vec {
        [self.prime.one; LANES]
    }

    #[inline(always)]
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
        // SAFETY: the caller vouches for `LANES` readable, aligned elements.
        each!(|lane| unsafe { *src[lane] })
    }

    #[inline(never)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the caller vouches for `LANES` readable, aligned elements on either side.
        each!(|lane| unsafe { words::lazy::sub(&*left[lane], &*right[lane], self.prime) })
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        for lane in 0..LANES {
            // SAFETY: the caller vouches for `LANES` writable, aligned elements.
            unsafe { *dst[lane] = sum[lane] };
        }
    }

    #[inline(never)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        match self.assembly {
            // SAFETY: the token has `assembly` only if the CPU has the instructions. Elements are below the bound.
            true => unsafe { Target::mul(a, b, out, self.prime) },
            // SAFETY: plain code needs no instructions. Elements are below the bound.
            false => unsafe { Plain::mul(a, b, out, self.prime) },
        }
    }

    #[inline(never)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        match self.assembly {
            // SAFETY: the token has `assembly` only if the CPU has the instructions. Elements are below the bound.
            true => unsafe { Target::square(a, out, self.prime) },
            // SAFETY: plain code needs no instructions. Elements are below the bound.
            false => unsafe { Plain::square(a, out, self.prime) },
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

    #[inline(never)]
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
        each!(|lane| match mask >> lane & 1 {
            0 => sum[lane],
            _ => words::lazy::sub(&[0; N], &sum[lane], self.prime),
        })
    }

    #[inline(always)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        add(a, b, self.prime)
    }

    #[inline(always)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        sub(a, b, self.prime)
    }

    #[inline(always)]
    fn sum_difference(self, a: &mut Self::Sum, b: &mut Self::Sum) {
        match self.assembly {
            // SAFETY: the token has `assembly` only if the CPU has the instructions. Elements are below the bound.
            true => unsafe { Target::sum_difference(a, b, self.prime) },
            // SAFETY: plain code needs no instructions. Elements are below the bound.
            false => unsafe { Plain::sum_difference(a, b, self.prime) },
        }
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
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        let is_zero = |x: &[u64; N]| *x == [0; N] || *x == self.prime.modulus;
        (0..LANES).map(|lane| u32::from(is_zero(&v[lane])) << lane).sum()
    }

    #[inline(never)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        each!(|lane| if mask >> lane & 1 == 0 { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        prefetch(address);
    }

    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
    }
}

impl<const N: usize> PrimeLanes for Radix64<N>
where
    Target: Kernels<N>,
    [u64; N]: Default,
{
    const TERMS: usize = usize::MAX;

    type Scalar = [u64; N];

    fn scalar(self, words: &Self::Words) -> Self::Scalar {
        *words
    }

    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        self.mul_lazy(sum, &[*scalar; LANES])
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

    #[inline(always)]
    fn butterfly(self, a: &mut Self::Sum, b: &mut Self::Sum, w: &Self::Scalar) {
        *b = self.mul_scalar(b, w);
        self.sum_difference(a, b);
    }

    fn invert_words(self, words: &Self::Words) -> Option<Self::Words> {
        words::invert(words, self.prime)
    }

    /// Computes the product out of line, because the code is long and only used for constants.
    #[inline(never)]
    fn mul_words(self, a: &Self::Words, b: &Self::Words) -> Self::Words {
        words::mul(a, b, self.prime)
    }

    #[inline(always)]
    fn beta(self) -> u32 {
        self.prime.beta
    }

    #[inline(never)]
    fn times_beta(self, v: &Self::Vec) -> Self::Vec {
        let twice = self.add(v, v);
        match self.beta() {
            1 => *v,
            _ => self.add(&self.add(&twice, &twice), v),
        }
    }
}
