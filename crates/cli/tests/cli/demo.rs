use std::fs;

use bucketwheel_cli::trusted_setup::{text, Setup, POINTS};

use crate::{fail, succeed};
use bucketwheel_properties::command::SETUP;

/// The commitments equal `blob_to_kzg_commitment` of c-kzg 2.1.8.
#[test]
fn everything_agrees() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "demo --log-size 6 --backend portable");
    let ethereum =
        "830cd745ec661eeb3dfbbe9fa7e161f34ec8908760376fcc7f93f190b4d1d284a017a60e3d954c061776991b78c746f3";
    assert_eq!(text.lines().filter(|line| line.contains(ethereum)).count(), 2, "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("points/s")).count(), 10, "{text}");
    assert!(text.lines().last().unwrap().starts_with("All results agree."), "{text}");
    assert!(text.contains("on one thread"), "{text}");
}

#[test]
fn any_file_can_be_committed_to() {
    let directory = tempfile::tempdir().unwrap();
    let text = "Hello, Bucketwheel! Thirty-one bytes are one field element.";
    fs::write(directory.path().join("text"), text).unwrap();
    let text = succeed(directory.path(), "demo --log-size 0 --data text");
    let ethereum =
        "8b4e3ae673055a243c04e37f4f63af37b441dfaf0b4a8874cf9fd699eb1b753c8d3d3f92291f06279feaa974ddc479cc";
    assert_eq!(text.lines().filter(|line| line.contains(ethereum)).count(), 2, "{text}");
}

#[test]
fn damaged_setups_are_refused() {
    let message = |text: &str| Setup::parse(text, POINTS).err().unwrap().to_string();
    assert!(message("").contains("expected two numbers of points to start with"));
    assert!(message("4096 x a0").contains("expected two numbers"));
    assert!(message("4096 65 a0").contains("1 points: expected 4161 or 8257"));
    assert!(message("0 0").contains("0 points: expected 4096"));
    assert!(message(&SETUP[..100_000]).contains("points: expected 4161 or 8257"));
    // Changes one digit of one x.
    let digit = message(&SETUP.replacen("a0413c0d", "a0413c0e", 1));
    assert!(digit.contains("point 0 is not ") && digit.contains("expected "), "{digit}");
    // Sets another bit of infinity: no point has these bytes.
    let first = SETUP.split_ascii_whitespace().nth(2).unwrap();
    let infinity = message(&SETUP.replacen(first, &format!("c0{:094x}", 1), 1));
    assert!(infinity.contains("point 0 is flagged as the point at infinity"), "{infinity}");
}

#[test]
fn the_points_that_are_compiled_in_are_those_of_the_text() {
    assert_eq!(text(), SETUP.as_bytes()[..text().len()]);
    let (ours, texts) = (Setup::load().unwrap(), Setup::parse(SETUP, POINTS).unwrap());
    assert!(ours.compressed == texts.compressed && ours.points == texts.points);
}

#[test]
fn data_that_does_not_fit_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("large"), vec![0; 126_977]).unwrap();
    let message = fail(directory.path(), "demo --data large");
    assert_eq!(
        message,
        "large holds more than 126976 bytes: expected a file to commit to, no longer than one commitment covers, check the path"
    );
    assert!(fail(directory.path(), "demo --data missing").contains("expected a file to commit to"));
    assert!(fail(directory.path(), "demo --data .").starts_with("cannot read ."));
}
