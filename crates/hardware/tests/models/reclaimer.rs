//! The reclaimer: its sums for hostile inputs, and its figures.

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ec::CurveGroup;
use ark_ff::{BigInt, PrimeField};
use bucketwheel_hardware::reclaimer::Parameters;
use bucketwheel_hardware::{Report, Scalar};

use crate::points::{points, reference};
use crate::{count, simulate, uniform};

fn counter(report: &Report, name: &str) -> u64 {
    report.counters[name]
}

/// Returns scalars that are uniform, equal, zero, the largest, small, and of two digits that alternate and cancel.
fn hostile<F: PrimeField<BigInt = BigInt<4>>>(count: usize) -> Vec<Vec<Scalar>> {
    let equal = uniform::<F>(1, 3)[0];
    let opposite = (-F::from(BigInt(equal))).into_bigint().0;
    vec![
        uniform::<F>(count, 1),
        vec![equal; count],
        vec![[0; 4]; count],
        vec![(-F::from(1u64)).into_bigint().0; count],
        (0..count).map(|i| [i as u64 % 3, 0, 0, 0]).collect(),
        (0..count).map(|i| if i % 2 == 0 { equal } else { opposite }).collect(),
    ]
}

/// Compares sums over all kinds of points with arkworks'. Also compares the counts with a simulation without points, unless
/// equal points took a second cycle.
fn check<C: SWCurveConfig<ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    count: usize,
    settings: &[(&str, &str)],
) {
    let distinct = points::<C>(count, 7);
    let one = distinct.first().copied().unwrap_or_default();
    let mut mixed = distinct.clone();
    for (i, point) in mixed.iter_mut().enumerate() {
        // Equal neighbours, opposite neighbours, infinity.
        match i % 7 {
            1 => *point = distinct[i - 1],
            3 => *point = -distinct[i - 1],
            5 => *point = Projective::default(),
            _ => {}
        }
    }
    let tasks = hostile::<C::ScalarField>(count);
    let tasks: Vec<&[Scalar]> = tasks.iter().map(Vec::as_slice).collect();
    let counted = simulate::<Parameters, ()>(settings, &vec![(); count], &tasks).report;
    for points in [&distinct, &mixed, &vec![one; count], &vec![Projective::default(); count]] {
        let found = simulate::<Parameters, _>(settings, points, &tasks);
        for (number, (task, sum)) in tasks.iter().zip(&found.sums).enumerate() {
            assert_eq!(
                sum.into_affine(),
                reference(points, task),
                "task {number}, {count} points, {settings:?}"
            );
        }
        if counter(&found.report, "doublings") == 0 {
            assert_eq!(serde_json::to_value(&found.report).unwrap(), serde_json::to_value(&counted).unwrap());
        }
    }
}

#[test]
fn reclaimer_computes() {
    for (count, window) in [(0, "2"), (1, "5"), (2, "8"), (33, "5"), (300, "2"), (300, "6")] {
        check::<ark_bls12_377::g1::Config>(count, &[("window", window)]);
    }
    check::<ark_bn254::g1::Config>(200, &[("window", "7"), ("curve", "bn254"), ("adders", "1")]);
    let other = [("window", "5"), ("curve", "bls12-381"), ("adders", "4")];
    check::<bucketwheel_hardware::config::Bls12_381::g1::Config>(100, &other);
    let narrow = [("window", "4"), ("banks", "2"), ("pairing_queue", "5"), ("collision_queue", "4")];
    check::<ark_bls12_377::g1::Config>(200, &narrow);
    let long = [("window", "4"), ("batch", "2048"), ("multiplier_stages", "50"), ("sum_stages", "1")];
    check::<ark_bls12_377::g1::Config>(100, &long);
}

/// A doubling takes a second place in a batch, for the square of x.
#[test]
fn equal_points_are_doubled() {
    let one = points::<ark_bn254::g1::Config>(1, 5)[0];
    let settings = [("curve", "bn254"), ("window", "4"), ("adders", "1")];
    let task = vec![[1, 0, 0, 0]; 256];
    let report = simulate::<Parameters, _>(&settings, &[one; 256], &[&task]).report;
    // 256 equal points in one bucket; the aggregation has nothing else to add.
    assert_eq!(counter(&report, "doublings"), 255);
    assert_eq!(counter(&report, "additions"), 255);
    let plain = count::<Parameters>(&settings, &task);
    assert_eq!((counter(&plain, "doublings"), counter(&plain, "additions")), (0, 255));
    assert!(report.cycles > plain.cycles);
}

/// Cycles for each point and window of an adder, from the first point of a pass to its last sum.
fn cycles_per_point(report: &Report, passes: usize) -> f64 {
    let cycles = report.phases[0].cycles + report.phases[1].cycles;
    cycles as f64 / (report.points * passes) as f64
}

fn products_per_addition(report: &Report) -> f64 {
    counter(report, "products") as f64 / counter(report, "additions") as f64
}

/// 15 windows are five passes of three adders.
#[test]
fn reclaimer_figures() {
    let scalars = uniform::<ark_bls12_377::Fr>(1 << 20, 1);
    let report = count::<Parameters>(&[], &scalars);
    let (cycles, products) = (cycles_per_point(&report, 5), products_per_addition(&report));
    println!("2^20 uniform: {cycles:.4} cycles a point, {products:.4} products an addition");
    assert!((1.0..=1.02).contains(&cycles), "{cycles}");
    assert!((6.0..=6.2).contains(&products), "{products}");
    // No pass waits for the aggregation of the pass before; it only exchanges the sets of buckets.
    assert_eq!(report.phases[2].cycles, 5);
    assert!(report.ms < 23.0, "{}", report.ms);
    // Each pass needs two additions for each bucket, and a few less.
    let aggregation = counter(&report, "aggregation_additions");
    assert!((14 * 120_000..=15 * 131_072).contains(&aggregation), "{aggregation}");

    let equal = count::<Parameters>(&[], &vec![scalars[0]; 1 << 18]);
    let (cycles, products) = (cycles_per_point(&equal, 5), products_per_addition(&equal));
    println!("2^18 equal: {cycles:.4} cycles a point, {products:.4} products an addition");
    assert!((1.0..=1.25).contains(&cycles), "{cycles}");
    assert!(products <= 6.2, "{products}");
    assert_eq!(equal.phases[2].cycles, 5);
}

/// All adders share the stream of points: a pass sends all points once, for any number of adders.
#[test]
fn adders_share_points() {
    let scalars = uniform::<ark_bls12_377::Fr>(1 << 14, 2);
    let run = |adders: &str| count::<Parameters>(&[("window", "10"), ("adders", adders)], &scalars);
    for (adders, passes) in [("1", 26), ("2", 13), ("3", 9)] {
        let report = run(adders);
        assert_eq!(report.channels[0].bytes, passes * (96 << 14));
    }
}
