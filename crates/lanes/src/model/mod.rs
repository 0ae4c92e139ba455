//! The IFMA backend without IFMA: arrays of eight words that do what the instructions do, bit for bit.
//!
//! It runs everywhere, so that the whole engine can be tested on eight lanes anywhere; the tests compare it
//! with the real kernels, natively or in an emulator.

use crate::field::Task;
use crate::prime::IfmaTable;
use crate::radix52::{Eight, Kernels, Packed, Radix52};
use crate::{each, Backend};

/// The model backend of `P`.
pub type Model<P, const W: usize, const N: usize> = Radix52<EightWords, P, W, N>;

/// A register of eight words.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct EightWords([u64; 8]);

const MASK52: u64 = (1 << 52) - 1;

impl EightWords {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        EightWords(each!(|i| f(self.0[i], other.0[i])))
    }
}

// SAFETY: plain Rust.
unsafe impl Eight for EightWords {
    const BACKEND: Backend = Backend::Model;

    #[inline(always)]
    unsafe fn vectorize<T: Task>(task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn splat(x: u64) -> Self {
        EightWords([x; 8])
    }

    #[inline(always)]
    fn from_array(x: [u64; 8]) -> Self {
        EightWords(x)
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        self.0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map2(other, |a, b| a & b)
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        self.shift_right_by(BITS)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.map2(other, |a, b| a | b)
    }

    #[inline(always)]
    fn shift_right_logical_by(self, bits: u32) -> Self {
        EightWords(self.0.map(|x| x >> bits))
    }

    #[inline(always)]
    fn shift_left_by(self, bits: u32) -> Self {
        EightWords(each!(|i| self.0[i] << bits))
    }

    #[inline(always)]
    fn shift_right_by(self, bits: u32) -> Self {
        EightWords(self.0.map(|x| (x as i64 >> bits) as u64))
    }

    #[inline(always)]
    fn madd_low(self, a: Self, b: Self) -> Self {
        self.add(a.map2(b, |a, b| (a & MASK52).wrapping_mul(b & MASK52) & MASK52))
    }

    #[inline(always)]
    fn madd_high(self, a: Self, b: Self) -> Self {
        self.add(a.map2(b, |a, b| (((a & MASK52) as u128 * (b & MASK52) as u128) >> 52) as u64))
    }

    #[inline(always)]
    fn look_up(table: &[u64; 16], index: Self) -> Self {
        EightWords(index.0.map(|i| table[i as usize & 15]))
    }

    #[inline(always)]
    fn negate_lanes(self, mask: u32) -> Self {
        self.select(mask, Self::splat(0).sub(self))
    }

    #[inline(always)]
    fn select(self, mask: u32, other: Self) -> Self {
        EightWords(each!(|i| if mask >> i & 1 == 0 { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn equal_lanes(self, other: Self) -> u32 {
        (0..8).map(|i| u32::from(self.0[i] == other.0[i]) << i).sum()
    }

    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        each!(|j| EightWords(each!(|i| rows[i].0[j])))
    }

    #[inline(always)]
    unsafe fn gather(rows: &[*const Packed; 8]) -> [Self; 4] {
        each!(|k| EightWords(each!(|lane| (*rows[lane]).0[k])))
    }

    #[inline(always)]
    unsafe fn scatter(columns: [Self; 4], rows: &[*mut Packed; 8]) {
        for lane in 0..8 {
            *rows[lane] = Packed(each!(|k| columns[k].0[lane]));
        }
    }

    #[inline(always)]
    fn prefetch(_address: *const u8) {}
}

/// Twice the digits of the largest field.
const MAX_COLUMNS: usize = 16;

type Columns = [EightWords; MAX_COLUMNS];

/// Columns `i` and `i + 1` += the low and high half of `x * y`.
#[inline(always)]
fn add(columns: &mut Columns, x: EightWords, y: EightWords, i: usize) {
    columns[i] = columns[i].madd_low(x, y);
    columns[i + 1] = columns[i + 1].madd_high(x, y);
}

#[inline(always)]
fn add_product<const N: usize>(columns: &mut Columns, a: &[EightWords; N], b: &[EightWords; N]) {
    for i in 0..N {
        for j in 0..N {
            add(columns, a[i], b[j], i + j);
        }
    }
}

/// The reduction of the generated kernels (generator/avx512ifma.rs).
#[inline(always)]
fn reduce<const N: usize>(columns: &mut Columns, table: &IfmaTable<N>) -> [EightWords; N] {
    for i in 0..N - 1 {
        let digit = columns[i];
        columns[i + 1] = columns[i + 1].add(digit.shift_right::<52>());
        for j in 0..N {
            add(columns, digit, EightWords::splat(table.shifted[j]), i + 1 + j);
        }
    }
    let quotient = EightWords::splat(0).madd_low(columns[N - 1], EightWords::splat(table.n0));
    for j in 0..N {
        add(columns, quotient, EightWords::splat(table.modulus[j]), N - 1 + j);
    }
    for i in N - 1..2 * N - 1 {
        columns[i + 1] = columns[i + 1].add(columns[i].shift_right::<52>());
        columns[i] = columns[i].and(EightWords::splat(MASK52));
    }
    each!(|j| columns[N + j])
}

/// The product of a and b in the extension by a root of -beta, as the generated kernels have it.
#[inline(always)]
fn mul_quadratic<const N: usize>(
    beta: u32,
    [a0, a1]: &[[EightWords; N]; 2],
    [b0, b1]: &[[EightWords; N]; 2],
    table: &IfmaTable<N>,
) -> [[EightWords; N]; 2] {
    let product = |a: &[EightWords; N], b: &[EightWords; N]| {
        let mut columns = [EightWords::splat(0); MAX_COLUMNS];
        add_product(&mut columns, a, b);
        columns
    };
    let sum = |a: &[EightWords; N], b: &[EightWords; N]| {
        let mut carry = EightWords::splat(0);
        each!(|j| {
            let digit = a[j].add(b[j]).add(carry);
            carry = digit.shift_right::<52>();
            digit
        })
    };
    let (mut low, high) = (product(a0, b0), product(a1, b1));
    let mut cross = product(&sum(a0, a1), &sum(b0, b1));
    for i in 0..2 * N {
        cross[i] = cross[i].sub(low[i]).sub(high[i]);
        for _ in 0..beta {
            low[i] = low[i].sub(high[i]);
        }
    }
    for (j, offset) in table.offset.into_iter().chain([table.last_offset]).enumerate() {
        low[N - 1 + j] = low[N - 1 + j].add(EightWords::splat(offset));
    }
    [reduce(&mut low, table), reduce(&mut cross, table)]
}

// SAFETY: writes N vectors.
unsafe impl<const N: usize> Kernels<N> for EightWords {
    unsafe fn mul(out: *mut Self, a: *const Self, b: *const Self, table: &IfmaTable<N>) {
        let mut columns = [EightWords([0; 8]); MAX_COLUMNS];
        add_product::<N>(&mut columns, &*a.cast(), &*b.cast());
        *out.cast() = reduce::<N>(&mut columns, table);
    }

    unsafe fn square(out: *mut Self, a: *const Self, table: &IfmaTable<N>) {
        Self::mul(out, a, a, table)
    }

    unsafe fn mul_quadratic<const BETA: u32>(
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        table: &IfmaTable<N>,
    ) {
        *out.cast() = mul_quadratic(BETA, &*a.cast(), &*b.cast(), table);
    }

    unsafe fn square_quadratic<const BETA: u32>(
        out: *mut [Self; N],
        a: *const [Self; N],
        table: &IfmaTable<N>,
    ) {
        Self::mul_quadratic::<BETA>(out, a, a, table)
    }
}
