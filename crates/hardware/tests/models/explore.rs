//! Closed forms beside the cycle models, and the fronts that follow from them.

use bucketwheel::Control;
use bucketwheel_hardware::boards::{Board, Family, BOARDS};
use bucketwheel_hardware::dynamic::model as dynamic_model;
use bucketwheel_hardware::explore::{explore, Point, Request, Resource};
#[cfg(feature = "reclaimer")]
use bucketwheel_hardware::explore::{Exploration, Infeasible};
use bucketwheel_hardware::memory::Kind;
use bucketwheel_hardware::resources::Density;
use bucketwheel_hardware::{cyclone, gypsophila, msmac, reclaimer, Curve, Model, Scalar};
use proptest::prelude::*;

use crate::uniform;

fn scalars(curve: Curve, count: usize) -> Vec<Scalar> {
    match curve {
        Curve::Bls12_377 => uniform::<ark_bls12_377::Fr>(count, 1),
        Curve::Bls12_381 => uniform::<
            <bucketwheel_hardware::config::Bls12_381::g1::Config as ark_ec::CurveConfig>::ScalarField,
        >(count, 1),
        Curve::Bn254 => uniform::<ark_bn254::Fr>(count, 1),
    }
}

/// Compares a closed form with the cycle model at 2^`log_size` points.
fn check<M: Model>(model: &M, estimated: f64, log_size: u32, bound: f64, name: &str) {
    let scalars = scalars(model.curve(), 1 << log_size);
    let outcome = model.simulate(&vec![(); scalars.len()], &[&scalars], &Control::new(None, None, None));
    let ms = outcome.unwrap().report.ms;
    let deviation = estimated / ms - 1.0;
    println!("{name}: {ms:.3} ms, {:+.2} %", 100.0 * deviation);
    assert!(deviation.abs() <= bound, "{name}: {ms} ms by the model, {estimated} in closed form");
}

const LOG_SIZE: u32 = 16;

#[test]
fn cyclone_in_closed_form() {
    for (window, segments, memory) in [
        (9, 64, Some(Kind::Ddr4At2133)),
        (12, 64, Some(Kind::Ddr4At2400)),
        (13, 1, None),
        (13, 64, Some(Kind::Ddr4At2400)),
        (15, 64, Some(Kind::Hbm2)),
        (16, 1, Some(Kind::Ddr4At2133)),
        (17, 64, Some(Kind::Ddr4At2400)),
    ] {
        for (pipeline_stages, multiplier_stages, clock_mhz) in [(96, 39, 250.0), (65, 28, 125.0)] {
            let model = cyclone::Parameters {
                window,
                segments,
                memory,
                pipeline_stages,
                multiplier_stages,
                clock_mhz,
                ..Default::default()
            };
            let name = format!("cyclone, {window} bits, {segments} segments, {pipeline_stages} stages");
            check(&model, model.estimated_ms(1 << LOG_SIZE).unwrap(), LOG_SIZE, 0.02, &name);
        }
    }
}

#[test]
fn msmac_in_closed_form() {
    // The last windows of 12 bits have three buckets, for which all points wait.
    for (window, bound) in [(8, 0.02), (10, 0.02), (12, 0.06), (13, 0.02)] {
        for (segments, pes) in [(1, 1), (4, 1), (4, 4)] {
            let card_buckets = 1 << 30;
            let model = msmac::Parameters { window, segments, pes, card_buckets, ..Default::default() };
            let name = format!("msmac, {window} bits, {segments} segments, {pes} elements");
            check(&model, model.estimated_ms(1 << LOG_SIZE).unwrap(), LOG_SIZE, bound, &name);
        }
    }
}

#[test]
fn gypsophila_in_closed_form() {
    for (window, curve, count_aggregation) in [
        (6, Curve::Bls12_377, true),
        (9, Curve::Bn254, true),
        (11, Curve::Bn254, true),
        (13, Curve::Bls12_377, true),
        (16, Curve::Bls12_377, false),
    ] {
        let model = gypsophila::Parameters { window, curve, count_aggregation, ..Default::default() };
        let name = format!("gypsophila, {window} bits, {curve}");
        check(&model, model.estimated_ms(1 << LOG_SIZE).unwrap(), LOG_SIZE, 0.01, &name);
    }
}

#[test]
fn some_machines_have_no_closed_form() {
    for model in [
        cyclone::Parameters { overlap_aggregation: true, ..Default::default() },
        cyclone::Parameters { greedy_queue: 16, ..Default::default() },
        cyclone::Parameters { window: 40, ..Default::default() },
        cyclone::Parameters { channel_bytes: 64, ..Default::default() },
    ] {
        assert!(model.estimated_ms(1000).is_err(), "{model:?}");
    }
    assert!(msmac::Parameters { window: 15, card_buckets: 1 << 30, ..Default::default() }
        .estimated_ms(10)
        .is_err());
    assert!(gypsophila::Parameters { curve: Curve::Bls12_381, ..Default::default() }
        .estimated_ms(10)
        .is_err());
    assert!(reclaimer::Parameters { batch: 512, ..Default::default() }.estimated_ms(10).is_err());
}

#[test]
fn reclaimer_in_closed_form() {
    // For few points, the last sums and the aggregation take most of the time; both are fitted.
    for (window, adders, curve, log_size, bound) in [
        (9, 1, Curve::Bls12_377, LOG_SIZE, 0.04),
        (10, 4, Curve::Bls12_377, LOG_SIZE, 0.04),
        (13, 3, Curve::Bls12_381, LOG_SIZE, 0.04),
        (15, 1, Curve::Bn254, LOG_SIZE, 0.04),
        (16, 2, Curve::Bls12_377, LOG_SIZE, 0.04),
        (13, 4, Curve::Bls12_377, 18, 0.02),
        (16, 4, Curve::Bls12_377, 18, 0.02),
    ] {
        let model = reclaimer::Parameters { window, adders, curve, ..Default::default() };
        let name = format!("reclaimer, {window} bits, {adders} adders, {curve}, 2^{log_size}");
        check(&model, model.estimated_ms(1 << log_size).unwrap(), log_size, bound, &name);
    }
}

fn request(log_size: u32, board: &str, density: Density) -> Request {
    Request {
        points: 1 << log_size,
        curve: Curve::Bls12_377,
        board: Board::named(board).unwrap(),
        density,
        clock_mhz: None,
        fill: 1.0,
    }
}

#[cfg(feature = "reclaimer")]
fn fastest(log_size: u32, board: &str, density: Density) -> Point {
    explore(&request(log_size, board, density)).front.swap_remove(0)
}

/// Returns true if each cost of `other` is at least as high as some point's of the front.
fn covers(front: &[Point], other: &Point) -> bool {
    front.iter().any(|point| point.dominates(other) || point.costs() == other.costs())
}

#[test]
#[cfg(feature = "reclaimer")]
fn fronts_have_no_dominated_point() {
    for board in BOARDS {
        for curve in Curve::ALL {
            for density in Density::ALL {
                let found = explore(&Request { board, curve, ..request(20, "U250", density) });
                let Exploration { front, feasible, missing, infeasible } = found;
                assert!(!front.is_empty(), "{}, {curve}", board.name);
                assert!(front.len() <= feasible && !infeasible.is_empty());
                assert_eq!(missing.contains(&"msmac"), curve != Curve::Bn254);
                for (i, point) in front.iter().enumerate() {
                    assert!(!front.iter().any(|other| other.dominates(point)), "{point:?}");
                    assert!(!front[..i].iter().any(|other| other.costs() == point.costs()), "{point:?}");
                    assert!(front[..i].iter().all(|faster| faster.ms <= point.ms));
                    let shares = [point.luts.percent, point.dsps.percent, point.urams.percent];
                    assert!(shares.iter().all(|&share| share <= 100.0), "{point:?}");
                    assert!(point.bandwidth_percent.is_none_or(|share| share <= 100.0), "{point:?}");
                }
            }
        }
    }
}

#[test]
fn settings_make_the_model() {
    for point in explore(&request(12, "U55C", Density::Papers)).front {
        let model = dynamic_model(point.design, &point.settings).unwrap();
        let count = (1usize << 12).div_ceil(point.copies as usize);
        let report =
            model.count(count, &[&scalars(Curve::Bls12_377, count)], &Control::new(None, None, None));
        let report = report.unwrap();
        assert_eq!(report.parameters["window"], point.window);
        assert_eq!(report.clock_mhz, point.clock_mhz);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// More of a resource never makes the front worse.
    #[test]
    fn a_larger_board_never_loses(
        which in 0..BOARDS.len(),
        curve in 0..3usize,
        log_size in 10u32..26,
        ours in any::<bool>(),
        factors in [1.0..2.0f64, 1.0..2.0, 1.0..2.0],
    ) {
        let density = Density::ALL[usize::from(ours)];
        let small = Request { board: BOARDS[which], curve: Curve::ALL[curve], ..request(log_size, "U250", density) };
        let mut large = small;
        let figures = [&mut large.board.luts, &mut large.board.dsps, &mut large.board.urams];
        for (figure, factor) in figures.into_iter().zip(factors) {
            figure.value = (figure.value as f64 * factor) as u64;
        }
        let (small, large) = (explore(&small), explore(&large));
        prop_assert!(small.feasible <= large.feasible);
        prop_assert!(small.front.iter().all(|point| covers(&large.front, point)));
    }
}

#[test]
#[cfg(feature = "reclaimer")]
fn reasons_say_what_lacks() {
    let found = explore(&request(20, "U250", Density::Papers));
    let machine = |design: &str, copies: u32, elements: u32| -> &Infeasible {
        let is = |it: &&Infeasible| (it.design, it.copies, it.elements) == (design, copies, elements);
        found.infeasible.iter().find(is).unwrap()
    };
    let second = machine("cyclone", 2, 1);
    assert_eq!(
        (second.lacks, second.reason.as_str()),
        (Resource::Channels, "2 machines need 8 channels of memory, but U250 has 4")
    );
    let five = machine("reclaimer", 1, 5);
    assert_eq!(
        (five.lacks, five.reason.contains("LUTs, but U250 has 1.728M")),
        (Resource::Luts, true),
        "{}",
        five.reason
    );
    let lacks = |request: Request| -> Vec<Resource> {
        explore(&request).infeasible.iter().map(|machine| machine.lacks).collect()
    };
    // 2^26 points and their scalars in 8 GiB; 18 bits and their two sets of buckets; half a board.
    assert!(lacks(request(26, "U280", Density::Papers)).contains(&Resource::Memory));
    assert!(lacks(request(20, "U280", Density::Papers)).contains(&Resource::Urams));
    assert!(lacks(request(20, "VP1802", Density::Ours)).iter().all(|&lack| lack != Resource::Bandwidth));
    let half = Request { fill: 0.5, ..request(20, "U250", Density::Papers) };
    let reason =
        &explore(&half).infeasible.iter().find(|it| it.lacks == Resource::Luts).unwrap().reason.clone();
    assert!(reason.contains("50 % of U250 has 864k"), "{reason}");
}

/// MSMAC's four elements fill 87 % of the VP1502's DSPs and 75 % of its LUTs (Table 2), and five do not fit (5.1).
#[test]
fn msmacs_card_is_msmacs() {
    let on_bn254 = Request { curve: Curve::Bn254, ..request(20, "VP1502", Density::Papers) };
    let found = explore(&on_bn254);
    let four =
        found.front.iter().find(|point| (point.design.name(), point.elements) == ("msmac", 4)).unwrap();
    assert_eq!((four.dsps.percent.round(), four.luts.percent.round()), (87.0, 75.0));
    let five = found.infeasible.iter().find(|it| (it.design, it.elements) == ("msmac", 5)).unwrap();
    assert_eq!(five.lacks, Resource::Dsps);
    // The element of the paper's Table 3, 34.15 ms; the model has 32.72.
    let paper = msmac::Parameters::default().estimated_ms(1 << 20).unwrap();
    assert!((paper / 32.72 - 1.0).abs() < 0.005, "{paper}");
}

/// A VU13P, which has a U250's LUTs, DSPs and UltraRAMs, holds two of Gypsophila's elements over 377 bits, and not four (4.1).
#[test]
fn gypsophilas_chip_is_gypsophilas() {
    let found = explore(&request(20, "U250", Density::Papers));
    let third = found.infeasible.iter().find(|it| it.design == "gypsophila" && it.window == 12).unwrap();
    assert_eq!((third.copies, third.lacks), (3, Resource::Luts));
    // CycloneMSM fills 28 % of the VU9P's LUTs without the shell; the paper's whole system has 525,298, 44 %.
    let cyclone = cyclone::Parameters::default().demand(Density::Papers, Family::UltraScalePlus).unwrap();
    assert_eq!((cyclone.luts, cyclone.dsps, cyclone.urams), (337_703, 2_268, 168));
}

/// Three adders as docs/hardware-models.md counts them, and the machines that the board has room for.
#[test]
#[cfg(feature = "reclaimer")]
fn reclaimers_on_a_u250() {
    let three = reclaimer::Parameters::default();
    for (log_size, ms) in [(20, 21.9), (22, 84.9), (24, 337.6)] {
        let estimated = three.estimated_ms(1 << log_size).unwrap();
        assert!((estimated / ms - 1.0f64).abs() < 0.01, "2^{log_size}: {estimated}");
    }
    let papers = fastest(20, "U250", Density::Papers);
    assert_eq!((papers.design.name(), papers.elements), ("reclaimer", 4));
    assert!(papers.ms < 21.9);
    // Our multipliers have fewer LUTs than the paper's. A fifth adder lacks LUTs and DSPs.
    let ours = fastest(20, "U250", Density::Ours);
    assert_eq!((ours.design.name(), ours.elements), ("reclaimer", 4));
}
