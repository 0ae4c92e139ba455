//! The quotient's values or coefficients: scalars for the points H.

use ark_ff::{BigInt, PrimeField};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use rayon::prelude::*;

use super::key::{Convention, ProvingKey};
use super::stages::Run;
use super::trace::Stage;
use crate::{Error, PairingCurve};

/// Rows that a task evaluates.
const ROWS: usize = 1 << 10;

impl<E: PairingCurve, K: ProvingKey<E>> Run<'_, E, K> {
    /// The scalars for the points H.
    pub(super) fn quotient(&self) -> Result<Vec<BigInt<4>>, Error> {
        let n = self.key.counts().domain_size;
        let mut a = vec![E::ScalarField::default(); n];
        let mut b = a.clone();
        a.par_chunks_mut(ROWS).zip(b.par_chunks_mut(ROWS)).enumerate().try_for_each(|(block, (a, b))| {
            self.check()?;
            self.record(Stage::Rows, || self.key.evaluate(block * ROWS, self.witness, a, b));
            Ok::<_, Error>(())
        })?;
        self.record(Stage::Quotient, || reference(&mut a, &mut b, K::CONVENTION));
        Ok(a[..self.key.counts().quotient].iter().map(|value| value.into_bigint()).collect())
    }
}

fn reference<F: PrimeField>(a: &mut Vec<F>, b: &mut Vec<F>, convention: Convention) {
    let n = a.len();
    let mut domain = Radix2EvaluationDomain::<F>::new(n).expect("a domain");
    let mut shift = F::get_root_of_unity(2 * n as u64).expect("two-adicity");
    if convention == Convention::Snarkjs {
        shift = F::from(5u64).pow(F::TRACE);
        for _ in n.ilog2() + 1..F::TWO_ADICITY {
            shift.square_in_place();
        }
        domain.group_gen = shift.square();
        domain.group_gen_inv = domain.group_gen.inverse().expect("not 0");
    }
    let coset = domain.get_coset(shift).expect("not zero");
    let mut c: Vec<F> = a.iter().zip(b.iter()).map(|(a, b)| *a * b).collect();
    for v in [&mut *a, &mut *b, &mut c] {
        domain.ifft_in_place(v);
        coset.fft_in_place(v);
    }
    for ((a, b), c) in a.iter_mut().zip(b.iter()).zip(&c) {
        *a = *a * b - c;
    }
    if convention == Convention::Arkworks {
        let minus_half = -F::from(2u64).inverse().expect("odd");
        a.iter_mut().for_each(|a| *a *= minus_half);
        coset.ifft_in_place(a);
    }
}
