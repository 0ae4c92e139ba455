//! `simulate` and `msmac`.

use serde_json::Value;

use crate::{fail, generated, json, succeed};

fn simulate(line: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    json(directory.path(), &format!("simulate --json {line}"))
}

#[test]
fn designs_compute_what_the_engine_computes() {
    for line in [
        "cyclone --log-size 9 --window 7 --verify",
        "cyclone --log-size 0 --window 4 --verify --set overlap_aggregation=true --tasks 2",
        "msmac --log-size 9 --window 7 --cards 2 --pes 3 --verify --distribution equal",
        "msmac --log-size 8 --window 6 --tasks 3 --set sub_task=100 --verify",
        "gypsophila --log-size 9 --window 7 --pes 4 --verify --seed 5",
        "gypsophila --log-size 8 --window 5 --curve bn254 --verify --distribution sparse",
        "reclaimer --log-size 9 --window 7 --verify",
        "reclaimer --log-size 8 --window 5 --curve bls12-381 --set adders=2 --verify --distribution equal",
    ] {
        let report = simulate(line);
        assert_eq!(
            (&report["multiplier_model"], &report["verified"]),
            (&"cycle".into(), &true.into()),
            "{line}"
        );
        let [cycles, ms, clock] = ["cycles", "ms", "clock_mhz"].map(|name| report[name].as_f64().unwrap());
        assert!(cycles > 0.0 && (ms * clock * 1e3 / cycles - 1.0).abs() < 1e-3, "{line}: {report}");
        let phases = report["phases"].as_array().unwrap().iter().filter(|phase| phase["hidden"] == false);
        let sum: f64 = phases.map(|phase| phase["cycles"].as_f64().unwrap()).sum();
        assert!((sum - cycles).abs() <= 2.0, "{line}: {report}");
    }
}

#[test]
fn more_points_than_fit_are_taken_in_parts() {
    // 2343 points of 64 bytes in a channel, and 1024 sub-tasks: the command takes whole blocks of 1024.
    for (line, size, parts) in [
        ("cyclone --log-size 12 --window 6 --verify --set channel_bytes=150000", 2048, 2),
        ("msmac --log-size 12 --window 6 --pes 1 --set sub_task=1 --verify --tasks 2", 1024, 4),
    ] {
        let report = simulate(line);
        let note = format!("{parts} MSMs of at most {size} points, which fit, one after the other");
        assert!(report["notes"].as_array().unwrap().contains(&note.into()), "{line}: {report}");
        assert_eq!(report["points"], 4096);
        let [cycles, ms, clock] = ["cycles", "ms", "clock_mhz"].map(|name| report[name].as_f64().unwrap());
        assert!((ms * clock * 1e3 / cycles - 1.0).abs() < 1e-3, "{line}: {report}");
        let phases = report["phases"].as_array().unwrap().iter().filter(|phase| phase["hidden"] == false);
        let sum: f64 = phases.map(|phase| phase["cycles"].as_f64().unwrap()).sum();
        assert!((sum - cycles).abs() <= 2.0 * f64::from(parts), "{line}: {report}");
    }
    // The number of additions is the same as in one part; each part has other inputs.
    let count = |line: &str| simulate(line)["counters"]["zero_digits"].clone();
    let line = "cyclone --log-size 12 --window 6";
    assert_eq!(count(line), count(&format!("{line} --set channel_bytes=100000")));
}

#[test]
fn the_papers_figure_stands_beside() {
    let report = simulate("gypsophila --log-size 18");
    assert_eq!(report["paper"]["ms"], 23.8);
    assert!(report["paper"]["deviation"].as_f64().unwrap().abs() < 0.01, "{report}");
    assert_eq!(report["tasks"], 1);
    assert_eq!(simulate("gypsophila --log-size 4 --pes 3")["tasks"], 3);
    // At twice the clock, the time halves, and the report no longer shows the paper's figure.
    let [slow, fast] = ["100", "200"].map(|clock| simulate(&format!("cyclone --log-size 4 --clock {clock}")));
    assert_eq!(slow["cycles"], fast["cycles"]);
    assert_eq!(slow["ms"].as_f64().unwrap(), 2.0 * fast["ms"].as_f64().unwrap());
    assert_eq!(simulate("msmac --log-size 18 --cards 4")["paper"]["ms"], 6.3);
    assert_eq!(simulate("msmac --log-size 18 --cards 2")["paper"], Value::Null);
}

#[test]
fn people_can_read_it_and_look_at_it() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "simulate msmac --log-size 18 --plot picture.svg");
    for part in
        ["msmac on bn254, 262144 points", "MSMAC, Table 3 has 10.65 ms", "bucket aggregation", "sub tasks"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let picture = std::fs::read_to_string(directory.path().join("picture.svg")).unwrap();
    for part in ["<svg", "msmac, bn254", "MSMAC, Table 3: 10.65 ms", "bucket accumulation", "</svg>"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    assert!(!text.contains("verified"), "{text}");
    let text = succeed(directory.path(), "simulate cyclone --log-size 4 --verify");
    assert!(
        text.ends_with("  verified: all sums equal the engine's\n")
            || text.ends_with("  verified: the sum equals the engine's\n"),
        "{text}"
    );
}

#[test]
fn refusals() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (line, expected) in [
        ("cyclone --log-size 4 --cards 2", "cyclone has no parameter cards; expected one of"),
        ("cyclone --log-size 4 --window 40", "parameter window is 40: expected 2 to 24"),
        ("cyclone --log-size 4 --curve bn254", "cyclone does not compute on bn254"),
        ("msmac --log-size 4 --curve bls12-381", "msmac does not compute on bls12-381: expected bn254"),
        ("gypsophila --log-size 4 --set banks=3", "parameter banks is 3: expected a power of two"),
        ("reclaimer --log-size 4 --set batch=512", "parameter batch is 512: expected at least"),
        ("gypsophila --log-size 4 --clock 0", "parameter clock_mhz is 0"),
        ("gypsophila --log-size 4 --plot missing/picture.svg", "cannot write missing/picture.svg"),
        ("cyclone --log-size 29 --tasks 65536", "half of the memory; pass a smaller size"),
        (
            "cyclone --log-size 10 --set channel_bytes=64000",
            "1024 points are too many: expected at most 1000",
        ),
    ] {
        let message = fail(at, &format!("simulate {line}"));
        assert!(message.starts_with(expected) || message.contains(expected), "{line}: {message}");
    }
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 0);
}

#[test]
fn programs_go_to_files_and_back() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let text = succeed(at, "msmac program --window 9");
    std::fs::write(at.join("text"), &text).unwrap();
    succeed(at, "msmac asm text --out program");
    let again = succeed(at, "msmac disasm program");
    std::fs::write(at.join("text2"), &again).unwrap();
    succeed(at, "msmac asm text2 --out program2");
    let bytes = std::fs::read(at.join("program")).unwrap();
    assert_eq!((bytes.len() % 16, &bytes), (0, &std::fs::read(at.join("program2")).unwrap()));

    std::fs::write(at.join("text"), "nop 1\nhalt").unwrap();
    assert!(
        fail(at, "msmac asm text --out program").starts_with("text: line 2: unknown instruction \"halt\"")
    );
    assert_eq!(std::fs::read(at.join("program")).unwrap(), bytes);
    std::fs::write(at.join("text"), [0xff, 0xfe]).unwrap();
    assert!(fail(at, "msmac asm text --out program").contains("text is not UTF-8"));
    std::fs::write(at.join("program"), &bytes[1..]).unwrap();
    assert!(fail(at, "msmac disasm program").contains("expected a multiple of 16"));
    assert!(fail(at, "msmac program --window 14").contains("parameter window is 14"));
    assert!(fail(at, "msmac disasm missing").contains("cannot read missing"));
}

#[test]
fn devices_give_the_same_points_as_the_engine() {
    for (curve, device) in [
        ("bls12-377", "cyclone --window 8"),
        ("bls12-377", "gypsophila --window 8 --pes 2"),
        ("bn254", "gypsophila --window 8"),
        ("bn254", "msmac --window 8 --cards 2 --pes 3"),
        ("bls12-381", "reclaimer --window 8"),
    ] {
        let directory = generated(&format!("--curve {curve} --size 300"));
        let at = directory.path();
        std::fs::copy(at.join("scalars"), at.join("again")).unwrap();
        let expected = json(at, "msm points scalars --json");
        let found = json(at, &format!("msm points scalars again --json --device {device} --model cycle"));
        for outcome in found.as_array().unwrap() {
            assert_eq!([&outcome["x"], &outcome["y"]], [&expected[0]["x"], &expected[0]["y"]], "{device}");
            assert!(outcome["cycles"].as_u64().unwrap() > 0 && outcome["multiplier_model"] == "cycle");
        }
        assert_eq!(found.as_array().unwrap().len(), 2);
        let text = succeed(at, &format!("msm points scalars --device {device}"));
        assert!(text.contains(expected[0]["x"].as_str().unwrap()), "{text}");
        let fails = |line: &str, expected: &str| {
            let message = fail(at, &format!("msm points scalars --device {line}"));
            assert!(message.contains(expected), "{line}: {message}");
        };
        fails(&format!("{device} --deduplicate"), "--deduplicate works only with --device cpu: leave it out");
        fails(&format!("{device} --adder xyzz"), "--adder works only with --device cpu: leave it out");
        fails(
            &format!("{device} --scheduler tree"),
            "--scheduler works only with --device cpu: leave it out",
        );
        fails(
            &format!("{device} --threads-by loop"),
            "--threads-by works only with --device cpu: leave it out",
        );
        match curve {
            "bn254" => fails("cyclone", "cyclone does not compute on bn254: expected bls12-377"),
            _ => fails("msmac", &format!("msmac does not compute on {curve}: expected bn254")),
        }
    }
    let directory = generated("--curve bn254 --group g2 --size 3");
    let message = fail(directory.path(), "msm points scalars --device msmac");
    assert!(message.contains("points holds g2 points: expected g1 for --device msmac"), "{message}");
}
