//! The multiplication kernels in assembly (generator/wasm.rs).

use core::ffi::c_void;

use super::V128;
use crate::radix51::{DoubleTable, Kernels};

/// Declares kernels, and the constants of their digit counts.
macro_rules! kernels {
    ($($digits:literal: $mul:ident, $square:ident, $mul_add:ident;)*) => {
        // The functions are in the library that build.rs has written.
        extern "C" {
            $(
                fn $mul(out: *mut c_void, a: *const c_void, b: *const c_void, table: *const c_void, step: usize);
                fn $square(out: *mut c_void, a: *const c_void, table: *const c_void);
                fn $mul_add(
                    out: *mut c_void,
                    a: *const c_void,
                    b: *const c_void,
                    c: *const c_void,
                    table: *const c_void
                );
            )*
        }

        $(
            // SAFETY: the generated kernels of this number of digits read and write the same memory as the definitions
            // in `radix51`.
            unsafe impl Kernels<$digits> for V128 {
                #[inline(always)]
                unsafe fn mul(
                    out: *mut [Self; $digits],
                    a: *const [Self; $digits],
                    b: *const [Self; $digits],
                    step: usize,
                    table: &DoubleTable<$digits>,
                ) {
                    let bytes = step * size_of::<[Self; $digits]>();
                    let table = (table as *const DoubleTable<$digits>).cast();
                    // SAFETY: the caller vouches for four pairs behind each pointer, or one pair behind `b` if the step
                    // is 0. The table has this number of digits. The kernel reads and writes nothing else.
                    unsafe { $mul(out.cast(), a.cast(), b.cast(), table, bytes) }
                }

                #[inline(always)]
                unsafe fn square(
                    out: *mut [Self; $digits],
                    a: *const [Self; $digits],
                    table: &DoubleTable<$digits>,
                ) {
                    let table = (table as *const DoubleTable<$digits>).cast();
                    // SAFETY: the caller vouches for four pairs behind both pointers, and the table has this number of
                    // digits. The kernel reads and writes nothing else.
                    unsafe { $square(out.cast(), a.cast(), table) }
                }

                #[inline(always)]
                unsafe fn mul_add(
                    out: *mut [Self; $digits],
                    a: *const [Self; $digits],
                    b: *const [Self; $digits],
                    c: *const [Self; $digits],
                    table: &DoubleTable<$digits>,
                ) {
                    let table = (table as *const DoubleTable<$digits>).cast();
                    // SAFETY: the caller vouches for four pairs behind each pointer, eight behind `a`, and the table has
                    // this number of digits. The kernel reads and writes nothing else.
                    unsafe { $mul_add(out.cast(), a.cast(), b.cast(), c.cast(), table) }
                }
            }
        )*
    };
}

kernels! {
    8: bucketwheel_wasm_mul_8, bucketwheel_wasm_square_8, bucketwheel_wasm_mul_add_8;
    5: bucketwheel_wasm_mul_5, bucketwheel_wasm_square_5, bucketwheel_wasm_mul_add_5;
}
