//! Compares MSMs over tables with arkworks: every curve, group, backend, adder and number of copies. Tests table files.

use std::io::Cursor;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, FftField, Field, One, PrimeField, Zero};
use bucketwheel::*;
use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

use crate::cases::{self, Case};
use crate::inputs::{adders, any_point, backends, expected, for_all_adders, is_left_out, points, uniform};

/// Compares all backends over tables of these copies: tables of halves of scalars, tables with images, and tables with
/// neither, on one thread and two.
#[track_caller]
fn check<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField], copies: &[usize], what: &str) {
    let (expected, adders) = (expected(points, scalars), adders::<C>());
    for (i, backend) in backends().enumerate() {
        for (j, &copies) in copies.iter().enumerate() {
            if is_left_out() {
                continue;
            }
            let threads = 1 + (i + j) % 2;
            let options = for_all_adders::<C>().backend(backend);
            let options = match (i + j) % 3 {
                0 => options.endomorphism(true),
                1 => options.endomorphism(false),
                _ => options,
            };
            let (options, table) = match (i + 2 * j) % 5 {
                0 | 1 => (options.bucket_set(copies), format!("{copies} copies, bucket set")),
                2 => (options.k_points(copies, 2 + j as u32).expect("a window"), format!("{copies} points")),
                _ => (options.copies(copies), format!("{copies} copies, plain")),
            };
            let bases = options.prepare(points).expect("supported");
            for window in [None, Some(1 + (7 * i + 5 * j) as u32 % 11)] {
                let msm = Msm::new().threads(threads).adder(adders[(i + j) % adders.len()]);
                let msm = window.map_or(msm, |window| msm.window(window));
                let sum = msm.run(&bases, Scalars::Field(scalars));
                let n = points.len();
                assert_eq!(
                    sum,
                    Ok(expected),
                    "{what}: n = {n}, {backend}, {table}, {options:?}, window {window:?}"
                );
            }
        }
    }
}

fn sizes<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(1);
    let all = points::<C>(300, rng);
    for n in [0, 1, 2, 9, 70] {
        check(&all[..n], &uniform(n, rng), &[2, 3, 4, 7, 8, 15, 16, 31, 64, 127, 255, 256], "sizes");
    }
    check(&all, &uniform(300, rng), &[2, 8], "sizes");
}

fn edge_cases<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(2);
    for Case { what, points, scalars } in cases::edge_cases::<C>(60, 60, rng) {
        check(&points, &scalars, &[2, 3, 8, 20], what);
    }
}

/// Tables are right on the whole curve, where r - k is not -k.
fn outside<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(3);
    let (Case { points, scalars, .. }, naive) = cases::outside::<C>(50, rng);
    for backend in backends() {
        let options = BasesOptions::new().backend(backend).check(Check::Curve);
        let tables = [
            options.copies(2),
            options.copies(5),
            options.copies(100),
            options.bucket_set(1),
            options.bucket_set(8),
            options.k_points(8, 4).expect("a window"),
            options.k_points(9, 7).expect("a window"),
        ];
        for options in tables.into_iter().filter(|_| !is_left_out()) {
            let bases = options.prepare(&points).expect("on the curve");
            for adder in [AdderKind::Affine, AdderKind::Xyzz] {
                let sum = Msm::new().adder(adder).run(&bases, Scalars::Field(&scalars));
                assert_eq!(sum, Ok(naive), "{backend}, {adder}, {options:?}");
                let loaded = load::<C>(&file_of(&bases)).expect("just written");
                let sum = Msm::new().adder(adder).run(&loaded, Scalars::Field(&scalars));
                assert_eq!(sum, Ok(naive), "{backend}, {adder}, {options:?}, from its file");
            }
        }
    }
}

fn pairs<C: Curve, D: Curve<ScalarField = C::ScalarField>>() {
    let rng = &mut StdRng::seed_from_u64(4);
    let n = 80;
    let (g1, g2) = cases::pair::<C, D>(n, &[0], rng);
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    let plain = BasesOptions::new();
    let k_points = |k| plain.k_points(k, 6).expect("a window");
    let options = [
        (plain.copies(4), plain.copies(4)),
        (plain.copies(4), plain.copies(8)),
        (plain.copies(4), plain),
        (plain, plain.copies(4)),
        (plain.copies(4), plain.endomorphism(false)),
        (plain.copies(4), plain.copies(4).endomorphism(false)),
        (plain.bucket_set(4), plain.bucket_set(4)),
        (plain.bucket_set(4), plain.copies(4)),
        (k_points(3), k_points(3)),
        (k_points(3), k_points(2)),
        (k_points(3), plain.copies(4)),
        (plain.copies(4).endomorphism(true), plain.copies(4).endomorphism(true)),
        (plain.copies(4).endomorphism(true), plain.copies(4)),
        // The second bases are not known to be in the subgroup.
        (plain.copies(5), plain.copies(5).check(Check::Curve)),
    ];
    for (i, (first, second)) in options.into_iter().enumerate() {
        let bases = (first.prepare(&g1).expect("supported"), second.prepare(&g2).expect("supported"));
        let sums = Msm::new().run_pair((&bases.0, &bases.1), Scalars::Field(&scalars));
        assert_eq!(sums, Ok((expected(&g1, &scalars), expected(&g2, &scalars))), "options {i}");
    }
}

/// Bytes at a multiple of 64, as in mapped files, or `offset` bytes behind it.
struct Bytes {
    padded: Vec<u8>,
    start: usize,
    len: usize,
}

impl Bytes {
    fn new(bytes: &[u8], offset: usize) -> Self {
        let mut padded = vec![0; bytes.len() + offset + 64];
        let start = padded.as_ptr().align_offset(64) + offset;
        padded[start..][..bytes.len()].copy_from_slice(bytes);
        Bytes { padded, start, len: bytes.len() }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.padded[self.start..][..self.len]
    }
}

fn file_of<C: Curve>(bases: &Bases<C>) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    bases.write_table(&mut file).expect("memory is writable");
    file.into_inner()
}

fn load<C: Curve>(bytes: &[u8]) -> Result<Bases<C>, Error> {
    BasesOptions::new().load(bytes.to_vec())
}

fn files<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(5);
    let n = 33;
    let mut points = points::<C>(n, rng);
    points[3] = Affine::identity();
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    let sum = Ok(expected(&points, &scalars));
    let mut fingerprints = Vec::new();
    for backend in backends() {
        let plain = BasesOptions::new().backend(backend);
        for options in [
            plain,
            plain.copies(4),
            plain.copies(4).endomorphism(true),
            plain.copies(4).endomorphism(false),
            plain.copies(7).check(Check::Curve),
            plain.bucket_set(3),
            plain.k_points(2, 5).expect("a window"),
            plain.k_points(6, 4).expect("a window").endomorphism(true),
        ]
        .into_iter()
        .filter(|_| !is_left_out())
        {
            let file = file_of(&options.prepare(&points).expect("supported"));
            let header = TableHeader::parse(&file).expect("just written");
            assert!(header.is_of::<C>() && (header.backend, header.points) == (backend, n));
            fingerprints.push(header.fingerprint);
            for (offset, threads) in [(0, 1), (8, 2), (1, 2)] {
                let bases = BasesOptions::new().threads(threads).load::<C>(Bytes::new(&file, offset));
                let bases = bases.expect("just written");
                assert_eq!((bases.len(), bases.backend()), (n, backend));
                assert_eq!(Msm::new().run(&bases, Scalars::Field(&scalars)), sum, "{backend}");
                assert_eq!(file_of(&bases), file, "written again");
            }
            // Damage at any place is noticed.
            let anywhere: Vec<usize> = (0..40).map(|_| rng.gen_range(128..file.len())).collect();
            for at in (0..128).chain(anywhere) {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << rng.gen_range(0..8);
                assert!(matches!(load::<C>(&damaged), Err(Error::Table(_))), "{backend}: byte {at}");
            }
            let mut random = file.clone();
            rng.fill_bytes(&mut random[128..]);
            assert!(matches!(load::<C>(&random), Err(Error::Table(TableError::Point { .. }))), "{backend}");
            for byte in [0x7f, 0x80] {
                random[128..].fill(byte);
                assert!(
                    matches!(load::<C>(&random), Err(Error::Table(TableError::Point { .. }))),
                    "{backend}"
                );
            }
            for len in [0, 1, 8, 127, 128, 129, file.len() - 1] {
                assert!(matches!(load::<C>(&file[..len]), Err(Error::Table(_))), "{len} bytes");
            }
            let longer = [&file[..], &[0]].concat();
            assert!(matches!(load::<C>(&longer), Err(Error::Table(TableError::Length { .. }))));
        }
    }
    assert!(fingerprints.iter().all(|&fingerprint| fingerprint == fingerprints[0]));
}

macro_rules! curve {
    ($name:ident, $g1:ty, $g2:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn sizes_and_copies() {
                sizes::<$g1>();
                sizes::<$g2>();
            }

            #[test]
            fn edge_cases() {
                super::edge_cases::<$g1>();
                super::edge_cases::<$g2>();
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
            fn table_files() {
                files::<$g1>();
                files::<$g2>();
            }
        }
    };
}

curve!(bls12_381, ark_bls12_381::g1::Config, ark_bls12_381::g2::Config);
curve!(bls12_377, ark_bls12_377::g1::Config, ark_bls12_377::g2::Config);
curve!(bn254, ark_bn254::g1::Config, ark_bn254::g2::Config);

type G1 = ark_bls12_381::g1::Config;
type Fr = ark_bls12_381::Fr;

#[test]
fn every_window_over_every_table() {
    let rng = &mut StdRng::seed_from_u64(6);
    let points = points::<G1>(5, rng);
    let mut scalars: Vec<Fr> = uniform(5, rng);
    scalars[1] = -Fr::from(2u64).pow([253u64]);
    scalars[2] = Fr::from(u64::MAX);
    let expected = expected(&points, &scalars);
    for copies in (2..40).chain([51, 64, 85, 128, 255]) {
        let whole = BasesOptions::new().endomorphism(false);
        let tables = [
            BasesOptions::new().copies(copies),
            whole.copies(copies),
            BasesOptions::new().bucket_set(copies),
            whole.bucket_set(copies),
        ];
        for options in tables.into_iter().filter(|_| !is_left_out()) {
            let bases = options.prepare(&points).expect("supported");
            for window in MIN_WINDOW..=13 {
                let sum = Msm::new().threads(1).window(window).run(&bases, &scalars);
                assert_eq!(sum, Ok(expected), "{options:?}, window {window}");
            }
        }
    }
    for options in [BasesOptions::new().bucket_set(1), BasesOptions::new().k_points(3, 17).expect("a window")]
    {
        let bases = options.prepare(&points).expect("supported");
        for window in 14..=MAX_WINDOW {
            let sum = Msm::new().window(window).run(&bases, &scalars);
            assert_eq!(sum, Ok(expected), "{options:?}, window {window}");
        }
    }
}

/// Covers multiples by the largest digits, with windows of their width and any other width.
#[test]
fn k_points_over_every_window() {
    let rng = &mut StdRng::seed_from_u64(15);
    let points = points::<G1>(9, rng);
    let mut scalars: Vec<Fr> = uniform(9, rng);
    scalars[1] = -Fr::from(2u64).pow([253u64]);
    scalars[2] = Fr::from(u64::MAX);
    let expected = expected(&points, &scalars);
    for (k, width) in (1..=11).flat_map(|width| [0, 1, 2, 7, 2000].map(|k| (k, width))) {
        let options = BasesOptions::new().k_points(k, width).expect("a window");
        let bases = options.prepare(&points).expect("supported");
        let plan = options.plan::<G1>(9).expect("supported");
        let kept = k.min((1 << (width - 1)) - 1).min(1023);
        assert_eq!((plan.multiples, plan.digits_of, plan.copies), (kept + 1, width, 1));
        let (sum, report) = Msm::new().run_reported(&bases, &scalars).expect("valid");
        assert_eq!((sum, report.plan.window), (expected, width), "{options:?}");
        for window in [1, width, width + 1, 13] {
            let sum = Msm::new().threads(1).window(window).run(&bases, &scalars);
            assert_eq!(sum, Ok(expected), "{options:?}, window {window}");
        }
    }
    for width in [0, MAX_WINDOW + 1] {
        assert!(matches!(BasesOptions::new().k_points(1, width), Err(Error::Window { .. })));
    }
}

/// k points save the aggregation's additions of k buckets in each window.
#[test]
fn k_points_save_buckets() {
    let n = 1 << 14;
    let plan = |k| BasesOptions::new().k_points(k, 12).expect("a window").plan::<G1>(n).expect("supported");
    for k in [1, 10, 1000] {
        let (with, without) = (plan(k), plan(0));
        assert_eq!((with.bytes, with.bucket_sets), ((k + 1) * without.bytes, without.bucket_sets));
        let saved = without.additions - with.additions;
        // The last window has fewer bits, and rounding may make a difference of one.
        assert!(saved.abs_diff(k * (without.bucket_sets - 1)) <= k / 20 + 2, "{saved} with {k}");
    }
}

/// Adds second halves first, then their images, then first halves, by every adder, scheduler and division of threads,
/// over the same tables.
fn halves<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(16);
    let n = 200;
    let mut many = points::<C>(n, rng);
    many[20] = Affine::identity();
    // Scalars that do not split, beside scalars that do, and alone.
    let short: Vec<_> = (0..n as u64).map(C::ScalarField::from).collect();
    let mut mixed: Vec<C::ScalarField> = uniform(n, rng);
    mixed[..n / 2].copy_from_slice(&short[..n / 2]);
    let mut inputs = vec![(many.clone(), short), (many.clone(), mixed)];
    // A third root of unity: the image of the second point is the first or its opposite. The two points are doubled or vanish.
    let third = -C::ScalarField::one() / C::ScalarField::from(3u64);
    let root = C::ScalarField::GENERATOR.pow(third.into_bigint());
    assert!(!root.is_one() && root.pow([3]).is_one());
    for factor in [root, -root, root.square(), -root.square()] {
        let scalars = [C::ScalarField::one(), factor.inverse().expect("not 0")].map(|s| s.double() + s);
        let source = (Projective::from(many[0]) * factor).into_affine();
        inputs.push((vec![many[0], source], scalars.into()));
    }
    for (backend, copies) in backends().flat_map(|backend| [2, 3, 8].map(|copies| (backend, copies))) {
        let options = for_all_adders::<C>().backend(backend).copies(copies);
        for (points, scalars) in &inputs {
            let expected = Ok(expected(points, scalars));
            let bases = options.prepare(points).expect("supported");
            let strategies = adders::<C>()
                .into_iter()
                .flat_map(|adder| SchedulerKind::ALL.iter().map(move |&scheduler| (adder, scheduler)));
            for (adder, scheduler) in strategies.filter(|_| !is_left_out()) {
                let msm = Msm::new().threads(2).window(7).adder(adder).scheduler(scheduler);
                let sum = msm.run(&bases, Scalars::Field(scalars));
                assert_eq!(sum, expected, "{backend}, {copies} copies, {adder}, {scheduler}");
                let sum = msm.threads_by(ThreadsBy::Loop).run(&bases, Scalars::Field(scalars));
                let refused = sum == Err(Error::ThreadsByLoop);
                assert!(refused || sum == expected, "{backend}, {copies} copies, {adder}, {scheduler}, loop");
            }
        }
    }
}

#[test]
fn halves_are_added_to_images() {
    halves::<G1>();
    halves::<ark_bls12_381::g2::Config>();
    halves::<ark_bls12_377::g1::Config>();
    halves::<ark_bn254::g2::Config>();
    #[cfg(feature = "pasta")]
    halves::<ark_pallas::PallasConfig>();
}

/// Nothing overflows, and the plan is no larger than possible.
#[test]
fn tables_of_too_many_points_are_refused() {
    for n in [1 << 29, usize::MAX / 4, usize::MAX / 2, usize::MAX] {
        for options in [BasesOptions::new().copies(2), BasesOptions::new().bucket_set(usize::MAX)] {
            let plan = options.plan::<G1>(n);
            assert!(matches!(plan, Err(Error::TooManyPoints { .. })), "{n}: {plan:?}");
        }
    }
    // If a budget has no room for copies, the points come alone.
    assert!(BasesOptions::new().memory(usize::MAX).plan::<G1>(1 << 29).is_ok());
}

/// 8 copies of halves make the additions of 16 copies of scalars, in half of the memory.
#[test]
fn halves_save_buckets() {
    let n = 1 << 16;
    let options = BasesOptions::new();
    let plan = |options: BasesOptions<'_>| options.plan::<G1>(n).expect("supported");
    let (halved, whole) = (plan(options.copies(8)), plan(options.endomorphism(false).copies(8)));
    assert_eq!((halved.copies, halved.step, halved.halves), (8, 16, true));
    assert_eq!((whole.copies, whole.step, whole.halves), (8, 32, false));
    assert_eq!((halved.bytes, halved.bucket_sets, whole.bucket_sets), (whole.bytes, 1, 2));
    // Halves save a set of 2^15 buckets.
    assert!((whole.additions - halved.additions).abs_diff(1 << 15) < 100, "{halved}; {whole}");
    let more = plan(options.endomorphism(false).copies(16));
    assert!(more.additions.abs_diff(halved.additions) < 100 && more.bytes == 2 * halved.bytes);
    // Scalars are not halved if points may lie outside of the subgroup, or if the curve has no endomorphism.
    assert!(!plan(options.check(Check::Curve).copies(8)).halves);
    #[cfg(feature = "edwards-curves")]
    {
        use ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig;
        let other = options.copies(8).plan::<BandersnatchConfig>(n).expect("supported");
        assert!(!other.halves);
    }
}

/// Covers every digit of a window, and its carry.
#[test]
fn every_scalar_of_some_windows() {
    let points = points::<G1>(1, &mut StdRng::seed_from_u64(14));
    let bucket_set = BasesOptions::new().bucket_set(3);
    let k_points = BasesOptions::new().k_points(5, 5).expect("a window");
    for (options, windows) in [(bucket_set, [1, 3, 4, 5, 6]), (k_points, [3, 4, 5, 6, 11])] {
        let bases = options.prepare(&points).expect("supported");
        for window in windows {
            let mut sum = Projective::<G1>::zero();
            for scalar in 0..1u64 << 11 {
                let signed = [Fr::from(scalar), -Fr::from(scalar)];
                let sums =
                    signed.map(|scalar| Msm::new().threads(1).window(window).run(&bases, &vec![scalar]));
                assert_eq!(sums, [Ok(sum), Ok(-sum)], "{scalar}, window {window}, {options:?}");
                sum += points[0];
            }
        }
    }
}

#[test]
fn scalars_of_every_type() {
    let rng = &mut StdRng::seed_from_u64(7);
    let points = points::<G1>(200, rng);
    let bases = BasesOptions::new().copies(8).prepare(&points).expect("supported");
    let values: Vec<u64> = (0..200).map(|_| rng.gen()).collect();
    let check = |scalars: Scalars<'_, Fr>, limit: u64| {
        let field: Vec<Fr> = values.iter().map(|v| Fr::from(v % limit)).collect();
        assert_eq!(Msm::new().run(&bases, scalars), Ok(expected(&points, &field)), "{scalars:?}");
    };
    check(Scalars::from(&values.iter().map(|v| v % 1000).collect::<Vec<u64>>()), 1000);
    check(Scalars::from(&values.iter().map(|v| (v % (1 << 32)) as u32).collect::<Vec<_>>()), 1 << 32);
    check(Scalars::from(&values.iter().map(|v| (v % (1 << 16)) as u16).collect::<Vec<_>>()), 1 << 16);
    check(Scalars::from(&values.iter().map(|v| (v % (1 << 8)) as u8).collect::<Vec<_>>()), 1 << 8);
    check(Scalars::from(&values.iter().map(|v| v % 2 == 1).collect::<Vec<_>>()), 2);
}

#[test]
fn the_plan_is_kept_and_the_budget_too() {
    let points = points::<G1>(1000, &mut StdRng::seed_from_u64(8));
    let scalars: Vec<Fr> = uniform(1000, &mut StdRng::seed_from_u64(9));
    for backend in backends() {
        let mut additions = usize::MAX;
        for budget in [0, 1 << 17, 1 << 18, 1 << 20, 1 << 22] {
            let options = BasesOptions::new().backend(backend).memory(budget);
            let plan = options.plan::<G1>(points.len()).expect("supported");
            assert!(plan.copies == 1 || plan.bytes <= budget, "{plan:?}");
            assert!(plan.additions <= additions);
            additions = plan.additions;
            let bases = options.prepare(&points).expect("supported");
            let file = file_of(&bases);
            assert_eq!(
                (file.len() - 128, TableHeader::parse(&file).map(|h| h.copies)),
                (plan.bytes, Ok(plan.copies))
            );
            let (_, report) = Msm::new().run_reported(&bases, &scalars).expect("valid");
            assert_eq!((report.plan.window, report.plan.bucket_sets), (plan.window, plan.bucket_sets));
            let line = plan.to_string();
            let pays = ["never pay", "break-even after"][usize::from(plan.break_even.is_some())];
            assert!(line.contains("MiB") && (plan.copies == 1 || line.contains(pays)), "{line}");
        }
    }
    let huge = BasesOptions::new().copies(255).plan::<G1>(1 << 28);
    assert!(matches!(huge, Err(Error::TooManyPoints { .. })));
}

#[test]
fn tables_of_another_curve_or_backend_are_refused() {
    let points = points::<G1>(4, &mut StdRng::seed_from_u64(10));
    let options = BasesOptions::new().backend(Backend::Portable).copies(3);
    let file = file_of(&options.prepare(&points).expect("supported"));
    let curve = Err(Error::Table(TableError::Curve));
    assert_eq!(load::<ark_bls12_381::g2::Config>(&file).map(drop), curve);
    assert_eq!(load::<ark_bls12_377::g1::Config>(&file).map(drop), curve);
    #[cfg(feature = "model")]
    {
        let other = BasesOptions::new().backend(Backend::Model).load::<G1>(file.clone()).map(drop);
        let (expected, found) = (Backend::Model, Backend::Portable);
        assert_eq!(other, Err(Error::Table(TableError::Backend { expected, found })));
    }
    assert_eq!(load::<G1>(b"BWPOINTS").map(drop), Err(Error::Table(TableError::Magic)));
}

/// Flags of the table's kind must fit its steps and its length, even if the checksum is right.
#[test]
fn contradictions_in_a_header_are_refused() {
    let points = points::<G1>(4, &mut StdRng::seed_from_u64(17));
    for (options, of) in [
        (BasesOptions::new().copies(5), 0b101),
        (BasesOptions::new().copies(5).endomorphism(true), 0b11),
        (BasesOptions::new().copies(5).endomorphism(false), 0b1),
        (BasesOptions::new().copies(5).check(Check::Curve), 0),
    ] {
        let mut file = file_of(&options.prepare(&points).expect("on the curve"));
        assert_eq!(file[13], of);
        for flags in 0..=255 {
            file[13] = flags;
            let checksum = file[..120].iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            file[120..128].copy_from_slice(&checksum.to_le_bytes());
            let refused = matches!(load::<G1>(&file), Err(Error::Table(_)));
            assert_eq!(refused, flags != of, "{flags:b} instead of {of:b}");
        }
    }
}

#[test]
fn making_and_loading_can_be_cancelled() {
    let points = points::<G1>(3000, &mut StdRng::seed_from_u64(11));
    let cancel = Cancel::new();
    let file = file_of(&Bases::new(&points).expect("supported"));
    cancel.cancel();
    let options = BasesOptions::new().cancel(&cancel);
    assert_eq!(options.copies(8).prepare(&points).map(drop), Err(Error::Cancelled));
    assert_eq!(options.load::<G1>(file).map(drop), Err(Error::Cancelled));
}

/// Returns true if an MSM of 100 points, `repeated` of which repeat, adds scalars up. Checks its sum and the sums of a pair.
fn pays<C: Curve>(repeated: usize) -> bool {
    let rng = &mut StdRng::seed_from_u64(14);
    let mut points = points::<C>(100, rng);
    let (firsts, last) = points.split_at_mut(100 - repeated);
    last.copy_from_slice(&firsts[..repeated]);
    let scalars: Vec<C::ScalarField> = uniform(100, rng);
    let sum = expected(&points, &scalars);
    let bases = BasesOptions::new().deduplicate(true).prepare(&points).expect("supported");
    let (result, report) = Msm::new().run_reported(&bases, Scalars::Field(&scalars)).expect("valid");
    let found = report.deduplication.expect("looked for");
    assert_eq!((result, found.points, found.distinct), (sum, 100, 100 - repeated));
    assert_eq!(bases.write_table(&mut Cursor::new(Vec::new())).is_err(), found.pays);
    assert_eq!(found.merging.is_zero(), !found.pays);
    let length = Error::Length { points: 100, scalars: 99 };
    assert_eq!(Msm::new().run(&bases, Scalars::Field(&scalars[..99])), Err(length));
    let sums = Msm::new().run_pair((&bases, &bases), Scalars::Field(&scalars));
    assert_eq!(sums, Ok((sum, sum)));
    found.pays
}

#[test]
fn equal_points_are_one() {
    fn check<C: Curve, D: Curve<ScalarField = C::ScalarField>>() {
        let rng = &mut StdRng::seed_from_u64(12);
        let (few, others) = (points::<C>(7, rng), points::<D>(100, rng));
        let mut points: Vec<Affine<C>> = (0..100).map(|i| few[i * i % 7]).collect();
        points[5] = Affine::identity();
        points[50] = Affine::identity();
        points[6] = -points[7];
        let distinct = points.iter().collect::<std::collections::HashSet<_>>().len();
        let scalars: Vec<C::ScalarField> = uniform(100, rng);
        let sum = expected(&points, &scalars);
        for copies in [1, 8] {
            let options = BasesOptions::new().deduplicate(true).copies(copies);
            let bases = options.prepare(&points).expect("supported");
            assert_eq!(bases.len(), 100);
            let (result, report) = Msm::new().run_reported(&bases, Scalars::Field(&scalars)).expect("valid");
            let found = report.deduplication.expect("looked for");
            assert_eq!((result, found.points, found.distinct, found.pays), (sum, 100, distinct, true));
            let small: Vec<u8> = (0..100).collect();
            let field: Vec<_> = small.iter().map(|&x| C::ScalarField::from(x)).collect();
            assert_eq!(Msm::new().run(&bases, &small), Ok(expected(&points, &field)));
            let length = Error::Length { points: 100, scalars: 99 };
            assert_eq!(Msm::new().run(&bases, &small[..99]), Err(length));
            let mut integers: Vec<_> = scalars.iter().map(|s| s.into_bigint()).collect();
            integers[98] = C::ScalarField::MODULUS;
            assert_eq!(
                Msm::new().run(&bases, Scalars::Integers(&integers)),
                Err(Error::ScalarRange { index: 98 })
            );
            assert!(bases.write_table(&mut Cursor::new(Vec::new())).is_err());
            let second = options.prepare(&others).expect("supported");
            let sums = Msm::new().run_pair((&bases, &second), Scalars::Field(&scalars));
            assert_eq!(sums, Ok((sum, expected(&others, &scalars))));
        }
        // The error names the first of equal points.
        let outside = Affine::new_unchecked(few[0].x, few[1].y);
        (points[30], points[20]) = (outside, outside);
        let checked = BasesOptions::new().deduplicate(true).check(Check::Subgroup).prepare(&points);
        assert_eq!(checked.map(drop), Err(Error::NotOnCurve { index: 20 }));
    }
    check::<G1, ark_bls12_381::g2::Config>();
    check::<ark_bn254::g2::Config, ark_bn254::g1::Config>();
    // The numbers of repeated points are just below and above the threshold, in the cheaper and in the dearer group.
    assert_eq!([4, 5].map(pays::<G1>), [false, true]);
    assert_eq!([2, 3].map(pays::<ark_bls12_381::g2::Config>), [false, true]);
    assert!(!pays::<G1>(0));
    // Outside of the subgroup, scalars modulo r are wrong, so nothing is de-duplicated there.
    let point = any_point::<G1>(&mut StdRng::seed_from_u64(13));
    let bases =
        BasesOptions::new().deduplicate(true).check(Check::Curve).prepare(&[point; 3]).expect("on the curve");
    let (sum, report) = Msm::new().run_reported(&bases, &vec![-Fr::one(); 3]).expect("valid");
    let naive = point.mul_bigint((-Fr::one()).into_bigint());
    assert_eq!((sum, report.deduplication), (naive + naive + naive, None));
}
