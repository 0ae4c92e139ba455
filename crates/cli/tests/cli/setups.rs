//! Set-ups and keys that other tools write and this program reads: checks known properties of their points.

use std::fs;
use std::path::Path;

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use bucketwheel::{Check, Curve, CurveId};
use bucketwheel_cli::format::{decode, detect, FormatId, Section, Wanted};

use crate::convert::unhex;
use crate::{fail, json, run, succeed};
use bucketwheel_properties::samples::{
    arkworks, ceremonies, gnark, gnark_lagrange, halo2, samples, Sample, KZG_JSON,
};

/// Returns the points of a section.
fn points<C: Curve>((id, curve, bytes): &Sample, section: Section) -> Vec<Affine<C>> {
    let wanted = Wanted { curve: Some(*curve), group: None, section: Some(section) };
    let body =
        id.format().open(bytes, wanted).unwrap_or_else(|error| panic!("{id} {curve} {section}: {error}"));
    assert_eq!(body.curve, *curve);
    decode(&body.codec, &body.bytes, Check::Subgroup).unwrap()
}

/// Returns the first powers of tau, times a point.
fn powers<C: Curve>(tau: u64, count: usize) -> Vec<Affine<C>> {
    let tau = C::ScalarField::from(tau);
    let start = Projective::<C>::from(Affine::generator());
    let powers: Vec<_> = std::iter::successors(Some(start), |&power| Some(power * tau)).take(count).collect();
    Projective::normalize_batch(&powers)
}

/// The program must tell each file apart from all others, find points in all of its sections, and find its end.
#[test]
fn files_are_told_and_are_whole() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (id, curve, bytes) in samples() {
        let (found, wanted) =
            detect(&bytes, Wanted::default()).unwrap_or_else(|error| panic!("{id} {curve}: {error}"));
        assert_eq!(found, id, "{curve}");
        assert!(wanted.curve.is_none_or(|found| found == curve));
        fs::write(at.join("file"), &bytes).unwrap();
        for part in json(at, "check file --subgroup --json").as_array().unwrap() {
            assert_eq!(
                (&part["format"], &part["curve"]),
                (&id.name().into(), &curve.name().into()),
                "{part}"
            );
            assert_eq!(part["valid"], true);
            let (section, group) = (part["section"].as_str().unwrap(), &part["group"]);
            succeed(at, &format!("convert file --section {section} --to arkworks points"));
            let said = format!("--encoding arkworks --curve {curve} --group {}", group.as_str().unwrap());
            let again = &json(at, &format!("check points {said} --json"))[0];
            assert_eq!(again["points"], part["points"]);
        }
        // A file that is cut anywhere, or followed by more bytes, is refused. But a proving key starts with a
        // verifying key, and the length of a ceremony's file may fit another power.
        let wanted = Wanted { curve: Some(curve), ..Wanted::default() };
        let is_open = |bytes: &[u8]| id.format().open(bytes, wanted).is_ok();
        let lengths = (0..bytes.len()).filter(|&len| len < 2000 || len % 97 == 0 || len + 100 > bytes.len());
        let whole: Vec<_> = lengths.filter(|&len| is_open(&bytes[..len])).collect();
        let shorter = match id {
            FormatId::ArkworksKey | FormatId::ArkworksKeyCompressed => whole.len().min(1),
            FormatId::Challenge | FormatId::Response => 1,
            _ => 0,
        };
        assert_eq!(whole.len(), shorter, "{id} {curve} {whole:?}");
        let longer = [&bytes[..], &[0]].concat();
        assert!(!is_open(&longer), "{id} {curve}");
        // The program does not write these formats.
        succeed(at, "convert file --group g1 --to arkworks points");
        let message =
            fail(at, &format!("convert points --from arkworks --curve {curve} --group g1 --to {id} out"));
        assert!(
            message.starts_with(&format!(
                "out: {id} files are read, not written: expected one of bucketwheel, "
            )),
            "{message}"
        );
    }
}

#[test]
fn sums_take_points_of_a_section() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("srs"), &gnark()[0].2).unwrap();
    succeed(at, "convert srs --to bucketwheel points");
    succeed(at, "generate --curve bn254 --size 4 --points others --scalars scalars");
    let sum = |points: &str| json(at, &format!("msm {points} scalars --json"))[0]["x"].clone();
    assert_eq!(sum("srs --encoding auto"), sum("points"));
    assert_eq!(sum("srs --encoding auto --section g1-monomial"), sum("points"));
}

/// A set-up of gnark-crypto with a known tau.
#[test]
fn gnark_has_powers_of_five() {
    fn check<C: Curve, D: Curve>(sample: &Sample) {
        assert_eq!(points::<C>(sample, Section::G1Monomial), powers::<C>(5, 4));
        assert_eq!(points::<D>(sample, Section::G2Monomial), powers::<D>(5, 2));
        assert_eq!(points::<C>(sample, Section::KeyG1), powers::<C>(5, 1));
    }
    for sample in &gnark() {
        match sample.1 {
            CurveId::Bn254 => check::<ark_bn254::g1::Config, ark_bn254::g2::Config>(sample),
            CurveId::Bls12_381 => check::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(sample),
            _ => check::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(sample),
        }
    }
    let lagrange = points::<ark_bn254::g1::Config>(&gnark_lagrange(), Section::G1Lagrange);
    let sum: Projective<ark_bn254::g1::Config> = lagrange.iter().sum();
    assert_eq!(sum.into_affine(), Affine::generator());
    // The points show the form, and the program refuses the other form.
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("monomial"), &gnark()[0].2).unwrap();
    fs::write(at.join("lagrange"), gnark_lagrange().2).unwrap();
    let message = fail(at, "check monomial --section g1-lagrange");
    assert!(
        message.contains("in monomial form, since the first one is the generator: expected section"),
        "{message}"
    );
    let message = fail(at, "check lagrange --section g1-monomial");
    assert!(message.contains("not in monomial form"), "{message}");
}

/// Checks with pairings that the sections hold the powers that their names state.
fn are_powers<E: Pairing<G1Affine = Affine<C>, G2Affine = Affine<D>>, C: Curve, D: Curve>(sample: &Sample) {
    let g1 = |section| points::<C>(sample, section);
    let (tau, alpha, beta) = (g1(Section::TauG1), g1(Section::AlphaTauG1), g1(Section::BetaTauG1));
    let (tau2, beta2) = (points::<D>(sample, Section::TauG2), points::<D>(sample, Section::BetaG2));
    assert_eq!([tau.len(), alpha.len(), beta.len(), tau2.len(), beta2.len()], [3, 2, 2, 2, 1]);
    assert_eq!((tau[0], tau2[0]), (Affine::generator(), Affine::generator()));
    for powers in [&tau, &alpha, &beta] {
        for pair in powers.windows(2) {
            assert_eq!(E::pairing(pair[0], tau2[1]), E::pairing(pair[1], tau2[0]));
        }
    }
    assert_eq!(E::pairing(beta[0], tau2[0]), E::pairing(tau[0], beta2[0]));
    assert_ne!(tau[1], tau[0]);
    if sample.0 == FormatId::Response {
        let (key, key2) = (g1(Section::KeyG1), points::<D>(sample, Section::KeyG2));
        assert_eq!((key.len(), key2.len()), (6, 3));
    }
}

#[test]
fn ceremonies_have_powers() {
    for sample in &ceremonies() {
        match sample.1 {
            CurveId::Bn254 => are_powers::<ark_bn254::Bn254, _, _>(sample),
            _ => are_powers::<ark_bls12_381::Bls12_381, _, _>(sample),
        }
    }
    // Zcash's ceremony sets the flags of compressed points of BLS12-381 in Zcash's way.
    let (id, curve, mut bytes) = ceremonies()[3].clone();
    // tauG1, tauG2, alphaTauG1 with betaTauG1, betaG2.
    let mut start = 64;
    for (count, size) in [(3, 48), (2, 96), (4, 48), (1, 96)] {
        for _ in 0..count {
            let larger = bytes[start] >> 7;
            bytes[start] = bytes[start] & 0x1f | 0x80 | larger << 5;
            start += size;
        }
    }
    are_powers::<ark_bls12_381::Bls12_381, _, _>(&(id, curve, bytes));
}

#[test]
fn halo2_has_both_forms() {
    type G1 = ark_bn254::g1::Config;
    type G2 = ark_bn254::g2::Config;
    let read = |sample: &Sample| {
        let g1 = |section| points::<G1>(sample, section);
        (g1(Section::G1Monomial), g1(Section::G1Lagrange), points::<G2>(sample, Section::G2Monomial))
    };
    let samples = halo2();
    let (monomial, lagrange, g2) = read(&samples[0]);
    assert_eq!((monomial.len(), lagrange.len(), g2.len()), (4, 4, 2));
    assert_eq!((monomial[0], g2[0]), (Affine::generator(), Affine::generator()));
    for pair in monomial.windows(2) {
        let pairing = ark_bn254::Bn254::pairing;
        assert_eq!(pairing(pair[0], g2[1]), pairing(pair[1], g2[0]));
    }
    let sum: Projective<G1> = lagrange.iter().sum();
    assert_eq!(sum.into_affine(), Affine::generator());
    // The same points, compressed with the parity of y.
    assert_eq!(read(&samples[1]), (monomial, lagrange, g2));
    // The program tells the lists apart by their points.
    let mut swapped = samples[0].2.clone();
    swapped[4..4 + 2 * 256].rotate_left(256);
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("swapped"), swapped).unwrap();
    for section in ["g1-monomial", "g1-lagrange"] {
        let message = fail(directory.path(), &format!("check swapped --encoding halo2 --section {section}"));
        assert!(message.contains("in monomial form, since the first one is "), "{message}");
    }
}

#[test]
fn the_specification_has_the_set_up_of_the_text() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("json"), KZG_JSON).unwrap();
    let words: Vec<&str> = bucketwheel_properties::command::SETUP.split_ascii_whitespace().collect();
    let [lagrange, g2, monomial] = [&words[2..6], &words[4098..4100], &words[4163..4167]];
    for (section, list) in [("g1-lagrange", lagrange), ("g2-monomial", g2), ("g1-monomial", monomial)] {
        succeed(at, &format!("convert json --section {section} --to zcash-compressed out"));
        assert_eq!(fs::read(at.join("out")).unwrap(), unhex(&list.concat()), "{section}");
    }
    let list = |words: &[&str]| format!("[\"0x{}\"]", words.join("\", \"0x"));
    for (text, expected) in [
        ("{}".into(), "expected a section of points"),
        ("{".into(), "line 1, column 1: expected JSON"),
        (format!("{{\"g1_lagrange\": {}}} 1", list(lagrange)), "expected JSON"),
        (
            "{\"g1_lagrange\": 1}".into(),
            "expected an object of the lists g1_monomial, g1_lagrange and g2_monomial, each",
        ),
        ("{\"g1_lagrange\": [null]}".into(), "expected an object of the lists"),
        ("{\"g1\": []}".into(), "expected an object of the lists"),
        ("{\"g1_lagrange\": [\"0x12\"]}".into(), "g1 point 0 of g1-lagrange: expected 96 hexadecimal digits"),
        (format!("{{\"g1_lagrange\": {}}}", list(monomial)), "in monomial form"),
        (format!("{{\"g1_monomial\": {}}}", list(lagrange)), "not in monomial form"),
        ("{\"g1_lagrange\": []}".into(), "there are no points in the file: expected at least one"),
    ] {
        fs::write(at.join("file"), &text).unwrap();
        let message = fail(at, "check file");
        assert!(message.contains(expected), "{text}: {message}");
    }
}

/// Commits with a set-up from a file: Ethereum's set-up in either form gives the default result.
#[test]
fn blobs_with_a_set_up_of_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let mut blob = vec![0; 131_072];
    (0..4096).for_each(|i| blob[32 * i + 30] = (i % 251) as u8);
    fs::write(at.join("blob"), blob).unwrap();
    let words: Vec<&str> = bucketwheel_properties::command::SETUP.split_ascii_whitespace().collect();
    let (lagrange, g2, monomial) = (&words[2..4098], &words[4098..4163], &words[4163..]);
    let list = |words: &[&str]| format!("[\"0x{}\"]", words.join("\",\n\"0x"));
    let json = |lagrange: &[&str]| {
        let [monomial, lagrange, g2] = [monomial, lagrange, g2].map(list);
        format!("{{\"g1_monomial\": {monomial}, \"g1_lagrange\": {lagrange}, \"g2_monomial\": {g2}}}")
    };
    let write = |name: &str, text: &str| fs::write(at.join(name), text).unwrap();
    write("text", bucketwheel_properties::command::SETUP);
    write("json", &json(lagrange));
    write("old", &format!("4096 65 {} {}", monomial.join(" "), g2.join(" ")));
    write("small", std::str::from_utf8(KZG_JSON).unwrap());
    write("doubled", &json(&[&lagrange[..1], &lagrange[..4095]].concat()));
    let expected = succeed(at, "kzg commit blob");
    for setup in ["text", "json"] {
        assert_eq!(succeed(at, &format!("kzg commit blob --setup {setup}")), expected);
    }
    for (setup, message) in [
        (
            "old",
            "old: the g1 points are in monomial form, since the first one is the generator: expected section",
        ),
        ("small", "small: 4 points in section g1-lagrange: expected 4096"),
        (
            "doubled",
            "doubled: the points of section g1-lagrange do not sum to the generator: expected them in",
        ),
        ("blob", "blob: cannot tell the format: "),
    ] {
        let found = fail(at, &format!("kzg commit blob --setup {setup}"));
        assert!(found.starts_with(message), "{found}");
    }
}

/// Checks the numbers of points in the sections of a key.
#[test]
fn arkworks_keys_have_their_queries() {
    let directory = tempfile::tempdir().unwrap();
    let at: &Path = directory.path();
    let (_, _, key) = &arkworks()[2];
    fs::write(at.join("key"), key).unwrap();
    let parts = json(at, "check key --json");
    let parts: Vec<_> = parts
        .as_array()
        .unwrap()
        .iter()
        .map(|part| format!("{} {}", part["section"].as_str().unwrap(), part["points"]))
        .collect();
    assert_eq!(parts[..4], ["alpha-g1 1", "beta-gamma-delta-g2 3", "gamma-abc-g1 2", "beta-delta-g1 2"]);
    assert_eq!(parts[4..], ["a-query 3", "b-g1-query 3", "b-g2-query 3", "h-query 3", "l-query 1"]);
    // A number of points that no file can hold.
    let mut large = key.clone();
    let list = 32 + 3 * 64;
    large[list..list + 8].copy_from_slice(&[0xff; 8]);
    fs::write(at.join("large"), large).unwrap();
    let output = run(at, "check large --encoding arkworks-key-compressed --curve bn254");
    let message = crate::error_of(&output, 1);
    assert!(message.contains("18446744073709551615 points of section gamma-abc-g1"), "{message}");
}
