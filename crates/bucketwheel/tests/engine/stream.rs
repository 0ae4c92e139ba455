//! Compares streams with arkworks, and with MSMs in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, PrimeGroup, ScalarMul};
use ark_ff::{BigInteger, Field, One, PrimeField, Zero};
use bucketwheel::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::cases::{self, Case};
use crate::inputs::{adders, all_strategies, backends, expected, is_left_out, on_threads, points, uniform};

type G1 = ark_bls12_381::g1::Config;
type G2 = ark_bls12_381::g2::Config;
type Fr = ark_bls12_381::Fr;

/// The smallest block. With more points than this, later points meet buckets that already hold some.
const BLOCK: usize = 1 << 12;

/// Returns options with as little memory as a stream of these options can take.
fn least<C: Curve>(msm: Msm<'_>, options: StreamOptions) -> StreamOptions {
    match msm.start::<C>(options.memory(0)) {
        Err(Error::Memory { bytes: 0, least }) => options.memory(least),
        other => panic!("a stream without memory: {other:?}"),
    }
}

/// Returns a stream of the smallest blocks.
fn start<C: Curve>(msm: Msm<'_>, options: StreamOptions) -> Stream<'_, C> {
    let stream = msm.start::<C>(least::<C>(msm, options)).expect("supported");
    assert_eq!(stream.plan().block, BLOCK);
    stream
}

/// Cuts `0..n` anywhere, also into empty parts.
fn cuts(n: usize, rng: &mut StdRng) -> Vec<std::ops::Range<usize>> {
    let mut at = vec![0, 0, n, n];
    at.extend((0..rng.gen_range(0..8)).map(|_| rng.gen_range(0..=n)));
    at.sort_unstable();
    at.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Compares the sum by a stream of the smallest blocks, cut anywhere and flushed now and then.
#[track_caller]
fn check<C: Curve>(
    msm: Msm<'_>,
    options: StreamOptions,
    (points, scalars): (&[Affine<C>], &[C::ScalarField]),
    expected: Projective<C>,
    rng: &mut StdRng,
    what: &str,
) {
    if is_left_out() {
        return;
    }
    let mut stream = start::<C>(msm, options);
    for range in cuts(points.len(), rng) {
        stream.update(&points[range.clone()], Scalars::Field(&scalars[range.clone()])).expect("valid");
        assert_eq!(stream.len(), range.end);
        if rng.gen_ratio(1, 8) {
            assert!(stream.flush().is_ok());
        }
    }
    assert_eq!(stream.finish(), Ok(expected), "{what}: n = {}, {msm:?}, {options:?}", points.len());
}

fn sums<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(1);
    let n = 2 * BLOCK + 77;
    let (points, scalars) = (points::<C>(n, rng), uniform::<C::ScalarField>(n, rng));
    let sum = expected(&points, &scalars);
    for adder in adders::<C>() {
        for threads in [1, 2] {
            let msm = Msm::new().window(9).adder(adder).threads(threads);
            check(msm, StreamOptions::new(), (&points, &scalars), sum, rng, "sums");
        }
    }
    for n in [0, 1, 2, 17, BLOCK, BLOCK + 1] {
        let (points, scalars) = (&points[..n], &scalars[..n]);
        let sum = expected(points, scalars);
        check(Msm::new(), StreamOptions::new().points(n), (points, scalars), sum, rng, "sizes");
        // All points are in one block, with any expectation.
        let mut stream = Msm::new().start::<C>(StreamOptions::new().points(3)).expect("supported");
        stream.update(points, Scalars::Field(scalars)).expect("valid");
        assert_eq!(stream.finish(), Ok(sum));
    }
}

fn edge_cases<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(2);
    let n = 2 * BLOCK + 300;
    let mut cases = cases::edge_cases::<C>(n, 16, rng);
    // The second block undoes the first. The third block meets infinity in the buckets.
    let (distinct, uniform) = (points::<C>(16, rng), uniform::<C::ScalarField>(BLOCK, rng));
    let of = |i: usize| [distinct[i % 16], -distinct[i % 16], distinct[i % 3]][i / BLOCK];
    let undone: Vec<Affine<C>> = (0..n).map(of).collect();
    let again: Vec<C::ScalarField> = (0..n).map(|i| uniform[i % BLOCK]).collect();
    for (what, scalars) in [
        ("P and -P in two updates", again.clone()),
        ("P and -P in two updates, equal scalars", vec![uniform[0]; n]),
    ] {
        cases.push(Case { what, points: undone.clone(), scalars });
    }
    for Case { what, points, scalars } in cases {
        let sum = expected(&points, &scalars);
        for adder in adders::<C>() {
            let msm = Msm::new().adder(adder).window(8);
            check(msm, StreamOptions::new(), (&points, &scalars), sum, rng, what);
        }
    }
    // After two blocks, the buckets hold only infinity.
    let mut stream = start::<C>(Msm::new(), StreamOptions::new());
    stream.update(&undone[..2 * BLOCK], Scalars::Field(&again[..2 * BLOCK])).expect("valid");
    assert_eq!(stream.finish(), Ok(Projective::zero()));
}

fn outside<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(3);
    let (Case { what, points, scalars }, sum) = cases::outside::<C>(BLOCK + 100, rng);
    for adder in [AdderKind::Affine, AdderKind::Xyzz] {
        let options = StreamOptions::new().check(Check::Curve);
        check(Msm::new().adder(adder), options, (&points, &scalars), sum, rng, what);
    }
}

fn pairs<C: Curve, D: Curve<ScalarField = C::ScalarField>>() {
    let rng = &mut StdRng::seed_from_u64(4);
    let n = 2 * BLOCK + 5;
    // The points at infinity are also in the second block.
    let (one, two) = cases::pair::<C, D>(n, &[0, BLOCK + 9], rng);
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    let sums = (expected(&one, &scalars), expected(&two, &scalars));
    let Err(Error::Memory { least, .. }) = Msm::new().start_pair::<C, D>(StreamOptions::new().memory(0))
    else {
        panic!("a stream without memory");
    };
    let schedulers =
        SchedulerKind::ALL.iter().map(|&scheduler| (scheduler, scheduler == SchedulerKind::Tree));
    for (scheduler, flush) in schedulers {
        if is_left_out() {
            continue;
        }
        let options = StreamOptions::new().memory(least).points(n);
        let mut stream = Msm::new().scheduler(scheduler).start_pair::<C, D>(options).expect("supported");
        for range in cuts(n, rng) {
            let points = (&one[range.clone()], &two[range.clone()]);
            stream.update(points, Scalars::Field(&scalars[range])).expect("valid");
            if flush {
                assert!(stream.flush().is_ok());
            }
        }
        assert_eq!(stream.len(), n);
        assert_eq!(stream.finish(), Ok(sums), "{scheduler}");
    }
    let mut stream = Msm::new().start_pair::<C, D>(StreamOptions::new()).expect("supported");
    let error = PairError { group: None, error: Error::Length { points: 2, scalars: 3 } };
    assert_eq!(stream.update((&one[..3], &two[..2]), Scalars::Field(&scalars[..3])), Err(error.clone()));
    assert_eq!(stream.update((&one[..2], &two[..3]), Scalars::Field(&scalars[..3])), Err(error));
    // The error names the group whose points are wrong, also if both groups have wrong points.
    let mut stream =
        Msm::new().start_pair::<C, D>(StreamOptions::new().check(Check::Curve)).expect("supported");
    let (mut wrong, mut wrong_too) = (one[..3].to_vec(), two[..3].to_vec());
    wrong[2].x += C::BaseField::one();
    wrong_too[1].x += D::BaseField::one();
    for (one, two, group, index) in
        [(&wrong[..], &two[..3], 0, 2), (&one[..3], &wrong_too[..], 1, 1), (&wrong, &wrong_too, 0, 2)]
    {
        let error = PairError { group: Some(group), error: Error::NotOnCurve { index } };
        assert_eq!(stream.update((one, two), Scalars::Field(&scalars[..3])), Err(error));
    }
}

/// Returns the bytes of a points file.
fn integers<C: Curve>(points: &[Affine<C>]) -> Vec<u8> {
    let coordinates = points.iter().flat_map(|point| match point.xy() {
        Some((x, y)) => [x, y],
        None => [C::BaseField::zero(); 2],
    });
    let elements = coordinates.flat_map(|c| c.to_base_prime_field_elements().collect::<Vec<_>>());
    elements.flat_map(|element| element.into_bigint().to_bytes_le()).collect()
}

fn points_as_integers<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(5);
    let n = BLOCK + 300;
    let mut points = points::<C>(n, rng);
    points[7] = Affine::identity();
    points[BLOCK + 7] = Affine::identity();
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    let (bytes, sum) = (integers(&points), expected(&points, &scalars));
    for check in [Check::None, Check::Curve, Check::Subgroup] {
        for backend in backends() {
            if is_left_out() {
                continue;
            }
            let options = StreamOptions::new().check(check).backend(backend);
            let mut stream = start::<C>(Msm::new(), options);
            assert_eq!(stream.backend(), backend);
            stream
                .update(Points::integers(&bytes).expect("whole points"), Scalars::Field(&scalars))
                .expect("valid");
            assert_eq!(stream.finish(), Ok(sum), "{check:?}, {backend}");
        }
    }

    let mut stream = start::<C>(Msm::new(), StreamOptions::new().check(Check::Curve));
    let size = bytes.len() / n;
    let cut = Points::<C>::integers(&bytes[1..]).map(|points| points.len());
    assert_eq!(cut, Err(Error::Records { bytes: bytes.len() - 1, size }));
    let error = Error::Length { points: n - 1, scalars: n };
    assert_eq!(
        stream.update(Points::integers(&bytes[size..]).expect("whole points"), Scalars::Field(&scalars)),
        Err(error)
    );
    // A coordinate is the modulus itself: the last coefficient of y.
    let modulus = <C::BaseField as Field>::BasePrimeField::MODULUS.to_bytes_le();
    let mut bad = bytes.clone();
    for index in [n - 1, 1000] {
        bad[..(index + 1) * size][(index + 1) * size - modulus.len()..].copy_from_slice(&modulus);
        let error = Error::CoordinateRange { index };
        assert_eq!(
            stream.update(Points::integers(&bad).expect("whole points"), Scalars::Field(&scalars)),
            Err(error)
        );
    }
    let mut bad = bytes.clone();
    bad[3 * size] ^= 1;
    assert_eq!(
        stream.update(Points::integers(&bad).expect("whole points"), Scalars::Field(&scalars)),
        Err(Error::NotOnCurve { index: 3 })
    );
    // Nothing of the failed update was added.
    stream.update(Points::integers(&bytes).expect("whole points"), Scalars::Field(&scalars)).expect("valid");
    assert_eq!(stream.finish(), Ok(sum));
}

macro_rules! curve {
    ($name:ident, $g1:ty, $g2:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn g1_sums() {
                sums::<$g1>();
            }

            #[test]
            fn g2_sums() {
                sums::<$g2>();
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
            fn points_outside_of_the_subgroup() {
                outside::<$g1>();
                outside::<$g2>();
            }

            #[test]
            fn g1_and_g2() {
                pairs::<$g1, $g2>();
            }

            #[test]
            fn integers() {
                points_as_integers::<$g1>();
                points_as_integers::<$g2>();
            }
        }
    };
}

curve!(bls12_381, ark_bls12_381::g1::Config, ark_bls12_381::g2::Config);
curve!(bls12_377, ark_bls12_377::g1::Config, ark_bls12_377::g2::Config);
curve!(bn254, ark_bn254::g1::Config, ark_bn254::g2::Config);

#[test]
fn every_backend_window_and_number_of_threads() {
    let rng = &mut StdRng::seed_from_u64(6);
    let n = 2 * BLOCK + 1000;
    let (points, scalars) = (points::<G1>(n, rng), uniform::<Fr>(n, rng));
    let sum = expected(&points, &scalars);
    for backend in backends() {
        let options = StreamOptions::new().backend(backend);
        check(Msm::new(), options, (&points, &scalars), sum, rng, "backend");
    }
    for window in [MIN_WINDOW, 2, 5, 13, 16] {
        check(Msm::new().window(window), StreamOptions::new(), (&points, &scalars), sum, rng, "window");
    }
    for threads in 1..=5 {
        let msm = Msm::new().threads(threads);
        on_threads(5, || check(msm, StreamOptions::new(), (&points, &scalars), sum, rng, "threads"));
    }
    // A stream may go from pool to pool.
    let mut stream = start::<G1>(Msm::new().threads(1), StreamOptions::new());
    let (first, second) = (&points[..BLOCK], &points[BLOCK..]);
    on_threads(5, || stream.update(first, Scalars::Field(&scalars[..BLOCK]))).expect("valid");
    stream.update(second, Scalars::Field(&scalars[BLOCK..])).expect("valid");
    assert_eq!(on_threads(3, || stream.finish()), Ok(sum));
}

/// Blocks meet buckets that already hold points: by every scheduler with every adder on every backend, and by threads
/// that share a window's buckets if the scheduler lets them.
fn strategies<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(12);
    let n = BLOCK + 500;
    let points = points::<C>(n, rng);
    // Most scalars are short, which is quicker.
    let scalars: Vec<C::ScalarField> = uniform::<C::ScalarField>(n, rng)
        .into_iter()
        .map(|scalar| if rng.gen_ratio(1, 16) { scalar } else { rng.gen::<u32>().into() })
        .collect();
    let sum = expected(&points, &scalars);
    for (index, strategy) in all_strategies::<C>().into_iter().enumerate() {
        let options = StreamOptions::new().backend(strategy.backend);
        let msm = strategy.of(Msm::new()).window(9).threads(1 + index / 2 % 2);
        let check = || check(msm, options, (&points, &scalars), sum, &mut rng.clone(), "strategies");
        on_threads(2, check);
    }
}

#[test]
fn every_strategy() {
    strategies::<ark_bls12_377::g1::Config>();
    strategies::<ark_bn254::g2::Config>();
}

/// One point is enough for a bucket of the last window.
#[test]
fn a_single_point_by_every_strategy() {
    let point = Affine::<G1>::generator();
    for strategy in all_strategies::<G1>().into_iter().filter(|_| !is_left_out()) {
        let options = StreamOptions::new().points(1).backend(strategy.backend);
        let mut stream = strategy.of(Msm::new()).start::<G1>(options).expect("supported");
        stream.update(&[point][..], Scalars::Field(&[-Fr::from(2u64)])).expect("valid");
        assert_eq!(stream.finish(), Ok(-Projective::from(point).double()), "{strategy:?}");
    }
}

#[test]
fn scalars_of_every_type() {
    let rng = &mut StdRng::seed_from_u64(7);
    let n = BLOCK + 11;
    let points = points::<G1>(n, rng);
    let small: Vec<u16> = (0..n).map(|_| rng.gen()).collect();
    let bits: Vec<bool> = (0..n).map(|_| rng.gen()).collect();
    let all: Vec<Fr> = uniform(n, rng);
    let whole: Vec<_> = all.iter().map(|scalar| scalar.into_bigint()).collect();
    let mut stream = start::<G1>(Msm::new(), StreamOptions::new());
    stream.update(&points, &small).expect("valid");
    stream.update(&points, &bits).expect("valid");
    stream.update(&points, &whole).expect("valid");
    stream.update(&points, &all).expect("valid");
    let total: Vec<Fr> =
        (0..n).map(|i| Fr::from(small[i]) + Fr::from(u8::from(bits[i])) + all[i].double()).collect();
    assert_eq!(stream.finish(), Ok(expected(&points, &total)));
}

/// A faulty update leaves the stream as it was.
#[test]
fn errors_add_nothing() {
    let rng = &mut StdRng::seed_from_u64(8);
    let n = 3 * BLOCK;
    let (points, scalars) = (points::<G1>(n, rng), uniform::<Fr>(n, rng));
    let mut stream = start::<G1>(Msm::new(), StreamOptions::new().check(Check::Subgroup));
    stream.update(&points[..100], Scalars::Field(&scalars[..100])).expect("valid");
    assert_eq!(
        stream.update(&points[..9], Scalars::Field(&scalars[..10])),
        Err(Error::Length { points: 9, scalars: 10 })
    );
    let mut integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
    for index in [n - 1, BLOCK + 5] {
        integers[index] = Fr::MODULUS;
        assert_eq!(stream.update(&points, &integers), Err(Error::ScalarRange { index }));
    }
    let mut off_curve = points.clone();
    off_curve[2 * BLOCK].y += ark_bls12_381::Fq::one();
    assert_eq!(
        stream.update(&off_curve, Scalars::Field(&scalars)),
        Err(Error::NotOnCurve { index: 2 * BLOCK })
    );
    let mut outside = points.clone();
    outside[n - 2] = Affine::get_point_from_x_unchecked(4u64.into(), true).expect("a point of the curve");
    assert_eq!(stream.update(&outside, Scalars::Field(&scalars)), Err(Error::NotInSubgroup { index: n - 2 }));
    assert_eq!(stream.len(), 100);
    stream.update(&points[100..], Scalars::Field(&scalars[100..])).expect("valid");
    assert_eq!(stream.finish(), Ok(expected(&points, &scalars)));

    let start = |msm: Msm<'static>, options| msm.start::<G1>(options).map(|stream| stream.len());
    let error = Error::Window { window: 30, min: MIN_WINDOW, max: MAX_WINDOW };
    assert_eq!(start(Msm::new().window(30), StreamOptions::new()), Err(error));
    if let Some(backend) = Backend::ALL.into_iter().find(|backend| !backend.is_supported()) {
        let options = StreamOptions::new().backend(backend);
        assert_eq!(start(Msm::new(), options), Err(Error::UnsupportedBackend(backend)));
    }
}

/// A cancelled stream is over; another stream goes on from its last flush.
#[test]
fn cancelled_streams_resume_from_a_flush() {
    let rng = &mut StdRng::seed_from_u64(9);
    let n = 4 * BLOCK;
    let (points, scalars) = (points::<G2>(n, rng), uniform::<Fr>(n, rng));
    struct After(Cancel, AtomicUsize);
    impl Progress for After {
        fn report(&self, done: usize, _: usize) {
            if done > self.1.load(Ordering::Relaxed) {
                self.0.cancel();
            }
        }
    }
    let saved = BLOCK + 33;
    for threads in [1, 2] {
        let cancel = Cancel::new();
        let after = After(cancel.clone(), AtomicUsize::new(2 * BLOCK + BLOCK / 2));
        let msm = Msm::new().threads(threads);
        let mut stream = start::<G2>(msm.cancel(&cancel).progress(&after), StreamOptions::new());
        stream.update(&points[..saved], Scalars::Field(&scalars[..saved])).expect("valid");
        let sum = stream.flush().expect("valid");
        assert_eq!(sum, expected(&points[..saved], &scalars[..saved]));
        assert_eq!(stream.update(&points[saved..], Scalars::Field(&scalars[saved..])), Err(Error::Cancelled));
        assert_eq!(stream.update(&points[..0], Scalars::Field(&scalars[..0])), Err(Error::Cancelled));
        assert_eq!(stream.flush(), Err(Error::Cancelled));
        assert_eq!(stream.finish(), Err(Error::Cancelled));

        let mut stream = start::<G2>(msm, StreamOptions::new()).resume(saved, sum);
        assert_eq!(stream.len(), saved);
        stream.update(&points[saved..], Scalars::Field(&scalars[saved..])).expect("valid");
        assert_eq!(stream.finish(), Ok(expected(&points, &scalars)));
    }
}

/// A panic in the caller's code in the middle of an update does not make a wrong sum.
#[cfg(not(target_family = "wasm"))]
#[test]
fn a_stream_that_broke_off_is_over() {
    struct Panics;
    impl Progress for Panics {
        fn report(&self, _: usize, _: usize) {
            panic!("by the caller");
        }
    }
    let rng = &mut StdRng::seed_from_u64(10);
    let (points, scalars) = (points::<G1>(BLOCK, rng), uniform::<Fr>(BLOCK, rng));
    let mut stream = start::<G1>(Msm::new().threads(1).progress(&Panics), StreamOptions::new());
    let update = std::panic::AssertUnwindSafe(|| stream.update(&points, Scalars::Field(&scalars)));
    assert!(std::panic::catch_unwind(update).is_err());
    assert_eq!(stream.update(&points, Scalars::Field(&scalars)), Err(Error::Cancelled));
    assert_eq!(stream.finish(), Err(Error::Cancelled));
}

#[test]
fn progress_goes_on_over_blocks() {
    /// Progress never goes back.
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
            assert!(self.done.fetch_max(done, Ordering::Relaxed) <= done);
            assert!(self.total.swap(total, Ordering::Relaxed) <= total);
        }
    }
    let rng = &mut StdRng::seed_from_u64(11);
    let n = 3 * BLOCK + 5;
    let (points, scalars) = (points::<G1>(n, rng), uniform::<Fr>(n, rng));
    let twos = points.iter().map(|_| Affine::<G2>::generator()).collect::<Vec<_>>();
    for pair in [false, true] {
        let counter = Counter::default();
        let msm = Msm::new().threads(1).window(8).progress(&counter);
        let options = StreamOptions::new().points(n).memory(40 << 20);
        if pair {
            let mut stream = msm.start_pair::<G1, G2>(options).expect("supported");
            stream.update((&points, &twos), Scalars::Field(&scalars)).expect("valid");
            assert!(stream.finish().is_ok());
        } else {
            let mut stream = msm.start::<G1>(options).expect("supported");
            stream.update(&points, Scalars::Field(&scalars)).expect("valid");
            assert!(stream.finish().is_ok());
        }
        let total = counter.total.load(Ordering::Relaxed);
        assert_eq!(total, n + (1 << 8));
        assert_eq!(counter.done.load(Ordering::Relaxed), total);
        assert!(counter.calls.load(Ordering::Relaxed) > 50);
    }
}

/// A stream plans no more than the expected points, and takes any number of points.
#[test]
fn plans_follow_the_points() {
    let plan = |points: usize| {
        let options = StreamOptions::new().points(points).memory(1 << 30);
        Msm::new().threads(2).start::<G1>(options).expect("supported").plan()
    };
    let few = plan(1024);
    assert_eq!(few.block, BLOCK);
    assert!(few.memory_bytes < 32 << 20, "{few:?}");
    assert!(plan(usize::MAX / 4).memory_bytes <= 1 << 30 && plan(usize::MAX).memory_bytes <= 1 << 30);
    let point = Affine::<G1>::generator();
    let stream = Msm::new().start::<G1>(StreamOptions::new().points(usize::MAX)).expect("supported");
    let mut stream = stream.resume(usize::MAX, Projective::zero());
    stream.update(&[point][..], Scalars::Field(&[Fr::one()])).expect("valid");
    assert_eq!((stream.len(), stream.finish()), (usize::MAX, Ok(point.into())));
}

#[test]
fn plans_keep_to_the_memory() {
    for memory in [64 << 20, 1 << 30, 3 << 30] {
        let options = StreamOptions::new().points(1 << 24).memory(memory);
        let plan = Msm::new().threads(2).start::<G1>(options).expect("supported").plan();
        let pair = Msm::new().threads(2).start_pair::<G1, G2>(options).expect("supported").plan();
        assert!(plan.memory_bytes <= memory && pair.memory_bytes <= memory, "{plan:?}, {pair:?}");
        assert!(pair.window <= plan.window, "{plan:?}, {pair:?}");
        assert_eq!(plan.windows, 255usize.div_ceil(plan.window as usize));
    }
}

/// Returns the scalar of point `index`. Few scalars are not 0: one of 2^10, and some where 32 bits end.
fn sparse(index: u64) -> u64 {
    let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let is_at_an_end = [0, 1 << 31, 1 << 32].iter().any(|&end: &u64| end.abs_diff(index) < 5);
    if is_at_an_end || mixed >> 54 == 0 {
        mixed | 1
    } else {
        0
    }
}

/// Sums the points P_i = (a + b i) G of a range, without points whose scalars are 0, in a stream that goes on from
/// checkpoints. The sum is (sum k_i (a + b i)) G.
fn progression<C: Curve>(len: u64, part: u64, flushes: &[u64]) {
    let (a, b) =
        (C::ScalarField::from(0x1234_5678_9abc_u64).square(), C::ScalarField::from(0x0fed_cba9_8765_u64));
    let options = StreamOptions::new().points(len as usize >> 10);
    let mut stream = Msm::new().start::<C>(options).expect("supported");
    let mut factor = C::ScalarField::ZERO;
    for first in (0..len).step_by(part as usize) {
        let range = first..len.min(first + part);
        let size = range.end - range.start;
        let scalar = |index| Some((index, sparse(index))).filter(|&(_, scalar)| scalar != 0);
        let found: Vec<(u64, u64)> = range.into_par_iter().filter_map(scalar).collect();
        let multiples: Vec<C::ScalarField> =
            found.iter().map(|&(index, _)| a + b * C::ScalarField::from(index)).collect();
        let scalars: Vec<C::ScalarField> = found.iter().map(|&(_, scalar)| scalar.into()).collect();
        factor += multiples
            .iter()
            .zip(&scalars)
            .map(|(multiple, scalar)| *multiple * scalar)
            .sum::<C::ScalarField>();
        let points = Projective::<C>::generator().batch_mul(&multiples);
        stream.update(&points, Scalars::Field(&scalars)).expect("valid");
        stream.skip(size as usize - found.len());
        if flushes.iter().any(|&at| (first..first + part).contains(&at)) {
            let sum = stream.flush().expect("not cancelled");
            stream = Msm::new().start::<C>(options).expect("supported").resume(stream.len(), sum);
        }
        assert_eq!(stream.len() as u64, first + size);
    }
    assert_eq!(stream.finish(), Ok(Projective::<C>::generator() * factor));
}

#[test]
fn zeros_need_no_points() {
    progression::<G1>(0, 1, &[]);
    progression::<G1>((1 << 15) + 5, 1 << 12, &[1 << 13]);
    // The largest number of points that files may have. No counter may have fewer bits.
    let sum = Projective::<G1>::generator();
    let many = usize::MAX / 4;
    let mut stream = Msm::new().start::<G1>(StreamOptions::new()).expect("supported").resume(many - 2, sum);
    stream.update(&[Affine::<G1>::generator()], Scalars::Field(&[Fr::one()])).expect("valid");
    stream.skip(1);
    assert_eq!((stream.len(), stream.finish()), (many, Ok(sum + sum)));
}

#[test]
#[ignore = "minutes: part of make test-long"]
fn more_points_than_32_bits_number() {
    progression::<ark_bn254::g1::Config>((1 << 32) + 5, 1 << 22, &[1 << 31, (1 << 32) - 1]);
}
