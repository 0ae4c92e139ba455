//! The kernels in assembly (generator/adx.rs): one for each number of words.

use crate::prime::WordTable;
use crate::radix64::{correct, Kernels, Target, LANES};
use crate::Backend;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/adx.s")), options(raw, att_syntax));

/// Contract of the assembly: each pointer is valid for `LANES` times N words; the result may be a factor; factors below 2p, or
/// below p where two bits are not free; the CPU has BMI2 and ADX.
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
                    // SAFETY: arrays of `LANES` elements. The caller vouches for the instructions, and for elements below the bound.
                    unsafe { $mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), prime) }
                    correct(out, prime);
                }

                #[inline(always)]
                unsafe fn square(
                    a: &[[u64; $words]; LANES],
                    out: &mut [[u64; $words]; LANES],
                    prime: &WordTable<$words>,
                ) {
                    // SAFETY: the caller vouches for the same, of one factor.
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
