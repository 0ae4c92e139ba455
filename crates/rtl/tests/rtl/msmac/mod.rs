//! MSMAC's processing element against arkworks, and against the cycle model: sums, counters, errors.

mod corners;
mod programs;

use ark_bn254::{Fr, G1Affine, G1Projective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{PrimeField, UniformRand};
use bucketwheel::Control;
use bucketwheel_hardware::msmac::{Counts, Hardware, Pe};
use bucketwheel_hardware::{Error, Scalar};
use bucketwheel_rtl::msmac::{Msmac, Point};
use rand::Rng;

use crate::numbers::random;

fn element(bench: &str) -> Msmac {
    Msmac::new(bench).expect("an element that answers")
}

fn integers(scalars: &[Fr]) -> Vec<Scalar> {
    scalars.iter().map(|scalar| scalar.into_bigint().0).collect()
}

fn encoded(points: &[G1Affine]) -> Vec<Point> {
    points.iter().map(|&point| Msmac::point(point)).collect()
}

fn offer(element: &mut Msmac, points: &[G1Affine], scalars: &[Fr]) {
    element.offer(&encoded(points), &integers(scalars));
}

/// Returns sums and counts of the cycle model for the loaded program.
fn model(element: &Msmac, points: &[G1Affine], scalars: &[Fr]) -> Result<(Vec<G1Projective>, Counts), Error> {
    let points: Vec<G1Projective> = points.iter().map(|&point| point.into()).collect();
    let point_cycles = element.flow.point_cycles.max(1);
    let hardware = Hardware { point_cycles, ..element.hardware.clone() };
    Pe::new(&hardware, &element.program, &points, &integers(scalars), &Control::new(None, None, None))
        .unwrap()
        .run()
}

/// Runs a task from its start to its end, and checks the windows' sums and the whole sum.
fn msm(element: &mut Msmac, points: &[G1Affine], scalars: &[Fr]) {
    let sum = element.msm(&integers(scalars), &encoded(points)).expect("a sum");
    assert_eq!(sum, G1Projective::msm(points, scalars).unwrap());
    let windows = element.hardware.windows.count() as usize;
    assert_eq!(element.lasts(), [windows - 1]);
}

/// Runs [`msm`], and checks that each window's sum and each counter equals the cycle model's.
fn msm_as_modelled(element: &mut Msmac, points: &[G1Affine], scalars: &[Fr]) -> Counts {
    msm(element, points, scalars);
    let (sums, expected) = model(element, points, scalars).unwrap();
    assert_eq!(element.sums().unwrap(), sums);
    assert_eq!(element.counts(), Ok((expected, 0)));
    expected
}

fn check_assertions(element: &mut Msmac) {
    assert!(!element.bench().failed(), "an assertion of the RTL failed");
}

/// Returns random points and scalars. Points are multiples of few points, which is fast; the sums are random all the
/// same.
fn uniform(count: usize) -> (Vec<G1Affine>, Vec<Fr>) {
    let mut rng = random();
    let few: Vec<_> = (0..64).map(|_| G1Projective::rand(&mut rng)).collect();
    let mut pick = || few[rng.gen_range(0..few.len())];
    let points: Vec<_> = (0..count).map(|_| pick() + pick()).collect();
    (G1Projective::normalize_batch(&points), (0..count).map(|_| Fr::rand(&mut rng)).collect())
}

fn whole_sum(name: &str, log_size: u32) {
    let (points, scalars) = uniform(1 << log_size);
    let mut element = element(name);
    let counts = msm_as_modelled(&mut element, &points, &scalars);
    assert!(counts.conflicts > 0 && counts.conflict_high_water > 0, "{counts:?}");
    check_assertions(&mut element);
}

#[test]
fn a_whole_sum() {
    whole_sum("msmac_pe", 10);
}

#[test]
fn a_whole_sum_in_segments() {
    whole_sum("msmac_segments", 9);
}

#[test]
fn a_sum_in_true_rtl() {
    whole_sum("msmac_true_rtl", 6);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn a_whole_sum_in_true_rtl() {
    whole_sum("msmac_true_rtl", 12);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_sums() {
    whole_sum("msmac_pe_12", 12);
    whole_sum("msmac_pe_12", 16);
}
