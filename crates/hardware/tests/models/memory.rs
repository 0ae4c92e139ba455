//! The memory model: the table of docs/hardware-models.md, measurements of cards, and bandwidths that no model exceeds.

use bucketwheel_hardware::memory::{both_ways, streams, Inputs, Kind, Port, BOARDS};
use bucketwheel_hardware::{cyclone, gypsophila, reclaimer, Model, Report, Scalar};

use crate::points::points;
use crate::{count, simulate, uniform};

/// Returns a number of the documentation's table.
fn number(x: f64) -> String {
    format!("{x:.2}")
}

/// The table of the kinds of memory has the figures that the model measures.
#[test]
fn table() {
    let line = |kind: Kind| {
        let timing = kind.timing();
        // A core that is faster than the memory.
        let measured = |beats: f64| number(beats * 64e-6 * 400e3);
        format!(
            "| `{}` | {} | {} | {} | {} | {:.3} | {:.3} |\n",
            kind.name(),
            number(timing.peak_gigabytes()),
            measured(streams(kind, 400_000, 1, 32)),
            measured(both_ways(kind, 400_000)),
            number(latency(kind) * 1e9),
            streams(kind, 250_000, 1, 32),
            streams(kind, 250_000, 3, 32),
        )
    };
    let table = Kind::ALL.map(line).concat();
    let docs = include_str!("../../../../docs/hardware-models.md");
    assert!(docs.contains(&table), "docs/hardware-models.md lacks\n{table}");
    for board in BOARDS {
        let gigabytes = f64::from(board.channels) * board.kind.timing().peak_gigabytes();
        let row = format!(
            "| {} | {} x `{}` | {} | {gigabytes:.0} |\n",
            board.name,
            board.channels,
            board.kind.name(),
            board.bytes >> 30
        );
        assert!(docs.contains(&row), "docs/hardware-models.md lacks\n{row}");
    }
}

/// Returns the seconds from a request until its beat is offered, in an open row.
fn latency(kind: Kind) -> f64 {
    const CORE_KHZ: u32 = 10_000_000;
    let mut port = Port::new(kind.timing(), CORE_KHZ, 255, 0);
    let mut wait = |beat| {
        let mut read = Some((beat, 1));
        for cycle in 0.. {
            let outputs = port.outputs();
            port.cycle(Inputs { read, takes_data: true, ..Inputs::default() });
            read = read.filter(|_| !outputs.takes_read);
            if outputs.data.is_some() {
                return cycle;
            }
        }
        unreachable!("a beat comes")
    };
    wait(0);
    f64::from(wait(0)) / (1e3 * f64::from(CORE_KHZ))
}

/// Wang et al., Shuhai, FCCM 2020, on a U280: a read of an open row takes 73.3 ns of DDR4 and 106.7 ns of HBM, to which the
/// latencies are fitted. A channel of DDR4 reads 18 GB/s and a pseudo channel of HBM 13.27 GB/s, which is not fitted.
#[test]
fn measurements_of_a_card() {
    for (kind, ns, gigabytes) in [(Kind::Ddr4At2400, 73.3, 18.0), (Kind::Hbm2, 106.7, 13.27)] {
        let (found, read) = (1e9 * latency(kind), streams(kind, 450_000, 1, 32) * 450e6 * 64e-9);
        println!("{}: {found:.1} ns, {read:.2} GB/s", kind.name());
        assert!((found / ns - 1.0).abs() < 0.02, "{found}");
        assert!((read / gigabytes - 1.0).abs() < 0.02, "{read}");
    }
}

/// Reads and writes of rows that are never open: each takes the bank's whole cycle, unless other banks fill the time.
#[test]
fn rows_of_one_bank() {
    let timing = Kind::Ddr4At2400.timing();
    let row = u64::from(timing.columns * timing.groups * timing.banks);
    let beats = |distance: u64| {
        let mut port = Port::new(timing, 300_000, 255, 0);
        let (mut next, mut read) = (0, 0);
        for _ in 0..30_000 {
            let outputs = port.outputs();
            port.cycle(Inputs { read: Some((next * distance, 1)), takes_data: true, ..Inputs::default() });
            next += u64::from(outputs.takes_read);
            read += u64::from(outputs.data.is_some());
        }
        read
    };
    let (hits, misses) = (beats(1), beats(row));
    println!("{hits} beats of open rows, {misses} of closed rows");
    let cycle = f64::from(timing.ras + timing.rp);
    // Of 120,000 clocks, a refresh takes its own and closes the row.
    let expected = 120e3 / cycle * (1.0 - f64::from(timing.rfc) / f64::from(timing.refi));
    assert!((misses as f64 / expected - 1.0).abs() < 0.02, "{expected} expected");
    assert!(hits > 13 * misses);
}

/// A design moves at most as much as its memory can, even for equal digits.
#[test]
fn equal_digits_stay_within_the_bandwidth() {
    let scalars = vec![uniform::<ark_bls12_377::Fr>(1, 1)[0]; 1 << 16];
    let run = |memory: &str| count::<cyclone::Parameters>(&[("memory", memory)], &scalars);
    let rate = |report: &Report| {
        let cycles = report.phases[0].cycles + report.phases[1].cycles;
        report.channels[2].bytes as f64 / (cycles as f64 * 4.0)
    };
    assert!(rate(&run("null")) > 60.0, "more than the bandwidth if memory never waits");
    for kind in Kind::ALL {
        let report = run(kind.name());
        let most = both_ways(kind, 250_000) * 250e6 * 64e-9;
        println!("{}: {:.1} of {most:.1} GB/s, {:.0} ms", kind.name(), rate(&report), report.ms);
        assert!(rate(&report) < most && rate(&report) > 0.9 * most);
        assert!(report.counters["spill_stall_cycles"] > report.cycles / 2);
    }
}

/// Returns the bytes a second of a stream in 10^9, over the first phase alone, in which points come.
fn rate(report: &Report, channel: usize) -> f64 {
    report.channels[channel].bytes as f64 / report.phases[0].cycles as f64 * report.clock_mhz * 1e-3
}

/// Simulates a machine on all kinds of memory, with a clock for which coordinates need more than the bandwidth. Over the whole
/// time, they come at most at the pace of their `coordinates` channels. If no point waits for a bucket, they come at this pace.
fn streams_stay_within<M: Model>(coordinates: f64, settings: &[(&str, &str)]) {
    let equal = vec![uniform::<ark_bls12_377::Fr>(1, 1)[0]; 1 << 12];
    for kind in Kind::ALL {
        let most = coordinates * streams(kind, 450_000, 1, 32) * 450e6 * 64e-9;
        let run = |clock: &str, scalars: &[Scalar]| {
            let settings = [settings, &[("memory", kind.name()), ("clock_mhz", clock)]].concat();
            count::<M>(&settings, scalars)
        };
        let [fast, zeros] = [&equal, &vec![[0; 4]; equal.len()]].map(|scalars| run("450", scalars));
        println!(
            "{} {}: {:.1}, {:.1} of {most:.1} GB/s",
            M::NAME,
            kind.name(),
            rate(&fast, 0),
            rate(&zeros, 0)
        );
        assert!((0.95..1.02).contains(&(rate(&zeros, 0) / most)));
        // Digits are equal: beats that were read ahead may come faster than the channels read, but not for long.
        assert!(fast.channels[0].gigabytes_per_second < most);
        // On a slow clock, the port reads ahead during a refresh.
        let slow = run("150", &vec![[0; 4]; equal.len()]);
        assert!(slow.counters["starved_cycles"] * 200 < slow.phases[0].cycles, "{:?}", slow.counters);
    }
}

/// The documentation's table of waits at the designs' clocks is the models': percent of the cycles in which points come, if no point
/// waits for a bucket.
#[test]
fn waits() {
    fn percent<M: Model>(kind: Kind, bursts: &str) -> f64 {
        let settings = [("window", "8"), ("memory", kind.name()), ("outstanding_bursts", bursts)];
        let report = count::<M>(&settings, &[[0; 4]; 1 << 12]);
        100.0 * report.counters["starved_cycles"] as f64 / report.phases[0].cycles as f64
    }
    let line = |kind: Kind| {
        let [eight, four] = ["8", "4"].map(|bursts| {
            [percent::<gypsophila::Parameters>(kind, bursts), percent::<reclaimer::Parameters>(kind, bursts)]
        });
        format!(
            "| `{}` | {:.1} | {:.1} | {:.1} | {:.1} |\n",
            kind.name(),
            eight[0],
            four[0],
            eight[1],
            four[1]
        )
    };
    let table = Kind::ALL.map(line).concat();
    let docs = include_str!("../../../../docs/hardware-models.md");
    assert!(docs.contains(&table), "docs/hardware-models.md lacks\n{table}");
}

#[test]
fn gypsophilas_points_stay_within_the_bandwidth() {
    streams_stay_within::<gypsophila::Parameters>(3.0, &[("window", "8")]);
    streams_stay_within::<gypsophila::Parameters>(
        3.0,
        &[("window", "8"), ("count_aggregation", "true"), ("shared_adder_cycles", "2")],
    );
}

#[test]
fn the_reclaimers_points_stay_within_the_bandwidth() {
    streams_stay_within::<reclaimer::Parameters>(2.0, &[("window", "8")]);
}

/// Waits change no sum and no count of the work. Beats are the coordinates' and the other stream's, packet by packet.
#[test]
fn sums_do_not_depend_on_the_memory() {
    let points = points::<ark_bls12_377::g1::Config>(33, 5);
    let scalars = [1, 2].map(|seed| uniform::<ark_bls12_377::Fr>(33, seed));
    let tasks = scalars.each_ref().map(Vec::as_slice);
    fn both<M: Model>(
        settings: &[(&str, &str)],
        points: &[ark_bls12_377::G1Projective],
        tasks: &[&[Scalar]],
    ) -> Report {
        let never = simulate::<M, _>(settings, points, tasks);
        let memory = [settings, &[("memory", "hbm2"), ("clock_mhz", "1000")]].concat();
        let waits = simulate::<M, _>(&memory, points, tasks);
        assert_eq!(never.sums, waits.sums, "{}", M::NAME);
        assert!(never.report.cycles < waits.report.cycles);
        assert_eq!(never.report.counters["additions"], waits.report.counters["additions"]);
        assert!(!never.report.counters.contains_key("point_beats"));
        waits.report
    }
    // 64 windows of four bits; a packet has 25 beats of a coordinate. Gypsophila: a round, and two bytes of indexes for each point.
    let report = both::<gypsophila::Parameters>(&[("window", "4"), ("pes", "2")], &points, &tasks);
    assert_eq!((report.counters["point_beats"], report.counters["stream_beats"]), (64 * 25, 64 * 2));
    let report = both::<gypsophila::Parameters>(
        &[("window", "4"), ("pes", "2"), ("count_aggregation", "true")],
        &points,
        &tasks,
    );
    assert_eq!((report.counters["point_beats"], report.counters["stream_beats"]), (64 * 25, 64 * 2));
    // The reclaimer: two tasks of 22 passes, and half a beat for each scalar.
    let report = both::<reclaimer::Parameters>(&[("window", "4")], &points, &tasks);
    assert_eq!((report.counters["point_beats"], report.counters["stream_beats"]), (44 * 25, 44 * 17));
}
