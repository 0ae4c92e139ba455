//! Sums of few points, which take no buckets.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::AdditiveGroup;
use bucketwheel::{Backend, BasesOptions, Check, Curve, Error, Msm, Plan, Scalars};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::inputs::{any_point, backends_of, expected, multiple, points};

/// Returns scalars at the ends of their range and anywhere in it.
fn scalar<F: ark_ff::PrimeField>(rng: &mut StdRng) -> F {
    match rng.gen_range(0..8) {
        0 => F::ZERO,
        1 => F::ONE,
        2 => -F::ONE,
        3 => F::from(2u64).pow([rng.gen_range(0..F::MODULUS_BIT_SIZE as u64 - 1)]),
        4 => -F::from(rng.gen::<u64>()),
        _ => F::rand(rng),
    }
}

fn exact<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    points.iter().zip(scalars).map(|(point, &scalar)| multiple(point, &scalar.into())).sum()
}

/// Covers equal, opposite and different points, infinity, and points outside of the subgroup if they are allowed.
fn sums_are_those_of_arkworks<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(21);
    for backend in backends_of::<C>() {
        let mut most = 0;
        for n in (0..=10).chain([14, 18, 20]) {
            for check in [Check::None, Check::Curve] {
                let mut points = points::<C>(n, rng);
                for i in 1..n {
                    points[i] = match (rng.gen_range(0..6), check) {
                        (0, _) => Affine::identity(),
                        (1, _) => points[i - 1],
                        (2, _) => -points[i - 1],
                        (3, Check::Curve) => any_point(rng),
                        _ => points[i],
                    };
                }
                let scalars: Vec<C::ScalarField> = (0..n).map(|_| scalar(rng)).collect();
                let bases = BasesOptions::new().backend(backend).check(check).prepare(&points);
                let bases = bases.expect("supported, and on the curve");
                let (sum, report) =
                    Msm::new().run_reported(&bases, Scalars::Field(&scalars)).expect("the same length");
                assert_eq!(sum, exact(&points, &scalars), "{n} points, {backend}, {check:?}");
                let chosen = Msm::new().window(4).run(&bases, Scalars::Field(&scalars));
                assert_eq!(chosen, Ok(sum), "{n} points by buckets, {backend}, {check:?}");
                if report.plan != Plan::default() && report.plan.bucket_sets == 0 {
                    most = most.max(n);
                    // A plan is for points of the subgroup, whose scalars are split: fewer of them count as few.
                    if matches!(check, Check::Curve) {
                        continue;
                    }
                    let plan = Msm::new().plan::<C>(backend, n).expect("a plan");
                    assert_eq!(plan.bucket_sets, 0, "{n} points, {backend}");
                    assert!(report.plan.memory_bytes <= plan.memory_bytes, "{report:?} {plan:?}");
                }
            }
        }
        assert!(most >= 2, "{backend}: sums without buckets up to {most} points");
    }
}

#[test]
fn of_prime_order() {
    sums_are_those_of_arkworks::<ark_bn254::g1::Config>();
}

#[test]
#[cfg(feature = "bls12-381")]
fn with_a_cofactor() {
    sums_are_those_of_arkworks::<ark_bls12_381::g1::Config>();
    sums_are_those_of_arkworks::<ark_bls12_381::g2::Config>();
}

#[test]
#[cfg(feature = "edwards-curves")]
fn with_a_coefficient_a() {
    sums_are_those_of_arkworks::<ark_ed_on_bls12_381::JubjubConfig>();
}

/// (0, 2) has order 3, so it is added by buckets.
#[test]
#[cfg(feature = "bls12-381")]
fn points_of_small_order() {
    type G1 = ark_bls12_381::g1::Config;
    let rng = &mut StdRng::seed_from_u64(22);
    let small = ark_bls12_381::G1Affine::new_unchecked(ark_bls12_381::Fq::ZERO, ark_bls12_381::Fq::from(2));
    for points in [vec![small], vec![-small, small], vec![small, points::<G1>(1, rng)[0]]] {
        let bases = BasesOptions::new().check(Check::Curve).prepare(&points).expect("on the curve");
        for _ in 0..10 {
            let scalars: Vec<_> = points.iter().map(|_| scalar(rng)).collect();
            assert_eq!(
                Msm::new().run(&bases, Scalars::Field(&scalars)),
                Ok(exact(&points, &scalars)),
                "{scalars:?}"
            );
        }
    }
}

/// Few points have the errors of many points, and their progress ends at its total.
#[test]
fn errors_and_progress() {
    type G1 = ark_bn254::g1::Config;
    struct Last(std::sync::Mutex<(usize, usize)>);
    impl bucketwheel::Progress for Last {
        fn report(&self, done: usize, total: usize) {
            *self.0.lock().expect("no panic") = (done, total);
        }
    }
    let rng = &mut StdRng::seed_from_u64(23);
    let points = points::<G1>(2, rng);
    let bases = BasesOptions::new().backend(Backend::Portable).prepare(&points).expect("supported");
    let scalars = vec![scalar(rng), ark_bn254::Fr::from(5)];
    assert_eq!(
        Msm::new().run(&bases, Scalars::Field(&scalars[..1])),
        Err(Error::Length { points: 2, scalars: 1 })
    );
    let cancel = bucketwheel::Cancel::new();
    cancel.cancel();
    assert_eq!(Msm::new().cancel(&cancel).run(&bases, Scalars::Field(&scalars)), Err(Error::Cancelled));
    let last = Last(Default::default());
    assert_eq!(
        Msm::new().progress(&last).run(&bases, Scalars::Field(&scalars)),
        Ok(expected(&points, &scalars))
    );
    let (done, total) = *last.0.lock().expect("no panic");
    assert!(done == total && total > 0, "{done} of {total}");
}
