//! Commitments to blobs, against c-kzg.

use std::fs;

use ark_ff::{BigInteger, PrimeField};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{fail, succeed};

const BLOB_BYTES: usize = c_kzg::BYTES_PER_BLOB;

#[test]
fn commitments_are_those_of_c_kzg() {
    let settings = c_kzg::ethereum_kzg_settings(0);
    let directory = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut random = vec![0; BLOB_BYTES];
    rng.fill_bytes(&mut random);
    random.chunks_mut(32).for_each(|element| element[0] &= 0x3f);
    let mut sparse = vec![0; BLOB_BYTES];
    sparse[32 * 1234 + 31] = 1;
    sparse[32 * 4095..].copy_from_slice(&random[..32]);
    let largest = (-ark_bls12_381::Fr::from(1u32)).into_bigint().to_bytes_be().repeat(BLOB_BYTES / 32);
    let blobs = [random, sparse, vec![0; BLOB_BYTES], largest];
    let commit = |(i, blob): (usize, &Vec<u8>)| {
        fs::write(directory.path().join(format!("blob{i}")), blob).unwrap();
        let commitment = settings.blob_to_kzg_commitment(&c_kzg::Blob::from_bytes(blob).unwrap()).unwrap();
        format!("0x{}\n", commitment.as_hex_string())
    };
    let expected: Vec<String> = blobs.iter().enumerate().map(commit).collect();
    assert_eq!(succeed(directory.path(), "kzg commit blob2"), expected[2]);
    // The command prepares the setup once, and prints the commitments in the order of the blobs.
    assert_eq!(succeed(directory.path(), "kzg commit blob0 blob1 blob2 blob3"), expected.concat());
}

#[test]
fn blobs_that_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for len in [0, BLOB_BYTES - 1] {
        fs::write(at.join("blob"), vec![0; len]).unwrap();
        let expected = format!("blob: {len} bytes: expected 131072, 4096 elements of 32 bytes");
        assert_eq!(fail(at, "kzg commit blob"), expected);
    }
    let mut blob = vec![0; BLOB_BYTES];
    let modulus = ark_bls12_381::Fr::MODULUS.to_bytes_be();
    for index in [4095, 17] {
        blob[32 * index..][..32].copy_from_slice(&modulus);
        fs::write(at.join("blob"), &blob).unwrap();
        let message = fail(at, "kzg commit blob");
        assert!(message.starts_with(&format!("blob: element {index} is not below the order")), "{message}");
    }
    assert!(fail(at, "kzg commit missing").starts_with("cannot read missing: "));
}

/// Returns the lists of the set-up's text: G1 in Lagrange form, G2, and G1 in monomial form.
fn lists() -> [Vec<&'static str>; 3] {
    let words: Vec<_> = bucketwheel_properties::command::SETUP.split_ascii_whitespace().skip(2).collect();
    [&words[..4096], &words[4096..4161], &words[4161..]].map(<[_]>::to_vec)
}

fn text(lists: &[&[&str]]) -> String {
    format!("4096\n65\n{}\n", lists.concat().join("\n"))
}

/// A text of two lists does not name the basis of its points; the first point shows it.
#[test]
fn a_basis_is_told_by_its_points() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let [lagrange, g2, monomial] = lists();
    let sections = |name: &str| -> Vec<_> {
        let parts = crate::json(at, &format!("check {name} --json"));
        let parts = parts.as_array().unwrap();
        parts.iter().map(|part| format!("{} {}", part["section"].as_str().unwrap(), part["points"])).collect()
    };
    fs::write(at.join("old"), text(&[&monomial, &g2])).unwrap();
    fs::write(at.join("new"), text(&[&lagrange, &g2])).unwrap();
    assert_eq!(sections("old"), ["g1-monomial 4096", "g2-monomial 65"]);
    assert_eq!(sections("new"), ["g1-lagrange 4096", "g2-monomial 65"]);
    let is_monomial = "the g1 points are in monomial form, since the first one is the generator: expected \
        section g1-lagrange; take a set-up or a section in that form";
    let is_not =
        "the g1 points are not in monomial form, since the first one is not the generator: expected \
        section g1-monomial; take a set-up or a section in that form";
    for (file, section, expected) in [("old", "g1-lagrange", is_monomial), ("new", "g1-monomial", is_not)] {
        let message = fail(at, &format!("check {file} --section {section}"));
        assert_eq!(message, format!("{file}, section {section}: {expected}"));
        let message = fail(at, &format!("convert {file} --section {section} --to zcash out"));
        assert_eq!(message, format!("{file}: {expected}"));
    }
    // In a text of three lists, the place of each list is fixed.
    fs::write(at.join("swapped"), text(&[&monomial, &g2, &lagrange])).unwrap();
    assert_eq!(fail(at, "check swapped"), format!("swapped, section g1-lagrange: {is_monomial}"));
    assert_eq!(
        fail(at, "convert swapped --section g1-monomial --to zcash out"),
        format!("swapped: {is_not}")
    );
    assert!(!at.join("out").exists());
    // The points of either basis are the points of the list that they come from.
    for (file, list) in [("old", &monomial), ("new", &lagrange)] {
        succeed(at, &format!("convert {file} --to zcash-compressed points"));
        assert!(fs::read(at.join("points")).unwrap() == crate::convert::unhex(&list.concat()));
        succeed(at, "convert points --group g1 --to kzg text");
        assert_eq!(fs::read_to_string(at.join("text")).unwrap(), format!("4096\n0\n{}\n", list.join("\n")));
    }
    // The program writes no text that it would read differently.
    succeed(at, "convert old --to zcash points");
    let line = "convert points --group g1 --to kzg --to-section";
    assert_eq!(fail(at, &format!("{line} g1-lagrange text2")), format!("text2: {is_monomial}"));
    assert!(!at.join("text2").exists());
    succeed(at, &format!("{line} g1-monomial text2"));
    assert_eq!(sections("text2"), ["g1-monomial 4096"]);
    // A text of a single generator is in both bases.
    fs::write(at.join("one"), format!("1\n0\n0x{}\n", monomial[0])).unwrap();
    for section in ["g1-lagrange", "g1-monomial"] {
        succeed(at, &format!("check one --section {section}"));
    }
}
