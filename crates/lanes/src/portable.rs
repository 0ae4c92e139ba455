//! Any CPU: four elements beside each other in 64-bit words, fully reduced.

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

    crate::words::arrays_of_words!();

    fn detect() -> Option<Self> {
        Some(Portable(PhantomData))
    }

    #[inline(never)]
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
        let mut out = [[0; N]; MAX_LANES];
        out[..LANES].copy_from_slice(v);
        out
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

    #[inline(never)]
    fn zero_lanes(self, v: &Self::Vec) -> u32 {
        (0..LANES).map(|lane| u32::from(v[lane] == [0; N]) << lane).sum()
    }

    #[inline(always)]
    fn prefetch(_src: *const Self::Elem) {}
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
