//! The circuit's polynomials at one point.

use ark_ff::{batch_inversion, PrimeField};
use rayon::prelude::*;
use zeroize::Zeroizing;

use crate::file::{Constraint, LinearCombination, R1cs};

/// Values that one task computes.
const BLOCK: usize = 1 << 12;

/// Values at tau of Lagrange basis polynomials of the domain of `2^log_size` elements: of those that are 1 at
/// `first`, `first step`, `first step^2` and so on, elements of the domain. With N its size, the one of x is
/// `(tau^N - 1) / N * x / (tau - x)`. Tau is no element.
pub fn lagrange<F: PrimeField>(log_size: u32, first: F, step: F, count: usize, tau: F) -> Zeroizing<Vec<F>> {
    let size = F::from(2u64).pow([u64::from(log_size)]);
    let factor = (tau.pow([1 << log_size]) - F::ONE) / size;
    let mut values = Zeroizing::new(vec![F::ZERO; count]);
    values.par_chunks_mut(BLOCK).enumerate().for_each(|(block, values)| {
        let start = first * step.pow([(block * BLOCK) as u64]);
        let mut x = start;
        for value in values.iter_mut() {
            *value = tau - x;
            x *= step;
        }
        batch_inversion(values);
        let mut scaled = factor * start;
        for value in values.iter_mut() {
            *value *= scaled;
            scaled *= step;
        }
    });
    values
}

/// For each wire, the sum over all rows of its coefficient times the row's value, in the linear combinations that
/// `pick` takes.
pub fn column_sums<F: PrimeField<BigInt = ark_ff::BigInt<4>>>(
    circuit: &R1cs<'_>,
    rows: &[F],
    pick: impl for<'b> Fn(Constraint<'b>) -> LinearCombination<'b>,
) -> Zeroizing<Vec<F>> {
    let one = ark_ff::BigInt::from(1u64);
    let mut sums = Zeroizing::new(vec![F::ZERO; circuit.header.wires]);
    for (constraint, row) in circuit.constraints().zip(rows) {
        for (wire, coefficient) in pick(constraint).terms() {
            sums[wire as usize] += match coefficient == one {
                true => *row,
                false => F::from_bigint(coefficient).expect("the reader checked it") * row,
            };
        }
    }
    sums
}
