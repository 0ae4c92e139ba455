//! Satisfaction of a circuit by a witness.

use std::ops::Range;

use ark_ec::pairing::Pairing;
use ark_ff::{BigInt, PrimeField};
use bucketwheel::{Cancel, Progress};
use rayon::prelude::*;

use crate::file::{Constraint, Constraints, FileError, LinearCombination, R1cs, Wtns};
use crate::memory::collect;
use crate::{parallel, with_curve, Error};

/// A constraint that does not hold, and the values of its parts as decimals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "constraint {constraint} does not hold: A is {a}, B is {b} and C is {c}: expected C to be {product}, \
     the product of A and B; calculate the witness again, with this circuit"
)]
pub struct Unsatisfied {
    /// The first such constraint.
    pub constraint: usize,
    /// The left factor.
    pub a: String,
    /// The right factor.
    pub b: String,
    /// Value of C, which should be the product.
    pub c: String,
    /// The product.
    pub product: String,
}

/// Constraints that one task looks at.
const BLOCK: usize = 1 << 12;
/// Blocks between two looks at the cancellation.
const BLOCKS_AT_ONCE: usize = 64;

/// Checks that the first value is 1 and that every constraint holds, on all threads of the current pool.
///
/// # Errors
/// [`Error::Unsatisfied`] for the first constraint that does not hold; [`FileError::OtherCurve`],
/// [`Error::WitnessLength`] or [`Error::WitnessConstant`] if the witness is none of this circuit; [`Error::OutOfMemory`];
/// [`bucketwheel::Error::Cancelled`].
pub fn check_witness(
    circuit: &R1cs<'_>,
    witness: &Wtns<'_>,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let header = &circuit.header;
    if witness.curve() != header.curve {
        return Err(FileError::OtherCurve { expected: header.curve, found: witness.curve() }.into());
    }
    if witness.len() != header.wires {
        return Err(Error::WitnessLength { found: witness.len(), expected: header.wires });
    }
    if witness.iter().next().is_some_and(|value| value != BigInt::from(1u64)) {
        return Err(Error::WitnessConstant);
    }
    with_curve!(header.curve, E => {
        check::<<E as Pairing>::ScalarField>(circuit, &witness.to_vec()?, cancel, progress)
    })?
}

fn check<F: PrimeField<BigInt = BigInt<4>>>(
    circuit: &R1cs<'_>,
    witness: &[BigInt<4>],
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let field = |integer: BigInt<4>| F::from_bigint(integer).unwrap_or_default();
    let witness: Vec<F> = collect(witness.par_iter().map(|&value| field(value)))?;
    let value = |combination: LinearCombination<'_>| -> F {
        combination.terms().map(|(wire, coefficient)| field(coefficient) * witness[wire as usize]).sum()
    };
    let values = |constraint: Constraint<'_>| [constraint.a, constraint.b, constraint.c].map(value);
    let blocks = circuit.blocks(BLOCK);
    for (i, some) in blocks.chunks(BLOCKS_AT_ONCE).enumerate() {
        if cancel.is_cancelled() {
            return Err(bucketwheel::Error::Cancelled.into());
        }
        let unsatisfied = |constraints: &Constraints<'_>| {
            constraints.clone().map(values).enumerate().find(|(_, [a, b, c])| *a * b != *c)
        };
        let find = |mut blocks: Range<usize>| blocks.find(|&block| unsatisfied(&some[block]).is_some());
        if let Some(block) = parallel::find_first(some.len(), 1, find) {
            let (index, [a, b, c]) = unsatisfied(&some[block]).expect("found");
            let constraint = (i * BLOCKS_AT_ONCE + block) * BLOCK + index;
            let [a, b, c, product] = [a, b, c, a * b].map(|value| value.to_string());
            return Err(Error::Unsatisfied(Box::new(Unsatisfied { constraint, a, b, c, product })));
        }
        progress.report(blocks.len().min((i + 1) * BLOCKS_AT_ONCE), blocks.len());
    }
    Ok(())
}
