//! The cycle models: their points, their counts, the papers' figures, their errors.

mod corruption;
mod designs;
mod errors;
mod explore;
mod figures;
mod memory;
mod msmac;
mod points;
mod reclaimer;
mod runtime;

use ark_ff::{BigInteger, PrimeField};
use bucketwheel::Control;
use bucketwheel_hardware::{configure, Error, Group, Model, Outcome, Report, Scalar};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Returns uniform scalars below the order of `F`.
fn uniform<F: PrimeField>(count: usize, seed: u64) -> Vec<Scalar> {
    let rng = &mut StdRng::seed_from_u64(seed);
    let order: Scalar = F::MODULUS
        .to_bytes_le()
        .as_chunks::<8>()
        .0
        .iter()
        .map(|&word| u64::from_le_bytes(word))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let below = |scalar: &Scalar| scalar.iter().rev().lt(order.iter().rev());
    let mask = u64::MAX >> (256 - F::MODULUS_BIT_SIZE);
    let mut draw = || loop {
        let mut scalar: Scalar = rng.gen();
        scalar[3] &= mask;
        if below(&scalar) {
            return scalar;
        }
    };
    (0..count).map(|_| draw()).collect()
}

/// Returns a design with these settings.
fn model<M: Model>(settings: &[(&str, &str)]) -> Result<M, Error> {
    let owned: Vec<_> = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    configure(M::default(), &owned)
}

fn simulate<M: Model, G: Group>(settings: &[(&str, &str)], points: &[G], tasks: &[&[Scalar]]) -> Outcome<G> {
    model::<M>(settings).unwrap().simulate(points, tasks, &Control::new(None, None, None)).unwrap()
}

/// Returns the counts of a simulation without points.
fn count<M: Model>(settings: &[(&str, &str)], scalars: &[Scalar]) -> Report {
    simulate::<M, ()>(settings, &vec![(); scalars.len()], &[scalars]).report
}
