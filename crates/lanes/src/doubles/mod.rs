//! Eight lanes of balanced digits in doubles, over any [`Pair`]: WebAssembly's registers or their model. Where products may be fused
//! multiply-adds, digits have 51 bits, and products are split. Elsewhere, digits have 24 bits, and products are exact.
//!
//! A vector is four pairs of lanes. All digits of a pair lie beside each other. Every vector is within 0.54 p, and its
//! digits are within half a digit and 4. A difference of two vectors is a factor as it is. A `Sum` has the digits of up
//! to five vectors, added up.

mod kernels;
mod lanes;
pub(crate) mod linear;
mod table;
mod vector;

use core::marker::PhantomData;

use crate::prime::WordTable;

pub use kernels::{mul, mul_add, square, Kernels};
pub use table::{DoubleDigits, DoubleTable};
pub use vector::Pair;

/// Most digits of a field in wide digits. Fields in narrow digits have more.
const MAX_WIDE: usize = 8;

/// Bits of a wide digit.
const WIDE: usize = 51;

/// Bits of a narrow digit.
const NARROW: usize = 24;

/// Returns the bits of a digit, which the number of a field's digits tells.
const fn width(digits: usize) -> usize {
    if digits <= MAX_WIDE {
        WIDE
    } else {
        NARROW
    }
}

/// Pairs of lanes in a vector.
pub const PAIRS: usize = 4;

/// An element at rest: the bits of its digits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Digits<const N: usize>([u64; N]);

/// Four pairs, each with its digits.
pub type Vector<E, const N: usize> = [[E; N]; PAIRS];

/// The lanes of primes of `W` words outside in `N` digits, on the pairs `E`.
#[derive(Clone, Copy, Debug)]
pub struct Doubles<E, const W: usize, const N: usize> {
    prime: &'static DoubleTable<N>,
    words: &'static WordTable<W>,
    instructions: PhantomData<E>,
}
