//! The quotient's values or coefficients: scalars for the points H.

use ark_ff::BigInt;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use bucketwheel::{Control, Progress};

use super::key::{Convention, ProvingKey};
use super::meter::{Phase, Share};
use super::stages::Run;
use super::trace::Stage;
use crate::ntt::{self, Domain, Elements, TransformField, TransformOptions};
use crate::{Error, PairingCurve};

/// Rows that a task evaluates.
const ROWS: usize = 1 << 10;

impl<E: PairingCurve, K: ProvingKey<E>> Run<'_, E, K> {
    /// Returns the scalars for the points H, followed by `others`.
    pub(super) fn quotient_and(&self, others: &[BigInt<4>]) -> Result<Box<dyn AsRef<[BigInt<4>]>>, Error> {
        let counts = self.key.counts();
        let domain = domain::<E::ScalarField>(counts.domain_size, K::CONVENTION)?;
        let mut evaluations = domain.evaluations_and(others.len())?;
        let [a, b] = evaluations.elements();
        let mut blocks: Vec<_> = split(a).zip(split(b)).collect();
        Control::new(None, None, None).chunks(&mut blocks, 1, |block, elements| {
            self.check()?;
            let [(a, b)] = elements else { unreachable!("chunks of one") };
            self.record(Stage::Rows, || self.rows(block * ROWS, a, b));
            self.release(&[Stage::Rows]);
            let share = Share { stages: &[Stage::Rows], part: (a.len(), counts.domain_size) };
            self.watch(share, Phase::Compute).report(1, 1);
            Ok::<_, Error>(())
        })?;
        let watch = self.watch(Share::whole(&[Stage::Quotient]), Phase::Compute);
        let options = TransformOptions { cancel: self.options.cancel, progress: Some(&watch), threads: None };
        let mut values = evaluations.quotient(&options)?.values;
        // Transforms report none of their steps.
        watch.report(1, 1);
        Ok(match K::CONVENTION {
            Convention::Snarkjs => {
                values.extend(others);
                Box::new(values)
            }
            Convention::Arkworks => {
                let values = coefficients::<E::ScalarField>(values.as_ref().iter().copied());
                let mut values = values.expect("integers of a domain that has a coset");
                values.extend_from_slice(others);
                Box::new(values)
            }
        })
    }

    /// Writes the rows of A and B from `first` on, times the witness.
    fn rows<'a>(&self, first: usize, a: &mut Elements<'a>, b: &mut Elements<'a>) {
        let mut values = [(); 2].map(|()| vec![E::ScalarField::default(); a.len()]);
        let [values_a, values_b] = &mut values;
        self.key.evaluate(first, self.witness, values_a, values_b);
        for (elements, values) in [(a, &values[0]), (b, &values[1])] {
            for (i, value) in values.iter().enumerate() {
                *elements.at(i) = value.montgomery_words();
            }
        }
    }
}

/// Blocks of at most [`ROWS`] elements, in their order.
fn split(elements: Elements<'_>) -> impl Iterator<Item = Elements<'_>> {
    let mut rest = Some(elements);
    std::iter::from_fn(move || {
        let elements = rest.take()?;
        if elements.len() <= ROWS {
            return Some(elements);
        }
        let (block, others) = elements.split_at(ROWS);
        rest = Some(others);
        Some(block)
    })
}

fn domain<F: TransformField>(size: usize, convention: Convention) -> Result<Domain<F>, Error> {
    let (log_size, backend) = (size.ilog2(), bucketwheel::default_backend()?);
    Ok(match convention {
        Convention::Snarkjs => Domain::new(log_size, backend)?,
        Convention::Arkworks => {
            let shift = F::get_root_of_unity(2 * size as u64);
            let max = F::TWO_ADICITY - 1;
            let shift = shift.ok_or(ntt::Error::Domain { log_size, max })?;
            Domain::with_root(log_size, backend, shift.square(), shift)?
        }
    })
}

/// Returns the coefficients of the polynomial that has these values, divided by z, on arkworks' odd coset, where z is
/// -2 everywhere.
/// Uses arkworks' own transform, since only arkworks' keys need these coefficients.
fn coefficients<F: TransformField<BigInt = BigInt<4>>>(
    values: impl Iterator<Item = BigInt<4>>,
) -> Option<Vec<BigInt<4>>> {
    let minus_half = -F::from(2u64).inverse()?;
    let mut values: Vec<F> =
        values.map(|value| F::from_bigint(value).map(|value| value * minus_half)).collect::<Option<_>>()?;
    let n = values.len();
    let coset = Radix2EvaluationDomain::<F>::new(n)?.get_coset(F::get_root_of_unity(2 * n as u64)?)?;
    coset.ifft_in_place(&mut values);
    // There is one coefficient less than values: the last one is 0.
    values.pop();
    Some(values.iter().map(F::to_integer).collect())
}
