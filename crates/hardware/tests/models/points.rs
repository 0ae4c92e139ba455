//! The models compute MSMs: the same points as arkworks, for any scalars; and count the same without points.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel_hardware::{cyclone, gypsophila, msmac, Model, Scalar};
use rand::{rngs::StdRng, SeedableRng};

use crate::{simulate, uniform};

pub fn points<C: SWCurveConfig>(count: usize, seed: u64) -> Vec<Projective<C>> {
    let rng = &mut StdRng::seed_from_u64(seed);
    (0..count).map(|_| Projective::generator() * C::ScalarField::rand(rng)).collect()
}

pub fn reference<C: SWCurveConfig>(points: &[Projective<C>], scalars: &[Scalar]) -> Affine<C> {
    let term = |(point, scalar): (&Projective<C>, &Scalar)| point.into_affine().mul_bigint(scalar);
    points.iter().zip(scalars).map(term).sum::<Projective<C>>().into_affine()
}

fn check<M: Model, C: SWCurveConfig<ScalarField: PrimeField<BigInt = BigInt<4>>>>(settings: &[(&str, &str)]) {
    for n in [0, 1, 2, 33, 400] {
        let mut points = points::<C>(n, 7);
        // Equal points, opposite points, infinity.
        if n > 10 {
            points[3] = points[4];
            points[5] = -points[6];
            points[7] = Projective::default();
        }
        let equal = uniform::<C::ScalarField>(1, 3)[0];
        let largest = (-C::ScalarField::from(1u64)).into_bigint().0;
        let tasks = [
            uniform::<C::ScalarField>(n, 1),
            vec![equal; n],
            vec![[0; 4]; n],
            vec![largest; n],
            (0..n).map(|i| [i as u64 % 3, 0, 0, 0]).collect(),
        ];
        let tasks: Vec<&[Scalar]> = tasks.iter().map(Vec::as_slice).collect();
        let found = simulate::<M, _>(settings, &points, &tasks);
        for (task, sum) in tasks.iter().zip(&found.sums) {
            assert_eq!(
                sum.into_affine(),
                reference(&points, task),
                "{} of {n} points, {settings:?}",
                M::NAME
            );
        }
        let counted = simulate::<M, ()>(settings, &vec![(); n], &tasks);
        assert_eq!(
            serde_json::to_value(found.report).unwrap(),
            serde_json::to_value(counted.report).unwrap()
        );
    }
}

#[test]
fn cyclone_computes() {
    use ark_bls12_377::g1::Config;
    for window in ["2", "5", "8", "11"] {
        check::<cyclone::Parameters, Config>(&[("window", window)]);
    }
    for (window, segments) in [("3", "2"), ("5", "8"), ("8", "4")] {
        check::<cyclone::Parameters, Config>(&[("window", window), ("segments", segments)]);
    }
    for queue in ["2", "16"] {
        check::<cyclone::Parameters, Config>(&[
            ("window", "5"),
            ("greedy_queue", queue),
            ("link_burst", "9"),
        ]);
    }
    check::<cyclone::Parameters, Config>(&[
        ("window", "6"),
        ("overlap_aggregation", "true"),
        ("link_burst", "7"),
    ]);
    check::<cyclone::Parameters, Config>(&[
        ("window", "4"),
        ("pipeline_stages", "1"),
        ("control_stages", "0"),
    ]);
}

#[test]
fn msmac_computes() {
    use ark_bn254::g1::Config;
    for window in ["2", "5", "8"] {
        check::<msmac::Parameters, Config>(&[("window", window), ("card_buckets", "1000000")]);
    }
    let small = [("window", "4"), ("sub_task", "30"), ("cards", "3"), ("pes", "2")];
    check::<msmac::Parameters, Config>(&small);
    check::<msmac::Parameters, Config>(&[("window", "6"), ("segments", "4"), ("sub_task", "100")]);
    // Conflicts at every step: a long adder, a short FIFO, no time for jumps.
    let narrow = [("window", "7"), ("latency", "999"), ("conflict_depth", "90"), ("conflict_threshold", "1")];
    check::<msmac::Parameters, Config>(&narrow);
    check::<msmac::Parameters, Config>(&[("window", "3"), ("latency", "1"), ("jump_cycles", "90")]);
}

#[test]
fn gypsophila_computes() {
    for window in ["2", "5", "8"] {
        check::<gypsophila::Parameters, ark_bls12_377::g1::Config>(&[("window", window)]);
    }
    check::<gypsophila::Parameters, ark_bn254::g1::Config>(&[
        ("window", "6"),
        ("curve", "bn254"),
        ("pes", "2"),
    ]);
    check::<gypsophila::Parameters, ark_bn254::g1::Config>(&[
        ("window", "6"),
        ("curve", "bn254"),
        ("pes", "16"),
    ]);
    let narrow =
        [("window", "4"), ("banks", "1"), ("pairing_queue", "5"), ("collision_queue", "4"), ("pes", "3")];
    let narrow = [narrow.as_slice(), &[("point_buffer", "1"), ("count_aggregation", "true")]].concat();
    check::<gypsophila::Parameters, ark_bls12_377::g1::Config>(&narrow);
}
