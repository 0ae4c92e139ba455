//! The operations on vectors that have no product, in plain Rust.

use super::{Digits, DoubleTable, Pair, Vector, PAIRS};
use crate::each;
use crate::field::MAX_LANES;

/// Reads an element for each lane. The [example](crate::LaneField) uses it.
///
/// # Safety
/// - The pointers are valid for reads of an element, and aligned.
#[inline(always)]
pub unsafe fn load<E: Pair, const N: usize>(src: &[*const Digits<N>; MAX_LANES]) -> Vector<E, N> {
    each!(|pair| each!(|j| {
        let digit = |lane: usize| src[2 * pair + lane].cast::<u64>().wrapping_add(j);
        // SAFETY: the caller vouches that each pointer is valid for reads of an element, N aligned words; `j` is below N.
        unsafe { E::gather(digit(0), digit(1)) }
    }))
}

/// Writes each lane's element. The [example](crate::LaneField) uses it.
///
/// # Safety
/// - The pointers are valid for writes of an element, and aligned.
#[inline(always)]
pub unsafe fn store<E: Pair, const N: usize>(v: &Vector<E, N>, dst: &[*mut Digits<N>; MAX_LANES]) {
    for pair in 0..PAIRS {
        for j in 0..N {
            let digit = |lane: usize| dst[2 * pair + lane].cast::<u64>().wrapping_add(j);
            // SAFETY: the caller vouches that each pointer is valid for writes of an element, N aligned words; `j` is below N.
            unsafe { v[pair][j].scatter(digit(0), digit(1)) }
        }
    }
}

/// Computes `a + b`, digit by digit. The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn add<E: Pair, const N: usize>(a: &Vector<E, N>, b: &Vector<E, N>) -> Vector<E, N> {
    each!(|pair| each!(|j| a[pair][j].add(b[pair][j])))
}

/// Computes `a - b`, digit by digit. The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn sub<E: Pair, const N: usize>(a: &Vector<E, N>, b: &Vector<E, N>) -> Vector<E, N> {
    each!(|pair| each!(|j| a[pair][j].sub(b[pair][j])))
}

/// Negates the lanes of `mask`. The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn negate<E: Pair, const N: usize>(v: &Vector<E, N>, mask: u32) -> Vector<E, N> {
    let sign = E::splat(-0.0);
    each!(|pair| {
        let signs = E::lane_mask(mask >> (2 * pair)).and(sign);
        each!(|j| v[pair][j].xor(signs))
    })
}

/// Returns `b` in the lanes of `mask`, and `a` in other lanes. See the [example](crate::LaneField).
#[inline(always)]
pub fn select<E: Pair, const N: usize>(mask: u32, a: &Vector<E, N>, b: &Vector<E, N>) -> Vector<E, N> {
    each!(|pair| {
        let mask = E::lane_mask(mask >> (2 * pair));
        each!(|j| a[pair][j].xor(a[pair][j].xor(b[pair][j]).and(mask)))
    })
}

/// Subtracts from each pair of lanes the multiple of p that is nearest by the value's last digit, and carries.
/// The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn reduce<E: Pair, const N: usize>(v: &Vector<E, N>, table: &DoubleTable<N>) -> Vector<E, N> {
    each!(|pair| reduce_pair(&v[pair], table))
}

#[inline(always)]
fn reduce_pair<E: Pair, const N: usize>(digits: &[E; N], table: &DoubleTable<N>) -> [E; N] {
    let integer = E::from_bits(table.integer);
    let quotient = digits[N - 1].madd(E::splat(-table.reciprocal), integer).sub(integer);
    let rest = each!(|j| quotient.madd(E::from_bits(table.modulus[j]), digits[j]));
    carry(&rest, table)
}

/// Moves the excess over half a digit to the next digit, in all digits at the same time.
#[inline(always)]
fn carry<E: Pair, const N: usize>(digits: &[E; N], table: &DoubleTable<N>) -> [E; N] {
    // Adding this constant rounds a double to a multiple of the next digit's unit.
    let (rounding, unit) = (E::from_bits(table.high), E::from_bits(table.unit));
    let mut incoming = E::splat(0.0);
    each!(|j| if j + 1 < N {
        let carry = digits[j].add(rounding).sub(rounding);
        let digit = incoming.madd(unit, digits[j].sub(carry));
        incoming = carry;
        digit
    } else {
        incoming.madd(unit, digits[j])
    })
}

/// Computes `±src - from` as a factor, negated in the lanes of `mask`. The [example](crate::LaneField) uses it.
///
/// # Safety
/// - The pointers are valid for reads of an element, and aligned.
#[inline(always)]
pub unsafe fn load_minus<E: Pair, const N: usize>(
    src: &[*const Digits<N>; MAX_LANES],
    mask: u32,
    from: &Vector<E, N>,
    out: &mut Vector<E, N>,
    table: &DoubleTable<N>,
) {
    for pair in 0..PAIRS {
        let signs = E::lane_mask(mask >> (2 * pair)).and(E::splat(-0.0));
        let difference = each!(|j| {
            let digit = |lane: usize| src[2 * pair + lane].cast::<u64>().wrapping_add(j);
            // SAFETY: the caller vouches that each pointer is valid for reads of an element, N aligned words; `j` is below N.
            unsafe { E::gather(digit(0), digit(1)) }.xor(signs).sub(from[pair][j])
        });
        out[pair] = factor_pair(&difference, table);
    }
}

/// Computes `square - denominator - 2 x` in place of x, and the difference of the old and the new x as a factor. The
/// [example](crate::LaneField) uses it.
#[inline(always)]
pub fn chord_x<E: Pair, const N: usize>(
    square: &Vector<E, N>,
    denominator: &Vector<E, N>,
    x: &mut Vector<E, N>,
    difference: &mut Vector<E, N>,
    table: &DoubleTable<N>,
) {
    for pair in 0..PAIRS {
        let x1 = x[pair];
        x[pair] =
            reduce_pair(&each!(|j| square[pair][j].sub(denominator[pair][j]).sub(x1[j]).sub(x1[j])), table);
        difference[pair] = factor_pair(&each!(|j| x1[j].sub(x[pair][j])), table);
    }
}

/// Computes `product - y` in place of y. The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn chord_y<E: Pair, const N: usize>(
    product: &Vector<E, N>,
    y: &mut Vector<E, N>,
    table: &DoubleTable<N>,
) {
    for pair in 0..PAIRS {
        y[pair] = reduce_pair(&each!(|j| product[pair][j].sub(y[pair][j])), table);
    }
}

/// Computes `(a + b, a - b)`. The [example](crate::LaneField) uses it.
#[inline(always)]
pub fn sum_difference<E: Pair, const N: usize>(a: &mut Vector<E, N>, b: &mut Vector<E, N>) {
    for pair in 0..PAIRS {
        for j in 0..N {
            let (x, y) = (a[pair][j], b[pair][j]);
            (a[pair][j], b[pair][j]) = (x.add(y), x.sub(y));
        }
    }
}

/// Reduces a difference if the prime's factors need it.
#[inline(always)]
fn factor_pair<E: Pair, const N: usize>(digits: &[E; N], table: &DoubleTable<N>) -> [E; N] {
    if table.reduce_factors {
        reduce_pair(digits, table)
    } else {
        *digits
    }
}

/// Transposes: lane j of vector i becomes lane i of vector j. See the [example](crate::LaneField).
#[inline(always)]
pub fn transpose<E: Pair, const N: usize>(vectors: &mut [Vector<E, N>; MAX_LANES]) {
    let rows = *vectors;
    for i in 0..PAIRS {
        for pair in 0..PAIRS {
            for j in 0..N {
                let (first, second) = (rows[2 * pair][i][j], rows[2 * pair + 1][i][j]);
                vectors[2 * i][pair][j] = first.first_lanes(second);
                vectors[2 * i + 1][pair][j] = first.second_lanes(second);
            }
        }
    }
}
