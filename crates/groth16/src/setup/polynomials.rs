//! The circuit's polynomials at one point.

use ark_ff::{batch_inversion, PrimeField};
use zeroize::Zeroizing;

use crate::file::{Constraint, LinearCombination, R1cs};
use crate::memory::with_room;
use crate::{parallel, Error};

/// Values that one task computes.
const BLOCK: usize = 1 << 12;

/// Returns `count` zeros, which are wiped when dropped.
fn zeros<F: PrimeField>(count: usize) -> Result<Zeroizing<Vec<F>>, Error> {
    let mut values = Zeroizing::new(with_room(count)?);
    values.resize(count, F::ZERO);
    Ok(values)
}

/// Returns the values at tau of Lagrange basis polynomials of the domain of `2^log_size` elements: the polynomials that
/// are 1 at `first`, `first step`, `first step^2` and so on, elements of the domain. With N the domain's size, the
/// polynomial of x has the value `(tau^N - 1) / N * x / (tau - x)`. Tau must not be an element of the domain.
pub fn lagrange<F: PrimeField>(
    log_size: u32,
    first: F,
    step: F,
    count: usize,
    tau: F,
) -> Result<Zeroizing<Vec<F>>, Error> {
    let size = F::from(2u64).pow([u64::from(log_size)]);
    let factor = (tau.pow([1 << log_size]) - F::ONE) / size;
    let mut values = zeros(count)?;
    parallel::chunks(&mut values, BLOCK, |block, values| {
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
    Ok(values)
}

/// Returns, for each wire, the sum over all rows of the wire's coefficient times the row's value, in the linear
/// combinations that `pick` takes.
pub fn column_sums<F: PrimeField<BigInt = ark_ff::BigInt<4>>>(
    circuit: &R1cs<'_>,
    rows: &[F],
    pick: for<'b> fn(Constraint<'b>) -> LinearCombination<'b>,
) -> Result<Zeroizing<Vec<F>>, Error> {
    let one = ark_ff::BigInt::from(1u64);
    let mut sums = zeros::<F>(circuit.header.wires)?;
    for (constraint, row) in circuit.constraints().zip(rows) {
        for (wire, coefficient) in pick(constraint).terms() {
            sums[wire as usize] += match coefficient == one {
                true => *row,
                false => F::from_bigint(coefficient).expect("the reader checked it") * row,
            };
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntt::TransformField;
    use ark_bls12_381::Fr;
    use ark_ff::{Field, UniformRand};
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn bases_represent_polynomials() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let tau = Fr::rand(&mut rng);
        // The largest size is more than a block.
        for log_size in [1, 2, 5, 13] {
            let root = Fr::root_of_unity(log_size);
            let count = 1 << log_size;
            let basis = lagrange(log_size, Fr::ONE, root, count, tau).unwrap();
            // 1, x and x^(N - 1), by their values on the domain.
            for exponent in [0, 1, count as u64 - 1] {
                let values = (0..count as u64).map(|i| root.pow([i * exponent]));
                let at_tau: Fr = values.zip(basis.iter()).map(|(value, basis)| value * basis).sum();
                assert_eq!(at_tau, tau.pow([exponent]), "x^{exponent}, 2^{log_size} elements");
            }
            // The odd half comes alone, from the same basis.
            let odd = lagrange(log_size, root, root.square(), count / 2, tau).unwrap();
            assert!(odd.iter().eq(basis.iter().skip(1).step_by(2)));
        }
    }
}
