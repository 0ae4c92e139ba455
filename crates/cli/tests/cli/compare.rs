use std::collections::HashSet;

use bucketwheel::{AdderKind, SchedulerKind};

use crate::{fail, json, succeed};

#[test]
fn every_strategy_has_a_row_in_every_cell() {
    let directory = tempfile::tempdir().unwrap();
    let names = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    for (curve, group, has_edwards) in
        [("bls12-377", "g1", true), ("bn254", "g2", false), ("bls12-377", "pair", false)]
    {
        let line = format!(
            "compare --curve {curve} --group {group} --log-sizes 3..4 --threads 1,2 --repetitions 1 --json"
        );
        let rows = json(directory.path(), &line);
        let rows = rows.as_array().unwrap();
        let mut found = HashSet::new();
        for row in rows {
            assert_eq!((&row["curve"], &row["group"]), (&curve.into(), &group.into()));
            assert_eq!(row["backend"], bucketwheel::Backend::detect().name());
            assert!(row["ms"].as_f64().unwrap() > 0.0);
            let cell = (row["log_size"].as_u64().unwrap(), row["threads"].as_u64().unwrap());
            assert!(found.insert((cell, names(&row["scheduler"]), names(&row["adder"]))));
        }
        let named =
            (SchedulerKind::ALL.len() - 1) * (AdderKind::ALL.len() - 3 + 2 * usize::from(has_edwards));
        assert_eq!(found.len(), 4 * (named + 1));
        for log_size in [3, 4] {
            for threads in [1, 2] {
                assert!(found.contains(&((log_size, threads), "auto".into(), "auto".into())));
                for &scheduler in SchedulerKind::ALL.iter().filter(|&&kind| kind != SchedulerKind::Auto) {
                    let row = |adder: &str| ((log_size, threads), scheduler.to_string(), adder.to_owned());
                    assert!(["affine", "xyzz", "projective"].iter().all(|adder| found.contains(&row(adder))));
                }
            }
        }
    }
}

#[test]
fn strategies_can_be_chosen_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let line = "compare --curve bn254 --log-sizes 2..3 --threads 1 --schedulers greedy,delayed \
        --adders affine --repetitions 1 --backend portable --plot picture.svg";
    let table = succeed(directory.path(), line);
    // Two lines of heading; auto, greedy and delayed for either size.
    assert_eq!(table.lines().count(), 2 + 2 * 3, "{table}");
    assert!(table.lines().nth(2).unwrap().trim_end().ends_with("1.00"), "{table}");
    let picture = std::fs::read_to_string(directory.path().join("picture.svg")).unwrap();
    for part in ["<svg", "bn254 g1, 1 thread, portable", "auto, auto", "greedy, affine", "2^3", "</svg>"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let error = fail(directory.path(), "compare --curve bn254 --log-sizes 20 --plot missing/picture.svg");
    assert!(error.contains("missing/picture.svg"), "{error}");
}
