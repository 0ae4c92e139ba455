use serde_json::Value;

use crate::{fail, json, succeed};

fn schedule(options: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    json(directory.path(), &format!("schedule --json {options}"))
}

fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or_else(|| panic!("{name} in {report}"))
}

#[test]
fn all_points_but_the_first_of_each_bucket_are_added() {
    for scheduler in bucketwheel::SchedulerKind::ALL {
        for options in
            ["--points 2^16 --window 10", "--points 5000 --distinct 1", "--points 0", "--points 70000"]
        {
            let report = schedule(&format!("--scheduler {scheduler} {options}"));
            let [points, distinct, copies] =
                ["points", "distinct", "copies"].map(|name| number(&report, name));
            // Each addition removes a point; one point is left in each bucket that was reached.
            let reached = points - number(&report, "additions");
            assert!(copies <= reached && reached <= distinct.min(points), "{report}");
            assert!(points < 20.0 * distinct || reached == distinct, "{report}");
            assert!((0.0..=1.0).contains(&number(&report, "lane_utilisation")), "{report}");
        }
    }
}

/// Collisions are as frequent as CycloneMSM, section 3.2, estimates: N T / 2^(c-1), and half of this number in batches.
#[test]
fn collisions_are_as_frequent_as_estimated() {
    let estimate = 100.0 / 32768.0;
    for (options, factor) in [("--pipeline", 1.0), ("", 0.5)] {
        let report =
            schedule(&format!("--scheduler delayed --points 2^21 --window 16 --batch 100 {options}"));
        let rate = number(&report, "collision_rate") / (factor * estimate);
        // Some 6400 and 3200 collisions; two percent more or less are normal.
        assert!((0.92..1.08).contains(&rate), "{report}");
        assert!((2.0..=4.0).contains(&number(&report, "passes")), "{report}");
    }
}

#[test]
fn equal_digits_leave_lanes_full_but_for_delayed() {
    let used = |scheduler: &str| {
        let report = schedule(&format!("--scheduler {scheduler} --points 2^16 --distinct 1 --batch 64"));
        number(&report, "lane_utilisation")
    };
    for scheduler in ["tree", "three-tier", "greedy"] {
        assert!(used(scheduler) > 0.99, "{scheduler}");
    }
    assert_eq!((used("delayed"), used("serial")), (0.125, 0.125));
}

#[test]
fn people_can_read_it() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "schedule --scheduler greedy --points 2^12 --window 8");
    for part in ["greedy, 4096 points, window 8: 128 of 128 buckets", "additions", "collisions", "passes"] {
        assert!(text.contains(part), "{text}");
    }
    let error = fail(directory.path(), "schedule --scheduler greedy --pipeline");
    assert!(error.contains("only with --scheduler delayed"), "{error}");
}
