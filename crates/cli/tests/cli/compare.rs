use std::collections::HashSet;

use bucketwheel::{AdderKind, SchedulerKind};
use bucketwheel_cli::picture::{LETTER, LETTER_WIDTH};

use crate::{fail, json, succeed};

#[test]
fn every_strategy_has_a_row_in_every_cell() {
    let directory = tempfile::tempdir().unwrap();
    let names = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    for (curve, group, has_edwards) in
        [("bls12-377", "g1", true), ("bn254", "g2", false), ("bls12-377", "pair", false)]
    {
        let line = format!(
            "compare --curve {curve} --group {group} --log-sizes 3..4 --threads 1,2 --repetitions 1 --json"
        );
        let rows = json(directory.path(), &line);
        let rows = rows.as_array().unwrap();
        let mut found = HashSet::new();
        for row in rows {
            assert_eq!((&row["curve"], &row["group"]), (&curve.into(), &group.into()));
            assert_eq!(row["backend"], bucketwheel::Backend::detect().name());
            assert!(row["ms"].as_f64().unwrap() > 0.0 && row["spread_percent"].is_null());
            let cell = (row["log_size"].as_u64().unwrap(), row["threads"].as_u64().unwrap());
            assert!(found.insert((cell, names(&row["scheduler"]), names(&row["adder"]))));
        }
        let named =
            (SchedulerKind::ALL.len() - 1) * (AdderKind::ALL.len() - 3 + 2 * usize::from(has_edwards));
        assert_eq!(found.len(), 4 * (named + 1));
        for log_size in [3, 4] {
            for threads in [1, 2] {
                assert!(found.contains(&((log_size, threads), "auto".into(), "auto".into())));
                for &scheduler in SchedulerKind::ALL.iter().filter(|&&kind| kind != SchedulerKind::Auto) {
                    let row = |adder: &str| ((log_size, threads), scheduler.to_string(), adder.to_owned());
                    assert!(["affine", "xyzz", "projective"].iter().all(|adder| found.contains(&row(adder))));
                }
            }
        }
    }
}

#[test]
fn strategies_can_be_chosen_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let line = "compare --curve bn254 --log-sizes 2..3 --threads 1 --schedulers greedy,delayed \
        --adders affine --repetitions 1 --backend portable --plot picture.svg";
    let table = succeed(directory.path(), line);
    // Two lines of heading; auto, greedy and delayed for either size.
    assert_eq!(table.lines().count(), 2 + 2 * 3, "{table}");
    assert!(table.lines().nth(2).unwrap().trim_end().ends_with("1.00"), "{table}");
    let picture = std::fs::read_to_string(directory.path().join("picture.svg")).unwrap();
    for part in ["<svg", "bn254 g1, 1 thread, portable", "auto, auto", "greedy, affine", "2^3", "</svg>"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
}

/// Returns the texts of an SVG picture, each with its left end, its right end and its baseline.
fn texts(picture: &str) -> Vec<(String, [f64; 3])> {
    let lines = picture.lines().filter(|line| line.starts_with("<text "));
    lines
        .map(|line| {
            let value =
                |name: &str| line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
            let [x, y] = ["x", "y"].map(|name| value(&format!(" {name}")).parse::<f64>().unwrap());
            let text = line.split('>').nth(1).unwrap().strip_suffix("</text").unwrap();
            let width = LETTER_WIDTH * text.len() as f64;
            let left = match value("text-anchor") {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            (text.to_owned(), [left, left + width, y])
        })
        .collect()
}

#[test]
fn panels_have_the_same_axes_and_labels_do_not_touch() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let line = "compare -q --curve bn254 --log-sizes 0..14 --threads 1,2 --schedulers greedy --adders affine --repetitions 1";
    succeed(at, &format!("{line} --plot picture.svg"));
    let picture = std::fs::read_to_string(at.join("picture.svg")).unwrap();
    let texts = texts(&picture);
    for (i, (one, [left, right, y])) in texts.iter().enumerate() {
        for (other, [other_left, other_right, other_y]) in &texts[..i] {
            let is_apart = (y - other_y).abs() >= LETTER || right < other_left || other_right < left;
            assert!(is_apart, "{one} and {other}: {picture}");
        }
    }
    let second = texts.iter().find(|(text, _)| text.contains("2 threads")).unwrap().1[0];
    let labels = |is_first: bool| {
        let panel = texts.iter().filter(move |(_, [left, ..])| (*left < second - 70.0) == is_first);
        let labels: Vec<_> = panel.map(|(text, place)| (text.as_str(), place[2])).collect();
        labels.into_iter().filter(|(text, _)| !text.contains(',')).collect::<Vec<_>>()
    };
    assert!(labels(true).len() > 8);
    assert_eq!(labels(true), labels(false));
}

#[test]
fn pictures_have_the_form_of_their_ending() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let line = "-q --curve bn254 --log-sizes 2..4 --threads 1 --schedulers greedy --repetitions 2 --backend portable";
    for name in ["picture.svg", "picture.png", "picture.PDF"] {
        let rows = json(at, &format!("compare {line} --json --plot {name}"));
        assert!(rows.as_array().unwrap().iter().all(|row| row["spread_percent"].as_f64().unwrap() >= 0.0));
    }
    let svg = std::fs::read_to_string(at.join("picture.svg")).unwrap();
    let size = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
    let [width, height] = [0, 1].map(|i| size.split(' ').nth(i).unwrap().parse::<f64>().unwrap());
    let png = tiny_skia::Pixmap::load_png(at.join("picture.png")).unwrap();
    assert_eq!([png.width(), png.height()], [width, height].map(|length| (2.0 * length).ceil() as u32));
    let colours: HashSet<_> =
        png.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    // The colours of the page, the letters and `greedy`.
    for colour in [[255, 255, 255], [0, 0, 0], [0x2c, 0xa0, 0x2c]] {
        assert!(colours.contains(&colour), "{colour:?}");
    }
    let pdf = std::fs::read(at.join("picture.PDF")).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    for part in ["(bn254 g1, 1 thread, portable: ns per point) Tj", "(greedy, affine) Tj", "/Courier"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let error = fail(directory.path(), "compare --curve bn254 --log-sizes 20 --plot missing/picture.svg");
    assert!(error.contains("missing/picture.svg"), "{error}");
}
