//! WebAssembly's lanes without WebAssembly: pairs of doubles that compute the results of its instructions, bit for bit.

use crate::doubles::{self, DoubleTable, Doubles, Kernels, Pair};
use crate::field::Task;
use crate::{each, Backend};

/// The bits of two doubles.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct TwoDoubles([u64; 2]);

/// Model of the WebAssembly backend. No [`Backend`] leads to it: tests make it with `WasmModel::detect`.
pub type WasmModel<const W: usize, const N: usize> = Doubles<TwoDoubles, W, N>;

impl TwoDoubles {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        TwoDoubles(each!(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn map2_doubles(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        self.map2(other, |a, b| f(f64::from_bits(a), f64::from_bits(b)).to_bits())
    }
}

// SAFETY: the pairs are words, and their instructions are plain Rust, which runs everywhere.
unsafe impl Pair for TwoDoubles {
    const BACKEND: Backend = Backend::Wasm;

    fn is_supported() -> bool {
        true
    }

    #[inline(always)]
    unsafe fn vectorize<T: Task>(task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn from_bits(lanes: [u64; 2]) -> Self {
        TwoDoubles(lanes)
    }

    #[inline(always)]
    fn to_bits(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    unsafe fn gather(first: *const u64, second: *const u64) -> Self {
        // SAFETY: the caller vouches that both pointers are valid for reads and aligned.
        TwoDoubles(unsafe { [*first, *second] })
    }

    #[inline(always)]
    unsafe fn scatter(self, first: *mut u64, second: *mut u64) {
        // SAFETY: the caller vouches that both pointers are valid for writes and aligned.
        unsafe { [*first, *second] = self.0 }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2_doubles(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2_doubles(other, |a, b| a - b)
    }

    #[inline(always)]
    fn madd(self, factor: Self, sum: Self) -> Self {
        let of = |x: Self, i: usize| f64::from_bits(x.0[i]);
        TwoDoubles(each!(|i| of(self, i).mul_add(of(factor, i), of(sum, i)).to_bits()))
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        (0..2).map(|i| u32::from(f64::from_bits(self.0[i]) == 0.0) << i).sum()
    }

    #[inline(always)]
    fn add_int(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub_int(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        TwoDoubles(self.0.map(|x| x >> bits))
    }

    #[inline(always)]
    fn shift_right_signed(self, bits: u32) -> Self {
        TwoDoubles(self.0.map(|x| (x as i64 >> bits) as u64))
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        TwoDoubles(self.0.map(|x| x << bits))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map2(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.map2(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.map2(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn first_lanes(self, other: Self) -> Self {
        TwoDoubles([self.0[0], other.0[0]])
    }

    #[inline(always)]
    fn second_lanes(self, other: Self) -> Self {
        TwoDoubles([self.0[1], other.0[1]])
    }
}

// SAFETY: the products are the definitions in `doubles`, which write all digits of all pairs.
unsafe impl<const N: usize> Kernels<N> for TwoDoubles {
    unsafe fn mul(
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        step: usize,
        table: &DoubleTable<N>,
    ) {
        // SAFETY: the caller vouches for the contract of `doubles::mul`, which is this function's contract.
        unsafe { doubles::mul(out, a, b, step, table) }
    }

    unsafe fn square(out: *mut [Self; N], a: *const [Self; N], table: &DoubleTable<N>) {
        // SAFETY: the caller vouches for the contract of `doubles::square`, which is this function's contract.
        unsafe { doubles::square(out, a, table) }
    }

    unsafe fn mul_add(
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        c: *const [Self; N],
        table: &DoubleTable<N>,
    ) {
        // SAFETY: the caller vouches for the contract of `doubles::mul_add`, which is this function's contract.
        unsafe { doubles::mul_add(out, a, b, c, table) }
    }
}
