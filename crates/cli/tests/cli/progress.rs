//! `--progress`: lines for machines on standard error; the results stay the same.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use super::groth16::files;
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
        let ends = |object: &&Value| object["done"] == object["total"];
        assert!(!told.is_empty(), "{line}: {errors}");
        assert!((told.len() - told.iter().filter(ends).count()) as f64 <= most, "{line}: {errors}");
        let last = told.iter().rfind(|object| object["stage"] == stage).unwrap();
        assert!(ends(&last), "{line} ends at its total: {errors}");
        assert!(told.iter().any(|object| object["stage"] == stage), "{line}: {errors}");
        for object in &told {
            let (done, total) = (object["done"].as_u64().unwrap(), object["total"].as_u64().unwrap());
            assert!(done <= total && total > 0 && object.as_object().unwrap().len() == 3, "{line}: {object}");
        }
    }
}

/// Returns the stages that reach their totals, in order, each as often as it does.
fn ended(directory: &Path, line: &str) -> Vec<String> {
    let output = run(directory, &format!("{line} --progress json"));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line}: {errors}");
    let told = errors.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ends = told.filter(|object| object["done"] == object["total"]);
    ends.map(|object| object["stage"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn stages_reach_their_totals_once() {
    let directory = generated("--curve bls12-381 --group pair --log-size 10");
    assert_eq!(ended(directory.path(), "msm points scalars --check subgroup"), ["prepare", "sum"]);
    let directory = files("bn254");
    assert_eq!(ended(directory.path(), "zkey check zkey"), ["points", "agreement"]);
    assert_eq!(ended(directory.path(), "prove zkey wtns p x"), ["prove"]);
}

/// Estimates of the time left are right where sizes differ: 64 times as many points are most of the work.
#[test]
fn sizes_count_by_their_additions() {
    let directory = tempfile::tempdir().unwrap();
    let total = |line: &str, sizes: &str| {
        let line =
            format!("{line} --curve bn254 --threads 1 --repetitions 1 --log-sizes {sizes} --progress json");
        let output = run(directory.path(), &line);
        let errors = String::from_utf8(output.stderr).unwrap();
        let last = errors.lines().rfind(|line| line.contains(r#""measure""#)).unwrap();
        let last: Value = serde_json::from_str(last).unwrap();
        assert_eq!(last["done"], last["total"], "{errors}");
        last["total"].as_u64().unwrap()
    };
    for line in ["bench msm", "compare --schedulers delayed --adders affine"] {
        let (small, large) = (total(line, "6"), total(line, "12"));
        assert!(large > 20 * small, "{line}: {small}, {large}");
        assert!(total(line, "6..12") > small + large, "{line}");
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

/// Logs of servers and of CI get a line every ten seconds.
#[test]
#[cfg(unix)]
fn logs_get_a_line_every_ten_seconds() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let directory = tempfile::tempdir().unwrap();
    let line =
        "bench msm --curve bls12-381 --log-sizes 0..16 --threads 1 --backend portable --repetitions 1000";
    let start = Instant::now();
    let mut command = crate::command(directory.path());
    let mut child =
        command.args(line.split(' ')).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut told).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(start.elapsed().as_secs() >= 10, "{told}");
    let percent = told.strip_prefix("measure measuring: ").and_then(|rest| rest.strip_suffix(" %\n"));
    assert!(percent.unwrap().parse::<u32>().unwrap() < 100, "{told}");
}

/// A short stage shows no bar, and no bar shows a time before it knows one.
#[test]
#[cfg(unix)]
fn bars_do_not_flash() {
    let directory = generated("--curve bn254 --log-size 8");
    let (shown, status) = crate::terminal::show(directory.path(), 80, "msm points scalars", |_| {});
    assert!(status.success() && !shown.contains('%'), "{shown:?}");
    let line =
        "bench msm --curve bls12-381 --log-sizes 0..16 --threads 1 --backend portable --repetitions 1000";
    let mut terminal = crate::terminal::Terminal::start(directory.path(), 80, line, |_| {});
    let shown = terminal.wait_for("measuring [");
    let first = shown.split("measuring [").nth(1).and_then(|bar| bar.split('\r').next()).unwrap();
    let (percent, left) = first.rsplit_once("] ").and_then(|(_, text)| text.split_once("% ")).unwrap();
    assert!(percent != "0" || left.is_empty(), "an estimate of nothing: {shown:?}");
    terminal.press(b"\x03");
    assert_eq!(terminal.end().1.code(), Some(130));
}
