//! The kernels in assembly (generator/adx.rs): one for each number of words.

use crate::prime::WordTable;
use crate::radix64::{correct, Kernels, Target, LANES};
use crate::Backend;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/adx.s")), options(raw, att_syntax));

/// Declares the assembly. Contract: each pointer is valid for `LANES` times N words, and the result may be a factor.
/// Factors are below 2p, or below p if p leaves fewer than two bits free. The CPU has BMI2 and ADX.
macro_rules! kernels {
    ($($words:literal: $mul:ident;)*) => {
        $(
            extern "sysv64" {
                fn $mul(
                    out: *mut [u64; $words],
                    a: *const [u64; $words],
                    b: *const [u64; $words],
                    t: *const WordTable<$words>,
                );
            }

            impl Kernels<$words> for Target {
                const ASSEMBLY: Option<Backend> = Some(Backend::Adx);

                #[inline(always)]
                unsafe fn mul(
                    a: &[[u64; $words]; LANES],
                    b: &[[u64; $words]; LANES],
                    out: &mut [[u64; $words]; LANES],
                    prime: &WordTable<$words>,
                ) {
                    // SAFETY: the arrays have `LANES` elements. The caller vouches for the instructions, and for
                    // elements below the bound.
                    unsafe { $mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), prime) }
                    correct(out, prime);
                }

                #[inline(always)]
                unsafe fn square(
                    a: &[[u64; $words]; LANES],
                    out: &mut [[u64; $words]; LANES],
                    prime: &WordTable<$words>,
                ) {
                    // SAFETY: the caller vouches for the one factor as `mul` demands it of both, and for the instructions.
                    unsafe { <Self as Kernels<$words>>::mul(a, a, out, prime) }
                }
            }
        )*
    };
}

kernels! {
    4: bucketwheel_adx_mul_4;
    5: bucketwheel_adx_mul_5;
    6: bucketwheel_adx_mul_6;
    12: bucketwheel_adx_mul_12;
}
