//! Satisfaction of a circuit by a witness.

use std::collections::BTreeSet;
use std::ops::Range;

use ark_ec::pairing::Pairing;
use ark_ff::{BigInt, PrimeField};
use bucketwheel::{Cancel, Progress};

use crate::file::{wire_names, Constraint, Constraints, FileError, LinearCombination, R1cs, Wtns};
use crate::memory::collect;
use crate::{parallel, with_pairing, Error, Signal, Unsatisfied};

/// Constraints that one task looks at.
const BLOCK: usize = 1 << 12;
/// Blocks between two looks at the cancellation.
const BLOCKS_AT_ONCE: usize = 64;
/// The most terms of a sum that are written.
const MAX_TERMS: usize = 4;
/// The longest name that is written, in characters.
const MAX_NAME: usize = 80;

/// Checks that the first value is 1 and that every constraint holds, on all threads of the current pool.
///
/// ```
/// # struct Silent;
/// # impl bucketwheel::Progress for Silent {
/// #     fn report(&self, _: usize, _: usize) {}
/// # }
/// use bucketwheel::Cancel;
/// use bucketwheel_groth16::file::{R1cs, Wtns};
/// use bucketwheel_groth16::{check_witness, check_witness_named};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
/// let (circuit, witness) = (std::fs::read(format!("{folder}/power.r1cs"))?, std::fs::read(format!("{folder}/power.wtns"))?);
/// let (circuit, witness) = (R1cs::parse(&circuit)?, Wtns::parse(&witness)?);
/// check_witness(&circuit, &witness, &Cancel::new(), &Silent)?;
/// check_witness_named(&circuit, &witness, None, &Cancel::new(), &Silent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Unsatisfied`] for the first constraint that does not hold; [`FileError::OtherCurve`],
/// [`Error::WitnessLength`] or [`Error::WitnessConstant`] if the witness is not for this circuit;
/// [`Error::OutOfMemory`]; [`bucketwheel::Error::Cancelled`].
pub fn check_witness(
    circuit: &R1cs<'_>,
    witness: &Wtns<'_>,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<(), Error> {
    check_witness_named(circuit, witness, None, cancel, progress)
}

/// Checks a witness as [`check_witness`] does, with the names of signals from a `.sym` file. The file is read only if a
/// constraint does not hold. Names that cannot be read are then left out.
///
/// # Errors
/// The errors of [`check_witness`].
pub fn check_witness_named(
    circuit: &R1cs<'_>,
    witness: &Wtns<'_>,
    symbols: Option<&[u8]>,
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
    with_pairing!(header.curve, E => {
        check::<<E as Pairing>::ScalarField>(circuit, &witness.to_vec()?, symbols, cancel, progress)
    })?
}

fn check<F: PrimeField<BigInt = BigInt<4>>>(
    circuit: &R1cs<'_>,
    witness: &[BigInt<4>],
    symbols: Option<&[u8]>,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let field = |integer: BigInt<4>| F::from_bigint(integer).unwrap_or_default();
    let witness: Vec<F> = collect(witness.len(), |index| field(witness[index]))?;
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
            let found = some[block].clone().nth(index).expect("found");
            let (text, signals) = describe(found, &witness, symbols);
            let constraint = (i * BLOCKS_AT_ONCE + block) * BLOCK + index;
            let [a, b, c, product] = [a, b, c, a * b].map(decimal);
            let unsatisfied = Unsatisfied { constraint, a, b, c, product, text, signals };
            return Err(Error::Unsatisfied(Box::new(unsatisfied)));
        }
        progress.report(blocks.len().min((i + 1) * BLOCKS_AT_ONCE), blocks.len());
    }
    Ok(())
}

/// Returns a constraint in the names of its signals, and their values.
fn describe<F: PrimeField<BigInt = BigInt<4>>>(
    constraint: Constraint<'_>,
    witness: &[F],
    symbols: Option<&[u8]>,
) -> (String, Vec<Signal>) {
    let sums = [constraint.a, constraint.b, constraint.c];
    let shown = sums.into_iter().flat_map(|sum| sum.terms().take(MAX_TERMS));
    let wires: BTreeSet<u32> = shown.map(|(wire, _)| wire).filter(|&wire| wire != 0).collect();
    let known = symbols.and_then(|symbols| wire_names(symbols, &wires).ok()).unwrap_or_default();
    let name = |wire: u32| match known.get(&wire) {
        Some(name) => name.chars().take(MAX_NAME).collect(),
        None => format!("w{wire}"),
    };
    let factor = |sum: LinearCombination<'_>| match sum.len() {
        0 | 1 => written::<F>(sum, &name),
        _ => format!("({})", written::<F>(sum, &name)),
    };
    let [a, b, c] = sums;
    let text = format!("{} * {} = {}", factor(a), factor(b), written::<F>(c, &name));
    let signal = |&wire: &u32| Signal { name: name(wire), value: decimal(witness[wire as usize]) };
    (text, wires.iter().map(signal).collect())
}

/// Returns a sum, as `main.a - 2*main.b + 1`, without its terms beyond the first few.
fn written<F: PrimeField<BigInt = BigInt<4>>>(
    sum: LinearCombination<'_>,
    name: &dyn Fn(u32) -> String,
) -> String {
    let mut text = String::new();
    for (wire, coefficient) in sum.terms().take(MAX_TERMS) {
        let coefficient = decimal(F::from_bigint(coefficient).unwrap_or_default());
        let (sign, magnitude) = match coefficient.strip_prefix('-') {
            Some(magnitude) => ("-", magnitude),
            None => ("+", coefficient.as_str()),
        };
        match (text.is_empty(), sign) {
            (true, "+") => {}
            (true, sign) => text.push_str(sign),
            (false, sign) => text.extend([" ", sign, " "]),
        }
        match (wire, magnitude) {
            (0, magnitude) => text.push_str(magnitude),
            (wire, "1") => text.push_str(&name(wire)),
            (wire, magnitude) => text.extend([magnitude, "*", &name(wire)]),
        }
    }
    match sum.len() {
        0 => text.push('0'),
        terms if terms > MAX_TERMS => text.push_str(&format!(" + {} more terms", terms - MAX_TERMS)),
        _ => {}
    }
    text
}

/// Returns a value in decimal, with a sign if it is less than 2^64 below zero.
fn decimal<F: PrimeField<BigInt = BigInt<4>>>(value: F) -> String {
    match (-value).into_bigint() {
        BigInt([small @ (1..), 0, 0, 0]) => format!("-{small}"),
        _ => value.to_string(),
    }
}
