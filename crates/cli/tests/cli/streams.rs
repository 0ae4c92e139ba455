//! `-` as an input or an output: standard input and standard output.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::groth16::files;
use crate::{command, error_of, fail, generated, json, run, succeed};

/// Runs a line with these bytes on standard input.
fn pipe(at: &Path, line: &str, input: &[u8]) -> Output {
    let mut command = command(at);
    command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that fails early reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns the standard output of a run that succeeds.
fn out(at: &Path, line: &str, input: &[u8]) -> Vec<u8> {
    let output = pipe(at, line, input);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn sums_read_points_scalars_and_tables() {
    let directory = generated("--curve bn254 --size 3000");
    let at = directory.path();
    succeed(at, "table points --out table --copies 2");
    let expected = &json(at, "msm points scalars --json")[0]["x"];
    for (line, input) in [
        ("msm - scalars --json", "points"),
        ("msm points - --json", "scalars"),
        ("msm table - --json", "scalars"),
        ("msm - scalars --json", "table"),
        ("msm points - --json --memory 24M", "scalars"),
    ] {
        let sums: Value = serde_json::from_slice(&out(at, line, &fs::read(at.join(input)).unwrap())).unwrap();
        assert_eq!(&sums[0]["x"], expected, "{line} < {input}");
    }
}

#[test]
fn points_are_checked_and_converted() {
    let directory = generated("--curve bls12-381 --size 100");
    let at = directory.path();
    let points = fs::read(at.join("points")).unwrap();
    let report = out(at, "check -", &points);
    assert_eq!(
        String::from_utf8(report).unwrap(),
        "-: bucketwheel, 100 bls12-381 g1 points, all on the curve\n"
    );
    succeed(at, "convert --to gnark points file");
    let output = pipe(at, "convert --to gnark - -", &points);
    assert_eq!(output.stdout, fs::read(at.join("file")).unwrap());
    let report = String::from_utf8(output.stderr).unwrap();
    assert_eq!(report, "100 bls12-381 g1 points, bucketwheel to gnark: -\n");
    assert!(pipe(at, "convert -q --to gnark - -", &points).stderr.is_empty());
    // The command writes nothing before the last point has passed the check.
    let mut bad = points.clone();
    *bad.last_mut().unwrap() ^= 1;
    let error = error_of(&pipe(at, "convert --to gnark - -", &bad), 1);
    assert!(error.starts_with("-: g1 point 99 "), "{error}");
    // A file of this name is still a file.
    succeed(at, "convert --to gnark points ./-");
    assert_eq!(fs::read(at.join("-")).unwrap(), output.stdout);
}

#[test]
fn proofs_go_through_pipes() {
    let directory = files("bn254");
    let at = directory.path();
    let read = |name: &str| fs::read(at.join(name)).unwrap();
    out(at, "prove zkey - p x", &read("wtns"));
    out(at, "verify vkey x -", &read("p"));
    out(at, "verify vkey - p", &read("x"));
    out(at, "verify - x p", &read("vkey"));
    out(at, "witness check r1cs -", &read("wtns"));
    let output = pipe(at, "prove - wtns - x", &read("zkey"));
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.starts_with("-: a proof on bn128, verified\n"), "{report}");
    out(at, "verify vkey x -", &output.stdout);
    let report = pipe(at, "prove zkey - - x --json", &read("wtns")).stderr;
    assert_eq!(serde_json::from_slice::<Value>(&report).unwrap()["verified"], true);
    // A reader that has closed the pipe has read enough.
    let mut command = command(at);
    command.args(["witness", "export-json", "wtns", "-"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    let values = out(at, "witness export-json - -", &read("wtns"));
    assert_eq!(serde_json::from_slice::<Vec<String>>(&values).unwrap()[0], "1");
}

#[test]
#[cfg(feature = "witness")]
fn witnesses_go_through_pipes() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let wat = include_str!("../../../snarkjs/tests/witness/circuit.wat");
    fs::write(at.join("wasm"), wat::parse_str(wat).unwrap()).unwrap();
    let input = br#"{ "a": 3, "b": [16, 4] }"#;
    fs::write(at.join("inputs"), input).unwrap();
    out(at, "witness wasm inputs file", b"");
    assert_eq!(out(at, "witness wasm - -", input), fs::read(at.join("file")).unwrap());
}

#[test]
fn streams_are_refused_where_they_cannot_be() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    for (line, expected) in [
        ("msm - -", "2 inputs are `-`: expected one at most"),
        ("msm - - -", "3 inputs are `-`"),
        ("verify - - proof", "2 inputs are `-`"),
        ("prove zkey wtns - -", "2 outputs are `-`: expected one at most"),
        ("msm points scalars --checkpoint -", "`-` cannot be an output here"),
        ("table - --out table", "`-` cannot be an input here"),
        ("table points --out -", "`-` cannot be an output here"),
        ("generate --curve bn254 --size 4 --points - --scalars s", "`-` cannot be an output here"),
        ("compare --curve bn254 --log-sizes 2 --plot -", "`-` cannot be an output here"),
        ("zkey info -", "`-` cannot be an input here"),
    ] {
        assert!(fail(at, line).starts_with(expected), "{line}");
    }
    // Standard input without points.
    let output = run(at, "check -");
    assert!(error_of(&output, 1).starts_with("-: "));
}
