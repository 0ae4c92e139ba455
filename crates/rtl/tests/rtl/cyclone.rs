//! Whole MSMs on the simulated CycloneMSM: the points of arkworks, the counters of the cycle model.

use std::path::Path;

use ark_bls12_377::{Fr, G1Projective, G1TEAffine, G1TEProjective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel::Control;
use bucketwheel_hardware::cyclone::{Commands, Parameters};
use bucketwheel_hardware::runtime::{Element, Options, Runtime};
use bucketwheel_hardware::{Model, Report, Scalar};
use bucketwheel_rtl::cyclone::{Cyclone, Links};
use bucketwheel_rtl::{select, Bus, Fault, Inputs, Watch, Waveforms};
use rand::Rng;

use crate::numbers::random;

fn points(count: usize, rng: &mut impl Rng) -> Vec<G1TEAffine> {
    let points: Vec<_> = (0..count).map(|_| G1TEProjective::rand(rng)).collect();
    G1TEProjective::normalize_batch(&points)
}

fn uniform(count: usize, rng: &mut impl Rng) -> Vec<Fr> {
    (0..count).map(|_| Fr::rand(rng)).collect()
}

fn integers(scalars: &[Fr]) -> Vec<Scalar> {
    scalars.iter().map(|scalar| scalar.into_bigint().0).collect()
}

/// Checks that the hardware's sum equals arkworks', and its counters equal the cycle model's for the same digits.
fn check(cyclone: &mut Cyclone, model: &Parameters, scalars: &[Fr], points: &[G1TEAffine]) {
    cyclone.reset();
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    let integers = integers(scalars);
    let sum = cyclone.msm(&integers, &encoded).expect("a sum");
    assert_eq!(sum, G1TEProjective::msm_unchecked(points, scalars));
    assert!(!cyclone.bench().failed(), "an assertion of the RTL failed");

    let nothing = vec![(); points.len()];
    let report =
        model.simulate(&nothing, &[&integers], &Control::new(None, None, None)).expect("counts").report;
    let found = cyclone.counters();
    let commands = report.counters["windows"] * points.len() as u64;
    let phases: Vec<u64> = report.phases.iter().map(|phase| phase.cycles).collect();
    let expected = [
        ("first_pass_cycles", phases[0]),
        ("further_passes_cycles", phases[1]),
        ("aggregation_cycles", phases[2]),
        ("link_stall_cycles", report.counters["link_stall_cycles"]),
        ("point_stall_cycles", 0),
        // The time that the input waits for the greedy scheduler's queue, or for full additions, is part of the first
        // passes.
        ("core_stall_cycles", phases[0] - commands - report.counters["link_stall_cycles"]),
        ("result_stall_cycles", 0),
        ("hidden_aggregation_cycles", phases[3]),
        ("windows", report.counters["windows"]),
        ("commands", commands),
        ("zero_digits", report.counters["zero_digits"]),
        ("additions", report.counters["additions"]),
        ("conflicts", report.counters["conflicts"]),
        ("further_passes", report.counters["passes"] - report.counters["windows"]),
        ("high_water", report.fifos[0].high_water),
    ];
    for (name, count) in expected {
        let found_count = found.get(name).copied().unwrap_or(0);
        assert_eq!(found_count, count, "{name}: the RTL and the cycle model; all of the RTL's: {found:?}");
    }
}

fn check_uniform(bench: &str, size: usize) {
    let mut rng = random();
    let mut cyclone = Cyclone::new(bench);
    let model = cyclone.model();
    check(&mut cyclone, &model, &uniform(size, &mut rng), &points(size, &mut rng));
}

#[test]
fn whole_sum() {
    check_uniform("cyclone", 1 << 10);
}

/// Segments of the buckets give the same sum in fewer cycles, at any length of the pipeline.
#[test]
fn whole_sum_in_segments() {
    check_uniform("cyclone_segments", 1 << 8);
    for size in [0, 1, 50] {
        check_uniform("cyclone_segments_short", size);
    }
}

/// A window is aggregated while the next window is accumulated. No addition that waits for the other kind is lost. All
/// counters equal the model's, whichever phase takes longer, with both schedulers, with and without segments.
/// segments.
#[test]
fn overlap() {
    let mut rng = random();
    for (bench, sizes) in [
        ("cyclone_overlap", [300, 1000]),
        ("cyclone_overlap_greedy", [300, 1000]),
        ("cyclone_overlap_segments", [50, 4096]),
    ] {
        let mut cyclone = Cyclone::new(bench);
        let model = cyclone.model();
        for size in sizes {
            println!("{bench}, {size} points");
            check(&mut cyclone, &model, &uniform(size, &mut rng), &points(size, &mut rng));
            let found = cyclone.counters();
            let hidden = found["hidden_aggregation_cycles"];
            let all = found["aggregation_cycles"] + hidden;
            // Every window takes the same number of cycles, so at least the last window's cycles are not hidden.
            assert!(hidden > 0 && hidden <= all - all / found["windows"], "{found:?}");
        }
    }
    let mut cyclone = Cyclone::new("cyclone_overlap_greedy");
    let model = cyclone.model();
    for (case, (scalars, points)) in corner_cases(&mut rng).into_iter().enumerate() {
        println!("greedy, case {case}");
        check(&mut cyclone, &model, &scalars, &points);
    }
}

/// More windows than both sets of buckets have epochs, so that the buckets are swept; windows of few points, of no
/// points and of many.
#[test]
fn overlapped_windows() {
    let mut rng = random();
    let points = points(60, &mut rng);
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    for (bench, count) in [
        ("cyclone_overlap", 0),
        ("cyclone_overlap", 2),
        ("cyclone_overlap_greedy", 2),
        ("cyclone_overlap", 60),
    ] {
        let mut cyclone = Cyclone::new(bench);
        cyclone.reset();
        let digits: Vec<Vec<i32>> =
            (0..600).map(|_| (0..count).map(|_| rng.gen_range(-8..=8)).collect()).collect();
        let windows: Vec<_> = digits.iter().map(|digits| Commands::batches(digits.iter().copied())).collect();
        let sums = cyclone.windows(&windows, &encoded[..count]).expect("sums");
        for (window, (sum, digits)) in sums.into_iter().zip(&digits).enumerate() {
            let digits: Vec<_> = digits.iter().map(|&digit| Fr::from(digit)).collect();
            let expected = G1TEProjective::msm_unchecked(&points[..count], &digits);
            assert_eq!(sum, expected, "{bench}, {count} points, window {window}");
        }
        assert!(!cyclone.bench().failed(), "{bench}: an assertion of the RTL failed");
    }
}

/// The selection finds a machine by its parameters; the machine's tasks follow each other without a pause, as in the
/// model.
#[test]
fn overlap_is_selected() {
    let mut rng = random();
    let points: Vec<_> = (0..40).map(|_| G1Projective::rand(&mut rng)).collect();
    let tasks = [integers(&uniform(40, &mut rng)), integers(&uniform(40, &mut rng))];
    let tasks = [&tasks[0][..], &tasks[1]];
    for (settings, segments) in
        [(&[("window", "4")][..], 1), (&[("greedy_queue", "6")], 2), (&[("segments", "32")], 32)]
    {
        let settings: Vec<_> = settings
            .iter()
            .chain(&[("overlap_aggregation", "true")])
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let selection = select::<Parameters>(&settings, None, Waveforms::Unwanted).expect("a machine");
        let model = &selection.parameters;
        assert!(model.overlap_aggregation && model.segments == segments, "{model:?}");
        let found = selection.simulate(&points, &tasks, None, &Watch::default()).expect("sums");
        let expected = model.simulate(&points, &tasks, &Control::new(None, None, None)).expect("sums");
        assert_eq!(found.sums, expected.sums);
        let phases =
            |report: &Report| -> Vec<u64> { report.phases.iter().map(|phase| phase.cycles).collect() };
        assert_eq!(phases(&found.report), phases(&expected.report), "{settings:?}");
        assert_eq!(found.report.cycles, expected.report.cycles, "{settings:?}");
    }
}

/// A reset in every phase of overlapping windows, by the host and by the pin.
#[test]
fn reset_of_overlapped_windows() {
    let mut rng = random();
    let points = points(8, &mut rng);
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    let expected: G1TEProjective = points.iter().map(|&point| G1TEProjective::from(point)).sum();
    for bench in ["cyclone_overlap", "cyclone_overlap_greedy", "cyclone_overlap_segments"] {
        let mut cyclone = Cyclone::new(bench);
        cyclone.reset();
        // Only the words that the queues take, so that no word is offered any more when the host accesses the
        // registers.
        let windows: Vec<_> =
            (0..4).map(|window| Commands::batches((0..8).map(|i| (i + window) % 3 - 1))).collect();
        let windows: Vec<_> = windows.iter().map(Vec::as_slice).collect();
        for after in [5, 25, 60, 97, 150, 233, 310, 444, 500, 618, 777, 3000, 8001] {
            cyclone.send(&windows, &encoded, after).expect("coordinates");
            if after % 2 == 1 {
                cyclone.bench().cycle(Inputs { reset: true, ..Inputs::default() });
            } else {
                cyclone.reset();
            }
            assert_eq!(cyclone.counters()["commands"], 0);
            let batches = [Commands::batches([2; 8]), Commands::batches([-1; 8])];
            let sums = cyclone.windows(&batches, &encoded).expect("sums");
            assert_eq!(sums, [expected + expected, -expected], "{bench}, {after}");
            assert!(!cyclone.bench().failed(), "{bench}, {after}: an assertion of the RTL failed");
        }
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whole_sum_true_rtl() {
    check_uniform("cyclone_rtl", 24);
}

#[test]
fn whole_sum_4096() {
    check_uniform("cyclone", 1 << 12);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whole_sum_65536() {
    check_uniform("cyclone", 1 << 16);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whole_sum_4096_true_rtl() {
    check_uniform("cyclone_rtl", 1 << 12);
}

/// Returns no points, one point, scalars that are all equal, all zero, small or large; equal points, inverse points,
/// the neutral element.
fn corner_cases(rng: &mut impl Rng) -> Vec<(Vec<Fr>, Vec<G1TEAffine>)> {
    let (p, minus) = (G1TEAffine::generator(), -G1TEAffine::generator());
    let some = points(60, rng);
    let one = Fr::from(1u64);
    let twice: Vec<_> = uniform(20, rng).into_iter().flat_map(|scalar| [scalar; 2]).collect();
    vec![
        (vec![], vec![]),
        (vec![one], vec![p]),
        (vec![-one], vec![minus]),
        (vec![Fr::rand(rng)], some[..1].to_vec()),
        (vec![Fr::rand(rng); 60], some.clone()),
        (vec![Fr::from(0u64); 60], some.clone()),
        (vec![-one; 60], some.clone()),
        (vec![half(); 60], some.clone()),
        ([one, Fr::from(0u64)].repeat(30), some.clone()),
        (uniform(40, rng), vec![p; 40]),
        (uniform(40, rng), [p, minus].repeat(20)),
        (vec![Fr::from(7u64); 40], [p, minus].repeat(20)),
        (twice, [p, minus].repeat(20)),
        (uniform(9, rng), vec![G1TEAffine::zero(); 9]),
        (uniform(8, rng), some[..8].to_vec()),
    ]
}

/// Returns a scalar whose digits are all -8 or 8.
fn half() -> Fr {
    Fr::from(BigInt::new([0x8888_8888_8888_8888, 0x8888_8888_8888_8888, 0x8888_8888_8888_8888, 0]))
}

/// The pipeline is short, so most cases take little time. The on-chip queue is short too, so conflicts go to memory.
#[test]
fn corners() {
    let mut rng = random();
    for bench in ["cyclone_short", "cyclone_overlap"] {
        let mut cyclone = Cyclone::new(bench);
        let model = cyclone.model();
        for (case, (scalars, points)) in corner_cases(&mut rng).into_iter().enumerate() {
            println!("{bench}, case {case}");
            check(&mut cyclone, &model, &scalars, &points);
        }
        assert!(cyclone.counters()["spilled"] == 0, "eight points fit on chip");
        check(&mut cyclone, &model, &vec![half(); 60], &points(60, &mut rng));
        assert!(cyclone.counters()["spilled"] > 0, "sixty do not");
    }
}

/// The greedy scheduler: counts equal the cycle model's, even if few buckets take all points and its queue is full.
#[test]
fn greedy() {
    let mut rng = random();
    let mut cyclone = Cyclone::new("cyclone_greedy");
    let model = cyclone.model();
    let some = points(60, &mut rng);
    for scalars in [
        uniform(60, &mut rng),
        vec![Fr::rand(&mut rng); 60],
        vec![Fr::from(0u64); 60],
        [Fr::from(1u64), Fr::from(0u64), Fr::from(2u64)].repeat(20),
    ] {
        check(&mut cyclone, &model, &scalars, &some);
    }
    check(&mut cyclone, &model, &[], &[]);
    assert_eq!(cyclone.counters()["spilled"], 0);
}

/// With a link that pauses, conflicts, stalls and cycles equal the cycle model's for the same pauses.
#[test]
fn pauses() {
    let mut rng = random();
    let mut cyclone = Cyclone::new("cyclone_short");
    let model = Parameters { link_efficiency: 0.5, link_burst: 32, ..cyclone.model() };
    cyclone.links.pace = Some((32, 32));
    check(&mut cyclone, &model, &uniform(200, &mut rng), &points(200, &mut rng));
}

/// The partners of all streams make the machine wait: the sum stays the same.
#[test]
fn back_pressure() {
    for bench in ["cyclone_short", "cyclone_overlap", "cyclone_overlap_greedy", "cyclone_overlap_segments"] {
        back_pressure_of(bench);
    }
}

fn back_pressure_of(bench: &str) {
    let mut rng = random();
    let mut cyclone = Cyclone::new(bench);
    let (scalars, points) = (uniform(50, &mut rng), points(50, &mut rng));
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    let expected = G1TEProjective::msm_unchecked(&points, &scalars);
    let slow = 0.2;
    for links in [
        Links { commands: 0.05, ..Links::FAST },
        Links { points: slow, ..Links::FAST },
        Links { results: slow, ..Links::FAST },
        Links { spill: slow, ..Links::FAST },
        Links { commands: 0.1, points: slow, results: slow, spill: slow, ..Links::FAST },
        Links { commands: 0.5, points: 0.5, results: 0.5, spill: 0.5, ..Links::FAST },
    ] {
        cyclone.reset();
        cyclone.links = links;
        assert_eq!(cyclone.msm(&integers(&scalars), &encoded).unwrap(), expected, "{links:?}");
        assert!(!cyclone.bench().failed(), "{links:?}: an assertion of the RTL failed");
        let counters = cyclone.counters();
        // If windows overlap, most commands of the next window arrive while this one ends.
        let least = if bench == "cyclone_short" { 1000 } else { 0 };
        assert!(links.commands > 0.05 || counters["link_stall_cycles"] > least, "{links:?}: {counters:?}");
        assert!(links.points == 1.0 || counters["point_stall_cycles"] > 0, "{links:?}: {counters:?}");
    }
}

/// Sums that are not taken: the second window waits, and both sums come.
#[test]
fn results_wait() {
    let mut rng = random();
    let points = points(5, &mut rng);
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    let expected: G1TEProjective = points.iter().map(|&point| G1TEProjective::from(point)).sum();
    for bench in ["cyclone_short", "cyclone_overlap"] {
        let mut cyclone = Cyclone::new(bench);
        cyclone.links.results = 0.0;
        for digit in [1, -2] {
            assert_eq!(cyclone.drive(&Commands::batches([digit; 5]), &encoded, 2000).unwrap(), None);
        }
        assert!(cyclone.counters()["result_stall_cycles"] > 1000);
        cyclone.links.results = 1.0;
        assert_eq!(cyclone.drive(&[], &[], 100).unwrap(), Some(expected));
        assert_eq!(cyclone.drive(&[], &[], 100).unwrap(), Some(-expected - expected));
        assert!(!cyclone.bench().failed());
    }
}

/// A reset in every phase, by the host and by the pin: no output comes from before the reset.
#[test]
fn reset_on_the_way() {
    let mut rng = random();
    let mut cyclone = Cyclone::new("cyclone_short");
    let points = points(30, &mut rng);
    let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
    let batches = Commands::batches([3; 30]);
    let expected: G1TEProjective = points.iter().map(|&point| G1TEProjective::from(point)).sum();
    for (after, pin) in [(5, true), (25, false), (60, true), (200, false), (500, true), (590, false)] {
        assert!(cyclone.drive(&batches, &encoded, after).unwrap().is_none(), "{after}");
        if pin {
            cyclone.bench().cycle(Inputs { reset: true, ..Inputs::default() });
        } else {
            cyclone.reset();
        }
        assert_eq!(cyclone.counters()["commands"], 0);
        assert_eq!(cyclone.window(&batches, &encoded).unwrap(), expected + expected + expected, "{after}");
        assert!(!cyclone.bench().failed(), "{after}: an assertion of the RTL failed");
    }
}

#[test]
fn faults() {
    let mut rng = random();
    let mut cyclone = Cyclone::new("cyclone_short");
    let encoded: Vec<_> = points(9, &mut rng).into_iter().map(Cyclone::point).collect();
    // If a point is missing, the machine waits for good; an excess point is noticed.
    assert!(matches!(cyclone.window(&Commands::batches([1; 10]), &encoded), Err(Fault::Misaligned { .. })));
    cyclone.reset();
    assert!(matches!(cyclone.window(&Commands::batches([1; 8]), &encoded), Err(Fault::Misaligned { .. })));
    cyclone.reset();
    // An end marked in the middle is noticed too, on any channel.
    for channel in 0..3 {
        cyclone.links.false_last = Some((channel, 4));
        let found = cyclone.window(&Commands::batches([1; 9]), &encoded);
        assert!(matches!(found, Err(Fault::Misaligned { .. })), "channel {channel}: {found:?}");
        cyclone.reset();
    }
    cyclone.links.false_last = None;
    // Digits from -8 to 8.
    assert!(cyclone.window(&Commands::batches([8, -8, 0, 1, 2, 3, 4, 5, 6]), &encoded).is_ok());
    for digit in [9, -9, i16::MIN.into(), i16::MAX.into()] {
        assert_eq!(
            cyclone.window(&Commands::batches([digit; 9]), &encoded),
            Err(Fault::Digit { most: 8 }),
            "{digit}"
        );
        cyclone.reset();
    }
    assert!(matches!(cyclone.msm(&[[u64::MAX; 4]; 9], &encoded), Err(Fault::Input(_))));
    // Registers that do not exist, or that cannot be written.
    for address in [0x90, 0xfc, 0x2] {
        assert_eq!(cyclone.read(address), Err(Fault::Register { address }));
    }
    for address in [0x0, 0x4, 0xc, 0x10, 0x90, 0x9] {
        assert_eq!(cyclone.write(address, 1), Err(Fault::Register { address }));
    }
    assert_eq!(cyclone.read(0), Ok(u32::from_be_bytes(*b"CYCL")));
    assert!(!cyclone.bench().failed());
}

/// A window's waveforms have the streams' names and an end.
#[test]
fn waveforms() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cyclone.vcd");
    let mut cyclone = Cyclone::new("cyclone_short");
    cyclone.bench().trace(&path, 1 << 20).expect("a traced bench");
    let encoded = [Cyclone::point(G1TEAffine::generator())];
    assert!(cyclone.window(&Commands::batches([1]), &encoded).is_ok());
    assert!(cyclone.bench().finish_trace());
    let text = std::fs::read_to_string(&path).unwrap();
    for name in
        ["s_axis_command_tvalid", "s_axis_x_tready", "m_axis_result_tlast", "u_scheduler", "high_water_o"]
    {
        assert!(text.contains(name), "{name}");
    }
    let end = text.lines().rev().find_map(|line| line.strip_prefix('#')).expect("a time");
    assert!(end.parse::<u64>().unwrap() > 400, "{end}");

    let refused = Cyclone::new("cyclone").bench().trace(&path, 1 << 20).unwrap_err();
    assert_eq!(refused, Fault::Trace(path));
}

/// The runtime with two simulated cards and a CPU, and one card that gives up.
#[test]
fn runtime() {
    let mut rng = random();
    let points: Vec<G1TEProjective> = (0..90).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let scalars = uniform(90, &mut rng);
    let expected: G1TEProjective = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
    let card = || Cyclone::new("cyclone_short").element();
    let cpu: Element<G1TEProjective> = Box::new(|part| {
        let one = |(point, &scalar): (&G1TEProjective, &Scalar)| point.mul_bigint(scalar);
        Ok(part.points.iter().zip(part.scalars).map(one).sum())
    });
    let broken: Element<G1TEProjective> = Box::new(|_| Err("no power".to_owned()));
    let options = Options { sub_task: 9, ..Options::default() };
    let mut runtime = Runtime::new(vec![card(), broken, card(), cpu], options);
    let ticket = runtime.submit(points.into(), integers(&scalars).into()).unwrap();
    assert_eq!(ticket.wait().unwrap(), expected);
    let statistics = runtime.statistics();
    assert!(statistics.computed[0] > 0 && statistics.computed[2] > 0, "{statistics:?}");
}
