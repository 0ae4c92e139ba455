//! The kernels in assembly (generator/aarch64.rs): one set for each number of words.

use crate::prime::WordTable;
use crate::radix64::{correct, Kernels, Target, LANES};
use crate::Backend;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/aarch64.s")), options(raw));

/// Declares the assembly. Contract: each pointer to elements is valid for `LANES` times N words. In products and
/// squares, the result may be a factor, and factors are below 2p, or below p if p leaves fewer than two bits free.
/// Butterflies take two distinct arrays, with all elements below the bound, which is the third argument.
macro_rules! kernels {
    ($words:literal, $mul:ident $(, $square:ident, $butterfly:ident)?) => {
        extern "C" {
            fn $mul(
                out: *mut [u64; $words],
                a: *const [u64; $words],
                b: *const [u64; $words],
                t: *const WordTable<$words>,
            );
            $(fn $square(out: *mut [u64; $words], a: *const [u64; $words], t: *const WordTable<$words>);
            fn $butterfly(a: *mut [u64; $words], b: *mut [u64; $words], bound: *const [u64; $words]);)?
        }

        impl Kernels<$words> for Target {
            const ASSEMBLY: Option<Backend> = Some(Backend::Aarch64);

            fn has_assembly() -> bool {
                super::is_supported()
            }

            #[inline(always)]
            unsafe fn mul(
                a: &[[u64; $words]; LANES],
                b: &[[u64; $words]; LANES],
                out: &mut [[u64; $words]; LANES],
                prime: &WordTable<$words>,
            ) {
                // SAFETY: the arrays have `LANES` elements. The caller vouches for elements below the bound. All 64-bit
                // Arm CPUs have the instructions.
                unsafe { $mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), prime) }
                correct(out, prime);
            }

            others!($words $(, $square, $butterfly)?);
        }
    };
}

/// Adds squares and butterflies. Without them, a square is a product, and butterflies are plain code.
macro_rules! others {
    ($words:literal) => {
        #[inline(always)]
        unsafe fn square(
            a: &[[u64; $words]; LANES],
            out: &mut [[u64; $words]; LANES],
            prime: &WordTable<$words>,
        ) {
            // SAFETY: the caller vouches for the one factor as `mul` demands it of both.
            unsafe { <Self as Kernels<$words>>::mul(a, a, out, prime) }
        }
    };
    ($words:literal, $square:ident, $butterfly:ident) => {
        #[inline(always)]
        unsafe fn square(
            a: &[[u64; $words]; LANES],
            out: &mut [[u64; $words]; LANES],
            prime: &WordTable<$words>,
        ) {
            // SAFETY: the arrays have `LANES` elements. The caller vouches for elements below the bound. All 64-bit Arm
            // CPUs have the instructions.
            unsafe { $square(out.as_mut_ptr(), a.as_ptr(), prime) }
            correct(out, prime);
        }

        #[inline(always)]
        unsafe fn sum_difference(
            a: &mut [[u64; $words]; LANES],
            b: &mut [[u64; $words]; LANES],
            prime: &WordTable<$words>,
        ) {
            // SAFETY: the two arrays have `LANES` elements and are distinct, since both are borrowed mutably. The
            // caller vouches for elements below the bound.
            unsafe { $butterfly(a.as_mut_ptr(), b.as_mut_ptr(), &prime.bound) }
        }
    };
}

kernels!(4, bucketwheel_aarch64_mul_4, bucketwheel_aarch64_square_4, bucketwheel_aarch64_butterfly_4);
kernels!(5, bucketwheel_aarch64_mul_5, bucketwheel_aarch64_square_5, bucketwheel_aarch64_butterfly_5);
kernels!(6, bucketwheel_aarch64_mul_6, bucketwheel_aarch64_square_6, bucketwheel_aarch64_butterfly_6);
kernels!(12, bucketwheel_aarch64_mul_12);
