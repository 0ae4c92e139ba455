//! The commands on circuits, witnesses, keys and proofs, with files of circom and snarkjs.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{fail, json, run, succeed};

/// Returns a temporary directory with the files of a small circuit.
pub fn files(curve: &str) -> TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data").join(curve);
    let directory = tempfile::tempdir().unwrap();
    for (name, to) in [
        ("power.r1cs", "r1cs"),
        ("power.wtns", "wtns"),
        ("power.zkey", "zkey"),
        ("verification_key.json", "vkey"),
        ("proof.json", "proof"),
        ("public.json", "public"),
    ] {
        fs::copy(from.join(name), directory.path().join(to)).unwrap();
    }
    directory
}

/// The folders of `files`, and snarkjs' names of the curves.
pub const CURVES: [(&str, &str); 2] = [("bn254", "bn128"), ("bls12-381", "bls12381")];

/// Changes a file.
pub fn edit(at: &Path, name: &str, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(at.join(name)).unwrap();
    change(&mut bytes);
    fs::write(at.join(name), bytes).unwrap();
}

#[test]
fn proofs_hold_or_not() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let ok = format!("OK: the proof holds, {curve} with 2 public signals\n");
        assert_eq!(succeed(at, "verify vkey public proof"), ok);
        let verdict = json(at, "verify vkey public proof --json");
        assert_eq!(verdict, serde_json::json!({ "valid": true, "curve": curve, "proofs": 1, "public": 2 }));

        fs::write(at.join("other"), "[\"1\", \"2\"]").unwrap();
        let message = fail(at, "verify vkey other proof");
        assert_eq!(
            message,
            "proof: the proof does not hold for the public signals in other and this key: was it made from another witness or circuit?"
        );
        let output = run(at, "verify vkey other proof --json");
        assert_eq!(output.status.code(), Some(1));
        let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(verdict["valid"], false);

        let ok = format!("OK: all 3 proofs hold, {curve} with 2 public signals each\n");
        assert_eq!(succeed(at, "verify vkey public proof public proof public proof"), ok);
        assert_eq!(fail(at, "verify vkey public proof public proof other proof"), message);
        let output = run(at, "verify vkey public proof other proof other proof --json");
        let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&verdict["first_bad"], &verdict["proofs"]), (&1.into(), &3.into()));
        let message = fail(at, "verify vkey public proof other");
        assert_eq!(message, "other: expected a proof after these public signals; pass it too");
    }
}

#[test]
fn what_cannot_be_verified() {
    let directory = files("bn254");
    let at = directory.path();
    fs::write(at.join("few"), "[\"1\"]").unwrap();
    assert_eq!(
        fail(at, "verify vkey few proof"),
        "few: 1 public signals: expected 2, as many as the verifying key has"
    );
    // The order of BN254.
    let order = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    fs::write(at.join("large"), format!("[\"1\", \"{order}\"]")).unwrap();
    assert!(
        fail(at, "verify vkey large proof").starts_with("large: public signal 1 is not a canonical number")
    );
    assert_eq!(
        fail(at, "verify vkey proof public"),
        "proof: this is a proof: expected public signals (public.json), as snarkjs writes it"
    );
    assert_eq!(
        fail(at, "verify proof public vkey"),
        "proof: this is a proof: expected a verification key (verification_key.json), as snarkjs writes it"
    );
    assert_eq!(
        fail(at, "verify zkey public proof"),
        "zkey: this is a .zkey file: expected a verification key (verification_key.json), as snarkjs writes it"
    );
    fs::write(at.join("empty"), "").unwrap();
    assert!(fail(at, "verify vkey public empty").starts_with("empty: the JSON ends too early"));
    assert!(
        fail(at, "zkey info empty").starts_with("empty: this is not a .zkey file: expected it to start with")
    );
    edit(at, "proof", |bytes| {
        let at = bytes.iter().position(|byte| *byte == b'1').unwrap();
        bytes[at] = b'2';
    });
    assert!(fail(at, "verify vkey public proof").starts_with("proof: pi_"));
    assert_eq!(
        fail(at, "verify missing public proof"),
        "cannot read missing: No such file or directory (os error 2); expected a verification_key.json or a key of ark-groth16, check the path"
    );
    assert!(fail(at, "verify vkey . proof").contains("it is not a regular file; expected a public.json"));
    let other = files("bls12-381");
    fs::copy(other.path().join("proof"), at.join("proof")).unwrap();
    assert_eq!(fail(at, "verify vkey public proof"), "proof: the file is for curve bls12381: expected bn128");
}

/// Runs the table of `crates/snarkjs/tests/files/texts.rs`.
#[test]
fn texts_are_taken_or_refused_as_in_every_face() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let table: Vec<serde_json::Value> =
        serde_json::from_slice(&fs::read(data.join("texts.json")).unwrap()).unwrap();
    for (part, file) in [("key", "mul.vkey.json"), ("public", "mul.public.json"), ("proof", "mul.proof.json")]
    {
        fs::copy(data.join("circom").join(file), at.join(part)).unwrap();
    }
    for entry in table {
        let part = entry["part"].as_str().unwrap();
        fs::write(at.join("text"), entry["text"].as_str().unwrap()).unwrap();
        let line = "verify key public proof".replace(part, "text");
        match entry["says"].as_str() {
            None => assert_eq!(succeed(at, &line), "OK: the proof holds, bn128 with 1 public signals\n"),
            Some(says) => {
                let message = fail(at, &line);
                assert!(message.starts_with("text: ") && message.contains(says), "{message:?}: {says:?}");
            }
        }
    }
}

#[test]
fn files_that_declare_more_sections_are_read_with_a_warning() {
    let directory = files("bn254");
    let at = directory.path();
    for name in ["r1cs", "wtns", "zkey"] {
        edit(at, name, |bytes| bytes[8] += 1);
    }
    let warning = |name: &str, declared: u32| {
        format!("warning: {name}: the file declares {declared} sections and ends after {}", declared - 1)
    };
    for (line, warnings) in [
        ("r1cs info r1cs", &[warning("r1cs", 4)][..]),
        ("witness check r1cs wtns", &[warning("r1cs", 4), warning("wtns", 3)]),
        ("setup r1cs --out made", &[warning("r1cs", 4)]),
        ("zkey info zkey", &[warning("zkey", 11)]),
        ("prove zkey wtns new-proof new-public", &[warning("zkey", 11), warning("wtns", 3)]),
    ] {
        let output = run(at, line);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {told}");
        assert!(warnings.iter().all(|warning| told.contains(warning)), "{line}: {told}");
    }
    for (line, count) in
        [("r1cs info r1cs --json", 1), ("zkey info zkey --json", 1), ("prove zkey wtns p q --json", 2)]
    {
        let output = run(at, line);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["warnings"].as_array().unwrap().len(), count, "{line}");
    }
}

#[test]
fn keys_tell_what_they_are_for() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let info = json(at, "zkey info zkey --json");
        let expected = serde_json::json!({
            "bytes": fs::metadata(at.join("zkey")).unwrap().len(),
            "curve": curve,
            "protocol": "groth16",
            "signals": 7,
            "public": 2,
            "domain_size": 8,
            "constraints": 4,
            "coefficients_a": 7,
            "coefficients_b": 4,
            "signals_without_b": 5,
            "contributions": 1,
        });
        assert_eq!(info, expected);
        let text = succeed(at, "zkey info zkey");
        assert!(text.starts_with(&format!("zkey: a Groth16 key for {curve}, ")), "{text}");
        assert!(text.contains("domain of 2^3") && text.contains("contributions 1"), "{text}");
        assert!(fail(at, "zkey info wtns").contains("wtns: this is a .wtns file: expected a .zkey file"));
    }
}

#[test]
fn the_exported_verifying_key_is_snarkjs_own() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let text = succeed(at, "zkey export-vkey zkey exported");
        assert_eq!(text, format!("{curve} verifying key: exported\n"));
        assert_eq!(fs::read(at.join("exported")).unwrap(), fs::read(at.join("vkey")).unwrap());
        assert!(fail(at, "zkey export-vkey zkey no/where").starts_with("cannot write no/where: "));
    }
}

/// Keys and proofs of ark-groth16 (`crates/formats/tests/samples/README.md`).
#[test]
fn arkworks_keys_are_taken() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/samples");
    for (folder, curve) in CURVES {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        fs::copy(from.join(format!("arkworks-{folder}.proof.json")), at.join("proof")).unwrap();
        fs::write(at.join("public"), "[\"9\"]").unwrap();
        fs::write(at.join("other"), "[\"8\"]").unwrap();
        let mut exported = Vec::new();
        for name in [".vk", ".pk", "-compressed.vk", "-compressed.pk"] {
            fs::copy(from.join(format!("arkworks-{folder}{name}")), at.join("key")).unwrap();
            let ok = format!("OK: the proof holds, {curve} with 1 public signals\n");
            assert_eq!(succeed(at, "verify key public proof"), ok);
            assert!(fail(at, "verify key other proof").starts_with("proof: the proof does not hold"));
            assert_eq!(succeed(at, "zkey export-vkey key vkey"), format!("{curve} verifying key: vkey\n"));
            assert_eq!(succeed(at, "verify vkey public proof"), ok);
            exported.push(fs::read(at.join("vkey")).unwrap());
            if folder == "bn254" {
                succeed(at, "zkey export-solidity key a.sol");
                succeed(at, "zkey export-solidity vkey b.sol");
                assert_eq!(fs::read(at.join("a.sol")).unwrap(), fs::read(at.join("b.sol")).unwrap());
            }
            // Another x of a compressed point may have a y, so the key may be valid.
            if name.starts_with("-compressed") {
                continue;
            }
            edit(at, "key", |bytes| bytes[40] ^= 1);
            let message = fail(at, "verify key public proof");
            assert!(
                message.starts_with("key: point 0 of alpha-g1 is not on the curve: expected "),
                "{message}"
            );
            assert_eq!(fail(at, "zkey export-vkey key vkey"), message);
        }
        exported.dedup();
        assert_eq!(exported.len(), 1);
    }
}

#[test]
fn points_of_keys_are_checked() {
    for (folder, _) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let ok = "OK: all points of zkey are in their groups, and its secrets agree in both\n";
        let rest = "not checked: the circuit; pass --r1cs and --ptau to check it\n";
        assert_eq!(succeed(at, "zkey check zkey"), format!("{ok}{rest}"));
        assert_eq!(succeed(at, "zkey check zkey --threads 1"), format!("{ok}{rest}"));
        let ceremony = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data/ceremony");
        for ending in ["zkey", "ptau"] {
            fs::copy(ceremony.join(format!("{folder}-3.{ending}")), at.join(format!("of-{ending}"))).unwrap();
        }
        let ok = ok.replace(" zkey ", " of-zkey ");
        assert_eq!(
            succeed(at, "zkey check of-zkey --r1cs r1cs --ptau of-ptau"),
            format!("{ok}OK: every section follows from r1cs and of-ptau\n")
        );
        let message = fail(at, "zkey check zkey --r1cs r1cs --ptau of-ptau");
        assert!(
            message.starts_with("zkey: alpha1 differs from the alpha1 of the powers of tau"),
            "{message}"
        );
        assert!(fail(at, "zkey check zkey --r1cs r1cs --ptau wtns").starts_with("wtns: this is a .wtns file"));
        // Changes the last coordinate before the transcript, where snarkjs has section 9.
        edit(at, "zkey", |bytes| {
            let transcript = bytes.len();
            let at =
                (0..transcript).rev().find(|&at| bytes[..at].ends_with(&10u32.to_le_bytes())).unwrap() - 5;
            bytes[at - 8] ^= 1;
        });
        let message = fail(at, "zkey check zkey");
        assert!(
            message.starts_with("zkey: point 7 in section 9 (points H) is not on the curve"),
            "{message}"
        );
    }
}

/// Errors of a damaged key must name the key, not the witness.
#[test]
fn proofs_blame_the_key_that_is_damaged() {
    for (folder, _) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let line = "prove zkey wtns new-proof new-public";
        // Changes a coordinate of the points A, the first section with a point for each signal.
        edit(at, "zkey", |bytes| {
            let mut at = 12;
            while bytes[at..][..4] != 5u32.to_le_bytes() {
                at += 12 + u64::from_le_bytes(bytes[at + 4..][..8].try_into().unwrap()) as usize;
            }
            bytes[at + 12 + 2 * (if folder == "bn254" { 64 } else { 96 })] ^= 1;
        });
        let message = fail(at, line);
        let expected =
            "zkey: point 2 of A is not on the curve: expected points of the group; the key is damaged";
        assert!(message.starts_with(expected), "{message}");
        assert!(!at.join("new-proof").exists() && !at.join("new-public").exists());
    }
}

#[test]
fn circuits_tell_their_size() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let info = json(at, "r1cs info r1cs --json");
        let expected = serde_json::json!({
            "curve": curve,
            "wires": 7,
            "outputs": 1,
            "public_inputs": 1,
            "private_inputs": 1,
            "labels": 7,
            "constraints": 4,
            "terms": [4, 4, 6],
            "domain_size": 8,
        });
        assert_eq!(info, expected);
        assert!(succeed(at, "r1cs info r1cs").contains("constraints   4, domain of 2^3"));
        assert!(fail(at, "r1cs info zkey").contains("this is a .zkey file: expected a .r1cs file"));
    }
}

#[test]
fn witnesses_are_checked() {
    for (folder, _) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        assert_eq!(succeed(at, "witness check r1cs wtns"), "OK: the witness satisfies all 4 constraints\n");
        edit(at, "wtns", |bytes| bytes[76 + 4 * 32] ^= 1);
        let message = fail(at, "witness check r1cs wtns --threads 1");
        assert!(message.starts_with("wtns: constraint 0 does not hold: A is "), "{message}");
        assert!(
            fail(at, "witness check wtns wtns").starts_with("wtns: this is a .wtns file: expected a .r1cs")
        );
        edit(at, "wtns", |bytes| bytes.truncate(200));
        assert!(
            fail(at, "witness check r1cs wtns").starts_with("wtns: section 2 is cut off: expected 224 bytes")
        );
    }
}

/// Copies a file of circom from the prover's tests, under its own name.
pub fn foreign(at: &Path, name: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data/foreign");
    fs::copy(from.join(name), at.join(Path::new(name).file_name().unwrap())).unwrap();
}

#[test]
fn a_failed_constraint_names_its_signals() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for file in ["r1cs", "sym", "wtns"] {
        foreign(at, &format!("2.2.3/checks.{file}"));
    }
    let verdict = json(at, "witness check checks.r1cs checks.wtns --json");
    assert_eq!(verdict, serde_json::json!({ "satisfied": true, "constraints": 2 }));
    // Sets b, wire 3, to -1 instead of 8.
    let minus_one = b"\0\0\0\xf0\x93\xf5\xe1\x43\x91\x70\xb9\x79\x48\xe8\x33\x28\x5d\x58\x81\x81\xb6\x45\x50\xb8\x29\xa0\x31\xe1\x72\x4e\x64\x30";
    edit(at, "checks.wtns", |bytes| bytes[76 + 3 * 32..][..32].copy_from_slice(minus_one));
    let expected = "checks.wtns: constraint 0 does not hold: A is -7, B is -1 and C is -56: expected C to be 7, the product \
                    of A and B; it is -main.a * main.b = -main.c, where main.c is 56, main.a is 7, main.b is -1; calculate \
                    the witness again, with this circuit";
    assert_eq!(fail(at, "witness check checks.r1cs checks.wtns"), expected);
    let output = run(at, "witness check checks.r1cs checks.wtns --json");
    assert_eq!(output.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["satisfied"], false);
    assert_eq!(verdict["unsatisfied"]["constraint"], 0);
    assert_eq!(verdict["unsatisfied"]["signals"][2], serde_json::json!({ "name": "main.b", "value": "-1" }));

    // The names come from another file, from no file, and from a file without names.
    fs::rename(at.join("checks.sym"), at.join("names")).unwrap();
    assert_eq!(fail(at, "witness check checks.r1cs checks.wtns --sym names"), expected);
    let unnamed = expected.replace("main.c", "w1").replace("main.a", "w2").replace("main.b", "w3");
    assert_eq!(fail(at, "witness check checks.r1cs checks.wtns"), unnamed);
    let message = fail(at, "witness check checks.r1cs checks.wtns --sym checks.r1cs");
    assert!(message.starts_with("checks.r1cs: line 1 names no signal: expected LABEL,WIRE"), "{message}");
}

#[test]
fn proofs_of_gnark_hold_or_not() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/samples");
    let more = ["bls12-377", "bw6-761"].map(|name| (name, name));
    for (folder, curve) in CURVES.into_iter().chain(more) {
        for (circuit, inputs) in [("", 1), ("-committed", 2)] {
            let directory = tempfile::tempdir().unwrap();
            let at = directory.path();
            for name in ["vk", "public", "proof"] {
                let from = samples.join(format!("gnark-{folder}{circuit}.{name}"));
                fs::copy(from, at.join(name)).unwrap();
            }
            if cfg!(not(feature = "gnark-all")) && folder == curve {
                assert_eq!(
                    fail(at, "verify --format gnark vk public proof"),
                    format!("vk: a key over {curve}: expected a build with the feature gnark-all")
                );
                continue;
            }
            let ok = format!("OK: the proof holds, {curve} with {inputs} public signals\n");
            assert_eq!(succeed(at, "verify --format gnark vk public proof"), ok);
            let verdict = json(at, "verify --format gnark vk public proof public proof --json");
            let expected =
                serde_json::json!({ "valid": true, "curve": curve, "proofs": 2, "public": inputs });
            assert_eq!(verdict, expected);
            fs::copy(at.join("public"), at.join("other")).unwrap();
            // The last byte of the first value.
            let size = if folder == "bw6-761" { 48 } else { 32 };
            edit(at, "other", |bytes| bytes[12 + size - 1] ^= 1);
            assert_eq!(
                fail(at, "verify --format gnark vk public proof other proof"),
                "proof: the proof does not hold for the public signals in other and this key: was it made from another witness or circuit?"
            );
            let refused = |line: &str, says: &str| {
                let message = fail(at, line);
                assert!(message.starts_with(says), "{message}");
            };
            let none = "this is no verifying key of gnark's Groth16, or a part of one: expected all bytes that WriteTo or WriteRawTo";
            refused("verify --format gnark proof public vk", &format!("proof: {none}"));
            refused("verify --format gnark vk proof public", "proof: the number of ");
            refused("verify vk public proof", "vk: ");
            edit(at, "proof", |bytes| bytes.truncate(bytes.len() - 1));
            refused("verify --format gnark vk public proof", "proof: CommitmentPok is cut off: expected ");
        }
    }
}
