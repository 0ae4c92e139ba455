//! Any CPU: four elements beside each other in 64-bit words, fully reduced.
//!
//! Four independent products give a superscalar core enough to do.

use core::marker::PhantomData;

use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prime::Words64;
use crate::{each, words, Backend};

const LANES: usize = 4;

/// The portable backend of `P`, in `N` words.
#[derive(Debug)]
pub struct Portable<P, const N: usize>(PhantomData<P>);

impl<P, const N: usize> Clone for Portable<P, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const N: usize> Copy for Portable<P, N> {}

impl<P: Words64<N>, const N: usize> LaneField for Portable<P, N>
where
    [u64; N]: Default,
{
    const BACKEND: Backend = Backend::Portable;
    const LANES: usize = LANES;

    type Words = [u64; N];
    type Elem = [u64; N];
    type Vec = [[u64; N]; LANES];
    type Factor = Self::Vec;
    type Sum = Self::Vec;

    fn detect() -> Option<Self> {
        Some(Portable(PhantomData))
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
        out[..LANES].copy_from_slice(v);
        out
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

    #[inline(never)]
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor {
        // SAFETY: the caller's.
        each!(|lane| unsafe { words::sub::<N, P>(&*left[lane], &*right[lane]) })
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        for lane in 0..LANES {
            // SAFETY: the caller's.
            unsafe { *dst[lane] = sum[lane] };
        }
    }

    // Not inlined, here and below: plain code needs no instruction set's context, and is large.
    #[inline(never)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        for lane in 0..LANES {
            out[lane] = words::mul::<N, P>(&a[lane], &b[lane]);
        }
    }

    #[inline(never)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        for lane in 0..LANES {
            out[lane] = words::square::<N, P>(&a[lane]);
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
            _ => words::sub::<N, P>(&[0; N], &sum[lane]),
        })
    }

    #[inline(never)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|lane| words::add::<N, P>(&a[lane], &b[lane]))
    }

    #[inline(never)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|lane| words::sub::<N, P>(&a[lane], &b[lane]))
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
        (0..LANES).map(|lane| u32::from(v[lane] == [0; N]) << lane).sum()
    }

    #[inline(never)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        each!(|lane| if mask >> lane & 1 == 0 { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn prefetch(_src: *const Self::Elem) {}

    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
    }
}

impl<P: Words64<N>, const N: usize> PrimeLanes for Portable<P, N>
where
    [u64; N]: Default,
{
    crate::words::reduced_sums!();

    #[inline(never)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        each!(|lane| words::mul::<N, P>(&sum[lane], scalar))
    }
}
