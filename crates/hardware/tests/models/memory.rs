//! The memory model: the table of docs/hardware-models.md, measurements of cards, and bandwidths that no model exceeds.

use bucketwheel_hardware::memory::{both_ways, streams, Inputs, Kind, Port, BOARDS};
use bucketwheel_hardware::{cyclone, Report};

use crate::{count, uniform};

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
