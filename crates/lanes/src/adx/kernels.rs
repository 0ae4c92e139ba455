//! The kernels in assembly (generator/adx.rs): one for each number of words.

use core::array;

use crate::prime::WordTable;
use crate::radix64::{correct, Kernels, Target, LANES};
use crate::{words, Backend};

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/adx.s")), options(raw, att_syntax));

/// Declares the assembly. Contract: each pointer of a product is valid for `count` times N words, `count` is not 0, and results may be
/// factors; for a sum of two products, factors are pairs of elements, and [`WordTable::sums_products`] is true. Factors are below
/// the bound, and the CPU has BMI2 and ADX.
macro_rules! kernels {
    ($($words:literal: $mul:ident $(, $two_products:ident)?;)*) => {
        $(
            extern "sysv64" {
                fn $mul(
                    out: *mut [u64; $words],
                    a: *const [u64; $words],
                    b: *const [u64; $words],
                    t: *const WordTable<$words>,
                    count: usize,
                );
                $(fn $two_products(
                    out: *mut [u64; $words],
                    a: *const [[u64; $words]; 2],
                    b: *const [[u64; $words]; 2],
                    t: *const WordTable<$words>,
                );)?
            }

            impl Kernels<$words> for Target {
                const ASSEMBLY: Option<Backend> = Some(Backend::Adx);

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
                    // SAFETY: the arrays have `LANES` elements. The caller vouches for the instructions, and for elements below the bound.
                    unsafe { $mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), prime, LANES) }
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

                #[inline(always)]
                unsafe fn mul_one(
                    a: &[u64; $words],
                    b: &[u64; $words],
                    prime: &WordTable<$words>,
                ) -> [u64; $words] {
                    let mut out = [0; $words];
                    // SAFETY: one element. The caller vouches for the instructions, and for factors below the bound.
                    unsafe { $mul(&mut out, a, b, prime, 1) }
                    correct(array::from_mut(&mut out), prime);
                    out
                }

                $(#[inline(always)]
                unsafe fn two_products(
                    a: &[[u64; $words]; 2],
                    b: &[[u64; $words]; 2],
                    prime: &WordTable<$words>,
                ) -> [u64; $words] {
                    let mut out = [0; $words];
                    // SAFETY: pairs of elements. The caller vouches for the instructions, for room in the rows, and for factors
                    // below the bound.
                    unsafe { $two_products(&mut out, a, b, prime) }
                    correct_sum(&out, prime)
                })?
            }
        )*
    };
}

kernels! {
    4: bucketwheel_adx_mul_4, bucketwheel_adx_two_products_4;
    5: bucketwheel_adx_mul_5, bucketwheel_adx_two_products_5;
    6: bucketwheel_adx_mul_6, bucketwheel_adx_two_products_6;
    12: bucketwheel_adx_mul_12;
}

/// Takes a sum of two products, which is below twice the bound, below the bound.
#[inline(always)]
fn correct_sum<const N: usize>(sum: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    // Where three bits are free, a sum is below twice the modulus.
    if prime.modulus[N - 1] >> 61 == 0 {
        return *sum;
    }
    words::lazy::subtract_bound(sum, prime)
}
