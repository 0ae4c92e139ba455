//! The chains of batches of differences: their products there, and the inverses on the way back, against arkworks.

use std::collections::VecDeque;

use ark_bls12_377::Fq;
use ark_ff::{Field, PrimeField, Zero};
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

use crate::numbers::{below, random};
use crate::pipeline::{pack, words};

const WORD: u64 = 384;

/// Returns an element in Montgomery form.
fn form(element: Fq) -> BigUint {
    (element * Fq::from(2u32).pow([WORD])).into_bigint().into()
}

/// Takes the first number if it is due in this cycle.
fn take(numbers: &mut VecDeque<(usize, BigUint)>, cycle: usize) -> Option<BigUint> {
    let is_due = numbers.front().is_some_and(|(due, _)| *due == cycle);
    is_due.then(|| numbers.pop_front()).flatten().map(|(_, number)| number)
}

/// Runs batches back to back. The inverses of the chains' products come back after `delay` cycles, at least a batch apart.
fn check_batches(name: &str, batch: usize, chains: usize, delay: usize) {
    /// Batches whose inverses all come back.
    const BATCHES: usize = 6;
    let mut rng = random();
    let p: BigUint = Fq::MODULUS.into();
    let mut differences = Vec::new();
    for place in 0..BATCHES * batch {
        // A place that is not used has 1; a batch of nothing else is among them.
        let unused = place / batch == 2 || rng.gen_bool(0.2);
        let element = if unused { Fq::from(1u32) } else { Fq::from(below(&p, &mut rng)) };
        differences.push(if element.is_zero() { -Fq::from(1u32) } else { element });
    }
    let product = |number: usize, chain: usize| -> Fq {
        differences[number * batch..][..batch].iter().skip(chain).step_by(chains).product()
    };
    let mut bench = Bench::new(name);
    let latency = bench.latency();
    // Inverses by the cycle in which they come back; expected outputs by cycle.
    let mut inverses: VecDeque<(usize, BigUint)> = VecDeque::new();
    let mut expected: VecDeque<(usize, BigUint)> = VecDeque::new();
    let (mut products, mut found) = (0, 0);
    let mut cycle = 0;
    while found < differences.len() {
        let d = form(differences.get(cycle).copied().unwrap_or(Fq::from(1u32)));
        let inverse = take(&mut inverses, cycle);
        let flag = BigUint::from(u32::from(inverse.is_some()));
        let input = pack(&[(&d, WORD), (&inverse.unwrap_or_default(), WORD), (&flag, 32)]);
        let outputs =
            bench.cycle(Inputs { reset: false, ready: true, data: Some(&words(&input, 2 * WORD + 32)) });
        let data = outputs.data.expect("always");
        let number = |first: usize| BigUint::from_slice(&data[first..][..WORD as usize / 32]);
        let half = data.len() / 2;
        if data[half - 1] == 1 && products < BATCHES * chains {
            let (of, chain) = (products / chains, products % chains);
            let last = of * batch + batch - chains + chain;
            assert_eq!(cycle, last + latency, "{name}: product {chain} of batch {of}");
            let product = product(of, chain);
            assert_eq!(number(0), form(product), "{name}: product {chain} of batch {of}");
            inverses.push_back((cycle + delay, form(product.inverse().unwrap())));
            products += 1;
            if chain == 0 {
                for (row, column) in
                    (0..batch / chains).rev().flat_map(|row| (0..chains).map(move |c| (row, c)))
                {
                    let place = row * chains + column;
                    let out = cycle + delay + latency + batch - chains - row * chains + column;
                    let inverse = differences[of * batch + place].inverse().unwrap();
                    expected.push_back((out, form(inverse)));
                }
            }
        }
        let wanted = take(&mut expected, cycle);
        assert_eq!((data[2 * half - 1] == 1).then(|| number(half)), wanted, "{name}: cycle {cycle}");
        found += usize::from(wanted.is_some());
        cycle += 1;
    }
    assert!(!bench.failed(), "{name}: an assertion of the RTL failed");
}

#[test]
fn batches_are_inverted() {
    check_batches("batch_chains", 1024, 64, 2200);
    check_batches("batch_chains_short", 32, 8, 40);
    // The first inverse comes back in the cycle after its product.
    check_batches("batch_chains_short", 32, 8, 1);
}
