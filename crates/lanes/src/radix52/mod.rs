//! Eight lanes of unsigned 52-bit digits, over any [`Eight`]: the AVX-512 registers or their model.
//!
//! Vectors have exact digits (less than 2^52, except the last digit, which holds the rest) of a value in `0..2.7p`. A
//! `Sum` has signed digits. At rest, eight digits fill a cache line and fifteen digits two. Five digits are packed into
//! four words, half a cache line.

mod at_rest;
mod kernels;
mod lanes;
mod table;
mod vector;

use core::marker::PhantomData;

use crate::prime::WordTable;

pub use at_rest::{AtRest, Digits, Packed, TwoLines};
pub use kernels::Kernels;
pub use lanes::Constant;
pub use table::{Digits52, IfmaTable};
pub use vector::Eight;

/// Bits of a digit.
const WIDTH: usize = 52;

/// The IFMA backend of primes of `W` words outside in `N` digits, on the words `E`.
#[derive(Clone, Copy, Debug)]
pub struct Radix52<E, const W: usize, const N: usize> {
    prime: &'static IfmaTable<N>,
    words: &'static WordTable<W>,
    instructions: PhantomData<E>,
}
