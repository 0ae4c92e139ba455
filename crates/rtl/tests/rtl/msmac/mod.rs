//! MSMAC's processing element against arkworks, and against the cycle model: sums, counters, errors.

mod corners;
mod element;
mod programs;

use ark_bn254::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::UniformRand;
use rand::Rng;

use self::element::Element;
use crate::pipeline::random;

/// Random points and scalars. Points are multiples of few, which is fast; what is added to what is random all the same.
fn uniform(count: usize) -> (Vec<G1Affine>, Vec<Fr>) {
    let mut rng = random();
    let few: Vec<_> = (0..64).map(|_| G1Projective::rand(&mut rng)).collect();
    let mut pick = || few[rng.gen_range(0..few.len())];
    let points: Vec<_> = (0..count).map(|_| pick() + pick()).collect();
    (G1Projective::normalize_batch(&points), (0..count).map(|_| Fr::rand(&mut rng)).collect())
}

fn whole_sum(name: &str, log_size: u32) {
    let (points, scalars) = uniform(1 << log_size);
    let mut element = Element::new(name);
    let counts = element.msm_as_modelled(&points, &scalars);
    assert!(counts.conflicts > 0 && counts.conflict_high_water > 0, "{counts:?}");
    element.check_assertions();
}

#[test]
fn a_whole_sum() {
    whole_sum("msmac_pe", 10);
}

#[test]
fn a_sum_in_true_rtl() {
    whole_sum("msmac_true_rtl", 6);
}

#[test]
fn a_whole_sum_in_true_rtl() {
    whole_sum("msmac_true_rtl", 12);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_sums() {
    whole_sum("msmac_pe_12", 12);
    whole_sum("msmac_pe_12", 16);
}
