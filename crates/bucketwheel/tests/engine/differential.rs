//! Compares the engine with arkworks: every curve, group, backend, scheduler, adder and window size.

use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{Field, One, PrimeField, UniformRand, Zero};
use bucketwheel::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::cases::{self, Case};
use crate::inputs::{
    adders, any_point, backends_of, expected, for_all_adders, is_left_out, on_threads, points, uniform,
};

fn strategies<C: Curve>() -> Vec<(SchedulerKind, AdderKind)> {
    let schedulers = SchedulerKind::ALL.iter().filter(|&&scheduler| scheduler != SchedulerKind::Auto);
    schedulers.flat_map(|&scheduler| adders::<C>().into_iter().map(move |adder| (scheduler, adder))).collect()
}

/// Compares all backends and strategies, on one thread or two, with or without the endomorphism; the default scheduler with both.
#[track_caller]
fn check_all<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField], what: &str) {
    check_with(points, scalars, what, &strategies::<C>(), &[None]);
}

#[track_caller]
fn check_with<C: Curve>(
    points: &[Affine<C>],
    scalars: &[C::ScalarField],
    what: &str,
    strategies: &[(SchedulerKind, AdderKind)],
    windows: &[Option<u32>],
) {
    let expected = expected(points, scalars);
    for backend in backends_of::<C>() {
        let options = for_all_adders::<C>().backend(backend);
        let both = [false, true].map(|on| options.endomorphism(on).prepare(points).expect("supported"));
        for (index, &(scheduler, adder)) in strategies.iter().enumerate() {
            for &window in windows {
                // The other schedulers give every window to one thread anyway.
                let threads = [1 + index % 2, 2 - index % 2];
                let threads = if scheduler == SchedulerKind::Tree { &threads[..] } else { &threads[..1] };
                for &threads in threads {
                    if is_left_out() {
                        continue;
                    }
                    let bases = &both[(index / 2 + threads) % 2];
                    assert_eq!(bases.backend(), backend);
                    let mut msm = Msm::new().threads(threads).scheduler(scheduler).adder(adder);
                    if let Some(window) = window {
                        msm = msm.window(window);
                    }
                    let (sum, report) =
                        msm.run_reported(bases, Scalars::Field(scalars)).expect("valid input");
                    assert_eq!(
                        sum, expected,
                        "{what}: n = {}, {backend}, {scheduler}, {adder}, window {window:?}, {threads} threads",
                        points.len()
                    );
                    assert_eq!((report.backend, report.scheduler, report.adder), (backend, scheduler, adder));
                }
            }
        }
    }
}

fn sizes<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(1);
    let all = points::<C>(300, rng);
    for n in [0, 1, 2, 3, 7, 8, 9, 17, 64, 255, 300] {
        check_all(&all[..n], &uniform(n, rng), "sizes");
    }
    let n = 3001;
    let (mut many, tree) = (points::<C>(n, rng), [(SchedulerKind::Tree, AdderKind::Affine)]);
    check_with(&many, &uniform(n, rng), "sizes", &tree, &[None]);
    check_with(&many, &vec![uniform(1, rng)[0]; n], "sizes, equal scalars", &tree, &[None]);
    // Exceptions are spread from the first points to the last.
    for i in (0..n).step_by(10) {
        many[i] = if i % 20 == 0 { all[i % 7] } else { -all[i % 7] };
    }
    check_with(&many, &uniform(n, rng), "sizes, some points repeated", &tree, &[None]);
}

fn windows<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(2);
    let points = points::<C>(9, rng);
    let mut scalars = uniform(9, rng);
    scalars[3] = -C::ScalarField::one();
    scalars[4] = C::ScalarField::from(2u64).inverse().expect("not zero");
    let tree = [(SchedulerKind::Tree, AdderKind::Affine)];
    let small: Vec<Option<u32>> = (MIN_WINDOW..=13).map(Some).collect();
    check_with(&points, &scalars, "windows", &tree, &small);
    // The largest windows have many buckets: one backend each.
    let bases = Bases::new(&points).expect("supported");
    let expected = expected(&points, &scalars);
    for window in 14..=MAX_WINDOW {
        assert_eq!(
            Msm::new().window(window).run(&bases, Scalars::Field(&scalars)),
            Ok(expected),
            "window {window}"
        );
    }
}

fn edge_cases<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(3);
    for Case { what, points, scalars } in cases::edge_cases::<C>(100, 100, rng) {
        check_all(&points, &scalars, what);
    }
    // Outside of the subgroup, the complete formulas do not hold, but the others do.
    let (Case { what, points, scalars }, sum) = cases::outside::<C>(100, rng);
    for backend in backends_of::<C>() {
        let bases =
            BasesOptions::new().backend(backend).check(Check::Curve).prepare(&points).expect("on curve");
        for adder in [AdderKind::Affine, AdderKind::Xyzz] {
            let result = Msm::new().adder(adder).run(&bases, Scalars::Field(&scalars));
            assert_eq!(result, Ok(sum), "{what}, {backend}, {adder}");
        }
    }
}

fn pairs<C: Curve, D: Curve<ScalarField = C::ScalarField>>() {
    let rng = &mut StdRng::seed_from_u64(4);
    let n = 200;
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    for infinities in [&[][..], &[0]] {
        let (g1, g2) = cases::pair::<C, D>(n, infinities, rng);
        // Two groups share the split of scalars only if both have images.
        for (on1, on2) in [(true, true), (true, false), (false, true), (false, false)] {
            let bases1 = BasesOptions::new().endomorphism(on1).prepare(&g1).expect("supported");
            let bases2 = BasesOptions::new().endomorphism(on2).prepare(&g2).expect("supported");
            let sums = Msm::new().run_pair((&bases1, &bases2), Scalars::Field(&scalars));
            assert_eq!(sums, Ok((expected(&g1, &scalars), expected(&g2, &scalars))), "{on1} {on2}");
        }
    }
}

fn properties<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(5);
    for n in [5, 50, 500] {
        let points = points::<C>(n, rng);
        let (a, b): (Vec<C::ScalarField>, Vec<C::ScalarField>) = (uniform(n, rng), uniform(n, rng));
        let bases = Bases::new(&points).expect("supported");
        let run =
            |scalars: &[C::ScalarField]| Msm::new().run(&bases, Scalars::Field(scalars)).expect("valid");
        // The sum is linear in the scalars.
        let factor = C::ScalarField::rand(rng);
        let combined: Vec<_> = a.iter().zip(&b).map(|(a, b)| *a * factor + b).collect();
        assert_eq!(run(&combined), run(&a) * factor + run(&b));
        // One call takes many vectors, also of other types.
        let small: Vec<u16> = (0..n).map(|_| rng.gen()).collect();
        let many =
            Msm::new().run_many(&bases, &[Scalars::Field(&a), Scalars::U16(&small), Scalars::Field(&b)]);
        let small: Vec<_> = small.iter().map(|&x| C::ScalarField::from(x)).collect();
        assert_eq!(many, Ok(vec![run(&a), run(&small), run(&b)]));
        // The sum does not depend on the order.
        let reversed: Vec<_> = points.iter().rev().copied().collect();
        let scalars: Vec<_> = a.iter().rev().copied().collect();
        assert_eq!(msm(&reversed, &scalars), Ok(run(&a)));
        // The sum is the sum of its parts.
        let middle = rng.gen_range(0..n);
        let parts = msm(&points[..middle], &a[..middle]).expect("valid")
            + msm(&points[middle..], &a[middle..]).expect("valid");
        assert_eq!(parts, run(&a));
    }
}

macro_rules! curve {
    ($name:ident, $g1:ty, $g2:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn g1_sizes() {
                sizes::<$g1>();
            }

            #[test]
            fn g2_sizes() {
                sizes::<$g2>();
            }

            #[test]
            fn g1_windows() {
                windows::<$g1>();
            }

            #[test]
            fn g2_windows() {
                windows::<$g2>();
            }

            #[test]
            fn g1_edge_cases() {
                edge_cases::<$g1>();
            }

            #[test]
            fn g2_edge_cases() {
                edge_cases::<$g2>();
            }

            #[test]
            fn g1_and_g2() {
                pairs::<$g1, $g2>();
            }

            #[test]
            fn g1_properties() {
                properties::<$g1>();
            }
        }
    };
}

curve!(bls12_381, ark_bls12_381::g1::Config, ark_bls12_381::g2::Config);
curve!(bls12_377, ark_bls12_377::g1::Config, ark_bls12_377::g2::Config);
curve!(bn254, ark_bn254::g1::Config, ark_bn254::g2::Config);

/// Tests of curves with one group.
macro_rules! one_group {
    ($($name:ident: $curve:ty, $feature:literal;)*) => {
        $(#[cfg(feature = $feature)]
        mod $name {
            use super::*;

            #[test]
            fn all_sizes() {
                sizes::<$curve>();
            }

            #[test]
            fn all_edge_cases() {
                edge_cases::<$curve>();
            }
        })*
    };
}

one_group! {
    pallas: ark_pallas::PallasConfig, "pasta";
    vesta: ark_vesta::VestaConfig, "pasta";
    grumpkin: ark_grumpkin::GrumpkinConfig, "bn254";
    jubjub: ark_ed_on_bls12_381::JubjubConfig, "edwards-curves";
    bandersnatch: ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig, "edwards-curves";
    bls24_315: bucketwheel::bls24_315::G1, "bls24-315";
    bls24_315_g2: bucketwheel::bls24_315::G2, "bls24-315-g2";
    bw6_761: ark_bw6_761::g1::Config, "bw6-761";
    bw6_761_g2: ark_bw6_761::g2::Config, "bw6-761";
    tweedledum: bucketwheel::tweedle::Tweedledum, "tweedle";
    tweedledee: bucketwheel::tweedle::Tweedledee, "tweedle";
    mnt4_298: ark_mnt4_298::g1::Config, "mnt";
    mnt6_298: ark_mnt6_298::g1::Config, "mnt";
    mnt4_753: ark_mnt4_753::g1::Config, "mnt";
    mnt6_753: ark_mnt6_753::g1::Config, "mnt";
}

type G1 = ark_bls12_381::g1::Config;
type Fr = ark_bls12_381::Fr;

#[test]
fn small_scalars_of_every_type() {
    let rng = &mut StdRng::seed_from_u64(6);
    let n = 300;
    let points = points::<G1>(n, rng);
    let bases = Bases::new(&points).expect("supported");
    let values: Vec<u64> = (0..n).map(|i| if i % 9 == 0 { u64::MAX } else { rng.gen() }).collect();
    let field = |limit: u64| values.iter().map(|v| Fr::from(v % limit)).collect::<Vec<_>>();
    let check = |scalars: Scalars<'_, Fr>, field: &[Fr]| {
        assert_eq!(Msm::new().run(&bases, scalars), Ok(expected(&points, field)), "{scalars:?}");
    };
    let all: Vec<Fr> = values.iter().map(|&v| Fr::from(v)).collect();
    check(Scalars::from(&values), &all);
    check(
        Scalars::from(&values.iter().map(|&v| (v % (1 << 32)) as u32).collect::<Vec<_>>()),
        &field(1 << 32),
    );
    check(
        Scalars::from(&values.iter().map(|&v| (v % (1 << 16)) as u16).collect::<Vec<_>>()),
        &field(1 << 16),
    );
    check(Scalars::from(&values.iter().map(|&v| (v % (1 << 8)) as u8).collect::<Vec<_>>()), &field(1 << 8));
    check(Scalars::from(&values.iter().map(|&v| v % 2 == 1).collect::<Vec<_>>()), &field(2));
    check(Scalars::from(&all), &all);
    check(Scalars::from(&all.iter().map(|v| v.into_bigint()).collect::<Vec<_>>()), &all);
}

#[test]
fn wrong_input_is_a_typed_error() {
    let rng = &mut StdRng::seed_from_u64(7);
    let points = points::<G1>(5, rng);
    let scalars: Vec<Fr> = uniform(4, rng);
    assert_eq!(msm(&points, &scalars), Err(Error::Length { points: 5, scalars: 4 }));
    let bases = Bases::new(&points).expect("supported");
    for window in [0, MAX_WINDOW + 1, u32::MAX] {
        let error = Error::Window { window, min: MIN_WINDOW, max: MAX_WINDOW };
        assert_eq!(Msm::new().window(window).run(&bases, &uniform::<Fr>(5, rng)), Err(error));
    }
    let mut integers: Vec<_> = uniform::<Fr>(5, rng).iter().map(|s| s.into_bigint()).collect();
    integers[3] = Fr::MODULUS;
    assert_eq!(Msm::new().run(&bases, &integers), Err(Error::ScalarRange { index: 3 }));
    integers[2].0 = [u64::MAX; 4];
    assert_eq!(Msm::new().run(&bases, &integers), Err(Error::ScalarRange { index: 2 }));
    let mut off_curve = points.clone();
    off_curve[4] = Affine::new_unchecked(points[0].x, points[1].y);
    let check =
        |points: &[Affine<G1>], check: Check| BasesOptions::new().check(check).prepare(points).map(|_| ());
    assert_eq!(check(&off_curve, Check::Curve), Err(Error::NotOnCurve { index: 4 }));
    assert_eq!(check(&off_curve, Check::Subgroup), Err(Error::NotOnCurve { index: 4 }));
    let mut outside = points.clone();
    outside[2] = any_point(rng);
    assert_eq!(check(&outside, Check::Curve), Ok(()));
    assert_eq!(check(&outside, Check::Subgroup), Err(Error::NotInSubgroup { index: 2 }));
    assert_eq!(check(&points, Check::Subgroup), Ok(()));
}

/// Counts the calls of `report`.
#[derive(Default)]
struct Counter {
    calls: AtomicUsize,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress for Counter {
    fn report(&self, done: usize, total: usize) {
        assert!(done <= total);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.done.fetch_max(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }
}

#[test]
fn progress_is_reported() {
    let rng = &mut StdRng::seed_from_u64(8);
    let points = points::<G1>(3000, rng);
    let bases = Bases::new(&points).expect("supported");
    let scalars = uniform::<Fr>(3000, rng);
    for &scheduler in SchedulerKind::ALL.iter() {
        let counter = Counter::default();
        let sum = Msm::new().scheduler(scheduler).progress(&counter).run(&bases, &scalars);
        assert!(sum.is_ok());
        assert!(counter.calls.load(Ordering::Relaxed) > 1);
        assert!(counter.total.load(Ordering::Relaxed) > 3000);
        assert_eq!(counter.done.load(Ordering::Relaxed), counter.total.load(Ordering::Relaxed));
    }
}

#[test]
fn progress_of_the_preparation_is_reported() {
    let points = points::<G1>(3000, &mut StdRng::seed_from_u64(8));
    for check in [Check::None, Check::Curve, Check::Subgroup] {
        for threads in [1, 2] {
            let counter = Counter::default();
            let options = BasesOptions::new().check(check).threads(threads).progress(&counter);
            assert!(options.prepare(&points).is_ok());
            assert!(counter.calls.load(Ordering::Relaxed) >= 3);
            assert!(counter.total.load(Ordering::Relaxed) >= 3000);
            assert_eq!(counter.done.load(Ordering::Relaxed), counter.total.load(Ordering::Relaxed));
        }
    }
}

/// The first scalar that is too large is named, whichever thread finds one first.
#[test]
fn the_first_bad_scalar_is_named() {
    let bases = Bases::new(&vec![Affine::<G1>::generator(); 20_000]).expect("supported");
    let mut integers = vec![Fr::one().into_bigint(); 20_000];
    for index in [19_999, 12_345, 4097, 4096, 33] {
        integers[index] = Fr::MODULUS;
        for threads in [1, 2] {
            let sum = Msm::new().threads(threads).run(&bases, &integers);
            assert_eq!(sum, Err(Error::ScalarRange { index }));
        }
    }
}

/// The first point that fails is named, whichever thread finds one first.
#[test]
fn the_first_bad_point_is_named() {
    let generator = Affine::<G1>::generator();
    let off_curve = Affine::new_unchecked(generator.x, generator.x);
    let outside = any_point::<G1>(&mut StdRng::seed_from_u64(12));
    let mut points = vec![generator; 20_000];
    points[17] = Affine::identity();
    for (check, bad, error) in [
        (Check::Curve, off_curve, (|index| Error::NotOnCurve { index }) as fn(usize) -> Error),
        (Check::Subgroup, outside, |index| Error::NotInSubgroup { index }),
    ] {
        let mut points = points.clone();
        for index in [19_999, 12_345, 4097, 4096, 33] {
            points[index] = bad;
            for threads in [1, 2] {
                let prepared = BasesOptions::new().check(check).threads(threads).prepare(&points);
                assert_eq!(prepared.map(|bases| bases.len()), Err(error(index)));
            }
        }
    }
}

#[test]
fn the_plan_is_kept() {
    fn check<C: Curve>() {
        let rng = &mut StdRng::seed_from_u64(13);
        let all = points::<C>(3000, rng);
        for n in [0, 100, 1000, 3000] {
            let bases = Bases::new(&all[..n]).expect("supported");
            let scalars = uniform::<C::ScalarField>(n, rng);
            for msm in
                [Msm::new(), Msm::new().threads(1), Msm::new().window(7), Msm::new().adder(AdderKind::Xyzz)]
            {
                let (_, report) = msm.run_reported(&bases, Scalars::Field(&scalars)).expect("valid");
                let (plan, done) = (msm.plan::<C>(bases.backend(), n).expect("a valid window"), report.plan);
                assert_eq!(
                    (plan.window, plan.windows, plan.memory_bytes),
                    (done.window, done.windows, done.memory_bytes)
                );
                // The scalars are not quite as long as expected.
                assert!(plan.additions.abs_diff(done.additions) <= plan.additions / 50);
            }
        }
    }
    check::<G1>();
    check::<ark_bls12_381::g2::Config>();
    check::<ark_bn254::g1::Config>();
    let error = Error::Window { window: 0, min: MIN_WINDOW, max: MAX_WINDOW };
    assert_eq!(Msm::new().window(0).plan::<G1>(Backend::Portable, 10), Err(error));
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn the_callers_pool_is_used() {
    let rng = &mut StdRng::seed_from_u64(10);
    let points = points::<G1>(2000, rng);
    let scalars = uniform::<Fr>(2000, rng);
    let bases = Bases::new(&points).expect("supported");
    /// Notes the names of the threads on which it is called.
    struct Names(std::sync::Mutex<std::collections::HashSet<String>>);
    impl Progress for Names {
        fn report(&self, _: usize, _: usize) {
            let name = std::thread::current().name().unwrap_or_default().to_string();
            self.0.lock().expect("no panic").insert(name);
        }
    }
    let names = Names(Default::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).thread_name(|i| format!("mine {i}")).build();
    let sum = pool.expect("a pool").install(|| Msm::new().progress(&names).run(&bases, &scalars));
    assert_eq!(sum, Ok(expected(&points, &scalars)));
    let names = names.0.into_inner().expect("no panic");
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("mine")), "{names:?}");
}

/// Magnitudes with all bits set carry into the last window. The test covers every number of bits and every window.
#[test]
fn all_ones_of_every_length() {
    let rng = &mut StdRng::seed_from_u64(11);
    let points = points::<G1>(1, rng);
    let both =
        [false, true].map(|on| BasesOptions::new().endomorphism(on).prepare(&points).expect("supported"));
    let mut scalar = Fr::zero();
    let mut sum = Projective::<G1>::zero();
    for bits in 1..=254 {
        scalar = scalar.double() + Fr::one();
        sum = sum.double() + points[0];
        for window in MIN_WINDOW..=10 {
            for bases in &both {
                for (scalar, sum) in [(scalar, sum), (-scalar, -sum)] {
                    if is_left_out() {
                        continue;
                    }
                    let result = Msm::new().threads(1).window(window).run(bases, &vec![scalar]);
                    assert_eq!(result, Ok(sum), "2^{bits} - 1, window {window}");
                }
            }
        }
    }
}

/// There are more threads than windows: their chunks end within many buckets, and the high levels of a window are
/// several tasks.
#[test]
fn more_threads_than_windows() {
    fn check<C: Curve>(options: BasesOptions<'_>, msm: Msm<'_>, scalars: &[C::ScalarField], what: &str) {
        let rng = &mut StdRng::seed_from_u64(14);
        let points = points::<C>(scalars.len(), rng);
        let bases = options.prepare(Points::from(&points[..])).expect("supported");
        let sum = on_threads(64, || msm.run(&bases, Scalars::Field(scalars)));
        assert_eq!(sum, Ok(expected(&points, scalars)), "{what}");
    }
    let n = 20_000;
    let rng = &mut StdRng::seed_from_u64(15);
    let uniform = uniform::<Fr>(n, rng);
    let short: Vec<Fr> = (0..n).map(|_| Fr::from(rng.gen_range(0..1u64 << 13))).collect();
    let equal = vec![uniform[0]; n];
    for (scalars, what) in [(&uniform, "uniform"), (&short, "short"), (&equal, "equal")] {
        for backend in backends_of::<G1>() {
            let options = BasesOptions::new().backend(backend);
            check::<G1>(options, Msm::new().window(13), scalars, &format!("{what}, {backend}"));
        }
        check::<G1>(BasesOptions::new(), Msm::new().window(13).adder(AdderKind::Xyzz), scalars, what);
    }
}

/// There are more digits than are sorted at a time: the same buckets are filled several times, for one set of windows
/// after the other.
#[test]
fn windows_are_filled_in_groups() {
    fn check<C: Curve>(options: BasesOptions<'_>, msm: Msm<'_>, scalars: &[C::ScalarField], what: &str) {
        let rng = &mut StdRng::seed_from_u64(12);
        let [points, others] = [points::<C>(scalars.len(), rng), points::<C>(scalars.len(), rng)];
        let bases =
            [&points, &others].map(|points| options.prepare(Points::from(&points[..])).expect("supported"));
        let sums = [&points, &others].map(|points| expected(points, scalars));
        for threads in [1, 2] {
            let msm = msm.threads(threads);
            let (found, report) =
                msm.run_pair_reported((&bases[0], &bases[1]), Scalars::Field(scalars)).expect("valid");
            let plan = report.plan;
            assert!(plan.sets_at_a_time < plan.bucket_sets, "{what}: {plan:?}");
            assert_eq!([found.0, found.1], sums, "{what}, {threads} threads");
            assert_eq!(msm.run(&bases[1], Scalars::Field(scalars)), Ok(sums[1]), "{what}, {threads} threads");
        }
    }
    let n = 20_000;
    let rng = &mut StdRng::seed_from_u64(13);
    let mut scalars = uniform::<Fr>(n, rng);
    let options = BasesOptions::new();
    check::<G1>(options.endomorphism(false), Msm::new().window(2), &scalars, "all long");
    check::<G1>(options.endomorphism(true), Msm::new().window(2), &scalars, "halves");
    check::<G1>(options.copies(2), Msm::new().window(1), &scalars, "table");
    for (i, scalar) in scalars.iter_mut().enumerate().filter(|(i, _)| i % 5 == 0) {
        *scalar = [Fr::zero(), Fr::one(), -Fr::from(i as u64), Fr::from(u64::MAX)][i / 5 % 4];
    }
    check::<G1>(options.endomorphism(false), Msm::new().window(2), &scalars, "some short");
    let scalars = uniform::<ark_bls12_377::Fr>(n, rng);
    let msm = Msm::new().window(1).adder(AdderKind::Edwards);
    check::<ark_bls12_377::g1::Config>(options.edwards(true).copies(2), msm, &scalars, "images of sums");
}
