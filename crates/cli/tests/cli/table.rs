//! `table`, `msm` over a table, `bench table`.

use std::fs;

use bucketwheel::Backend;
use serde_json::json;

use crate::{fail, generated, json as run_json, succeed};

#[test]
fn sums_over_tables_are_the_same() {
    for curve in ["bls12-381", "bls12-377", "bn254"] {
        for group in ["g1", "g2"] {
            let directory = generated(&format!("--curve {curve} --group {group} --size 300 --seed 3"));
            let path = directory.path();
            let expected = &run_json(path, "msm points scalars --json")[0];
            for options in [
                "",
                "--copies 5",
                "--copies 4 --bucket-set",
                "--k-points 3:7",
                "--memory 1M",
                "--memory 0",
                "--backend portable --threads 1",
            ] {
                let plan = run_json(path, &format!("table points --out table --json {options}"));
                let sums = run_json(path, &format!("msm table scalars scalars --curve {curve} --json"));
                for sum in sums.as_array().unwrap() {
                    assert_eq!(
                        (&sum["x"], &sum["y"]),
                        (&expected["x"], &expected["y"]),
                        "{curve} {group} {options}"
                    );
                    assert_eq!((&sum["size"], &sum["backend"]), (&json!(300), &plan["backend"]));
                    assert_eq!(sum["bucket_sets"], plan["bucket_sets"]);
                }
                let bytes = fs::metadata(path.join("table")).unwrap().len();
                assert_eq!(plan["memory_bytes"], bytes - 128);
            }
        }
    }
}

#[test]
fn the_plan_is_told_first() {
    let directory = generated("--curve bls12-381 --group pair --size 1000");
    let text = succeed(directory.path(), "table points --group g1 --out table --memory 1M --check subgroup");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("copies of 1000 points") && lines[0].contains("1 MiB"), "{text}");
    assert!(lines[0].contains("additions") && lines[0].contains("break-even after"), "{text}");
    assert!(lines[1].starts_with("table: bls12-381 g1, for backend"), "{text}");
    let sum = run_json(directory.path(), "msm table scalars --json --group g1");
    let both = run_json(directory.path(), "msm points scalars --json");
    assert_eq!(sum[0]["x"], both[0]["g1"]["x"]);
    let plan = run_json(directory.path(), "table points --group g2 --out table --json");
    // At most the requested number of copies: for few points, fewer copies cost less.
    assert_eq!((&plan["copies"], &plan["points"], &plan["group"]), (&json!(6), &json!(1000), &json!("g2")));
    assert_eq!(plan["halves"], json!(true));
    assert!(plan["additions"].as_u64() < plan["additions_without"].as_u64());
    assert!(plan["break_even"].as_u64() > Some(0));
    let text = succeed(directory.path(), "table points --group g1 --out table --k-points 2:9");
    assert!(
        text.contains("1000 points and 2 multiples of each, by the largest digits of windows of 9 bits"),
        "{text}"
    );
    let sum = run_json(directory.path(), "msm table scalars --json --group g1");
    assert_eq!((&sum[0]["x"], &sum[0]["window"]), (&both[0]["g1"]["x"], &json!(9)));
}

#[test]
fn wrong_tables_are_refused() {
    let directory = generated("--curve bn254 --size 50");
    let path = directory.path();
    succeed(path, "table points --out table --backend portable");
    let table = fs::read(path.join("table")).unwrap();

    let error = fail(path, "msm table scalars --backend model");
    assert!(error.contains("layout of backend portable: expected model"), "{error}");
    let error = fail(path, "msm table scalars --curve bls12-381");
    assert!(error.contains("table is for curve bn254: expected bls12-381"), "{error}");
    let error = fail(path, "msm table scalars --group g2");
    assert!(error.contains("expected g2"), "{error}");
    let error = fail(path, "msm table scalars --check subgroup");
    assert!(error.contains("table is a table: leave out --check"), "{error}");
    let error = fail(path, "msm table table");
    assert!(error.contains("not a scalars file"), "{error}");
    let error = fail(path, "msm points scalars table");
    assert!(error.contains("not a scalars file"), "{error}");

    fs::write(path.join("short"), &table[..table.len() - 64]).unwrap();
    assert!(fail(path, "msm short scalars").contains("incomplete or damaged"));
    fs::write(path.join("header"), &table[..100]).unwrap();
    assert!(fail(path, "msm header scalars").contains("expected 128"));
    for at in [9, 12, 20, 30, 40, 127, 128, table.len() - 1] {
        let mut damaged = table.clone();
        damaged[at] ^= 4;
        fs::write(path.join("damaged"), damaged).unwrap();
        let error = fail(path, "msm damaged scalars");
        assert!(error.starts_with("damaged: ") && error.contains("expected"), "{at}: {error}");
    }
    if let Some(missing) = Backend::ALL.into_iter().find(|backend| !backend.is_supported()) {
        assert!(fail(path, &format!("table points --out new --backend {missing}")).contains("not supported"));
    }
    // A table that was not finished leaves no file.
    fs::write(path.join("cut"), &fs::read(path.join("points")).unwrap()[..700]).unwrap();
    fail(path, "table cut --out new --encoding bucketwheel");
    assert!(!path.join("new").exists());
    assert!(fail(path, "table points --out .").contains("Is a directory"));
}

#[test]
fn equal_points_are_merged() {
    let directory = generated("--curve bls12-377 --group pair --size 40");
    let path = directory.path();
    let expected = &run_json(path, "msm points scalars --json")[0];
    let merged = &run_json(path, "msm points scalars --json --deduplicate")[0];
    assert_eq!((&merged["g1"], &merged["g2"]), (&expected["g1"], &expected["g2"]));
    assert_eq!((&merged["distinct"], &expected["distinct"]), (&json!(40), &json!(null)));
    assert!(merged["hashing_ms"].as_f64().unwrap() > 0.0 && merged["merging_ms"].is_null());
    let line = succeed(path, "msm points scalars --deduplicate");
    assert!(
        line.contains("40 of 40 points distinct") && line.contains("too many to merge scalars"),
        "{line}"
    );
}

#[test]
fn tables_are_measured_beside_none() {
    let directory = tempfile::tempdir().unwrap();
    let line =
        "bench table -q --curve bn254 --log-size 7 --copies 2,8 --bucket-sets 1 --repetitions 2 --threads 1";
    let cells = run_json(directory.path(), &format!("{line} --json"));
    let copies: Vec<_> = cells.as_array().unwrap().iter().map(|cell| cell["copies"].as_u64()).collect();
    assert_eq!(copies, [Some(1), Some(1), Some(2), Some(8), Some(1)]);
    assert_eq!((&cells[3]["multiples"], &cells[4]["multiples"]), (&json!(1), &json!(3)));
    // The points alone, and the points with their images.
    let memory = |index: usize| cells[index]["memory_bytes"].as_u64().unwrap();
    assert_eq!((2 * memory(0), &cells[0]["speedup_over_points"]), (memory(1), &json!(1.0)));
    assert_eq!(cells[1]["speedup"], 1.0);
    assert!(cells[3]["additions"].as_u64() < cells[1]["additions"].as_u64());
    assert_eq!(succeed(directory.path(), line).lines().count(), 7);
}
