//! The multiplication kernels in assembly (generator/wasm.rs).

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::V128;
use crate::doubles::{linear, Digits, DoubleTable, Kernels, Vector};
use crate::field::MAX_LANES;

/// Compiles the definitions of [`linear`] here, each in a function of its own: a vector does not fit the registers, so a
/// caller's code would only grow. And this crate is optimised for speed, while its callers may be optimised for size.
macro_rules! out_of_line {
    ($(fn $name:ident = $definition:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        #[inline(never)]
        fn $name($($argument: $type),*) -> $output {
            linear::$definition($($argument),*)
        }
    )*};
    ($(unsafe fn $name:ident = $definition:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        #[inline(never)]
        unsafe fn $name($($argument: $type),*) -> $output {
            // SAFETY: the caller vouches for the contract of the definition, which is this function's contract.
            unsafe { linear::$definition($($argument),*) }
        }
    )*};
}

/// Declares kernels, and the constants of their digit counts.
macro_rules! kernels {
    ($($digits:literal: $mul:ident, $square:ident, $mul_add:ident;)*) => {
        // The functions are in the library that build.rs has written.
        extern "C" {
            $(
                fn $mul(
                    out: *mut c_void,
                    a: *const c_void,
                    b: *const c_void,
                    table: *const c_void,
                    step: usize,
                    scratch: *mut c_void
                );
                fn $square(out: *mut c_void, a: *const c_void, table: *const c_void, scratch: *mut c_void);
                fn $mul_add(
                    out: *mut c_void,
                    a: *const c_void,
                    b: *const c_void,
                    c: *const c_void,
                    table: *const c_void,
                    scratch: *mut c_void
                );
            )*
        }

        $(
            // SAFETY: the generated kernels of this number of digits read and write the same memory as the definitions
            // in `doubles`.
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
                    let mut scratch = MaybeUninit::<[Self; $digits]>::uninit();
                    // SAFETY: the caller vouches for four pairs behind each pointer, or one pair behind `b` if the step
                    // is 0. The table and the scratch memory have this number of digits. The kernel reads and writes
                    // nothing else.
                    unsafe { $mul(out.cast(), a.cast(), b.cast(), table, bytes, scratch.as_mut_ptr().cast()) }
                }

                #[inline(always)]
                unsafe fn square(
                    out: *mut [Self; $digits],
                    a: *const [Self; $digits],
                    table: &DoubleTable<$digits>,
                ) {
                    let table = (table as *const DoubleTable<$digits>).cast();
                    let mut scratch = MaybeUninit::<[Self; $digits]>::uninit();
                    // SAFETY: the caller vouches for four pairs behind both pointers. The table and the scratch memory
                    // have this number of digits. The kernel reads and writes nothing else.
                    unsafe { $square(out.cast(), a.cast(), table, scratch.as_mut_ptr().cast()) }
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
                    let mut scratch = MaybeUninit::<[Self; $digits]>::uninit();
                    // SAFETY: the caller vouches for four pairs behind each pointer, eight behind `a`. The table and the
                    // scratch memory have this number of digits. The kernel reads and writes nothing else.
                    unsafe { $mul_add(out.cast(), a.cast(), b.cast(), c.cast(), table, scratch.as_mut_ptr().cast()) }
                }

                out_of_line! {
                    unsafe fn load_vector = load(src: &[*const Digits<$digits>; MAX_LANES]) -> Vector<Self, $digits>;
                    unsafe fn store_vector = store(v: &Vector<Self, $digits>, dst: &[*mut Digits<$digits>; MAX_LANES]) -> ();
                }
                out_of_line! {
                    unsafe fn load_minus = load_minus(
                        src: &[*const Digits<$digits>; MAX_LANES],
                        mask: u32,
                        from: &Vector<Self, $digits>,
                        out: &mut Vector<Self, $digits>,
                        table: &DoubleTable<$digits>
                    ) -> ();
                }
                out_of_line! {
                    fn chord_x = chord_x(
                        square: &Vector<Self, $digits>,
                        denominator: &Vector<Self, $digits>,
                        x: &mut Vector<Self, $digits>,
                        difference: &mut Vector<Self, $digits>,
                        table: &DoubleTable<$digits>
                    ) -> ();
                    fn chord_y = chord_y(
                        product: &Vector<Self, $digits>,
                        y: &mut Vector<Self, $digits>,
                        table: &DoubleTable<$digits>
                    ) -> ();
                    fn sum_difference = sum_difference(
                        a: &mut Vector<Self, $digits>,
                        b: &mut Vector<Self, $digits>
                    ) -> ();
                }
                out_of_line! {
                    fn add_vectors = add(a: &Vector<Self, $digits>, b: &Vector<Self, $digits>) -> Vector<Self, $digits>;
                    fn sub_vectors = sub(a: &Vector<Self, $digits>, b: &Vector<Self, $digits>) -> Vector<Self, $digits>;
                    fn negate_vector = negate(v: &Vector<Self, $digits>, mask: u32) -> Vector<Self, $digits>;
                    fn select_vectors = select(mask: u32, a: &Vector<Self, $digits>, b: &Vector<Self, $digits>) -> Vector<Self, $digits>;
                    fn reduce_vector = reduce(v: &Vector<Self, $digits>, table: &DoubleTable<$digits>) -> Vector<Self, $digits>;
                    fn transpose_vectors = transpose(vectors: &mut [Vector<Self, $digits>; MAX_LANES]) -> ();
                }
            }
        )*
    };
}

#[cfg(target_feature = "relaxed-simd")]
kernels! {
    8: bucketwheel_wasm_mul_8, bucketwheel_wasm_square_8, bucketwheel_wasm_mul_add_8;
    5: bucketwheel_wasm_mul_5, bucketwheel_wasm_square_5, bucketwheel_wasm_mul_add_5;
}

#[cfg(not(target_feature = "relaxed-simd"))]
kernels! {
    16: bucketwheel_wasm_mul_16, bucketwheel_wasm_square_16, bucketwheel_wasm_mul_add_16;
    11: bucketwheel_wasm_mul_11, bucketwheel_wasm_square_11, bucketwheel_wasm_mul_add_11;
}
