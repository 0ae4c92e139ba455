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
    fn bucketwheel_adx_mul_6(
        out: *mut [u64; 6],
        a: *const [u64; 6],
        b: *const [u64; 6],
        t: *const WordTable<6>,
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

impl Kernels<6> for Width {
    const MUL: Kernel<6> = bucketwheel_adx_mul_6;
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

/// Whether a product of factors below 2p is below 2p, and 4p fits the words: two bits are free.
const fn is_lazy<P: Words64<N>, const N: usize>() -> bool {
    P::TABLE.modulus[N - 1] < 1 << 62
}

/// What vectors and sums are below: 2p if possible, else p. Twice as much fits the words.
#[inline(always)]
fn bound<P: Words64<N>, const N: usize>() -> [u64; N] {
    let p = &P::TABLE.modulus;
    match is_lazy::<P, N>() {
        true => each!(|i| p[i] << 1 | if i > 0 { p[i - 1] >> 63 } else { 0 }),
        false => *p,
    }
}

/// `a - b` and whether it is negative.
#[inline(always)]
fn sub_borrow<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut borrow = false;
    let out = each!(|i| {
        let (x, b0) = a[i].overflowing_sub(b[i]);
        let (x, b1) = x.overflowing_sub(borrow as u64);
        borrow = b0 | b1;
        x
    });
    (out, borrow)
}

#[inline(always)]
fn add_words<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut carry = false;
    each!(|i| {
        let (x, c0) = a[i].overflowing_add(b[i]);
        let (x, c1) = x.overflowing_add(carry as u64);
        carry = c0 | c1;
        x
    })
}

/// `a - b` modulo the bound, for both below it.
#[inline(always)]
fn sub_lazy<P: Words64<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    add_words(&difference, &bound::<P, N>().map(|word| word & mask))
}

/// `a + b` modulo the bound, for both below it.
#[inline(always)]
fn add_lazy<P: Words64<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let sum = add_words(a, b);
    let (reduced, borrow) = sub_borrow(&sum, &bound::<P, N>());
    each!(|i| if borrow { sum[i] } else { reduced[i] })
}

impl<P: Words64<N>, const N: usize> LaneField for Adx<P, N>
where
    Width: Kernels<N>,
    [u64; N]: Default,
{
    const BACKEND: Backend = Backend::Adx;
    const LANES: usize = LANES;

    type Words = [u64; N];
    type Elem = [u64; N];
    type Vec = [[u64; N]; LANES];
    type Factor = Self::Vec;
    type Sum = Self::Vec;

    fn detect() -> Option<Self> {
        Backend::Adx.is_supported().then_some(Adx(PhantomData))
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
            out[lane] = words::subtract_modulus::<N, P>(&v[lane]);
        }
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
        each!(|lane| unsafe { sub_lazy::<P, N>(&*left[lane], &*right[lane]) })
    }

    #[inline(always)]
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
        for lane in 0..LANES {
            // SAFETY: the caller's.
            unsafe { *dst[lane] = sum[lane] };
        }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        // SAFETY: vectors of `LANES` elements below the bound; the token proves the CPU's instructions.
        unsafe { Width::MUL(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), P::TABLE) }
        if !is_lazy::<P, N>() {
            *out = each!(|lane| words::subtract_modulus::<N, P>(&out[lane]));
        }
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
        *v
    }

    #[inline(never)]
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
        each!(|lane| match mask >> lane & 1 {
            0 => sum[lane],
            _ => sub_lazy::<P, N>(&[0; N], &sum[lane]),
        })
    }

    #[inline(never)]
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|lane| add_lazy::<P, N>(&a[lane], &b[lane]))
    }

    #[inline(never)]
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        each!(|lane| sub_lazy::<P, N>(&a[lane], &b[lane]))
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
        let is_zero = |x: &[u64; N]| *x == [0; N] || *x == P::TABLE.modulus;
        (0..LANES).map(|lane| u32::from(is_zero(&v[lane])) << lane).sum()
    }

    #[inline(never)]
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
        each!(|lane| if mask >> lane & 1 == 0 { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn prefetch(src: *const Self::Elem) {
        crate::x86::prefetch(src.cast());
        crate::x86::prefetch(src.cast::<u8>().wrapping_add(64));
    }

    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.invert_lanes(v)
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
