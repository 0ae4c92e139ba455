//! `--progress`: lines for machines on standard error, results as without.

use std::time::Instant;

use serde_json::Value;

use super::{generated, run};

#[test]
fn progress_comes_in_lines_of_json_at_most_ten_a_second() {
    let directory = generated("--curve bn254 --group g2 --log-size 12");
    let at = directory.path();
    let lines = [
        ("generate --curve bn254 --log-size 12 --points p --scalars s", "generate"),
        ("msm points scalars --check subgroup", "prepare"),
        ("check points --subgroup", "read"),
        ("table points --out t --copies 4", "read"),
        ("bench msm --curve bn254 --log-sizes 8..10 --repetitions 1", "measure"),
        ("schedule --scheduler delayed --points 2^22", "schedule"),
        ("simulate msmac --log-size 12", "generate"),
    ];
    for (line, stage) in lines {
        let start = Instant::now();
        let output = run(at, &format!("{line} --progress json"));
        let most = 10.0 * start.elapsed().as_secs_f64() + 1.0;
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {errors}");
        let told: Vec<Value> = errors.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(!told.is_empty() && told.len() as f64 <= most, "{line}: {errors}");
        assert_eq!(told[0]["stage"], stage, "{line}: {errors}");
        for object in &told {
            let (done, total) = (object["done"].as_u64().unwrap(), object["total"].as_u64().unwrap());
            assert!(done <= total && total > 0 && object.as_object().unwrap().len() == 3, "{line}: {object}");
        }
    }
}

#[test]
fn other_forms_are_silent_where_there_is_no_terminal() {
    let directory = generated("--curve bn254 --log-size 8");
    for form in ["auto", "none"] {
        let output = run(directory.path(), &format!("--progress {form} msm points scalars"));
        assert!(output.status.success() && output.stderr.is_empty(), "{form}");
    }
    let output = run(directory.path(), "msm points scalars --progress loud");
    assert_eq!(output.status.code(), Some(2));
}
