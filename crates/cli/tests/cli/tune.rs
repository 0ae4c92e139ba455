//! `tune`, and the profile that it writes.

use std::fs;
use std::path::Path;
use std::process::Output;

use bucketwheel::{CurveId, GroupId};
use bucketwheel_cli::commands::tune::{computed, published};
use bucketwheel_cli::measure::NOISE;
use bucketwheel_cli::profile::{cpu, file_name, kind};
use serde_json::Value;

use crate::{command, error_of, generated, json};

const HEADING: &str = "bucketwheel profile 1\n";

/// Runs the command with the user's cache in this directory, or with this profile.
fn run(directory: &Path, line: &str, profile: Option<&str>) -> Output {
    let mut command = command(directory);
    command.env("XDG_CACHE_HOME", directory.join("cache")).env_remove("BUCKETWHEEL_PROFILE");
    profile.map(|profile| command.env("BUCKETWHEEL_PROFILE", profile));
    command.args(line.split_whitespace()).output().unwrap()
}

fn parse(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn windows(info: &Value) -> Vec<u64> {
    info["plans"].as_array().unwrap().iter().map(|plan| plan["window"].as_u64().unwrap()).collect()
}

#[test]
fn what_is_measured_is_kept_and_used() {
    let directory = generated("--curve bn254 --size 300");
    let path = directory.path();
    let tune = "tune --curve bn254 --group g1,pair --log-sizes 4..6 --repetitions 1";
    let report = parse(&run(path, &format!("{tune} --json"), None));
    let sizes = report["sizes"].as_array().unwrap();
    assert_eq!(sizes.len(), 6);
    for (i, size) in sizes.iter().enumerate() {
        assert_eq!(
            (size["curve"].as_str(), size["log_size"].as_u64()),
            (Some("bn254"), Some(4 + i as u64 % 3))
        );
        assert_eq!(size["group"], if i < 3 { "g1" } else { "pair" });
        // For 254 bits, F(s) is least with these windows.
        assert_eq!(size["computed"], [3, 4, 5][i % 3]);
        assert!(size["practical"].as_u64().unwrap() >= 1 && size["ms"].as_f64().unwrap() > 0.0);
        for choice in ["default", "tuned"] {
            assert!(
                size[choice]["window"].as_u64().unwrap() >= 1 && size[choice]["ms"].as_f64().unwrap() > 0.0
            );
        }
        assert!(size["simdmsm"].is_null());
    }
    let file = Path::new(report["profile"].as_str().unwrap());
    assert!(file.starts_with(path.join("cache/bucketwheel")) && file.extension().unwrap() == "profile");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.starts_with(HEADING) && text.lines().count() == 3, "{text}");
    assert!(text.lines().last().unwrap().contains(" 254 1 "), "{text}");

    // Another group is added, and the first group is measured again.
    let tune = "tune --curve bn254 --group g1,g2 --log-sizes 4 --repetitions 1 --json";
    parse(&run(path, tune, None));
    assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 4);

    assert_eq!(parse(&run(path, "info --json", None))["profile"], file.to_str().unwrap());
    let expected = &json(path, "msm points scalars --json")[0];
    let found = &parse(&run(path, "msm points scalars --json", None))[0];
    assert_eq!((&found["x"], &found["y"]), (&expected["x"], &expected["y"]));
}

/// A profile of a busy machine would slow down later sums.
#[test]
fn noisy_times_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let tune = "tune --curve bn254 --group g1 --log-sizes 4..5 --repetitions 9 --json";
    let output = run(path, tune, Some("own"));
    if output.status.success() {
        let report = parse(&output);
        assert!(report["spread_percent"].as_f64().unwrap() <= NOISE);
        assert!(path.join("own").exists());
    } else {
        let error = error_of(&output, 1);
        assert!(error.starts_with("the times are noisy: their interquartile range is "), "{error}");
        assert!(error.ends_with("stop other programs and measure again, or pass --allow-noise"), "{error}");
        assert!(!path.join("own").exists());
    }
    let report = parse(&run(path, &format!("{tune} --allow-noise"), Some("own")));
    assert!(report["spread_percent"].as_f64().unwrap() >= 0.0 && path.join("own").exists());
    // A single time has no spread.
    let report = parse(&run(path, &tune.replace('9', "1"), Some("own")));
    assert!(report["spread_percent"].is_null());
}

#[test]
fn plans_follow_the_profile() {
    let directory = generated("--curve bls12-381 --size 10");
    let path = directory.path();
    let default = windows(&parse(&run(path, "info --json", Some("none"))));
    let write = |aggregation: f64| {
        let line = |backend, degree| format!("{backend} 381 {degree} 0.25 {aggregation} 100 0\n");
        let lines: String = ["avx512ifma", "avx2", "adx", "portable"]
            .iter()
            .flat_map(|backend| [line(backend, 1), line(backend, 2)])
            .collect();
        fs::write(path.join("own"), HEADING.to_owned() + &lines).unwrap();
    };
    // If buckets cost a thousand additions, windows are small.
    write(1000.0);
    let narrow = windows(&parse(&run(path, "info --json", Some("own"))));
    let of_curve = |windows: &[u64]| windows[..30].to_vec();
    assert!(of_curve(&narrow).iter().zip(of_curve(&default)).all(|(narrow, default)| *narrow < default));
    assert_eq!(narrow[30..], default[30..], "other fields keep their defaults");
    // Every plan uses the profile, and sums do not change.
    let expected = &json(path, "msm points scalars --json")[0];
    for line in ["msm points scalars --json", "msm points scalars --memory 24M --json"] {
        let found = &parse(&run(path, line, Some("own")))[0];
        assert_eq!((&found["x"], &found["y"]), (&expected["x"], &expected["y"]));
    }
}

#[test]
fn broken_profiles_are_told() {
    let directory = generated("--curve bn254 --size 4");
    let path = directory.path();
    // A broken profile that the user names is an error, also for commands that measure.
    fs::write(path.join("bad"), "bucketwheel profile 1\navx2 381\n").unwrap();
    for line in ["info", "msm points scalars", "tune --curve bn254 --group g1 --log-sizes 4"] {
        let error = error_of(&run(path, line, Some("bad")), 1);
        assert!(error.starts_with("bad: line 2: expected a backend"), "{error}");
        assert!(error.ends_with("measure again with `bucketwheel tune`"), "{error}");
    }
    let error = error_of(&run(path, "info", Some("absent")), 1);
    assert!(error.contains("absent") && error.contains("bucketwheel tune"), "{error}");
    let error =
        error_of(&run(path, "tune --log-sizes 4 --curve bn254 --group g1", Some("no/such/folder")), 1);
    assert!(error.contains("no/such/folder"), "{error}");

    // A broken profile in the cache is a warning.
    let tune = "tune --curve bn254 --group g1 --log-sizes 4 --repetitions 1 --json";
    let report = parse(&run(path, tune, None));
    let file = report["profile"].as_str().unwrap();
    fs::write(file, "something else").unwrap();
    let output = run(path, "msm points scalars", None);
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && warning.starts_with(&format!("warning: {file}: the first line")),
        "{warning}"
    );
    assert_eq!(warning.lines().count(), 1);

    // The user wants no profile, so the command writes none.
    fs::remove_dir_all(path.join("cache")).unwrap();
    let text = run(path, &tune.replace(" --json", ""), Some("none"));
    assert!(String::from_utf8(text.stdout)
        .unwrap()
        .ends_with("the profile is not kept: the user wants no file, or has no cache folder\n"));
    assert!(!path.join("cache").exists());
}

#[test]
fn names_of_processors_become_names_of_files() {
    assert_eq!(file_name("AMD EPYC 9R45"), "AMD-EPYC-9R45");
    assert_eq!(file_name("Intel(R) Xeon(R) @ 2.0GHz"), "Intel-R-Xeon-R-2-0GHz");
    assert!(!file_name(&cpu()).is_empty());
    let of = |model| {
        let text = format!("processor\t: 0\ncpu family\t: 25\nmodel\t\t: {model}\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n");
        kind(&text)
    };
    assert_eq!((of(17).unwrap().as_str(), of(18) == of(17)), ("AMD EPYC, family 25, model 17", false));
    assert_eq!((kind("model name\t: Neoverse"), kind("")), (Some("Neoverse".into()), None));
}

/// All windows except two, for which the paper's formula contradicts the paper's table.
#[test]
fn computed_windows_are_those_of_table_3() {
    for log_size in 15..=24 {
        for group in [GroupId::G1, GroupId::Pair] {
            let published = published(CurveId::Bls12_381, group, log_size).unwrap().computed;
            let expected = match (log_size, published) {
                (19, 15) => 16,
                (23, 17) => 20,
                (_, published) => published,
            };
            assert_eq!(computed(255, 1 << log_size), expected, "2^{log_size}");
        }
    }
    assert!(published(CurveId::Bls12_381, GroupId::G1, 14).is_none());
    assert!(published(CurveId::Bls12_381, GroupId::G1, 25).is_none());
    assert!(published(CurveId::Bn254, GroupId::G1, 20).is_none());
}
