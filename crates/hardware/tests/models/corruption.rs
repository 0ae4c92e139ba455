//! Every sum of a model matters: one wrong sum changes the result.

use std::sync::atomic::{AtomicI64, Ordering};

use ark_bn254::G1Projective;
use ark_ec::{CurveGroup, PrimeGroup};
use bucketwheel_hardware::{cyclone, gypsophila, msmac, reclaimer, Group, Model};

use crate::points::points;
use crate::{simulate, uniform};

/// Number of sums before the wrong sum.
static UNTIL_FAULT: AtomicI64 = AtomicI64::new(i64::MAX);

/// A point whose additions count down to a fault.
#[derive(Clone, Copy)]
struct Faulty(G1Projective);

impl Group for Faulty {
    const ZERO: Self = Faulty(<G1Projective as Group>::ZERO);

    fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        match UNTIL_FAULT.fetch_sub(1, Ordering::Relaxed) {
            0 => Faulty(sum + G1Projective::generator()),
            _ => Faulty(sum),
        }
    }

    fn negated(self) -> Self {
        Faulty(-self.0)
    }
}

/// In all designs, one of the first sums goes into a bucket.
fn check<M: Model>(settings: &[(&str, &str)]) {
    let points: Vec<Faulty> = points(300, 9).into_iter().map(Faulty).collect();
    let scalars = uniform::<ark_bn254::Fr>(300, 2).into_iter().map(|mut scalar| {
        // The scalar must be below the order of the curve with 253 bits, too.
        scalar[3] >>= 2;
        scalar
    });
    let scalars: Vec<_> = scalars.collect();
    let sum = |fault: i64| {
        UNTIL_FAULT.store(fault, Ordering::Relaxed);
        let sums = simulate::<M, _>(settings, &points, &[&scalars]).sums;
        (sums[0].0.into_affine(), fault - UNTIL_FAULT.load(Ordering::Relaxed))
    };
    let (right, additions) = sum(i64::MAX);
    assert_eq!(sum(additions + 1).0, right);
    for fault in [0, 1, 10, 100] {
        assert_ne!(sum(fault).0, right, "{}: addition {fault} of {additions}", M::NAME);
    }
}

/// One test covers all designs, because they share the counter.
#[test]
fn a_wrong_bucket_makes_a_wrong_point() {
    check::<cyclone::Parameters>(&[("window", "4")]);
    check::<gypsophila::Parameters>(&[("window", "4")]);
    check::<reclaimer::Parameters>(&[("window", "4")]);
    // One sub-task, so that one thread computes.
    check::<msmac::Parameters>(&[("window", "4"), ("sub_task", "300")]);
}
