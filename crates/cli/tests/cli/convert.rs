//! Points in the formats of other tools: output of arkworks, vectors of gnark-crypto, set-ups of snarkjs and c-kzg.

use std::fs;
use std::path::Path;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use bucketwheel::{with_curve, Check, Curve, CurveId, GroupId};
use bucketwheel_cli::format::{decode, FormatId, Section, Wanted};

use bucketwheel_properties::samples::{file, kinds, multiples};

use crate::{fail, generated, json, succeed};

fn read<C: Curve>(id: FormatId, curve: CurveId, group: GroupId, bytes: &[u8]) -> Vec<Affine<C>> {
    let wanted = Wanted { curve: Some(curve), group: Some(group), section: None };
    let body = id.format().open(bytes, wanted).unwrap();
    assert_eq!((body.curve, body.group), (curve, group));
    decode(&body.codec, &body.bytes, Check::Subgroup).unwrap()
}

#[test]
fn arkworks_reads_and_writes_the_same() {
    for (curve, group) in kinds() {
        with_curve!(curve, group, C => {
            for count in [0, 1, 40] {
                let points = multiples::<C>(count);
                let (mut plain, mut compressed) = (Vec::new(), Vec::new());
                points.serialize_uncompressed(&mut plain).unwrap();
                points.serialize_compressed(&mut compressed).unwrap();
                for (id, expected) in [(FormatId::Arkworks, &plain), (FormatId::ArkworksCompressed, &compressed)] {
                    assert_eq!(file(id, curve, group, None, &points).as_ref(), Some(expected), "{id} {curve} {group}");
                    assert_eq!(read::<C>(id, curve, group, expected), points);
                }
                assert_eq!(Vec::<Affine<C>>::deserialize_compressed(&compressed[..]).unwrap(), points);
            }
        }).unwrap();
    }
}

#[test]
fn blst_reads_and_writes_the_same() {
    let points = multiples::<ark_bls12_381::g2::Config>(8);
    let bytes = file(FormatId::ZcashCompressed, CurveId::Bls12_381, GroupId::G2, None, &points).unwrap();
    let plain = file(FormatId::Zcash, CurveId::Bls12_381, GroupId::G2, None, &points).unwrap();
    for (bytes, plain) in bytes.chunks(96).zip(plain.chunks(192)) {
        let (mut point, mut compressed, mut serialized) =
            (blst::blst_p2_affine::default(), [0; 96], [0; 192]);
        // SAFETY: the buffers have the lengths that blst expects.
        unsafe {
            assert_eq!(blst::blst_p2_uncompress(&mut point, bytes.as_ptr()), blst::BLST_ERROR::BLST_SUCCESS);
            blst::blst_p2_affine_compress(compressed.as_mut_ptr(), &point);
            blst::blst_p2_affine_serialize(serialized.as_mut_ptr(), &point);
        }
        assert_eq!((&compressed[..], &serialized[..]), (bytes, plain));
    }
}

/// Multiples 0, 1, -1, 2, 3, 4, 5 and -5 of the generators, as gnark-crypto's encoder wrote them.
#[test]
fn gnark_writes_the_same() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../formats/tests/samples/gnark.json")).unwrap();
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 12);
    for vector in vectors {
        let id = *FormatId::ALL.iter().find(|id| id.name() == vector["Format"]).unwrap();
        let curve = *CurveId::ALL.iter().find(|curve| curve.name() == vector["Curve"]).unwrap();
        let group = *GroupId::ALL.iter().find(|group| group.name() == vector["Group"]).unwrap();
        let bytes = unhex(vector["Bytes"].as_str().unwrap());
        with_curve!(curve, group, C => {
            let generator = Projective::<C>::from(Affine::generator());
            let multiples = [0i64, 1, -1, 2, 3, 4, 5, -5].map(|k| generator * <C as ark_ec::CurveConfig>::ScalarField::from(k));
            let points = Projective::normalize_batch(&multiples);
            assert_eq!(read::<C>(id, curve, group, &bytes), points, "{id} {curve} {group}");
            assert_eq!(file(id, curve, group, None, &points), Some(bytes), "{id} {curve} {group}");
        }).unwrap();
    }
}

pub fn unhex(text: &str) -> Vec<u8> {
    bucketwheel_cli::commands::eip2537::unhex(text.as_bytes()).unwrap()
}

/// Checks with pairings that the sections of a set-up of snarkjs match their names.
#[test]
fn snarkjs_sections_are_powers() {
    fn check<E: ark_ec::pairing::Pairing<G1Affine = Affine<C>, G2Affine = Affine<D>>, C: Curve, D: Curve>(
        bytes: &[u8],
        curve: CurveId,
    ) {
        let open = |section| {
            let body =
                FormatId::Ptau.format().open(bytes, Wanted { section: Some(section), ..Wanted::default() });
            let body = body.unwrap();
            assert_eq!(body.curve, curve);
            body
        };
        let g1 = |section| {
            let body = open(section);
            assert_eq!(body.group, GroupId::G1);
            decode::<C>(&body.codec, &body.bytes, Check::Subgroup).unwrap()
        };
        let g2 = |section| {
            let body = open(section);
            assert_eq!(body.group, GroupId::G2);
            decode::<D>(&body.codec, &body.bytes, Check::Subgroup).unwrap()
        };
        let (tau, alpha, beta) = (g1(Section::TauG1), g1(Section::AlphaTauG1), g1(Section::BetaTauG1));
        let (tau2, beta2) = (g2(Section::TauG2), g2(Section::BetaG2));
        assert_eq!([tau.len(), alpha.len(), beta.len(), tau2.len(), beta2.len()], [7, 4, 4, 4, 1]);
        assert_eq!((tau[0], tau2[0]), (Affine::generator(), Affine::generator()));
        for powers in [&tau, &alpha, &beta] {
            for pair in powers.windows(2) {
                assert_eq!(E::pairing(pair[0], tau2[1]), E::pairing(pair[1], tau2[0]));
            }
        }
        assert_eq!(E::pairing(beta[0], tau2[0]), E::pairing(tau[0], beta2[0]));
        assert_ne!(tau[1], tau[0]);

        // The output holds only this section, in the same bytes.
        for section in [Section::TauG1, Section::AlphaTauG1] {
            let written = file(FormatId::Ptau, curve, GroupId::G1, Some(section), &g1(section)).unwrap();
            let again = FormatId::Ptau.format();
            let again = again.open(&written, Wanted { section: Some(section), ..Wanted::default() });
            assert_eq!(again.unwrap().bytes, open(section).bytes);
        }
        let written = file(FormatId::Ptau, curve, GroupId::G2, None, &tau2).unwrap();
        assert!(written.ends_with(&open(Section::TauG2).bytes));
    }
    check::<ark_bn254::Bn254, _, _>(
        include_bytes!("../../../formats/tests/samples/bn254.ptau"),
        CurveId::Bn254,
    );
    check::<ark_bls12_381::Bls12_381, _, _>(
        include_bytes!("../../../formats/tests/samples/bls12-381.ptau"),
        CurveId::Bls12_381,
    );
}

/// Converts by the program to every format that can hold the points, and back.
#[test]
fn conversions() {
    for (curve, group) in [("bls12-381", "g1"), ("bls12-381", "g2"), ("bls12-377", "g1"), ("bn254", "g2")] {
        let directory = generated(&format!("--curve {curve} --group {group} --size 256 --seed 3"));
        let at = directory.path();
        let original = fs::read(at.join("points")).unwrap();
        for id in FormatId::WRITTEN {
            let to_section =
                if *id == FormatId::Ptau && group == "g1" { "--to-section alphaTauG1" } else { "" };
            let from_section = to_section.replace("to-", "");
            let codec = id.format().codec(
                *CurveId::ALL.iter().find(|id| id.name() == curve).unwrap(),
                if group == "g1" { GroupId::G1 } else { GroupId::G2 },
            );
            let line = format!("convert --to {id} {to_section} points other");
            if codec.is_none() {
                assert!(
                    fail(at, &line).contains(&format!("{id} has no {group} points of {curve}: expected "))
                );
                continue;
            }
            let text = succeed(at, &line);
            assert_eq!(text, format!("256 {curve} {group} points, bucketwheel to {id}: other\n"));
            let said = format!("--curve {curve} --group {group} {from_section}");
            for (from, said) in [(id.name(), &said), ("auto", &from_section)] {
                succeed(
                    at,
                    &format!("convert --from {from} {said} --to bucketwheel --check subgroup other back"),
                );
                assert!(fs::read(at.join("back")).unwrap() == original, "{id} {said}");
                let said = said.replace(&format!("--group {group}"), "");
                let result = &json(
                    at,
                    &format!("check --encoding {from} {said} --group {group} other --subgroup --json"),
                )[0];
                assert_eq!((&result["valid"], &result["points"]), (&true.into(), &256.into()), "{result}");
            }
            let sum = |options: &str| {
                let group = if options.is_empty() {
                    String::new()
                } else {
                    format!("--curve {curve} --group {group}")
                };
                json(
                    at,
                    &format!(
                        "msm {options} {group} --json {} scalars",
                        if options.is_empty() { "points" } else { "other" }
                    ),
                )[0]["x"]
                    .clone()
            };
            assert_eq!(sum(&format!("--encoding {id} {from_section}")), sum(""), "{id}");
        }
    }
}

#[test]
fn the_kzg_setup() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let setup = bucketwheel_properties::command::SETUP;
    fs::write(at.join("setup"), setup).unwrap();
    let parts = json(at, "check setup --subgroup --json");
    let parts: Vec<_> = parts
        .as_array()
        .unwrap()
        .iter()
        .map(|part| (&part["section"], part["points"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        parts,
        [(&"g1-lagrange".into(), 4096), (&"g2-monomial".into(), 65), (&"g1-monomial".into(), 4096)]
    );
    succeed(at, "convert setup --section g2-monomial --to zcash-compressed g2");
    let words: Vec<&str> = setup.split_ascii_whitespace().collect();
    let g2 = fs::read(at.join("g2")).unwrap();
    assert!(g2.chunks(96).zip(&words[2 + 4096..]).all(|(point, word)| point == unhex(word)));
    succeed(at, "convert g2 --to kzg text");
    assert_eq!(
        fs::read_to_string(at.join("text")).unwrap(),
        format!("0\n65\n{}\n", words[2 + 4096..][..65].join("\n"))
    );
    let pair = generated("--curve bls12-381 --group pair --size 9");
    let text = succeed(pair.path(), "check points");
    assert_eq!(text.lines().count(), 2);
    assert!(text.contains("9 bls12-381 g2 points, all on the curve"), "{text}");
    assert!(fail(pair.path(), "convert points --to zcash out")
        .contains("does not tell its group: expected --group"));
}

/// Changes a byte; the error must name the fault and the point.
#[test]
fn the_first_bad_point_is_named() {
    let directory = generated("--curve bls12-381 --group g1 --size 20000 --seed 6");
    let at = directory.path();
    for id in ["bucketwheel", "zcash", "zcash-compressed", "eip2537"] {
        succeed(at, &format!("convert points --to {id} good"));
        let good = fs::read(at.join("good")).unwrap();
        let start = if id == "bucketwheel" { 64 } else { 0 };
        let size = (good.len() - start) / 20000;
        let check = |index: usize, offset: usize, value: &[u8], expected: &str| {
            let mut bad = good.clone();
            // The last point is wrong, too.
            for index in [19999, index] {
                bad[start + index * size + offset..][..value.len()].copy_from_slice(value);
            }
            fs::write(at.join("bad"), bad).unwrap();
            let line = format!("check bad --encoding {id} --curve bls12-381 --group g1 --threads 2");
            let message = fail(at, &line);
            assert!(message.starts_with(&format!("bad: g1 point {index} {expected}")), "{id}: {message}");
            // The command leaves no file behind.
            let line = format!("convert bad --from {id} --curve bls12-381 --group g1 --to arkworks out");
            assert_eq!(fail(at, &line), message);
            assert!(!at.join("out").exists());
        };
        let (top, compressed) = if id == "bucketwheel" { (47, false) } else { (0, id == "zcash-compressed") };
        match id {
            "bucketwheel" => check(9001, size - 1, &[0xff], "has a coordinate"),
            // Half of all x have a y, so a changed x may be valid.
            "zcash-compressed" => {}
            _ => check(9001, size - 1, &[0xff], "is not on the curve"),
        }
        match id {
            "bucketwheel" => {
                check(0, top, &[0xff], "has a coordinate that is not below the field's modulus: expected")
            }
            "eip2537" => check(77, 0, &[1], "has a coordinate that is not below"),
            _ => {
                check(8191, 0, &[if compressed { 0x9f } else { 0x1f }], "has a coordinate that is not below");
                check(
                    8192,
                    0,
                    &[if compressed { 0 } else { 0x80 }],
                    if compressed {
                        "is uncompressed: expected compressed points"
                    } else {
                        "is compressed: expected uncompressed points"
                    },
                );
                check(1, 0, &[if compressed { 0xe0 } else { 0x20 }], "has flags that do not fit");
                check(
                    1,
                    0,
                    &[if compressed { 0xc1 } else { 0x41 }],
                    "is flagged as the point at infinity: expected",
                );
            }
        }
    }
}

/// Points of the curve outside of the subgroup: of order 3 on BLS12-381, and of any order on the twists.
#[test]
fn points_outside_of_the_subgroup() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let order_three = Affine::<ark_bls12_381::g1::Config>::new_unchecked(0.into(), 2.into());
    let points = [multiples(30), vec![order_three]].concat();
    for id in [FormatId::ZcashCompressed, FormatId::Eip2537] {
        let bytes = file(id, CurveId::Bls12_381, GroupId::G1, None, &points).unwrap();
        fs::write(at.join("points"), bytes).unwrap();
        let line = format!("check points --encoding {id} --group g1");
        assert!(succeed(at, &line).contains("31 bls12-381 g1 points, all on the curve"));
        let message = fail(at, &format!("{line} --subgroup"));
        assert_eq!(
            message,
            "points: g1 point 30 is not in the prime-order subgroup: expected a point of order r"
        );
    }
    // The x of a later point has no y.
    let mut bytes = file(FormatId::ZcashCompressed, CurveId::Bls12_381, GroupId::G1, None, &points).unwrap();
    let no_point = (1u8..)
        .find(|&x| Affine::<ark_bls12_381::g1::Config>::get_point_from_x_unchecked(x.into(), true).is_none())
        .unwrap();
    bytes.extend([0x80].into_iter().chain([0; 46]).chain([no_point]));
    fs::write(at.join("more"), bytes).unwrap();
    let line = "check more --encoding zcash-compressed --group g1";
    assert!(fail(at, line).starts_with("more: g1 point 31 is not on the curve"));
    assert!(
        fail(at, &format!("{line} --subgroup")).starts_with("more: g1 point 30 is not in the prime-order")
    );
    let output = crate::run(at, "check points --encoding eip2537 --group g1 --subgroup --json");
    assert_eq!(output.status.code(), Some(1));
    let parts: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&parts[0]["bad_index"], &parts[0]["valid"]), (&30.into(), &false.into()));
}

#[test]
fn formats_that_cannot_be_told() {
    let directory = generated("--curve bls12-377 --group g1 --size 5");
    let at = directory.path();
    let ambiguous = |at: &Path, file: &str| fail(at, &format!("check {file}"));
    fs::write(at.join("empty"), "").unwrap();
    assert!(ambiguous(at, "empty")
        .starts_with("empty: cannot tell the format: the file fits no format; expected --from"));
    fs::write(at.join("noise"), [7; 4096]).unwrap();
    assert!(ambiguous(at, "noise").contains("the file fits no format"));
    succeed(at, "convert points --to arkworks other");
    assert!(fail(at, "check other --encoding arkworks").contains("does not tell its curve: expected --curve"));
    assert!(fail(at, "check other --encoding arkworks --curve bn254 --group g1")
        .contains("488 bytes: expected 328 for 5 bn254 g1 points"));
    assert!(fail(at, "check points --curve bn254")
        .contains("the file holds bls12-377: expected bn254, as asked for"));
    assert!(fail(at, "check points --section tauG1")
        .contains("a bucketwheel file has no section tauG1: expected no --section"));
    assert!(fail(at, "convert points --to ptau out")
        .contains("ptau has no g1 points of bls12-377: expected g1 or g2 of"));
    let bn254 = generated("--curve bn254 --size 6");
    assert!(fail(bn254.path(), "convert points --to ptau out")
        .contains("6 points make no tauG1 section of a ptau file: expected a power of two less one"));
}

/// Returns a ptau file with these sections, by type.
fn ptau(sections: &[(u32, &[u8])]) -> Vec<u8> {
    let mut bytes = b"ptau".to_vec();
    bytes.extend([1, sections.len() as u32].map(u32::to_le_bytes).concat());
    for (section, content) in sections {
        bytes.extend(section.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(*content);
    }
    bytes
}

/// Returns snarkjs' file with sections 1 to 7, followed by these empty sections.
fn with_empty_sections(types: std::ops::Range<u32>) -> Vec<u8> {
    let mut bytes = include_bytes!("../../../formats/tests/samples/bn254.ptau").to_vec();
    bytes[8..12].copy_from_slice(&(7 + types.len() as u32).to_le_bytes());
    bytes.extend(&ptau(&types.map(|section| (section, &[][..])).collect::<Vec<_>>())[12..]);
    bytes
}

/// Converts a file with the number of sections that snarkjs writes when it prepares the second phase. The search for a
/// repeated point takes no longer than among few points.
#[test]
fn a_ptau_has_few_sections() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("prepared"), with_empty_sections(12..16)).unwrap();
    assert_eq!(succeed(at, "check prepared --subgroup").lines().count(), 5);
    let sections: Vec<_> = (100..400_100).map(|section| (section, &[][..])).collect();
    let files = [(12, with_empty_sections(12..17)), (400_000, ptau(&sections))];
    for (count, bytes) in files {
        fs::write(at.join("many"), bytes).unwrap();
        let message = format!("many: this is not a ptau file: {count} sections: expected at most 11");
        assert_eq!(fail(at, "check many --subgroup"), message);
    }
}

/// A file without points must be refused, not reported as right.
#[test]
fn a_check_of_no_points_fails() {
    let empty = generated("--curve bls12-381 --group pair --size 0");
    fs::write(empty.path().join("nothing"), "").unwrap();
    succeed(empty.path(), "convert points --group g1 --to arkworks other");
    for line in [
        "check points",
        "check points --subgroup --json",
        "check nothing --encoding zcash --group g1",
        "check nothing --encoding eip2537 --group g2 --subgroup",
        "check other --encoding arkworks --curve bls12-381 --group g1",
    ] {
        let name = line.split(' ').nth(1).unwrap();
        let expected = format!("{name}: there are no points in the file: expected at least one");
        assert_eq!(fail(empty.path(), line), expected);
    }
    let points = multiples::<ark_bn254::g1::Config>(1);
    let tau = file(FormatId::Ptau, CurveId::Bn254, GroupId::G1, Some(Section::TauG1), &points).unwrap();
    let header = &tau[24..][..44];
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for sections in [&[][..], &[(1, header)], &[(1, header), (12, &[][..])]] {
        fs::write(at.join("file"), ptau(sections)).unwrap();
        for (group, expected) in [
            ("", "this is not a ptau file: expected a section of points"),
            ("--group g2", "the file holds no section of g2 points: expected one, as asked for"),
        ] {
            let message = fail(at, &format!("check file --subgroup {group}"));
            assert_eq!(message, format!("file: {expected}"));
        }
    }
    fs::write(at.join("file"), &tau).unwrap();
    assert_eq!(succeed(at, "check file --group g1 --subgroup").lines().count(), 1);
    let message = fail(at, "check file --group g2 --subgroup");
    assert_eq!(message, "file: the file holds no section of g2 points: expected one, as asked for");
}

/// A text of words that are too short for points needs less memory than the points would.
#[test]
#[cfg(target_os = "linux")]
fn short_words_take_no_points_memory() {
    const WORDS: usize = 12 << 20;
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("text"), format!("0\n{WORDS}\n{}", "0 ".repeat(WORDS))).unwrap();
    let program = env!("CARGO_BIN_EXE_bucketwheel");
    let script = format!("ulimit -v {} && exec {program} check text --threads 1", WORDS * 96 / 1024);
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert_eq!(
        crate::error_of(&output, 1),
        "text, section g2-monomial: this is not a kzg file: g2 point 0 of g2-monomial: expected 192 hexadecimal digits"
    );
}

/// The documentation must list the curves of each format.
#[test]
fn documented_curves_are_those_of_the_formats() {
    let text = include_str!("../../../../docs/formats.md");
    for &id in FormatId::ALL {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{id}` |"))).unwrap();
        let said = row.trim_end_matches(" |").rsplit(" | ").next().unwrap().to_lowercase();
        for &curve in CurveId::ALL {
            let said = said == "all" || said.split(", ").any(|name| name == curve.name());
            assert_eq!(id.format().codec(curve, GroupId::G1).is_some(), said, "{id} {curve}");
        }
    }
}

#[test]
fn a_cancelled_conversion_leaves_nothing() {
    use clap::Parser;
    let directory = generated("--curve bn254 --size 10");
    let at = directory.path();
    let path = |name: &str| at.join(name).display().to_string();
    let cancel = bucketwheel::Cancel::new();
    cancel.cancel();
    for line in [
        vec!["bucketwheel".into(), "convert".into(), "--to=gnark".into(), path("points"), path("out")],
        vec!["bucketwheel".into(), "check".into(), path("points")],
    ] {
        let args = bucketwheel_cli::args::Args::try_parse_from::<_, String>(line).unwrap();
        let error = bucketwheel_cli::run(args, &cancel, &mut Vec::new()).unwrap_err();
        assert_eq!(error.exit_code(), 130);
    }
    // Only the points and the scalars, no temporary file.
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
}
