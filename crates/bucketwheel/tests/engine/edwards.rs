//! The twisted Edwards adders: points that they can add and points that they refuse. Other tests compare their sums
//! with the sums of all other adders.

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};

use ark_bls12_377::{g1, g2, Fq, Fr, G1Affine};
use ark_ec::short_weierstrass::Affine;
use ark_ff::{One, Zero};
use bucketwheel::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::inputs::{any_point, backends, expected, points, uniform};

type Jubjub = ark_ed_on_bls12_381::JubjubConfig;
/// A curve with a = -5.
type Bandersnatch = ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig;

const EDWARDS: AdderKind = AdderKind::Edwards;
const LAWS: [AdderKind; 2] = [AdderKind::Edwards, AdderKind::EdwardsUnified];

fn refused(reason: Unfit) -> Error {
    Error::Adder { adder: EDWARDS, reason }
}

fn prepared<C: Curve>(backend: Backend, points: &[Affine<C>]) -> Bases<C> {
    BasesOptions::new().backend(backend).edwards(true).prepare(points).expect("supported")
}

#[test]
fn what_it_does_not_add_is_a_typed_error() {
    let rng = &mut StdRng::seed_from_u64(1);
    let g1 = points::<g1::Config>(3, rng);
    let scalars: Vec<Fr> = uniform(3, rng);
    let msm = Msm::new().adder(EDWARDS);

    fn other<C: Curve>(rng: &mut StdRng) {
        let (points, scalars) = (points::<C>(3, rng), uniform::<C::ScalarField>(3, rng));
        let bases = BasesOptions::new().edwards(true).prepare(&points).map(|bases| bases.len());
        assert_eq!(bases, Err(refused(Unfit::NoForm)));
        let sum =
            Msm::new().adder(EDWARDS).run(&Bases::new(&points).expect("supported"), Scalars::Field(&scalars));
        assert_eq!(sum, Err(refused(Unfit::NoForm)));
        let stream = Msm::new().adder(EDWARDS).start::<C>(StreamOptions::new());
        assert_eq!(stream.map(|stream| stream.len()), Err(refused(Unfit::NoForm)));
        assert!(LAWS.iter().all(|adder| !adder.is_for::<C>()));
    }
    other::<ark_bls12_381::g1::Config>(rng);
    other::<ark_bn254::g1::Config>(rng);
    other::<g2::Config>(rng);
    assert!(LAWS.iter().all(|adder| adder.is_for::<g1::Config>() && adder.is_for::<Bandersnatch>()));
    assert!(LAWS.iter().all(|adder| adder.is_for::<Jubjub>()));

    // Without the Edwards form of the points, the call fails even if there is nothing to add.
    let plain = Bases::new(&g1).expect("supported");
    assert_eq!(msm.run(&plain, Scalars::Field(&scalars)), Err(refused(Unfit::NotPrepared)));
    assert_eq!(msm.run(&plain, Scalars::Field(&[Fr::zero(); 3])), Err(refused(Unfit::NotPrepared)));
    // These points may lie outside of the subgroup.
    let checked = BasesOptions::new().edwards(true).check(Check::Curve).prepare(&g1);
    assert_eq!(checked.map(|bases| bases.len()), Err(refused(Unfit::Subgroup)));
    let checked = BasesOptions::new().check(Check::Curve).prepare(&g1).expect("on the curve");
    assert_eq!(msm.run(&checked, Scalars::Field(&scalars)), Err(refused(Unfit::Subgroup)));
    let stream = msm.start::<g1::Config>(StreamOptions::new().check(Check::Curve));
    assert_eq!(stream.map(|stream| stream.len()), Err(refused(Unfit::Subgroup)));
    let checked =
        BasesOptions::new().edwards(true).check(Check::Subgroup).prepare(&g1).expect("in the subgroup");
    assert_eq!(msm.run(&checked, Scalars::Field(&scalars)), Ok(expected(&g1, &scalars)));
    // Only one group of a pair has the form.
    let g2 = Bases::new(&points::<g2::Config>(3, rng)).expect("supported");
    let sums = msm.run_pair((&checked, &g2), Scalars::Field(&scalars));
    assert_eq!(sums.map(drop), Err(refused(Unfit::NoForm)));
}

/// If only one of two points is infinity, the adder meets it among its inputs.
#[test]
fn infinity_is_a_point_like_any_other() {
    infinity_among_points::<g1::Config>();
    infinity_among_points::<Bandersnatch>();
}

fn infinity_among_points<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(2);
    let n = 300;
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    for backend in backends() {
        for share in [1, 2, 7] {
            let mut some = || -> Vec<Affine<C>> {
                let mut points = points::<C>(n, rng);
                points
                    .iter_mut()
                    .filter(|_| rng.gen_ratio(1, share))
                    .for_each(|point| *point = Affine::identity());
                points
            };
            let (first, second) = (some(), some());
            let bases = (&prepared(backend, &first), &prepared(backend, &second));
            for scheduler in [SchedulerKind::Tree, SchedulerKind::Serial, SchedulerKind::Greedy] {
                for (window, adder) in [(2, LAWS[0]), (5, LAWS[0]), (9, LAWS[0]), (2, LAWS[1]), (9, LAWS[1])]
                {
                    let msm = Msm::new().adder(adder).scheduler(scheduler).window(window);
                    let sums = msm.run_pair(bases, Scalars::Field(&scalars));
                    assert_eq!(
                        sums,
                        Ok((expected(&first, &scalars), expected(&second, &scalars))),
                        "{backend}"
                    );
                }
            }
        }
    }
}

/// The caller's word is not checked, but it is believed without a panic: points of low order, of no subgroup, of no curve.
#[test]
fn points_that_it_is_not_for_do_no_harm() {
    let rng = &mut StdRng::seed_from_u64(3);
    let order_two = Affine::new_unchecked(-Fq::one(), Fq::zero());
    let order_three = Affine::new_unchecked(Fq::zero(), Fq::one());
    let nowhere = Affine::new_unchecked(Fq::one(), Fq::one());
    let good = points::<g1::Config>(64, rng);
    let scalars: Vec<Fr> = uniform(64, rng);
    for backend in backends() {
        for bad in [order_two, order_three, nowhere, any_point(rng)] {
            let mixed: Vec<G1Affine> =
                good.iter().enumerate().map(|(i, &p)| if i % 3 == 0 { bad } else { p }).collect();
            for points in [mixed, vec![bad; 64]] {
                let bases = prepared(backend, &points);
                for adder in LAWS {
                    assert!(Msm::new().adder(adder).window(3).run(&bases, Scalars::Field(&scalars)).is_ok());
                }
                // The other adders take the points as they are.
                let sum = Msm::new()
                    .window(3)
                    .run(&Bases::new(&good).expect("supported"), Scalars::Field(&scalars));
                assert_eq!(sum, Ok(expected(&good, &scalars)));
            }
        }
    }
}

#[test]
fn tables_are_loaded_in_its_form() {
    let rng = &mut StdRng::seed_from_u64(4);
    let points = points::<g1::Config>(50, rng);
    let scalars: Vec<Fr> = uniform(50, rng);
    for backend in backends() {
        for options in [BasesOptions::new(), BasesOptions::new().copies(5), BasesOptions::new().bucket_set(3)]
        {
            let bases = options.backend(backend).edwards(true).prepare(&points).expect("supported");
            let mut file = Cursor::new(Vec::new());
            bases.write_table(&mut file).expect("memory is writable");
            let file = file.into_inner();
            let load = |edwards| {
                BasesOptions::new()
                    .backend(backend)
                    .edwards(edwards)
                    .load::<g1::Config>(file.clone())
                    .expect("ours")
            };
            let msm = Msm::new().adder(EDWARDS);
            assert_eq!(msm.run(&load(true), Scalars::Field(&scalars)), Ok(expected(&points, &scalars)));
            assert_eq!(msm.run(&load(false), Scalars::Field(&scalars)), Err(refused(Unfit::NotPrepared)));
        }
    }
}

#[test]
fn progress_includes_the_conversion() {
    #[derive(Default)]
    struct Last(AtomicUsize, AtomicUsize);
    impl Progress for Last {
        fn report(&self, done: usize, total: usize) {
            self.0.fetch_max(done, Ordering::Relaxed);
            self.1.store(total, Ordering::Relaxed);
        }
    }
    let points = points::<g1::Config>(3000, &mut StdRng::seed_from_u64(5));
    for options in
        [BasesOptions::new(), BasesOptions::new().endomorphism(false), BasesOptions::new().copies(2)]
    {
        let last = Last::default();
        assert!(options.edwards(true).progress(&last).prepare(&points).is_ok());
        assert_eq!(last.0.load(Ordering::Relaxed), last.1.load(Ordering::Relaxed));
    }
}

/// Adds every pair of summands, in every lane, of points and of sums.
#[cfg(feature = "additions")]
fn additions_of<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(6);
    let mut all = points::<C>(64, rng);
    // Neighbours are equal or opposite, and some are infinity.
    (all[1], all[9], all[18], all[27]) = (all[0], -all[8], Affine::identity(), all[25]);
    (all[36], all[38], all[45]) = (Affine::identity(), -all[37], all[44]);
    let n = all.len();
    let sum = |i: usize| (all[i % n] + all[(i + 1) % n]).into();
    for (backend, adder) in backends().flat_map(|backend| LAWS.map(|adder| (backend, adder))) {
        let bases = prepared(backend, &all);
        for summands in [Summands::Affine, Summands::Mixed, Summands::Full] {
            let sums = bases.additions(adder, summands).expect("prepared").sums();
            for (i, &found) in sums.iter().enumerate() {
                let signed = |p: Affine<C>| if i % 2 == 1 { -p } else { p };
                let [left, right]: [Affine<C>; 2] = match summands {
                    Summands::Affine => [all[i], signed(all[(i + 2) % n])],
                    Summands::Mixed => [sum(i), signed(all[(i + 2) % n])],
                    Summands::Full => [sum(i), sum(i + 2)],
                };
                assert_eq!(found, Affine::<C>::from(left + right), "{backend}, {adder}, {summands:?}, {i}");
            }
        }
    }
    let plain = Bases::new(&all).expect("supported");
    assert_eq!(plain.additions(EDWARDS, Summands::Full).map(drop), Err(refused(Unfit::NotPrepared)));
}

#[cfg(feature = "additions")]
#[test]
fn additions_alone() {
    additions_of::<g1::Config>();
    additions_of::<Jubjub>();
    additions_of::<Bandersnatch>();
}

#[test]
fn the_plan_of_a_table_counts_both_forms() {
    let plan = |edwards| {
        let options = BasesOptions::new().backend(Backend::Portable).endomorphism(false).copies(4);
        options.edwards(edwards).plan::<g1::Config>(1000).expect("supported")
    };
    // A point has two coordinates in Weierstrass form, and four more in Edwards form.
    assert_eq!((plan(false).bytes, plan(true).bytes), (4 * 1000 * 96, 4 * 1000 * (96 + 192)));
    // A table within a budget has fewer copies.
    let copies = |edwards| {
        let options =
            BasesOptions::new().backend(Backend::Portable).endomorphism(false).memory(1000 * 96 * 10);
        options.edwards(edwards).plan::<g1::Config>(1000).expect("supported")
    };
    assert!(copies(true).bytes <= 1000 * 96 * 10 && copies(true).copies < copies(false).copies);
}
