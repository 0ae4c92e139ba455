//! Accelerators in simulated RTL: the points must equal the engine's, the counters the cycle model's. Builds without
//! simulated RTL.

use crate::fail;
#[cfg(feature = "rtl")]
use crate::{command, error_of, generated, json, succeed};

#[test]
fn options_of_rtl_are_for_rtl() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for option in ["--vcd", "--multipliers"] {
        let value = if option == "--vcd" { "waves.vcd" } else { "rtl" };
        let message = fail(at, &format!("simulate msmac --log-size 1 {option} {value}"));
        assert_eq!(
            message,
            format!("{option} works only with --model rtl: add that option, or leave out {option}")
        );
    }
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 0);
}

#[test]
#[cfg(not(feature = "rtl"))]
fn a_build_without_says_how_to_get_it() {
    let directory = crate::generated("--curve bn254 --size 4");
    for line in ["simulate cyclone --log-size 4 --model rtl", "msm points scalars --device msmac --model rtl"]
    {
        let message = fail(directory.path(), line);
        assert!(message.starts_with("this build has no simulated RTL: build it"), "{message}");
        assert!(
            message.contains("cargo run --release --features rtl --package bucketwheel-cli"),
            "{message}"
        );
    }
}

/// The report of a simulation of RTL must equal the report of the cycle model with all of its parameters.
#[test]
#[cfg(feature = "rtl")]
fn counts_are_the_cycle_models() {
    for line in [
        "cyclone --log-size 5 --window 4",
        "cyclone --log-size 7 --window 4 --set overlap_aggregation=true --tasks 2",
        "msmac --log-size 9 --window 5 --cards 2 --pes 1 --set sub_task=200 --tasks 2",
        "msmac --log-size 4 --window 5 --set point_cycles=70 --distribution equal",
        "gypsophila --log-size 5 --curve bn254 --tasks 1",
        "reclaimer --log-size 5 --window 7",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let found = json(directory.path(), &format!("simulate {line} --model rtl --verify --json"));
        assert_eq!(found["multiplier_model"], "behavioural");
        let design = line.split(' ').next().unwrap();
        let mut again =
            format!("simulate {design} --json --log-size {}", found["points"].as_u64().unwrap().ilog2());
        again += &format!(" --tasks {}", found["tasks"]);
        if line.contains("equal") {
            again += " --distribution equal";
        }
        for (name, value) in found["parameters"].as_object().unwrap() {
            again += &format!(" --set {name}={}", value.to_string().trim_matches('"'));
        }
        let expected = json(directory.path(), &again);
        assert_eq!(expected["multiplier_model"], "cycle");
        for part in ["cycles", "ms", "phases", "fifos", "channels", "parameters"] {
            assert_eq!(found[part], expected[part], "{line}: {part}");
        }
        let counters = found["counters"].as_object().unwrap();
        assert!(counters["additions"].as_u64().unwrap() > 0);
        for (name, count) in counters {
            assert_eq!(*count, expected["counters"][name], "{line}: {name}");
        }
        // The report leaves out counts of first passes, and, if windows overlap, of the first window.
        let left_out = if line.contains("overlap") { 2 } else { 1 };
        assert!(
            counters.len() + left_out >= expected["counters"].as_object().unwrap().len(),
            "{line}: {counters:?}"
        );
    }
}

#[test]
#[cfg(feature = "rtl")]
fn devices_give_the_same_points_as_the_engine() {
    for (curve, device) in [
        ("bls12-377", "cyclone --window 4"),
        ("bls12-377", "gypsophila --pes 2"),
        ("bn254", "msmac --window 5 --cards 1 --pes 2"),
        ("bls12-377", "reclaimer --window 7"),
    ] {
        let directory = generated(&format!("--curve {curve} --size 20"));
        let at = directory.path();
        succeed(at, &format!("generate --curve {curve} --size 20 --seed 1 --points other --scalars again"));
        let expected = json(at, "msm points scalars again --json");
        let found = json(at, &format!("msm points scalars again --json --device {device} --model rtl"));
        for (outcome, expected) in found.as_array().unwrap().iter().zip(expected.as_array().unwrap()) {
            assert_eq!([&outcome["x"], &outcome["y"]], [&expected["x"], &expected["y"]], "{device}");
            assert!(outcome["cycles"].as_u64().unwrap() > 0 && outcome["multiplier_model"] == "behavioural");
        }
        assert_eq!(found.as_array().unwrap().len(), 2);
    }
}

#[test]
#[cfg(feature = "rtl")]
fn true_rtl_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let line = "simulate msmac --log-size 3 --model rtl --multipliers rtl --verify";
    let report = json(directory.path(), &format!("{line} --json"));
    assert_eq!(report["multiplier_model"], "rtl");
    assert_eq!(report["parameters"]["window"], 8);
}

#[test]
#[cfg(feature = "rtl")]
fn waveforms() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let text = succeed(at, "simulate msmac --log-size 1 --model rtl --vcd waves.vcd");
    assert!(text.contains("simulated RTL, multipliers behavioural"), "{text}");
    let waves = std::fs::read_to_string(at.join("waves.vcd")).unwrap();
    for part in ["$enddefinitions", "point_valid_i", "u_execute", "sum_last_o"] {
        assert!(waves.contains(part), "{part}");
    }
    let end = waves.lines().rev().find_map(|line| line.strip_prefix('#')).expect("a time");
    assert!(end.parse::<u64>().unwrap() > 1000, "{end}");
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 1);
}

#[test]
#[cfg(feature = "rtl")]
fn refusals() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (line, parts) in [
        (
            "cyclone --log-size 4 --window 9",
            ["no simulated cyclone has window=9: expected one of", "window=7 "],
        ),
        (
            "cyclone --log-size 4 --window 7 --set overlap_aggregation=true",
            ["no simulated cyclone has", "overlap_aggregation=true "],
        ),
        (
            "gypsophila --log-size 4 --pes 3",
            ["no simulated gypsophila has pes=3: expected one of", "pes=16 "],
        ),
        (
            "cyclone --log-size 4 --set link_efficiency=0.5",
            ["has link_efficiency=0.5", "link_efficiency=1.0 "],
        ),
        ("reclaimer --log-size 4 --window 8", ["no simulated reclaimer has window=8", "window=7 "]),
        ("msmac --log-size 4 --multipliers rtl --vcd w", ["has multipliers=rtl, waveforms", "waveforms; "]),
        ("cyclone --log-size 4 --curve bn254", ["cyclone does not compute on bn254", "expected bls12-377"]),
        ("msmac --log-size 4 --window 40", ["parameter window is 40", "expected 2 to 24"]),
        ("msmac --log-size 4 --vcd missing/w", ["cannot write missing/w", "expected"]),
        (
            "msmac --log-size 4 --vcd w --plot w",
            ["the output w is the same file as the output w", "expected"],
        ),
    ] {
        let message = fail(at, &format!("simulate {line} --model rtl"));
        assert!(parts.iter().all(|part| message.contains(part)), "{line}: {message}");
    }
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 0);
}

/// Ctrl-C ends a simulation at once, and leaves no file.
#[test]
#[cfg(all(unix, feature = "rtl"))]
fn interrupts() {
    for line in [
        "gypsophila --log-size 12 --pes 1 --vcd waves",
        "msmac --log-size 16 --window 5",
        "cyclone --log-size 12",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let arguments = format!("simulate {line} --model rtl");
        let mut command = command(directory.path());
        command
            .args(arguments.split(' '))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(2));
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let begin = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(begin.elapsed().as_secs() < 20, "{line}: {:?}", begin.elapsed());
        assert!(error_of(&output, 130).starts_with("cancelled before the result"), "{line}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "{line}");
    }
}
