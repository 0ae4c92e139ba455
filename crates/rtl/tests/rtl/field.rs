//! Integer and modular multipliers, additions: true RTL and models, against big integers.

use crate::numbers::{below, random};
use crate::pipeline::{check_pipeline, check_pipeline_by, pack, words};
use ark_ff::{BigInteger, PrimeField};
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

/// Returns operands of this number of bits: corner cases, then random operands.
fn integers(bits: u64, rng: &mut impl Rng) -> Vec<(BigUint, BigUint)> {
    let one = BigUint::from(1u32);
    let all = (&one << bits) - &one;
    let corners =
        [BigUint::default(), one.clone(), all.clone(), &one << (bits - 1), &all >> (bits / 2), &all - &one];
    let mut pairs: Vec<_> =
        corners.iter().flat_map(|a| corners.iter().map(move |b| (a.clone(), b.clone()))).collect();
    let bound = all + one;
    pairs.extend((0..200).map(|_| (below(&bound, rng), below(&bound, rng))));
    pairs
}

fn check_integers(name: &str, bits: u64, latency: usize, expected: impl Fn(&BigUint, &BigUint) -> BigUint) {
    let mut rng = random();
    let cases: Vec<_> = integers(bits, &mut rng)
        .into_iter()
        .map(|(a, b)| (pack(&[(&a, bits), (&b, bits)]), expected(&a, &b)))
        .collect();
    let mut bench = Bench::new(name);
    assert_eq!(bench.latency(), latency, "{name}");
    check_pipeline(&mut bench, name, 2 * bits, 2 * bits, &cases, &mut rng);
}

#[test]
fn integer_multipliers() {
    check_integers("karatsuba_384_3", 384, 13, |a, b| a * b);
    check_integers("karatsuba_384_4", 384, 15, |a, b| a * b);
    check_integers("karatsuba_37_2", 37, 8, |a, b| a * b);
    check_integers("hybrid_256", 256, 16, |a, b| a * b);
}

#[test]
fn low_halves() {
    let low = |bits: u64| move |a: &BigUint, b: &BigUint| a * b % (BigUint::from(1u32) << bits);
    check_integers("hybrid_low_256", 256, 14, low(256));
    check_integers("short_84", 84, 6, low(84));
}

/// The result is less than the product, by less than the range of the lower half.
#[test]
fn high_half() {
    let (name, bits) = ("hybrid_high_256", 256);
    let mut rng = random();
    let cases: Vec<_> =
        integers(bits, &mut rng).into_iter().map(|(a, b)| (pack(&[(&a, bits), (&b, bits)]), a * b)).collect();
    let mut bench = Bench::new(name);
    assert_eq!(bench.latency(), 15, "{name}");
    check_pipeline_by(&mut bench, name, 2 * bits, 2 * bits, &cases, &mut rng, |found, product| {
        let found = BigUint::from_slice(&found[..2 * bits as usize / 32]);
        let right = found <= *product && product - &found < BigUint::from(1u32) << bits;
        right.then_some(()).ok_or_else(|| format!("{found:x} for {product:x}"))
    });
}

#[test]
fn constant_multiplier() {
    let constant = BigUint::parse_bytes(b"1deadbeef0badc0de12345677", 16).unwrap();
    check_integers("constant_97", 97, 6, |a, _| a * &constant);
}

/// Returns operands up to 2p - 1, which multipliers take although they are not canonical.
fn residues(p: &BigUint, bound: &BigUint, rng: &mut impl Rng) -> Vec<(BigUint, BigUint)> {
    let one = BigUint::from(1u32);
    let corners = [BigUint::default(), one.clone(), p - &one, p.clone(), p + &one, bound - &one];
    let corners: Vec<_> = corners.into_iter().filter(|corner| corner < bound).collect();
    let mut pairs: Vec<_> =
        corners.iter().flat_map(|a| corners.iter().map(move |b| (a.clone(), b.clone()))).collect();
    pairs.extend((0..200).map(|_| (below(bound, rng), below(bound, rng))));
    pairs
}

/// Range of the operands of a unit.
#[derive(Clone, Copy)]
enum Residues {
    /// Below 2p.
    Lazy,
    /// Below p.
    Reduced,
}

fn check_residues<F: PrimeField>(
    name: &str,
    range: Residues,
    latency: usize,
    expected: impl Fn(&BigUint, &BigUint, &BigUint) -> BigUint,
) {
    let mut rng = random();
    let p: BigUint = F::MODULUS.into();
    let word = (F::MODULUS.num_bits() as u64 + 2).next_multiple_of(64);
    let bound = match range {
        Residues::Lazy => &p * 2u32,
        Residues::Reduced => p.clone(),
    };
    let cases: Vec<_> = residues(&p, &bound, &mut rng)
        .into_iter()
        .map(|(a, b)| (pack(&[(&a, word), (&b, word)]), expected(&a, &b, &p)))
        .collect();
    let mut bench = Bench::new(name);
    assert_eq!(bench.latency(), latency, "{name}");
    check_pipeline(&mut bench, name, 2 * word, word, &cases, &mut rng);
}

/// Returns `a b / R` by arkworks' own arithmetic: the numbers are read as elements, R as a power of two.
fn montgomery<F: PrimeField>(a: &BigUint, b: &BigUint, _: &BigUint) -> BigUint {
    let word = (F::MODULUS.num_bits() as u64 + 2).next_multiple_of(64);
    let r = F::from(2u32).pow([word]);
    (F::from(a.clone()) * F::from(b.clone()) / r).into_bigint().into()
}

fn product<F: PrimeField>(a: &BigUint, b: &BigUint, _: &BigUint) -> BigUint {
    (F::from(a.clone()) * F::from(b.clone())).into_bigint().into()
}

#[test]
fn montgomery_multipliers() {
    check_residues::<ark_bls12_377::Fq>(
        "montgomery_377_3",
        Residues::Lazy,
        39,
        montgomery::<ark_bls12_377::Fq>,
    );
    check_residues::<ark_bls12_377::Fq>(
        "montgomery_377_model",
        Residues::Lazy,
        39,
        montgomery::<ark_bls12_377::Fq>,
    );
    check_residues::<ark_bn254::Fq>("montgomery_254_hybrid", Residues::Lazy, 39, montgomery::<ark_bn254::Fq>);
    check_residues::<ark_bn254::Fq>("montgomery_254_model", Residues::Lazy, 39, montgomery::<ark_bn254::Fq>);
}

#[test]
fn barrett_multipliers() {
    check_residues::<ark_bls12_377::Fq>("barrett_377_4", Residues::Lazy, 39, product::<ark_bls12_377::Fq>);
    check_residues::<ark_bls12_377::Fq>(
        "barrett_377_model",
        Residues::Lazy,
        39,
        product::<ark_bls12_377::Fq>,
    );
    check_residues::<ark_bn254::Fq>("barrett_254_model", Residues::Lazy, 39, product::<ark_bn254::Fq>);
}

#[test]
fn additions() {
    check_residues::<ark_bls12_377::Fq>("mod_add", Residues::Reduced, 4, |a, b, p| (a + b) % p);
    check_residues::<ark_bls12_377::Fq>("mod_sub", Residues::Reduced, 1, |a, b, p| (p + a - b) % p);
    check_residues::<ark_bls12_377::Fq>("lazy_add", Residues::Reduced, 3, |a, b, _| a + b);
    check_residues::<ark_bls12_377::Fq>("lazy_sub", Residues::Reduced, 2, |a, b, p| p + a - b);
}

/// Inverts operands as soon as the unit is ready, or at random times; some inversions end in a reset. Each inverse comes after
/// the bench's latency and equals arkworks'.
fn check_inverses<F: PrimeField>(name: &str, steps: usize) {
    let mut rng = random();
    let p: BigUint = F::MODULUS.into();
    let (one, word) = (BigUint::from(1u32), (F::MODULUS.num_bits() as u64 + 2).next_multiple_of(64));
    let half = (&p + &one) >> 1;
    let corners = [
        BigUint::default(),
        one.clone(),
        one.clone() + &one,
        &p - &one,
        half,
        (&one << (p.bits() - 1)) - &one,
    ];
    let operands: Vec<BigUint> = corners.into_iter().chain((0..60).map(|_| below(&p, &mut rng))).collect();
    let mut bench = Bench::new(name);
    let latency = bench.latency();
    assert_eq!(latency, steps + 3, "{name}");
    // Inverses by the cycle in which they are due, and the first cycle in which the unit is ready again.
    let mut due: Vec<(usize, BigUint)> = Vec::new();
    let (mut next, mut ready, mut resets) = (0, 0, 0);
    for cycle in 0.. {
        if next == operands.len() && due.is_empty() {
            break;
        }
        let reset = next % 16 == 8 && resets < next / 16 + 1 && rng.gen_bool(0.01);
        let offered = next < operands.len() && !reset && (next % 2 == 0 || rng.gen_bool(0.05));
        let data = offered.then(|| words(&operands[next], word));
        let outputs = bench.cycle(Inputs { reset, ready: true, data: data.as_deref() });
        assert!(reset || outputs.ready == (cycle >= ready), "{name}: ready in cycle {cycle}");
        let wanted = due.first().filter(|(then, _)| *then == cycle).map(|(_, inverse)| inverse.clone());
        assert_eq!(outputs.data.map(|found| BigUint::from_slice(&found)), wanted, "{name}, cycle {cycle}");
        due.retain(|(then, _)| *then > cycle);
        if offered && cycle >= ready {
            let inverse = F::from(operands[next].clone()).inverse().unwrap_or_default();
            due.push((cycle + latency, inverse.into_bigint().into()));
            (next, ready) = (next + 1, cycle + steps + 1);
        }
        if reset {
            due.clear();
            (resets, ready) = (resets + 1, cycle + 1);
        }
    }
    assert!(resets > 0, "{name}: no inversion met a reset");
    assert!(!bench.failed(), "{name}: an assertion of the RTL failed");
}

#[test]
fn inverses() {
    check_inverses::<ark_bls12_377::Fq>("inverse_377", 869);
    check_inverses::<ark_bn254::Fq>("inverse_254", 586);
}
