//! `explore`.

use serde_json::Value;

use crate::{fail, json, succeed};

fn explored(line: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    json(directory.path(), &format!("explore --json {line}"))
}

fn rows(front: &Value) -> &Vec<Value> {
    front["rows"].as_array().unwrap()
}

#[test]
fn a_table_has_both_densities_and_reasons() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "explore");
    for part in [
        "a sum of 1048576 points on bls12-377, on U250 (XCU250):",
        "1728000 LUTs",
        "AMD DS962",
        "papers: LUTs and DSPs as the designs' papers state them",
        "ours: LUTs and DSPs as yosys maps the RTL of this repository",
        "msmac does not compute on bls12-377",
        "lack channels of memory, for example cyclone, windows of 8 bits, 250 MHz: \
         2 machines need 8 channels of memory, but U250 has 4",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("infeasible:"), "{text}");
    let all = succeed(directory.path(), "explore --all --density ours");
    let infeasible = all.lines().filter(|line| line.starts_with("  infeasible: ")).count();
    let counted: usize = all
        .lines()
        .filter_map(|line| line.trim().split_once(" lack "))
        .map(|(count, _)| count.parse::<usize>().unwrap())
        .sum();
    assert!(infeasible > 20 && infeasible == counted, "{all}");
    assert!(!all.contains("papers:"));
    // A row is a row, with and without --rows.
    let short = succeed(directory.path(), "explore --rows 2 --density papers");
    assert_eq!(short.lines().filter(|line| line.contains(" reclaimer ")).count(), 2, "{short}");
    let verified = succeed(directory.path(), "explore --log-size 12 --rows 1 --verify 2 --density ours");
    assert_eq!(verified.lines().filter(|line| line.ends_with(" %")).count(), 2, "{verified}");
    assert!(short.contains("slower machines, which need less of something: pass --all or --rows"), "{short}");
}

#[test]
fn json_has_boards_with_sources_and_whole_fronts() {
    let found = explored("--log-size 18 --curve bn254 --board vp1502");
    assert_eq!((&found["points"], &found["curve"]), (&(1 << 18).into(), &"bn254".into()));
    assert_eq!(found["board"]["luts"]["source"], "MSMAC, Table 2: 1,720k");
    assert_eq!((&found["board"]["family"], &found["memory"]), (&"versal".into(), &Value::Null));
    let fronts = found["fronts"].as_array().unwrap();
    assert_eq!((&fronts[0]["density"], &fronts[1]["density"]), (&"papers".into(), &"ours".into()));
    for front in fronts {
        assert!(rows(front).len() as u64 <= front["feasible"].as_u64().unwrap());
        let times: Vec<f64> = rows(front).iter().map(|row| row["ms"].as_f64().unwrap()).collect();
        assert!(times.is_sorted() && times[0] > 0.0, "{times:?}");
        let lacking: u64 =
            front["lacks"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(lacking, front["infeasible"].as_array().unwrap().len() as u64);
        assert!(rows(front)
            .iter()
            .all(|row| row["bandwidth_percent"].is_null() && row["simulated"].is_null()));
    }
    let is_msmac = |row: &&Value| row["design"] == "msmac";
    assert!(rows(&fronts[0]).iter().any(|row| is_msmac(&row) && row["elements"] == 4));
    // Half of the clock takes twice the time, except the transfers of MSMAC; half of the board has no room for four elements.
    let slow = explored("--curve bls12-381 --clock 125 --density papers");
    let fast = explored("--curve bls12-381 --clock 250 --density papers");
    let first = |found: &Value| rows(&found["fronts"][0])[0]["ms"].as_f64().unwrap();
    assert!((first(&slow) / first(&fast) - 2.0).abs() < 1e-3);
    let half = explored("--log-size 18 --curve bn254 --board vp1502 --fill 50 --density papers");
    let most =
        rows(&half["fronts"][0]).iter().filter(is_msmac).map(|row| row["elements"].as_u64().unwrap()).max();
    assert_eq!(most, Some(2));
}

#[test]
fn the_cycle_model_agrees() {
    let found = explored("--log-size 14 --verify 3 --board u55c");
    for front in found["fronts"].as_array().unwrap() {
        for (number, row) in rows(front).iter().enumerate() {
            let simulated = &row["simulated"];
            assert_eq!(simulated.is_null(), number >= 3, "{row}");
            if number < 3 {
                let [ms, deviation] = ["ms", "deviation"].map(|name| simulated[name].as_f64().unwrap());
                assert!((row["ms"].as_f64().unwrap() / ms - 1.0 - deviation).abs() < 1e-9);
                assert!(ms > 0.0 && deviation.abs() < 0.15, "{row}");
            }
        }
    }
    // The settings of a row are simulate's.
    let row = rows(&found["fronts"][0]).iter().find(|row| row["copies"] == 1).unwrap();
    let settings = row["settings"].as_array().unwrap().iter();
    let sets: Vec<String> = settings
        .map(|pair| format!("--set {}={}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
        .collect();
    let directory = tempfile::tempdir().unwrap();
    let line =
        format!("simulate {} --log-size 14 --json {}", row["design"].as_str().unwrap(), sets.join(" "));
    let simulated = json(directory.path(), &line);
    let deviation = row["ms"].as_f64().unwrap() / simulated["ms"].as_f64().unwrap() - 1.0;
    assert!(deviation.abs() < 0.15, "{line}: {deviation}");
    let text = succeed(directory.path(), "explore --log-size 12 --verify 1 --rows 1 --density ours");
    assert!(text.contains("simulated") && text.contains(" %\n"), "{text}");
}

#[test]
fn people_can_look_at_it() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["front.svg", "front.png", "front.pdf"] {
        succeed(directory.path(), &format!("explore --board u280 --plot {name}"));
        assert!(directory.path().join(name).metadata().unwrap().len() > 1000);
    }
    let picture = std::fs::read_to_string(directory.path().join("front.svg")).unwrap();
    for part in
        ["1048576 points on bls12-377, U280", "ms over LUTs", "memory, GB/s", "our density", "<title>"]
    {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    // Also where nothing fits.
    let text = succeed(directory.path(), "explore --fill 1 --plot empty.svg");
    assert!(text.contains("nothing fits: choose a larger --board"), "{text}");
    let empty = std::fs::read_to_string(directory.path().join("empty.svg")).unwrap();
    assert!(empty.contains("nothing fits") && !empty.contains("NaN") && !empty.contains("inf"), "{empty}");
}

#[test]
fn refusals() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let message = fail(at, "explore --plot missing/front.svg");
    assert!(message.starts_with("cannot write missing/front.svg"), "{message}");
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 0);
    for (line, expected) in [
        ("--board u200", "U250, U280, U55C, VU47P, VU9P, VP1502, VP1802"),
        ("--curve pallas", "bls12-377, bls12-381, bn254"),
        ("--clock 0", "expected 1 to 10000, as in 300"),
        ("--fill 101", "1..=100"),
        ("--log-size 30", "0..=29"),
        ("--all --rows 3", "cannot be used with"),
        ("--density both", "papers, ours"),
        ("--plot front.gif", "expected a name that ends with .svg, .png or .pdf"),
    ] {
        let output = crate::run(at, &format!("explore {line}"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(expected), "{line}: {message}");
    }
}
