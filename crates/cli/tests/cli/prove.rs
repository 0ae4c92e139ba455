//! `prove`: its outputs, and a check that it writes no other file.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::groth16::{edit, files, CURVES};
use crate::{fail, json, succeed};

/// Returns the key and the witness of the circuit members; a ceremony of snarkjs made the key.
pub fn members() -> TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/members");
    let directory = tempfile::tempdir().unwrap();
    for (name, to) in [("circuit.zkey", "zkey"), ("witness.wtns", "wtns"), ("verification_key.json", "vkey")]
    {
        fs::copy(from.join(name), directory.path().join(to)).unwrap();
    }
    fs::copy(from.join("public.json"), directory.path().join("public")).unwrap();
    directory
}

/// Returns the names in a directory.
fn names(at: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(at).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn proofs_hold() {
    for directory in [members(), files("bn254"), files("bls12-381")] {
        let at = directory.path();
        let report = succeed(at, "prove zkey wtns p x --threads 2");
        assert!(report.starts_with("p: a proof on ") && report.contains(", verified\n"), "{report}");
        succeed(at, "verify vkey x p");
        // The public signals equal the witness's, as snarkjs writes them.
        assert_eq!(fs::read(at.join("x")).unwrap(), fs::read(at.join("public")).unwrap());
        let first = fs::read(at.join("p")).unwrap();
        let report = json(at, "prove zkey wtns p x --threads 1 --json --trace picture.svg");
        assert_eq!((&report["verified"], &report["threads"]), (&true.into(), &1.into()));
        assert_eq!(report["stages"].as_array().unwrap().len(), 7);
        assert_ne!(first, fs::read(at.join("p")).unwrap(), "every proof is blinded anew");
        succeed(at, "verify vkey x p");
        let picture = fs::read_to_string(at.join("picture.svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n") && picture.contains("msm H"));
    }
}

#[test]
fn memory_has_a_bound() {
    let directory = members();
    let at = directory.path();
    let message = fail(at, "prove zkey wtns p x --memory 1M");
    let least = message.strip_prefix("wtns: a proof in 1048576 bytes: expected at least ").unwrap();
    assert_eq!(names(at), ["public", "vkey", "wtns", "zkey"]);
    succeed(at, &format!("prove zkey wtns p x --memory {least}"));
    succeed(at, "verify vkey x p");
}

#[test]
fn seeds_are_for_tests() {
    let directory = files("bn254");
    let at = directory.path();
    succeed(at, "prove zkey wtns p x --insecure-seed 1");
    succeed(at, "prove zkey wtns q x --insecure-seed 1 --no-verify");
    assert_eq!(fs::read(at.join("p")).unwrap(), fs::read(at.join("q")).unwrap());
}

#[test]
fn wrong_witnesses_leave_no_file() {
    for (folder, _) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let before = names(at);
        let last = fs::metadata(at.join("wtns")).unwrap().len() as usize - 32;
        // Flips one bit of the last value; the value stays below the order.
        edit(at, "wtns", |bytes| bytes[last] ^= 1);
        let message = fail(at, "prove zkey wtns p x --trace t");
        assert!(message.starts_with("wtns: the witness does not satisfy the circuit"), "{message}");
        assert_eq!(names(at), before);
        edit(at, "wtns", |bytes| bytes.truncate(bytes.len() - 1));
        assert!(fail(at, "prove zkey wtns p x").starts_with("wtns: "));
        assert_eq!(names(at), before);
    }
    // A witness of another circuit.
    let (directory, other) = (members(), files("bn254"));
    let at = directory.path();
    fs::copy(other.path().join("wtns"), at.join("wtns")).unwrap();
    let message = fail(at, "prove zkey wtns p x");
    assert!(message.starts_with("wtns: the witness has 7 values: expected 2661"), "{message}");
    // A witness on another curve.
    let other = files("bls12-381");
    fs::copy(other.path().join("wtns"), at.join("wtns")).unwrap();
    assert!(fail(at, "prove zkey wtns p x").starts_with("wtns: "));
    assert_eq!(names(at), ["public", "vkey", "wtns", "zkey"]);
}

#[test]
fn wrong_files_leave_no_file() {
    let directory = files("bn254");
    let at = directory.path();
    let before = names(at);
    assert!(fail(at, "prove wtns zkey p x").starts_with("wtns: "));
    assert!(fail(at, "prove r1cs wtns p x").starts_with("r1cs: "));
    assert!(fail(at, "prove zkey none p x").starts_with("cannot read none"));
    assert!(fail(at, "prove zkey wtns p x --trace ./p/../x").starts_with("cannot write"));
    assert!(fail(at, "prove zkey wtns p none/x").starts_with("cannot write none/x"));
    assert_eq!(names(at), before);
}
