//! Curve adders against arkworks: the twisted Edwards adders over BLS12-377, the complete projective adder over BN254.

use crate::numbers::{edwards_sum, extended_affine, random, word, Form};
use crate::pipeline::{check_pipeline_by, pack, words};
use ark_bls12_377::{Fq as Fq377, G1TEProjective};
use ark_bn254::{Fq as Fq254, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, PrimeField, UniformRand, Zero};
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

/// Panics if an element is not below the prime: every output must be.
fn decode<F: PrimeField>(form: Form, x: &BigUint) -> F {
    assert!(*x < F::MODULUS.into(), "an element that is not reduced");
    F::from(x.clone()) / form.factor::<F>()
}

/// Returns the coordinates in `out_o`.
pub fn coordinates<F: PrimeField, const N: usize>(form: Form, data: &[u32]) -> [F; N] {
    let limbs = word::<F>() as usize / 32;
    std::array::from_fn(|i| decode(form, &BigUint::from_slice(&data[i * limbs..(i + 1) * limbs])))
}

/// Returns points to be added, the exceptional cases of incomplete formulas first.
fn pairs<G: CurveGroup>(random_pairs: usize, rng: &mut impl Rng) -> Vec<(G, G)> {
    let (p, q, zero) = (G::rand(rng), G::rand(rng), G::zero());
    let mut pairs = vec![(p, q), (p, p), (p, -p), (p, zero), (zero, p), (zero, zero), (-p, p), (q + q, q)];
    pairs.extend((0..random_pairs).map(|_| (G::rand(rng), G::rand(rng))));
    pairs
}

/// Returns a representative with a random Z, as sums have.
fn edwards_scaled(p: G1TEProjective, rng: &mut impl Rng) -> [Fq377; 4] {
    let factor = Fq377::rand(rng);
    [p.x * factor, p.y * factor, p.z * factor, p.t * factor]
}

fn edwards_operands(form: Form, p: [Fq377; 4], q: [Fq377; 4]) -> BigUint {
    let encoded = p.into_iter().chain(q).map(|x| form.encode(x)).collect::<Vec<_>>();
    pack(&encoded.iter().map(|x| (x, word::<Fq377>())).collect::<Vec<_>>())
}

fn check_mixed(name: &str, latency: usize, random_pairs: usize) {
    let mut rng = random();
    let form = Form::Montgomery;
    let cases: Vec<_> = pairs::<G1TEProjective>(random_pairs, &mut rng)
        .into_iter()
        .map(|(p, q)| {
            let [x, y, u] = extended_affine(q);
            (edwards_operands(form, edwards_scaled(p, &mut rng), [x, y, Fq377::ZERO, u]), p + q)
        })
        .collect();
    let mut bench = Bench::new(name);
    assert_eq!(bench.latency(), latency, "{name}");
    let word = word::<Fq377>();
    check_pipeline_by(&mut bench, name, 8 * word, 4 * word, &cases, &mut rng, |data, expected| {
        edwards_sum(coordinates(form, data), *expected)
    });
}

#[test]
fn mixed_addition_true_rtl() {
    check_mixed("te_madd", 96, 20);
}

#[test]
fn mixed_addition() {
    check_mixed("te_madd_model", 96, 200);
    check_mixed("te_madd_65", 65, 100);
}

#[test]
fn full_addition() {
    let mut rng = random();
    let form = Form::Plain;
    let cases: Vec<_> = pairs::<G1TEProjective>(200, &mut rng)
        .into_iter()
        .map(|(p, q)| {
            (edwards_operands(form, edwards_scaled(p, &mut rng), edwards_scaled(q, &mut rng)), p + q)
        })
        .collect();
    let mut bench = Bench::new("te_add");
    assert_eq!(bench.latency(), 123);
    let word = word::<Fq377>();
    check_pipeline_by(&mut bench, "te_add", 8 * word, 4 * word, &cases, &mut rng, |data, expected| {
        edwards_sum(coordinates(form, data), *expected)
    });
}

/// Checks one addition at a time, on points in either form.
fn check_serial(name: &str, latency: usize, cases: &[(BigUint, impl Fn(&[u32]))], bits: u64) {
    let mut bench = Bench::new(name);
    assert_eq!(bench.latency(), latency);
    for (i, (operands, judge)) in cases.iter().enumerate() {
        let data = words(&(operands + (BigUint::from(i) << bits)), bits + 32);
        let outputs = bench.cycle(Inputs { reset: false, ready: true, data: Some(&data) });
        assert!(outputs.ready && outputs.data.is_none());
        // Other words at the input do not disturb additions in flight.
        let other = vec![1; data.len()];
        for cycle in 1..bench.latency() {
            let outputs = bench.cycle(Inputs { reset: false, ready: true, data: Some(&other) });
            assert!(!outputs.ready && outputs.data.is_none(), "cycle {cycle}");
        }
        let outputs = bench.cycle(Inputs { reset: false, ready: true, data: None });
        let found = outputs.data.expect("the sum after exactly the latency");
        assert!(outputs.ready);
        assert_eq!(*found.last().unwrap(), i as u32);
        judge(&found);
        if i % 8 == 3 {
            // A reset during the addition.
            bench.cycle(Inputs { reset: false, ready: true, data: Some(&data) });
            for _ in 0..10 * (i % 16) {
                bench.cycle(Inputs { reset: false, ready: true, data: None });
            }
            bench.cycle(Inputs { reset: true, ..Inputs::default() });
            for _ in 0..2 * bench.latency() {
                assert!(bench.cycle(Inputs::default()).data.is_none());
            }
        }
    }
}

#[test]
fn serial_addition() {
    let mut rng = random();
    let mut cases = Vec::new();
    for form in [Form::Plain, Form::Montgomery] {
        for (p, q) in pairs::<G1TEProjective>(30, &mut rng) {
            let operands = edwards_operands(form, edwards_scaled(p, &mut rng), edwards_scaled(q, &mut rng));
            cases.push((operands, move |found: &[u32]| {
                edwards_sum(coordinates(form, found), p + q).unwrap();
            }));
        }
    }
    for bench in ["apadd", "apadd_model"] {
        check_serial(bench, 160, &cases, 8 * word::<Fq377>());
    }
}

#[test]
fn serial_complete_addition() {
    let mut rng = random();
    let mut cases = Vec::new();
    for form in [Form::Plain, Form::Montgomery] {
        for (p, q) in pairs::<G1Projective>(30, &mut rng) {
            let operands = weierstrass_operands(form, p, q, &mut rng);
            cases.push((operands, move |found: &[u32]| {
                weierstrass_sum(coordinates(form, found), p + q).unwrap();
            }));
        }
    }
    for bench in ["apadd_rcb", "apadd_rcb_model"] {
        check_serial(bench, 163, &cases, 8 * word::<Fq254>());
    }
}

/// Mixed and full additions in any order: each addition comes after its own latency, so additions overtake each other.
#[test]
fn two_cycle_addition() {
    let mut rng = random();
    let form = Form::Montgomery;
    let word = word::<Fq377>();
    let mut bench = Bench::new("te_two_cycle_add");
    let (mixed_latency, full_latency) = (bench.latency(), bench.latency() + 40);
    assert_eq!(mixed_latency, 96);
    let cases: Vec<_> = pairs::<G1TEProjective>(120, &mut rng);
    // Only full additions, only mixed additions, and both, with bubbles.
    for (share, bubbles) in [(1.0, 0.0), (0.0, 0.0), (0.5, 0.0), (0.3, 0.4)] {
        let mut taken = Vec::new();
        let mut found = 0;
        let mut offered: Option<(bool, BigUint)> = None;
        let mut cycle = 0u64;
        while found < cases.len() {
            assert!(cycle < 10_000, "{found} of {} sums", cases.len());
            if offered.is_none() && taken.len() < cases.len() && !rng.gen_bool(bubbles) {
                let (p, q) = cases[taken.len()];
                let full = rng.gen_bool(share);
                let second = if full {
                    edwards_scaled(q, &mut rng)
                } else {
                    let [x, y, u] = extended_affine(q);
                    [x, y, Fq377::rand(&mut rng), u]
                };
                let operands = edwards_operands(form, edwards_scaled(p, &mut rng), second);
                let tag = BigUint::from(2 * taken.len() + usize::from(full));
                offered = Some((full, operands + (tag << (8 * word))));
            }
            let data = offered.as_ref().map(|(_, data)| words(data, 8 * word + 32));
            let outputs = bench.cycle(Inputs { reset: false, ready: true, data: data.as_deref() });
            if let Some(data) = outputs.data {
                let tag = *data.last().unwrap() as usize;
                let (sent, full): (u64, bool) = taken[tag / 2];
                let latency = if full { full_latency } else { mixed_latency };
                assert_eq!((tag % 2 == 1, cycle - sent), (full, latency as u64));
                let (p, q) = cases[tag / 2];
                edwards_sum(coordinates(form, &data), p + q).unwrap();
                found += 1;
            }
            if outputs.ready {
                if let Some((full, _)) = offered.take() {
                    taken.push((cycle, full));
                }
            }
            cycle += 1;
        }
        // All-mixed additions take one cycle each, all-full additions three to four cycles each.
        let issue = taken.last().unwrap().0 - taken[0].0;
        let intervals = cases.len() as u64 - 1;
        if share == 0.0 && bubbles == 0.0 {
            assert_eq!(issue, intervals);
        } else {
            assert!(issue < 4 * intervals, "{issue} cycles for {intervals}");
        }
        assert!(!bench.failed());
    }
}

/// Returns a representative of a point with a random Z, from arkworks' Jacobian coordinates; infinity is (0 : Y : 0).
fn weierstrass_scaled(p: G1Projective, rng: &mut impl Rng) -> [Fq254; 3] {
    let factor = Fq254::rand(rng);
    let affine: G1Affine = p.into_affine();
    match affine.xy() {
        Some((x, y)) => [x * factor, y * factor, factor],
        None => [Fq254::ZERO, factor, Fq254::ZERO],
    }
}

fn weierstrass_operands(form: Form, p: G1Projective, q: G1Projective, rng: &mut impl Rng) -> BigUint {
    let [x1, y1, z1] = weierstrass_scaled(p, rng);
    let [x2, y2, z2] = weierstrass_scaled(q, rng);
    let zero = Fq254::ZERO;
    let encoded = [x1, y1, z1, zero, x2, y2, z2, zero].map(|x| form.encode(x));
    pack(&encoded.iter().map(|x| (x, word::<Fq254>())).collect::<Vec<_>>())
}

pub fn weierstrass_sum([x, y, z]: [Fq254; 3], expected: G1Projective) -> Result<(), String> {
    let expected = expected.into_affine();
    let same = match expected.xy() {
        Some((ex, ey)) => !z.is_zero() && x == ex * z && y == ey * z,
        None => x.is_zero() && !y.is_zero() && z.is_zero(),
    };
    same.then_some(()).ok_or_else(|| format!("({x} : {y} : {z}) is not {expected}"))
}

#[test]
fn complete_addition() {
    let mut rng = random();
    let form = Form::Montgomery;
    let word = word::<Fq254>();
    let cases: Vec<_> = pairs::<G1Projective>(200, &mut rng)
        .into_iter()
        .map(|(p, q)| (weierstrass_operands(form, p, q, &mut rng), p + q))
        .collect();
    let mut bench = Bench::new("rcb_add");
    assert_eq!(bench.latency(), 90);
    check_pipeline_by(&mut bench, "rcb_add", 8 * word, 4 * word, &cases, &mut rng, |data, expected| {
        weierstrass_sum(coordinates(form, data), *expected)
    });
}
