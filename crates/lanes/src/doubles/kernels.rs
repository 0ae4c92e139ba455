//! The operations on vectors that an instruction set may have its own code for, and the products in plain Rust.

use super::{linear, Digits, DoubleTable, Pair, Vector, MAX_WIDE, PAIRS, WIDE};
use crate::each;
use crate::field::MAX_LANES;

/// The multiplication kernels for `N` digits, of the four pairs of vectors.
///
/// # Safety
/// - The kernels write N registers of each pair to `out`: the digits of the product, for factors in range
///   (docs/kernels.md).
pub unsafe trait Kernels<const N: usize>: Pair {
    /// Computes `out = a b`. The next pair of b is `step` pairs further: 1, or 0 for a factor that all pairs share.
    /// See the [example](crate).
    ///
    /// # Safety
    /// - `out` and `a` point to four pairs, aligned; `b` to four pairs, or one if `step` is 0.
    /// - `out` is `a` or apart from it, and likewise with `b`; if `step` is 0, it is apart from `b`.
    unsafe fn mul(
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        step: usize,
        table: &DoubleTable<N>,
    );

    /// Computes `out = a^2`. See the [example](crate).
    ///
    /// # Safety
    /// - `out` and `a` point to four pairs, aligned, and are the same or apart.
    unsafe fn square(out: *mut [Self; N], a: *const [Self; N], table: &DoubleTable<N>);

    /// Computes `out = a[0] b + a[1] c`. See the [example](crate).
    ///
    /// # Safety
    /// - `out`, `b` and `c` point to four pairs, `a` to eight, aligned.
    /// - `out` is apart from the factors.
    unsafe fn mul_add(
        out: *mut [Self; N],
        a: *const [Self; N],
        b: *const [Self; N],
        c: *const [Self; N],
        table: &DoubleTable<N>,
    );

    /// Reads an element for each lane. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load_vector(src: &[*const Digits<N>; MAX_LANES]) -> Vector<Self, N> {
        // SAFETY: the caller vouches for the pointers.
        unsafe { linear::load(src) }
    }

    /// Writes each lane's element. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers are valid for writes of an element, and aligned.
    #[inline(always)]
    unsafe fn store_vector(v: &Vector<Self, N>, dst: &[*mut Digits<N>; MAX_LANES]) {
        // SAFETY: the caller vouches for the pointers.
        unsafe { linear::store(v, dst) }
    }

    /// Computes `a + b`, digit by digit. See the [example](crate).
    #[inline(always)]
    fn add_vectors(a: &Vector<Self, N>, b: &Vector<Self, N>) -> Vector<Self, N> {
        linear::add(a, b)
    }

    /// Computes `a - b`, digit by digit. See the [example](crate).
    #[inline(always)]
    fn sub_vectors(a: &Vector<Self, N>, b: &Vector<Self, N>) -> Vector<Self, N> {
        linear::sub(a, b)
    }

    /// Negates the lanes of `mask`. See the [example](crate).
    #[inline(always)]
    fn negate_vector(v: &Vector<Self, N>, mask: u32) -> Vector<Self, N> {
        linear::negate(v, mask)
    }

    /// Returns `b` in the lanes of `mask`, and `a` in other lanes. See the [example](crate).
    #[inline(always)]
    fn select_vectors(mask: u32, a: &Vector<Self, N>, b: &Vector<Self, N>) -> Vector<Self, N> {
        linear::select(mask, a, b)
    }

    /// Reduces values and digits to the range at rest. See the [example](crate).
    #[inline(always)]
    fn reduce_vector(v: &Vector<Self, N>, table: &DoubleTable<N>) -> Vector<Self, N> {
        linear::reduce(v, table)
    }

    /// Computes `±src - from` as a factor, negated in the lanes of `mask`. See the [example](crate).
    ///
    /// # Safety
    /// - The pointers are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load_minus(
        src: &[*const Digits<N>; MAX_LANES],
        mask: u32,
        from: &Vector<Self, N>,
        out: &mut Vector<Self, N>,
        table: &DoubleTable<N>,
    ) {
        // SAFETY: the caller vouches for the pointers.
        unsafe { linear::load_minus(src, mask, from, out, table) }
    }

    /// Computes `square - denominator - 2 x` in place of x, and the difference of the old and the new x as a factor. See
    /// the [example](crate).
    #[inline(always)]
    fn chord_x(
        square: &Vector<Self, N>,
        denominator: &Vector<Self, N>,
        x: &mut Vector<Self, N>,
        difference: &mut Vector<Self, N>,
        table: &DoubleTable<N>,
    ) {
        linear::chord_x(square, denominator, x, difference, table);
    }

    /// Computes `product - y` in place of y. See the [example](crate).
    #[inline(always)]
    fn chord_y(product: &Vector<Self, N>, y: &mut Vector<Self, N>, table: &DoubleTable<N>) {
        linear::chord_y(product, y, table);
    }

    /// Computes `(a + b, a - b)`. See the [example](crate).
    #[inline(always)]
    fn sum_difference(a: &mut Vector<Self, N>, b: &mut Vector<Self, N>) {
        linear::sum_difference(a, b);
    }

    /// Transposes: lane j of vector i becomes lane i of vector j. See the [example](crate).
    #[inline(always)]
    fn transpose_vectors(vectors: &mut [Vector<Self, N>; MAX_LANES]) {
        linear::transpose(vectors);
    }
}

/// Twice the digits of the largest field.
const MAX_COLUMNS: usize = 32;

/// Sums of a product's digits: integers whose start values the numbers of a prime include, or doubles for narrow digits.
struct Columns<E>([E; MAX_COLUMNS]);

impl<E: Pair> Columns<E> {
    #[inline(always)]
    fn new<const N: usize>(start: &[[[u64; 2]; N]; 2]) -> Self {
        Columns(each!(|i| E::from_bits(if i < 2 * N { start[i / N][i % N] } else { [0; 2] })))
    }

    /// Adds the halves of `x y` to column i and the column above it.
    #[inline(always)]
    fn add<const N: usize>(&mut self, x: E, y: E, i: usize, table: &DoubleTable<N>) {
        if N > MAX_WIDE {
            self.0[i] = x.madd(y, self.0[i]);
            return;
        }
        let high = x.madd(y, E::from_bits(table.high));
        let low = x.madd(y, E::from_bits(table.low).sub(high));
        self.0[i + 1] = self.0[i + 1].add_int(high);
        self.0[i] = self.0[i].add_int(low);
    }

    /// Returns the balanced digit of column i as a double.
    #[inline(always)]
    fn digit<const N: usize>(&self, i: usize, table: &DoubleTable<N>) -> E {
        let bits = self.0[i].and(E::from_bits(table.mask)).or(E::from_bits(table.exponent));
        bits.sub(E::from_bits(table.half))
    }

    #[inline(always)]
    fn carry(&mut self, i: usize) {
        self.0[i + 1] = self.0[i + 1].add_int(self.0[i].shift_right(WIDE as u32));
    }

    /// Returns the balanced digit of a column of doubles, and moves the rest to the next column.
    #[inline(always)]
    fn carry_double<const N: usize>(&mut self, i: usize, table: &DoubleTable<N>) -> E {
        let rounding = E::from_bits(table.high);
        let rest = self.0[i].add(rounding).sub(rounding);
        self.0[i + 1] = rest.madd(E::from_bits(table.unit), self.0[i + 1]);
        self.0[i].sub(rest)
    }

    /// Does the reduction of narrow digits: the rows of [`reduce`](Self::reduce), on columns of doubles.
    #[inline(always)]
    fn reduce_narrow<const N: usize>(mut self, table: &DoubleTable<N>) -> [E; N] {
        for i in 0..N - 1 {
            let digit = self.carry_double(i, table);
            for j in 0..N {
                self.add(digit, E::from_bits(table.shifted[j]), i + 1 + j, table);
            }
        }
        let (rounding, n0) = (E::from_bits(table.high), E::from_bits(table.n0));
        let last = self.0[N - 1];
        let digit = last.sub(last.add(rounding).sub(rounding));
        let value = self.0[2 * N - 2].madd(E::from_bits(table.scale), E::splat(0.0));
        let rounded = digit.madd(n0, value).add(rounding);
        let quotient = digit.madd(n0, rounding.sub(rounded));
        for j in 0..N {
            self.add(quotient, E::from_bits(table.modulus[j]), N - 1 + j, table);
        }
        self.0[N] = self.0[N - 1].madd(E::from_bits(table.unit), self.0[N]);
        each!(|j| if j + 1 < N { self.carry_double(N + j, table) } else { self.0[2 * N - 1] })
    }

    /// Does the reduction of the generated kernels (generator/wasm.rs): a row of `N'` for each digit but the last, then
    /// a multiple of p that also brings the value close to 0.
    #[inline(always)]
    fn reduce<const N: usize>(mut self, table: &DoubleTable<N>) -> [E; N] {
        if N > MAX_WIDE {
            return self.reduce_narrow(table);
        }
        for i in 0..N - 1 {
            let digit = self.digit(i, table);
            self.carry(i);
            for j in 0..N {
                self.add(digit, E::from_bits(table.shifted[j]), i + 1 + j, table);
            }
        }
        let digit = self.digit(N - 1, table);
        let last = self.0[2 * N - 1].add_int(E::from_bits(table.pending));
        let value = last.madd(E::from_bits(table.scale), E::from_bits(table.scale_offset));
        let rounded = digit.madd(E::from_bits(table.n0), value).add(E::from_bits(table.high));
        let quotient = digit.madd(E::from_bits(table.n0), E::from_bits(table.high).sub(rounded));
        for j in 0..N {
            self.add(quotient, E::from_bits(table.modulus[j]), N - 1 + j, table);
        }
        self.carry(N - 1);
        each!(|j| if j + 1 < N {
            let digit = self.digit(N + j, table);
            self.carry(N + j);
            digit
        } else {
            self.0[2 * N - 1].sub(E::from_bits(table.integer))
        })
    }
}

/// Computes [`Kernels::mul`] in plain Rust.
///
/// The [example](crate::LaneField) uses it.
///
/// # Safety
/// - The obligations of [`Kernels::mul`].
#[inline(always)]
pub unsafe fn mul<E: Pair, const N: usize>(
    out: *mut [E; N],
    a: *const [E; N],
    b: *const [E; N],
    step: usize,
    table: &DoubleTable<N>,
) {
    for pair in 0..PAIRS {
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `a`, and at `b` unless `step` is 0. If it
        // is, the first pair of `b` is read.
        let (a, b) = unsafe { (*a.add(pair), *b.add(step * pair)) };
        let mut columns = Columns::new(&table.product);
        for i in 0..N {
            for j in 0..N {
                columns.add(a[i], b[j], i + j, table);
            }
        }
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `out`. No reference into them is left.
        unsafe { *out.add(pair) = columns.reduce(table) };
    }
}

/// Computes [`Kernels::square`] in plain Rust.
///
/// The [example](crate::Quadratic) uses it.
///
/// # Safety
/// - The obligations of [`Kernels::square`].
#[inline(always)]
pub unsafe fn square<E: Pair, const N: usize>(out: *mut [E; N], a: *const [E; N], table: &DoubleTable<N>) {
    for pair in 0..PAIRS {
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `a`.
        let a = unsafe { *a.add(pair) };
        let mut columns = Columns::new(&table.square);
        for i in 0..N {
            columns.add(a[i], a[i], 2 * i, table);
            let twice = a[i].add(a[i]);
            for j in i + 1..N {
                columns.add(twice, a[j], i + j, table);
            }
        }
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `out`. No reference into them is left.
        unsafe { *out.add(pair) = columns.reduce(table) };
    }
}

/// Computes [`Kernels::mul_add`] in plain Rust.
///
/// See the [example](crate).
///
/// # Safety
/// - The obligations of [`Kernels::mul_add`].
#[inline(always)]
pub unsafe fn mul_add<E: Pair, const N: usize>(
    out: *mut [E; N],
    a: *const [E; N],
    b: *const [E; N],
    c: *const [E; N],
    table: &DoubleTable<N>,
) {
    for pair in 0..PAIRS {
        let mut columns = Columns::new(&table.sum);
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `b` and `c`, and for eight at `a`.
        let factors = unsafe { [(*a.add(pair), *b.add(pair)), (*a.add(PAIRS + pair), *c.add(pair))] };
        for (a, b) in factors {
            for i in 0..N {
                for j in 0..N {
                    columns.add(a[i], b[j], i + j, table);
                }
            }
        }
        // SAFETY: `pair` is below 4, and the caller vouches for four pairs at `out`. No reference into them is left.
        unsafe { *out.add(pair) = columns.reduce(table) };
    }
}
