use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use bucketwheel_cli::measure::{in_turns, NOISE};

use crate::{json, run, succeed};

#[test]
fn json_has_an_object_for_each_cell() {
    let directory = tempfile::tempdir().unwrap();
    for (curve, group) in [("bls12-381", "g1"), ("bn254", "g2"), ("bls12-377", "pair")] {
        let line = format!(
            "bench msm -q --curve {curve} --group {group} --log-sizes 4..6 --threads 1,2 --repetitions 2 --json"
        );
        let cells = json(directory.path(), &line);
        let cells = cells.as_array().unwrap();
        let found: Vec<_> =
            cells.iter().map(|cell| (cell["log_size"].as_u64(), cell["threads"].as_u64())).collect();
        let expected = [(4, 1), (4, 2), (5, 1), (5, 2), (6, 1), (6, 2)];
        assert_eq!(found, expected.map(|(log_size, threads)| (Some(log_size), Some(threads))));
        for cell in cells {
            assert_eq!((&cell["curve"], &cell["group"]), (&curve.into(), &group.into()));
            assert_eq!(cell["backend"], bucketwheel::Backend::detect().name());
            assert!(cell["scheduler"].is_string() && cell["adder"].is_string());
            let (ms, ns) = (cell["ms"].as_f64().unwrap(), cell["ns_per_point"].as_f64().unwrap());
            let size = f64::from(1 << cell["log_size"].as_u64().unwrap());
            assert!(cell["spread_percent"].as_f64().unwrap() >= 0.0);
            assert!(ms > 0.0 && (ns - ms * 1e6 / size).abs() < 1e-3 * ns);
        }
    }
}

#[test]
fn choices_reach_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    let line =
        "bench msm -q --curve bn254 --log-sizes 5 --backend portable --scheduler serial --adder affine --json";
    let cell = &json(directory.path(), line)[0];
    assert_eq!((&cell["backend"], &cell["scheduler"]), (&"portable".into(), &"serial".into()));
    assert_eq!(cell["adder"], "affine");
    assert!(cell["window"].as_u64().unwrap() > 0);
}

#[test]
fn the_table_has_a_line_for_each_cell() {
    let directory = tempfile::tempdir().unwrap();
    let table = succeed(directory.path(), "bench msm -q --curve bls12-381 --log-sizes 0..2 --threads 1");
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.lines().nth(1).unwrap().contains("ns/point"));
}

#[test]
fn noise_is_told() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "bench msm --curve bn254 --log-sizes 0..8 --repetitions 9 --json",
        "bench table --curve bn254 --log-size 4 --copies 2 --json",
        "compare --curve bn254 --log-sizes 3 --repetitions 9 --json",
    ] {
        let output = run(directory.path(), line);
        let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
        let spreads = rows.iter().map(|row| row["spread_percent"].as_f64().unwrap());
        let noisy = spreads.filter(|&spread| spread > NOISE).count();
        let errors = crate::errors_of(&output);
        let warning = format!(
            "warning: {noisy} of {} medians are of times whose interquartile range exceeds 5 %",
            rows.len()
        );
        assert_eq!(errors.starts_with(&warning), noisy > 0, "{line}: {errors}");
        assert_eq!(errors.lines().count(), usize::from(noisy > 0), "{line}: {errors}");
    }
}

#[test]
fn nothing_always_runs_first_or_after_the_same() {
    for count in 1..20 {
        let mut calls = Vec::new();
        let rounds = 7;
        let times = in_turns(count, rounds, |index| {
            calls.push(index);
            Ok::<_, Infallible>(Duration::from_millis(index as u64 + 1))
        });
        let times = times.unwrap();
        assert_eq!(calls.len(), count * (rounds as usize + 1));
        let mut firsts = HashSet::new();
        let mut before = vec![HashSet::new(); count];
        for round in calls.chunks(count) {
            assert_eq!(round.iter().collect::<HashSet<_>>().len(), count, "each once");
            firsts.insert(round[0]);
            for pair in round.windows(2) {
                before[pair[1]].insert(pair[0]);
            }
        }
        assert_eq!(firsts.len(), count.min(rounds as usize + 1));
        assert!(count < 3 || before.iter().all(|others| others.len() > 1), "{count}: {before:?}");
        for (index, times) in times.iter().enumerate() {
            assert_eq!((times.median(), times.spread()), (index as f64 + 1.0, Some(0.0)));
        }
    }
}

#[test]
fn the_spread_is_the_interquartile_range() {
    let mut next = [100, 10, 14, 12, 11, 13].into_iter();
    let times = in_turns(1, 5, |_| Ok::<_, Infallible>(Duration::from_millis(next.next().unwrap()))).unwrap();
    // The medians leave out the first round: 10 to 14, whose quartiles are 11 and 13.
    assert!(
        (times[0].median() - 12.0).abs() < 1e-9 && (times[0].spread().unwrap() - 100.0 / 6.0).abs() < 1e-9
    );
}
