//! BMI2 and ADX: products with `mulx`, `adcx` and `adox`, for [`Radix64`](crate::radix64::Radix64).

use crate::prime::{WordTable, Words64};
use crate::radix64::{Assembly, Width, LANES};
use crate::Backend;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/adx.s")), options(raw, att_syntax));

/// Contract of a kernel: each pointer is valid for `LANES` times N words; the result may be a factor; factors below 2p, or
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

            impl Assembly<$words> for Width {
                const BACKEND: Option<Backend> = Some(Backend::Adx);

                #[inline(always)]
                unsafe fn mul<P: Words64<$words>>(
                    a: &[[u64; $words]; LANES],
                    b: &[[u64; $words]; LANES],
                    out: &mut [[u64; $words]; LANES],
                    table: &WordTable<$words>,
                ) {
                    // SAFETY: vectors, and the rest is the caller's.
                    unsafe { $mul(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), table) }
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
