//! 64-bit Arm: the portable layout with hand-scheduled products, squares and butterflies (EdMSM, section 5), and lazy
//! reduction.
//!
//! Vectors and sums are kept below a bound, 2p or p, by conditional corrections.

use core::marker::PhantomData;

use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prime::{WordTable, Words64};
use crate::{each, words, Backend};

const LANES: usize = 4;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/aarch64.s")), options(raw));

/// Contract: each pointer is valid for `LANES` times N words; the result may be a factor; factors below 2p, or below p
/// where two bits are not free.
type Product<const N: usize> =
    unsafe extern "C" fn(*mut [u64; N], *const [u64; N], *const [u64; N], *const WordTable<N>);
/// Contract: as for the product.
type Square<const N: usize> = unsafe extern "C" fn(*mut [u64; N], *const [u64; N], *const WordTable<N>);
/// Contract: two distinct arrays of `LANES` times N words, all below the bound, which is the third argument.
type Butterfly<const N: usize> = unsafe extern "C" fn(*mut [u64; N], *mut [u64; N], *const [u64; N]);

/// The kernels of a number of words.
pub trait Kernels<const N: usize> {
    #[doc(hidden)]
    const MUL: Product<N>;
    #[doc(hidden)]
    const SQUARE: Square<N>;
    #[doc(hidden)]
    const BUTTERFLY: Butterfly<N>;
}

/// Implements [`Kernels`] for the numbers of words in use.
#[derive(Debug)]
pub struct Width;

macro_rules! kernels {
    ($words:literal, $mul:ident, $square:ident, $butterfly:ident) => {
        extern "C" {
            fn $mul(
                out: *mut [u64; $words],
                a: *const [u64; $words],
                b: *const [u64; $words],
                t: *const WordTable<$words>,
            );
            fn $square(out: *mut [u64; $words], a: *const [u64; $words], t: *const WordTable<$words>);
            fn $butterfly(a: *mut [u64; $words], b: *mut [u64; $words], bound: *const [u64; $words]);
        }

        impl Kernels<$words> for Width {
            const MUL: Product<$words> = $mul;
            const SQUARE: Square<$words> = $square;
            const BUTTERFLY: Butterfly<$words> = $butterfly;
        }
    };
}

kernels!(6, bucketwheel_aarch64_mul_6, bucketwheel_aarch64_square_6, bucketwheel_aarch64_butterfly_6);
kernels!(4, bucketwheel_aarch64_mul_4, bucketwheel_aarch64_square_4, bucketwheel_aarch64_butterfly_4);

/// The 64-bit Arm backend of `P`, in `N` words.
#[derive(Debug)]
pub struct Aarch64<P, const N: usize>(PhantomData<P>);

impl<P, const N: usize> Clone for Aarch64<P, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const N: usize> Copy for Aarch64<P, N> {}

/// The product's corrections where two bits are not free.
#[inline(always)]
fn correct<const N: usize, P: Words64<N>>(v: &mut [[u64; N]; LANES]) {
    if !words::lazy::is_lazy::<N, P>() {
        *v = each!(|lane| words::subtract_modulus::<N, P>(&v[lane]));
    }
}

impl<P: Words64<N>, const N: usize> LaneField for Aarch64<P, N>
where
    Width: Kernels<N>,
    [u64; N]: Default,
{
    const BACKEND: Backend = Backend::Aarch64;

    crate::words::arrays_of_words!();
    crate::words::lazy::lazy_words!();

    fn detect() -> Option<Self> {
        Some(Aarch64(PhantomData))
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: vectors of `LANES` elements below the bound.
        unsafe { Width::MUL(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), P::TABLE) }
        correct::<N, P>(out);
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        // SAFETY: vectors of `LANES` elements below the bound.
        unsafe { Width::SQUARE(out.as_mut_ptr(), a.as_ptr(), P::TABLE) }
        correct::<N, P>(out);
    }

    #[inline(always)]
    fn sum_difference(self, a: &mut Self::Sum, b: &mut Self::Sum) {
        // SAFETY: sums of `LANES` elements below the bound, two since both are borrowed.
        unsafe { Width::BUTTERFLY(a.as_mut_ptr(), b.as_mut_ptr(), &words::lazy::bound::<N, P>()) }
    }

    #[inline(always)]
    fn prefetch(src: *const Self::Elem) {
        // SAFETY: a prefetch never faults.
        unsafe {
            core::arch::asm!(
                "prfm pldl1keep, [{0}]",
                "prfm pldl1keep, [{0}, #64]",
                in(reg) src,
                options(nostack, preserves_flags, readonly)
            );
        }
    }
}

impl<P: Words64<N>, const N: usize> PrimeLanes for Aarch64<P, N>
where
    Width: Kernels<N>,
    [u64; N]: Default,
{
    crate::words::reduced_sums!();

    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        self.mul_lazy(sum, &[*scalar; LANES])
    }

    #[inline(always)]
    fn butterfly(self, a: &mut Self::Sum, b: &mut Self::Sum, w: &Self::Scalar) {
        *b = self.mul_scalar(b, w);
        self.sum_difference(a, b);
    }
}
