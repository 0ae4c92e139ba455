//! The kernels in assembly (generator/avx2.rs): one set for each prime.

use core::ffi::c_void;

core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/avx2.s")), options(raw, att_syntax));

/// A kernel `(out, a, b, table, c)`. Contract: `out`, `a`, `b`, `c` point to N vectors each, 32-byte aligned, and may
/// be the same. `table` points to the `Avx2Table<N>` of the prime. Digits are in the ranges of `Vec` and `Factor`. The
/// CPU has AVX2. For sums and differences of two products, `a` points to 2 N vectors. The other kernels do not read
/// `c`, and squares do not read `b`.
pub type Kernel =
    unsafe extern "sysv64" fn(*mut c_void, *const c_void, *const c_void, *const c_void, *const c_void);

/// The kernels of one prime.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct KernelSet {
    pub(crate) mul: Kernel,
    /// A product of two differences.
    pub(crate) mul_wide: Kernel,
    pub(crate) square: Kernel,
    /// `a[0] b + a[1] c`
    pub(crate) mul_add: Kernel,
    /// `a[0] b - a[1] c`
    pub(crate) mul_sub: Kernel,
}

/// The kernels of a prime, by their operation (generator/constants.rs).
macro_rules! kernels {
    ($($kind:ident: $kernel:ident),*) => {{
        extern "sysv64" {
            $(fn $kernel(
                out: *mut core::ffi::c_void,
                a: *const core::ffi::c_void,
                b: *const core::ffi::c_void,
                table: *const core::ffi::c_void,
                c: *const core::ffi::c_void,
            );)*
        }

        $crate::avx2::KernelSet { $($kind: $kernel),* }
    }};
}

pub(crate) use kernels;
