//! Eight lanes of balanced 51-bit digits in doubles, over any [`Pair`]: WebAssembly's registers or their model.
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

/// Bits of a digit.
const WIDTH: usize = 51;

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
pub struct Radix51<E, const W: usize, const N: usize> {
    prime: &'static DoubleTable<N>,
    words: &'static WordTable<W>,
    instructions: PhantomData<E>,
}
