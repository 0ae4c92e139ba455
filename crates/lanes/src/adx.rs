//! BMI2 and ADX: the portable layout with `mulx`, `adcx` and `adox` products and lazy reduction.
//!
//! Vectors and sums are kept below a bound, 2p or p, by conditional corrections.

use core::marker::PhantomData;

use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::prime::{WordTable, Words64};
use crate::{each, words, Backend};

const LANES: usize = 4;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/adx.s")), options(raw, att_syntax));

/// Contract: each pointer is valid for `LANES` times N words; `out` may be `a` or `b`; factors below 2p, or below p where two bits are not free; the
/// CPU has BMI2 and ADX.
type Kernel<const N: usize> =
    unsafe extern "sysv64" fn(*mut [u64; N], *const [u64; N], *const [u64; N], *const WordTable<N>);

extern "sysv64" {
    fn bucketwheel_adx_mul_12(
        out: *mut [u64; 12],
        a: *const [u64; 12],
        b: *const [u64; 12],
        t: *const WordTable<12>,
    );
    fn bucketwheel_adx_mul_6(
        out: *mut [u64; 6],
        a: *const [u64; 6],
        b: *const [u64; 6],
        t: *const WordTable<6>,
    );
    fn bucketwheel_adx_mul_5(
        out: *mut [u64; 5],
        a: *const [u64; 5],
        b: *const [u64; 5],
        t: *const WordTable<5>,
    );
    fn bucketwheel_adx_mul_4(
        out: *mut [u64; 4],
        a: *const [u64; 4],
        b: *const [u64; 4],
        t: *const WordTable<4>,
    );
}

/// The widths for which kernels exist.
pub trait Kernels<const N: usize> {
    #[doc(hidden)]
    const MUL: Kernel<N>;
}

/// Implements [`Kernels`] for the number of words in use.
#[derive(Debug)]
pub struct Width;

impl Kernels<12> for Width {
    const MUL: Kernel<12> = bucketwheel_adx_mul_12;
}

impl Kernels<6> for Width {
    const MUL: Kernel<6> = bucketwheel_adx_mul_6;
}

impl Kernels<5> for Width {
    const MUL: Kernel<5> = bucketwheel_adx_mul_5;
}

impl Kernels<4> for Width {
    const MUL: Kernel<4> = bucketwheel_adx_mul_4;
}

/// The ADX backend of `P`, in `N` words.
#[derive(Debug)]
pub struct Adx<P, const N: usize>(PhantomData<P>);

impl<P, const N: usize> Clone for Adx<P, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const N: usize> Copy for Adx<P, N> {}

impl<P: Words64<N>, const N: usize> LaneField for Adx<P, N>
where
    Width: Kernels<N>,
    [u64; N]: Default,
{
    const BACKEND: Backend = Backend::Adx;

    crate::words::arrays_of_words!();
    crate::words::lazy::lazy_words!();

    fn detect() -> Option<Self> {
        Backend::Adx.is_supported().then_some(Adx(PhantomData))
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: vectors of `LANES` elements below the bound; the token proves the CPU's instructions.
        unsafe { Width::MUL(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), P::TABLE) }
        if !words::lazy::is_lazy::<N, P>() {
            *out = each!(|lane| words::subtract_modulus::<N, P>(&out[lane]));
        }
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        self.mul(a, a, out);
    }

    #[inline(always)]
    fn prefetch(src: *const Self::Elem) {
        crate::x86::prefetch(src.cast());
        crate::x86::prefetch(src.cast::<u8>().wrapping_add(64));
    }
}

impl<P: Words64<N>, const N: usize> PrimeLanes for Adx<P, N>
where
    Width: Kernels<N>,
    [u64; N]: Default,
{
    crate::words::reduced_sums!();

    #[inline(always)]
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum {
        self.mul_lazy(sum, &[*scalar; LANES])
    }
}
