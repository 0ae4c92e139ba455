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
        ("bench table --curve bn254 --log-size 8 --copies 2 --repetitions 1", "measure"),
        ("simulate msmac --log-size 12", "generate"),
        ("simulate cyclone --log-size 14 --verify", "simulate"),
        ("demo --log-size 4", "prove"),
    ];
    for (line, stage) in lines {
        let start = Instant::now();
        let output = run(at, &format!("{line} --progress json"));
        let most = 10.0 * start.elapsed().as_secs_f64() + 1.0;
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {errors}");
        let told: Vec<Value> = errors.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(!told.is_empty() && told.len() as f64 <= most, "{line}: {errors}");
        assert!(told.iter().any(|object| object["stage"] == stage), "{line}: {errors}");
        for object in &told {
            let (done, total) = (object["done"].as_u64().unwrap(), object["total"].as_u64().unwrap());
            assert!(done <= total && total > 0 && object.as_object().unwrap().len() == 3, "{line}: {object}");
        }
    }
}

#[test]
#[cfg(feature = "witness")]
fn a_circuit_that_runs_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let wat = include_str!("../../../snarkjs/tests/witness/circuit.wat");
    std::fs::write(at.join("wasm"), wat::parse_str(wat).unwrap()).unwrap();
    std::fs::write(at.join("inputs"), r#"{ "a": 3, "b": [16, 4] }"#).unwrap();
    let errors = String::from_utf8(run(at, "witness wasm inputs w --progress json").stderr).unwrap();
    let first: Value = serde_json::from_str(errors.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({ "stage": "calculate", "done": 0, "total": 1 }));
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
