//! The kernels in assembly (generator/avx2.rs): one set for each prime.

use core::arch::x86_64::__m256i;
use core::ffi::c_void;

use super::vector::shift_right;
use crate::prime::{Bls12_377Fq, Bls12_381Fq, Bls12_381Fr, Bn254Fq, Bn254Fr, PallasFp, VestaFp};

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/avx2.s")), options(raw, att_syntax));

/// `(out, a, b, table, c)`. Contract: `out`, `a`, `b`, `c` point to N vectors each, 32-byte aligned, and may be the
/// same; `table` to the `Avx2Table<N>` of the prime; digits in the ranges of `Vec` and `Factor`; the CPU has
/// AVX2. For sums and differences of two products, `a` points to 2 N vectors; the others do not read `c`, and the
/// squares not `b`.
pub(super) type Kernel =
    unsafe extern "sysv64" fn(*mut c_void, *const c_void, *const c_void, *const c_void, *const c_void);

/// The kernels of one prime.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct KernelSet {
    pub(super) mul: Kernel,
    /// A product of two differences.
    pub(super) mul_wide: Kernel,
    pub(super) square: Kernel,
    /// `a[0] b + a[1] c`
    pub(super) mul_add: Kernel,
    /// `a[0] b - a[1] c`
    pub(super) mul_sub: Kernel,
}

macro_rules! kernels {
    ($mul:ident, $mul_wide:ident, $square:ident, $mul_add:ident, $mul_sub:ident) => {{
        extern "sysv64" {
            fn $mul(_: *mut c_void, _: *const c_void, _: *const c_void, _: *const c_void, _: *const c_void);
            fn $mul_wide(
                _: *mut c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
            );
            fn $square(
                _: *mut c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
            );
            fn $mul_add(
                _: *mut c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
            );
            fn $mul_sub(
                _: *mut c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
                _: *const c_void,
            );
        }
        KernelSet { mul: $mul, mul_wide: $mul_wide, square: $square, mul_add: $mul_add, mul_sub: $mul_sub }
    }};
}

/// The primes for which kernels exist.
pub trait Kernels<const N: usize> {
    #[doc(hidden)]
    const WIDTH: i32;
    /// Terms of a lazy sum: its digits fit 32 bits, and it is a factor (generator/primes.rs).
    #[doc(hidden)]
    const TERMS: usize;
    #[doc(hidden)]
    const KERNELS: KernelSet;

    /// `floor(digits / 2^(WIDTH - 1))`
    ///
    /// # Safety
    /// The CPU has AVX2.
    #[doc(hidden)]
    unsafe fn halves(digits: __m256i) -> __m256i;
}

macro_rules! prime {
    ($prime:ty, $digits:literal, $width:literal, $terms:literal, $($kernel:ident),*) => {
        impl Kernels<$digits> for $prime {
            const WIDTH: i32 = $width;
            const TERMS: usize = $terms;
            const KERNELS: KernelSet = kernels!($($kernel),*);

            #[inline(always)]
            unsafe fn halves(digits: __m256i) -> __m256i {
                shift_right::<{ $width - 1 }>(digits)
            }
        }
    };
}

prime!(
    Bls12_381Fq,
    13,
    30,
    2,
    bucketwheel_avx2_mul_bls12_381fq,
    bucketwheel_avx2_mul_wide_bls12_381fq,
    bucketwheel_avx2_square_bls12_381fq,
    bucketwheel_avx2_mul_add_bls12_381fq,
    bucketwheel_avx2_mul_sub_bls12_381fq
);
prime!(
    Bls12_377Fq,
    13,
    30,
    2,
    bucketwheel_avx2_mul_bls12_377fq,
    bucketwheel_avx2_mul_wide_bls12_377fq,
    bucketwheel_avx2_square_bls12_377fq,
    bucketwheel_avx2_mul_add_bls12_377fq,
    bucketwheel_avx2_mul_sub_bls12_377fq
);
prime!(
    Bn254Fq,
    9,
    29,
    7,
    bucketwheel_avx2_mul_bn254fq,
    bucketwheel_avx2_mul_wide_bn254fq,
    bucketwheel_avx2_square_bn254fq,
    bucketwheel_avx2_mul_add_bn254fq,
    bucketwheel_avx2_mul_sub_bn254fq
);
prime!(
    Bls12_381Fr,
    9,
    29,
    7,
    bucketwheel_avx2_mul_bls12_381fr,
    bucketwheel_avx2_mul_wide_bls12_381fr,
    bucketwheel_avx2_square_bls12_381fr,
    bucketwheel_avx2_mul_add_bls12_381fr,
    bucketwheel_avx2_mul_sub_bls12_381fr
);
prime!(
    Bn254Fr,
    9,
    29,
    7,
    bucketwheel_avx2_mul_bn254fr,
    bucketwheel_avx2_mul_wide_bn254fr,
    bucketwheel_avx2_square_bn254fr,
    bucketwheel_avx2_mul_add_bn254fr,
    bucketwheel_avx2_mul_sub_bn254fr
);
prime!(
    PallasFp,
    9,
    29,
    7,
    bucketwheel_avx2_mul_pallasfp,
    bucketwheel_avx2_mul_wide_pallasfp,
    bucketwheel_avx2_square_pallasfp,
    bucketwheel_avx2_mul_add_pallasfp,
    bucketwheel_avx2_mul_sub_pallasfp
);
prime!(
    VestaFp,
    9,
    29,
    7,
    bucketwheel_avx2_mul_vestafp,
    bucketwheel_avx2_mul_wide_vestafp,
    bucketwheel_avx2_square_vestafp,
    bucketwheel_avx2_mul_add_vestafp,
    bucketwheel_avx2_mul_sub_vestafp
);
