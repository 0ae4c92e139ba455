//! The kernels in assembly (generator/avx512ifma.rs): one set for each number of digits.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::Zmm;
use crate::radix52::{IfmaTable, Kernels};

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/avx512ifma.s")), options(raw, att_syntax));

/// Declares a type of kernels, and the kernels of this type.
macro_rules! kernels {
    ($(#[doc = $doc:literal])* $kernel:ident $arguments:tt: $($name:ident)*) => {
        $(#[doc = $doc])*
        type $kernel = unsafe extern "sysv64" fn $arguments;

        extern "sysv64" {
            $(fn $name $arguments;)*
        }
    };
}

kernels! {
    /// Contract: `table` points to the `IfmaTable<N>` of the prime. The other pointers are to N vectors each, 64-byte
    /// aligned, which may be the same. Digits are in the ranges of `Vec` and `Factor`. The CPU has AVX-512 F and IFMA.
    /// Squares do not read `b`.
    Kernel(out: *mut c_void, a: *const c_void, b: *const c_void, table: *const c_void):
        bucketwheel_ifma_mul_15
        bucketwheel_ifma_square_15
        bucketwheel_ifma_mul_8
        bucketwheel_ifma_square_8
        bucketwheel_ifma_mul_5
        bucketwheel_ifma_square_5
}

kernels! {
    /// Contract in the prime's extension: as for `Kernel`, but with 2 N vectors each, coordinate by coordinate. `room`
    /// is for 4 N vectors, apart from all others.
    QuadraticKernel(
        out: *mut c_void,
        a: *const c_void,
        b: *const c_void,
        table: *const c_void,
        room: *mut c_void
    ):
        bucketwheel_ifma_mul_quadratic_1_8
        bucketwheel_ifma_square_quadratic_1_8
        bucketwheel_ifma_mul_quadratic_5_8
        bucketwheel_ifma_square_quadratic_5_8
        bucketwheel_ifma_mul_quadratic_1_5
        bucketwheel_ifma_square_quadratic_1_5
}

/// The digit counts for which kernels exist.
trait Assembly<const N: usize> {
    const MUL: Kernel;
    const SQUARE: Kernel;
    /// Returns the kernels in the extension by a root of -beta: the product and the square.
    fn quadratic(beta: u32) -> [QuadraticKernel; 2];
}

impl Assembly<15> for Zmm {
    const MUL: Kernel = bucketwheel_ifma_mul_15;
    const SQUARE: Kernel = bucketwheel_ifma_square_15;

    fn quadratic(_beta: u32) -> [QuadraticKernel; 2] {
        unreachable!("no prime of fifteen digits has an extension")
    }
}

impl Assembly<8> for Zmm {
    const MUL: Kernel = bucketwheel_ifma_mul_8;
    const SQUARE: Kernel = bucketwheel_ifma_square_8;

    #[inline(always)]
    fn quadratic(beta: u32) -> [QuadraticKernel; 2] {
        match beta {
            1 => [bucketwheel_ifma_mul_quadratic_1_8, bucketwheel_ifma_square_quadratic_1_8],
            5 => [bucketwheel_ifma_mul_quadratic_5_8, bucketwheel_ifma_square_quadratic_5_8],
            _ => unreachable!("no prime of eight digits has this extension"),
        }
    }
}

impl Assembly<5> for Zmm {
    const MUL: Kernel = bucketwheel_ifma_mul_5;
    const SQUARE: Kernel = bucketwheel_ifma_square_5;

    #[inline(always)]
    fn quadratic(beta: u32) -> [QuadraticKernel; 2] {
        match beta {
            1 => [bucketwheel_ifma_mul_quadratic_1_5, bucketwheel_ifma_square_quadratic_1_5],
            _ => unreachable!("no prime of five digits has this extension"),
        }
    }
}

// SAFETY: the generated kernels write N vectors, of exact digits for factors in range (generator/avx512ifma.rs).
unsafe impl<const N: usize> Kernels<N> for Zmm
where
    Zmm: Assembly<N>,
{
    #[inline(always)]
    unsafe fn mul(out: *mut Self, a: *const Self, b: *const Self, table: &IfmaTable<N>) {
        let table: *const IfmaTable<N> = table;
        // SAFETY: the caller vouches for N aligned vectors each, in range. The vectors exist, so the CPU has AVX-512 F and IFMA.
        unsafe { Self::MUL(out.cast(), a.cast(), b.cast(), table.cast()) }
    }

    #[inline(always)]
    unsafe fn square(out: *mut Self, a: *const Self, table: &IfmaTable<N>) {
        let table: *const IfmaTable<N> = table;
        // SAFETY: the caller vouches for N aligned vectors each, in range. The vectors exist, so the CPU has AVX-512 F and IFMA.
        unsafe { Self::SQUARE(out.cast(), a.cast(), a.cast(), table.cast()) }
    }

    #[inline(always)]
    unsafe fn mul_quadratic(
        beta: u32,
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        table: &IfmaTable<N>,
    ) {
        let mut room = MaybeUninit::<[[Self; N]; 4]>::uninit();
        let ([kernel, _], table) = (Self::quadratic(beta), table as *const IfmaTable<N>);
        // SAFETY: the caller vouches for both coordinates of each element, aligned and in range. The vectors exist, so
        // the CPU has AVX-512 F and IFMA. `room` has 4 N vectors of its own.
        unsafe { kernel(out.cast(), a.cast(), b.cast(), table.cast(), room.as_mut_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn square_quadratic(beta: u32, out: *mut [Self; N], a: *const [Self; N], table: &IfmaTable<N>) {
        let mut room = MaybeUninit::<[[Self; N]; 4]>::uninit();
        let ([_, kernel], table) = (Self::quadratic(beta), table as *const IfmaTable<N>);
        // SAFETY: the caller vouches for both coordinates of each element, aligned and in range. The vectors exist, so
        // the CPU has AVX-512 F and IFMA. `room` has 4 N vectors of its own.
        unsafe { kernel(out.cast(), a.cast(), a.cast(), table.cast(), room.as_mut_ptr().cast()) }
    }
}
