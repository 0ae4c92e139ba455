//! The papers' figures, at sizes that take seconds; `docs/reproduction.md` has the other sizes.

use bucketwheel_hardware::{cyclone, gypsophila, msmac, Model, Report};

use crate::{count, uniform};

fn check<M: Model>(
    settings: &[(&str, &str)],
    log_sizes: impl IntoIterator<Item = u32>,
    tolerance: f64,
    scalars: fn(usize) -> Vec<[u64; 4]>,
) {
    for log_size in log_sizes {
        let report = count::<M>(settings, &scalars(1 << log_size));
        let paper = report.paper.unwrap();
        println!(
            "{} 2^{log_size}: {:.2} ms, paper {} ms, {:+.2} %",
            M::NAME,
            report.ms,
            paper.ms,
            100.0 * paper.deviation
        );
        assert!(
            paper.deviation.abs() <= tolerance,
            "2^{log_size}: {} ms, {} in the paper",
            report.ms,
            paper.ms
        );
        let visible: u64 = report.phases.iter().filter(|phase| !phase.hidden).map(|phase| phase.cycles).sum();
        assert!(visible.abs_diff(report.cycles) <= 2, "{:?}", report.phases);
    }
}

fn bls12_377(count: usize) -> Vec<[u64; 4]> {
    uniform::<ark_bls12_377::Fr>(count, 1)
}

fn bn254(count: usize) -> Vec<[u64; 4]> {
    uniform::<ark_bn254::Fr>(count, 1)
}

#[test]
fn cyclone_table_3() {
    check::<cyclone::Parameters>(&[], [22], 0.07, bls12_377);
    // Our only fit: points at the rate of the table.
    check::<cyclone::Parameters>(&[("link_efficiency", "0.84")], [22], 0.02, bls12_377);
}

#[test]
fn gypsophila_table_2() {
    check::<gypsophila::Parameters>(&[], 18..=20, 0.01, bls12_377);
}

#[test]
fn msmac_table_3() {
    check::<msmac::Parameters>(&[], 18..=21, 0.2, bn254);
    check::<msmac::Parameters>(&[("cards", "4")], 18..=21, 0.2, bn254);
}

fn counter(report: &Report, name: &str) -> u64 {
    report.counters[name]
}

/// CycloneMSM, 3.2: about N T / 2^(c-1) points conflict in the first pass of a window. CycloneMSM, 4.4: if all scalars
/// are equal, the sum is right but takes 100 times as long. This leaves out the time of the memory, which then has to move all
/// points in each pass.
#[test]
fn cyclone_conflicts() {
    let scalars = bls12_377(1 << 20);
    let report = count::<cyclone::Parameters>(&[("memory", "null")], &scalars);
    let estimate = (1 << 20) as f64 * 114.0 / 32768.0;
    let found = counter(&report, "conflicts_first_window") as f64;
    assert!((found / estimate - 1.0).abs() < 0.1, "{found} conflicts, {estimate} estimated");

    let phase = |report: &Report| report.phases[0].cycles + report.phases[1].cycles;
    let some = &scalars[..1 << 14];
    let equal_scalars = vec![some[0]; some.len()];
    for (memory, slowest) in [("null", 80.0..120.0), ("ddr4-2133", 400.0..700.0)] {
        let equal = count::<cyclone::Parameters>(&[("memory", memory)], &equal_scalars);
        let slower = phase(&equal) as f64 / phase(&count::<cyclone::Parameters>(&[], some)) as f64;
        println!("equal scalars, memory {memory}: {slower:.1} times as slow");
        assert!(slowest.contains(&slower), "{slower}");
    }
}

/// With segments, the aggregation takes one full addition in three cycles, and the join.
#[test]
fn cyclone_aggregates_in_segments() {
    let scalars = bls12_377(1 << 10);
    let aggregation = |segments: &str, settings: &[(&str, &str)]| {
        let settings = [settings, &[("segments", segments)]].concat();
        count::<cyclone::Parameters>(&settings, &scalars).phases[2].cycles / 16
    };
    let rtl = [("control_stages", "1"), ("aggregation_gap", "3")];
    for (settings, segments, latency) in [(&[][..], "64", 232), (&rtl[..], "32", 139)] {
        let (serial, segmented) = (aggregation("1", settings), aggregation(segments, settings));
        println!("{serial} cycles a window, {segmented} in {segments} segments");
        assert_eq!(serial, 32768 * (latency + 2) + latency);
        assert!((3 * 65536..3 * 65536 * 23 / 20).contains(&segmented), "{segmented}");
        // More segments do not help; with fewer segments the adder waits.
        assert!(aggregation("128", settings) > segmented - segmented / 100);
        assert!(aggregation("8", settings) > 2 * segmented);
    }
}

/// CycloneMSM, 3.2: the greedy scheduler's queue holds about ten entries for 2^26 points, and the MSM takes no more
/// cycles.
#[test]
fn cyclone_greedy() {
    let scalars = bls12_377(1 << 20);
    let delayed = count::<cyclone::Parameters>(&[], &scalars);
    let greedy = count::<cyclone::Parameters>(&[("greedy_queue", "16")], &scalars);
    println!("{} waited", greedy.fifos[0].high_water);
    // The last window has few different digits.
    assert!((6..=16).contains(&greedy.fifos[0].high_water), "{}", greedy.fifos[0].high_water);
    assert!(
        greedy.cycles < delayed.cycles + delayed.cycles / 1000,
        "{} and {}",
        greedy.cycles,
        delayed.cycles
    );
    assert_eq!(counter(&greedy, "additions"), counter(&delayed, "additions"));
}

/// The overlap, the paper's future work, saves the time of the aggregation.
#[test]
fn cyclone_overlaps_aggregation() {
    let scalars = bls12_377(1 << 17);
    let serial = count::<cyclone::Parameters>(&[("window", "10")], &scalars);
    let overlapped =
        count::<cyclone::Parameters>(&[("window", "10"), ("overlap_aggregation", "true")], &scalars);
    let aggregation = |report: &Report| report.phases[2].cycles;
    // Full additions are granted 6 cycles, and half of the cycles before the adder's multipliers, before they come.
    let granted = 6 + (96 - 2 * 39) / 2;
    let all = aggregation(&serial) + 26 * granted;
    assert_eq!(aggregation(&overlapped) + overlapped.phases[3].cycles, all);
    // The aggregation of all windows except the last is hidden.
    assert_eq!(aggregation(&overlapped) * 26, all);
    assert!(overlapped.cycles < serial.cycles);
    // The scheduler holds points back for the aggregation's additions; the link's pauses make up for this. Without
    // pauses, it costs cycles.
    let settings = [("window", "10"), ("memory", "null")];
    let plain = count::<cyclone::Parameters>(&settings, &scalars);
    let full = count::<cyclone::Parameters>(
        &[settings.as_slice(), &[("overlap_aggregation", "true")]].concat(),
        &scalars,
    );
    assert!(full.phases[0].cycles > plain.phases[0].cycles + 25 * 512 * 4 / 2);
}

/// Gypsophila: the cost of sharing, and the size at which the shared adder is too slow.
#[test]
fn gypsophila_shares() {
    let tasks: Vec<Vec<[u64; 4]>> = (0..16).map(|seed| uniform::<ark_bls12_377::Fr>(1 << 14, seed)).collect();
    let tasks: Vec<&[[u64; 4]]> = tasks.iter().map(Vec::as_slice).collect();
    let run = |settings: &[(&str, &str)], tasks: &[&[[u64; 4]]]| {
        crate::simulate::<gypsophila::Parameters, ()>(settings, &[(); 1 << 14], tasks).report
    };
    let one = run(&[("window", "12")], &tasks[..1]);
    let all = run(&[("window", "12"), ("pes", "16")], &tasks);
    let loss = all.cycles as f64 / one.cycles as f64 - 1.0;
    println!("speed loss {:.3} %", 100.0 * loss);
    assert!((0.0..0.2).contains(&loss));
    assert_eq!(all.channels[0].bytes, one.channels[0].bytes, "points are sent once");
    // One adder cannot keep up, but enough adders can.
    let counted = [("window", "12"), ("pes", "16"), ("count_aggregation", "true")];
    let slow = run(&counted, &tasks);
    let fast = run(
        &[counted.as_slice(), &[("shared_adders", "1024"), ("shared_adder_cycles", "1")]].concat(),
        &tasks,
    );
    assert!(slow.cycles > 10 * all.cycles, "{} and {}", slow.cycles, all.cycles);
    assert!(fast.cycles < all.cycles + all.cycles / 50, "{} and {}", fast.cycles, all.cycles);
}

/// Gypsophila: shared adders take 161 (2^c + c) cycles for an element's window, and classification takes one cycle for
/// each point of the element. If the adders take longer for all elements together, elements wait.
#[test]
fn gypsophila_balance() {
    let tasks: Vec<Vec<[u64; 4]>> = (0..8).map(|seed| uniform::<ark_bls12_377::Fr>(1 << 14, seed)).collect();
    let cycles = |log_size: u32, adders: &str, counted: &str| {
        let tasks: Vec<_> = tasks.iter().map(|task| &task[..1 << log_size]).collect();
        let settings =
            [("window", "5"), ("pes", "8"), ("shared_adders", adders), ("count_aggregation", counted)];
        let points = vec![(); 1 << log_size];
        crate::simulate::<gypsophila::Parameters, ()>(&settings, &points, &tasks).report.cycles as f64
    };
    for (adders, each) in [("2", 4.0), ("4", 2.0), ("8", 1.0)] {
        let tip = 161.0 * 37.0 * each;
        for log_size in 12..=14 {
            let ratio = cycles(log_size, adders, "true") / cycles(log_size, adders, "false");
            println!("2^{log_size}, {adders} shared adders: {ratio:.3} of the classification");
            let expected = (tip / f64::from(log_size).exp2()).max(1.0);
            assert!((0.8..1.1).contains(&(ratio / expected)), "{ratio}, {expected} expected");
        }
    }
}

/// Gypsophila: the time of the aggregation in a report of the classification equals the time in a simulation of the
/// aggregation.
#[test]
fn gypsophila_estimates_the_aggregation() {
    let tasks: Vec<Vec<[u64; 4]>> = (0..5).map(|seed| uniform::<ark_bls12_377::Fr>(1 << 13, seed)).collect();
    let tasks: Vec<&[[u64; 4]]> = tasks.iter().map(Vec::as_slice).collect();
    for (pes, adders) in [("1", "1"), ("4", "1"), ("4", "2"), ("4", "4"), ("5", "3")] {
        let run = |counted: &str| {
            let settings =
                [("window", "6"), ("pes", pes), ("shared_adders", adders), ("count_aggregation", counted)];
            crate::simulate::<gypsophila::Parameters, ()>(&settings, &[(); 1 << 13], &tasks).report
        };
        let notes = run("false").notes;
        let note = notes.iter().find_map(|note| note.split_once("with it about ")).expect("an estimate");
        let estimate: f64 = note.1.trim_end_matches(" ms").parse().unwrap();
        let ratio = estimate / run("true").ms;
        println!("{pes} elements, {adders} adders: {ratio:.4}");
        assert!((0.97..1.03).contains(&ratio), "{pes} elements, {adders} adders: {ratio}");
    }
}

/// MSMAC, Figure 9, from Equation 6.
#[test]
fn msmac_windows() {
    let best: Vec<u32> =
        (10..=20).map(|log_size| msmac::best_window(f64::from(log_size).exp2(), 254)).collect();
    assert!(best.is_sorted());
    assert!(best[7..].iter().all(|&window| window == 13), "13 from 2^17 on");
    assert!(best[6] < 13);
}
