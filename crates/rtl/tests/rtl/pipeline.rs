//! Helpers of the pipelines' tests: numbers in words, and the check of a pipeline.

use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

/// Returns a number in words of 32 bits, lowest first, filled up with zeros to this number of bits.
pub fn words(number: &BigUint, bits: u64) -> Vec<u32> {
    assert!(number.bits() <= bits);
    let mut words = number.to_u32_digits();
    words.resize(bits.div_ceil(32) as usize, 0);
    words
}

/// Packs numbers next to each other, each in its number of bits, the first number lowest.
pub fn pack(fields: &[(&BigUint, u64)]) -> BigUint {
    fields.iter().rev().fold(BigUint::default(), |all, (number, bits)| {
        assert!(number.bits() <= *bits);
        (all << *bits) + *number
    })
}

/// Sends operands through a pipeline with a tag of 32 bits above them and judges the results. Each result must come
/// with its tag and after exactly the latency that the bench states: back to back, then with random bubbles, then
/// with a reset in flight, after which no result from before may come.
///
/// A case is the operands (of `in_bits`) and the value with which `judge` compares the words of the result (of
/// `out_bits`).
pub fn check_pipeline_by<E>(
    bench: &mut Bench,
    name: &str,
    in_bits: u64,
    out_bits: u64,
    cases: &[(BigUint, E)],
    rng: &mut impl Rng,
    judge: impl Fn(&[u32], &E) -> Result<(), String>,
) {
    let latency = bench.latency();
    for pass in ["back to back", "with bubbles", "with a reset"] {
        // Expected outputs, by the cycle of their input.
        let mut due: Vec<Option<(usize, u32)>> = Vec::new();
        let mut next = 0;
        while next < cases.len() || due.iter().rev().take(latency).any(Option::is_some) {
            let now = due.len();
            let reset = pass == "with a reset" && next == cases.len() / 2;
            let bubble = next == cases.len() || (pass != "back to back" && rng.gen_bool(0.3));
            let sent = (!bubble && !reset).then(|| (next, rng.gen::<u32>()));
            let data = sent.map(|(case, tag)| {
                let tag = BigUint::from(tag) << in_bits;
                words(&(tag + &cases[case].0), in_bits + 32)
            });
            let outputs = bench.cycle(Inputs { reset, ready: true, data: data.as_deref() });
            due.push(sent);
            next += usize::from(sent.is_some() || reset);

            let wanted = now.checked_sub(latency).and_then(|then| due[then]);
            match (outputs.data, wanted) {
                (Some(found), Some((case, tag))) => {
                    let all = BigUint::from_slice(&found) >> out_bits;
                    assert_eq!(all, BigUint::from(tag), "{name} {pass}: the tag of case {case}, cycle {now}");
                    if let Err(message) = judge(&found, &cases[case].1) {
                        panic!("{name} {pass}: case {case}, cycle {now}: {message}");
                    }
                }
                (None, None) => {}
                (found, wanted) => panic!("{name} {pass}: cycle {now}: {found:x?} for case {wanted:?}"),
            }
            if reset {
                due.iter_mut().for_each(|due| *due = None);
            }
        }
    }
    assert!(!bench.failed(), "{name}: an assertion of the RTL failed");
}

/// Like [`check_pipeline_by`], for results that are known to the bit.
pub fn check_pipeline(
    bench: &mut Bench,
    name: &str,
    in_bits: u64,
    out_bits: u64,
    cases: &[(BigUint, BigUint)],
    rng: &mut impl Rng,
) {
    let mask = (BigUint::from(1u32) << out_bits) - 1u32;
    check_pipeline_by(bench, name, in_bits, out_bits, cases, rng, |found, expected| {
        let found = BigUint::from_slice(found) & &mask;
        (found == *expected).then_some(()).ok_or_else(|| format!("{found:x} instead of {expected:x}"))
    });
}
