//! Threads that share the buckets of a window. There are many more threads than buckets or cores.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{One, Zero};
use bucketwheel::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::inputs::{adders, backends, expected, for_all_adders, is_left_out, on_threads, points, uniform};

const THREADS: usize = 8;
const UNSORTED: [SchedulerKind; 4] =
    [SchedulerKind::ThreeTier, SchedulerKind::Delayed, SchedulerKind::Greedy, SchedulerKind::Serial];

fn check<C: Curve>(backend: Backend, points: &[Affine<C>], scalars: &[C::ScalarField], what: &str) {
    let sum: Projective<C> = expected(points, scalars);
    let bases = for_all_adders::<C>().backend(backend).prepare(points).expect("supported");
    for scheduler in UNSORTED {
        for adder in adders::<C>() {
            // There are few buckets for all threads, or many.
            for window in [4, 11] {
                if is_left_out() {
                    continue;
                }
                let msm = Msm::new().scheduler(scheduler).adder(adder).window(window);
                let found = msm.threads_by(ThreadsBy::Loop).run(&bases, Scalars::Field(scalars));
                assert_eq!(found, Ok(sum), "{what}: {backend}, {scheduler}, {adder}, window {window}");
            }
        }
    }
}

/// Batches may have any length, and `Delayed` has exactly this length: each sum is the same, with locks and without.
#[test]
fn batches_may_be_of_any_length() {
    use ark_bls12_381::g1::Config;
    let rng = &mut StdRng::seed_from_u64(15);
    let all = points::<Config>(300, rng);
    let scalars: Vec<_> = uniform(300, rng);
    let sum = expected(&all, &scalars);
    let bases = Bases::<Config>::new(&all).expect("supported");
    for scheduler in UNSORTED.into_iter().chain([SchedulerKind::Tree]) {
        for batch in [0, 1, 7, 40, 100, usize::MAX] {
            for adder in [AdderKind::Affine, AdderKind::Xyzz] {
                if is_left_out() {
                    continue;
                }
                let msm = Msm::new().scheduler(scheduler).adder(adder).batch(batch).window(6).threads(2);
                let what = format!("{scheduler}, {adder}, batches of {batch}");
                assert_eq!(msm.run(&bases, Scalars::Field(&scalars)), Ok(sum), "{what}");
                if scheduler != SchedulerKind::Tree {
                    let shared = msm.threads_by(ThreadsBy::Loop).run(&bases, Scalars::Field(&scalars));
                    assert_eq!(shared, Ok(sum), "{what}, locks");
                }
            }
        }
    }
}

fn all_distributions<C: Curve>(backend: Backend, n: usize) {
    let rng = &mut StdRng::seed_from_u64(1);
    let all = points::<C>(n, rng);
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    check(backend, &all, &scalars, "uniform");
    check(backend, &all, &vec![scalars[0]; n], "equal scalars");
    let few: Vec<C::ScalarField> = (0..n)
        .map(|i| match i % 4 {
            0 => C::ScalarField::zero(),
            1 => C::ScalarField::one(),
            2 => -C::ScalarField::one(),
            _ => C::ScalarField::from(rng.gen::<u16>()),
        })
        .collect();
    check(backend, &all, &few, "small scalars");
    // Some sums become infinity in one thread, and another thread adds points to them.
    let opposite: Vec<Affine<C>> = (0..n)
        .map(|i| [all[i / 2], -all[i / 2]][i % 2])
        .map(|point| if rng.gen() { point } else { all[0] })
        .collect();
    check(backend, &opposite, &vec![scalars[0]; n], "P and -P, equal scalars");
    let vanishing: Vec<Affine<C>> =
        (0..n).map(|i| if i < n / 2 { all[i] } else { -all[n - 1 - i] }).collect();
    check(backend, &vanishing, &vec![scalars[1]; n], "all sums infinity");
    let with_infinity: Vec<Affine<C>> =
        (0..n).map(|i| if i % 5 == 0 { Affine::identity() } else { all[i % 7] }).collect();
    check(backend, &with_infinity, &scalars, "points at infinity, few distinct ones");
}

#[test]
fn sums_are_those_of_arkworks() {
    on_threads(THREADS, || {
        for backend in backends() {
            all_distributions::<ark_bls12_377::g1::Config>(backend, 200);
        }
        all_distributions::<ark_bn254::g2::Config>(Backend::detect(), 100);
        all_distributions::<ark_bls12_381::g1::Config>(Backend::detect(), 1000);
    });
}

#[test]
fn few_points_and_none() {
    let rng = &mut StdRng::seed_from_u64(2);
    let all = points::<ark_bn254::g1::Config>(20, rng);
    let scalars = uniform(20, rng);
    on_threads(THREADS, || {
        for n in 0..20 {
            check(Backend::detect(), &all[..n], &scalars[..n], "few points");
        }
    });
}

/// Tables send many windows to one set of buckets.
#[test]
fn tables() {
    let rng = &mut StdRng::seed_from_u64(3);
    let points = points::<ark_bn254::g1::Config>(300, rng);
    let scalars = uniform(300, rng);
    let expected = expected(&points, &scalars);
    for options in [BasesOptions::new().copies(4), BasesOptions::new().bucket_set(3)] {
        let bases = options.prepare(&points).expect("supported");
        for scheduler in UNSORTED {
            let msm = Msm::new().scheduler(scheduler).threads_by(ThreadsBy::Loop);
            let sum = on_threads(THREADS, || msm.run(&bases, Scalars::Field(&scalars)));
            assert_eq!(sum, Ok(expected), "{scheduler}");
        }
    }
}

#[test]
fn sorted_points_are_shared_otherwise() {
    let rng = &mut StdRng::seed_from_u64(4);
    let points = points::<ark_bn254::g1::Config>(10, rng);
    let bases = Bases::new(&points).expect("supported");
    let msm = Msm::new().threads_by(ThreadsBy::Loop);
    for scheduler in [SchedulerKind::Auto, SchedulerKind::Tree] {
        let sum = msm.scheduler(scheduler).run(&bases, &uniform::<ark_bn254::Fr>(10, rng));
        assert_eq!(sum, Err(Error::ThreadsByLoop));
    }
    assert_eq!(msm.start::<ark_bn254::g1::Config>(StreamOptions::new()).map(drop), Err(Error::ThreadsByLoop));
}
