//! Whole sums on a simulated processing element, window by window, against arkworks.

use ark_bls12_377::{Fq, Fr, G1TEProjective};
use ark_ec::PrimeGroup;
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, UniformRand};
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

use crate::curve::{coordinates, edwards_sum, extended_affine, word, Form};
use crate::pipeline::{pack, random, words};

/// Bits of a signed digit, with 2^5 buckets.
const WINDOW: usize = 6;

/// The signed digits of a scalar, from -31 to 32, lowest first.
fn digits(scalar: Fr, windows: usize) -> Vec<i32> {
    let bits = scalar.into_bigint().to_bits_le();
    let mut carry = 0;
    (0..windows)
        .map(|w| {
            let window = (0..WINDOW).map(|i| i32::from(*bits.get(w * WINDOW + i).unwrap_or(&false)) << i);
            let digit = window.sum::<i32>() + carry;
            carry = i32::from(digit > 1 << (WINDOW - 1));
            digit - (carry << WINDOW)
        })
        .collect()
}

struct Element {
    bench: Bench,
    cycles: usize,
    conflicts: u32,
}

impl Element {
    fn new() -> Self {
        Self { bench: Bench::new("cyclone_pe"), cycles: 0, conflicts: 0 }
    }

    /// The sum of digits times points.
    fn window(
        &mut self,
        digits: &[i32],
        points: &[[BigUint; 3]],
        expected: G1TEProjective,
    ) -> Result<(), String> {
        let word = word::<Fq>();
        for (&digit, [x, y, u]) in digits.iter().zip(points) {
            if digit == 0 {
                continue;
            }
            let key = (digit.unsigned_abs() - 1) | u32::from(digit < 0) << 31;
            let data = pack(&[(x, word), (y, word), (u, word), (&BigUint::from(key), 64)]);
            let data = words(&data, 3 * word + 64);
            while !self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&data) }).ready {
                self.cycles += 1;
            }
            self.cycles += 1;
        }
        let finish = words(&(BigUint::from(1u32) << (3 * word + 32)), 3 * word + 64);
        for _ in 0..1_000_000 {
            self.cycles += 1;
            let outputs = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&finish) });
            if let Some(data) = outputs.data {
                self.conflicts = data[4 * word as usize / 32];
                return edwards_sum(coordinates(Form::Montgomery, &data), expected);
            }
        }
        panic!("a window that does not end");
    }
}

fn encoded(points: &[G1TEProjective]) -> Vec<[BigUint; 3]> {
    points.iter().map(|&p| extended_affine(p).map(|x| Form::Montgomery.encode(x))).collect()
}

/// 2^10 points and scalars of 64 bits: each window's sum, and from these the whole one.
#[test]
fn a_whole_sum() {
    let mut rng = random();
    let points: Vec<_> = (0..1 << 10).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let scalars: Vec<_> = points.iter().map(|_| Fr::from(rng.gen::<u64>())).collect();
    let windows = 64 / WINDOW + 1;
    let digits: Vec<_> = scalars.iter().map(|&scalar| digits(scalar, windows)).collect();
    let encoded = encoded(&points);
    let mut element = Element::new();
    let mut total = G1TEProjective::default();
    for w in (0..windows).rev() {
        let column: Vec<_> = digits.iter().map(|digits| digits[w]).collect();
        let expected: G1TEProjective =
            points.iter().zip(&column).map(|(p, &digit)| *p * Fr::from(i64::from(digit))).sum();
        element.window(&column, &encoded, expected).unwrap();
        (0..WINDOW).for_each(|_| {
            total.double_in_place();
        });
        total += expected;
    }
    let expected: G1TEProjective = points.iter().zip(&scalars).map(|(p, scalar)| *p * scalar).sum();
    assert_eq!(total, expected);
    assert!(element.conflicts > 0);
    assert!(!element.bench.failed(), "an assertion of the RTL failed");
}

/// Nothing, one point, digits that are all equal, points that are equal or inverse.
#[test]
fn corners() {
    let mut rng = random();
    let p = G1TEProjective::generator();
    let random: Vec<_> = (0..60).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let mut element = Element::new();
    let cases: Vec<(Vec<i32>, Vec<G1TEProjective>)> = vec![
        (vec![], vec![]),
        (vec![32], vec![p]),
        (vec![-31], vec![p]),
        (vec![7; 60], random.clone()),
        (vec![0; 60], random.clone()),
        (vec![1; 20], vec![p; 20]),
        ([5, -5].repeat(10), vec![p; 20]),
        (vec![3, 3, 4], vec![p, -p, G1TEProjective::default()]),
    ];
    for (case, (digits, points)) in cases.into_iter().enumerate() {
        let expected = points.iter().zip(&digits).map(|(p, &digit)| *p * Fr::from(i64::from(digit))).sum();
        let found = element.window(&digits, &encoded(&points), expected);
        assert!(found.is_ok(), "case {case}: {found:?}");
    }
    assert!(!element.bench.failed(), "an assertion of the RTL failed");
}
