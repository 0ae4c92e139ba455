//! Contracts, their arguments, and witnesses as JSON. The prover's tests run the contract.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::groth16::{files, CURVES};
use crate::{fail, succeed};

#[test]
fn contracts_come_from_both_keys() {
    let directory = files("bn254");
    let at = directory.path();
    assert_eq!(succeed(at, "zkey export-solidity zkey a.sol"), "contract Groth16Verifier: a.sol\n");
    succeed(at, "zkey export solidityverifier vkey b.sol");
    let contract = fs::read_to_string(at.join("a.sol")).unwrap();
    assert_eq!(contract, fs::read_to_string(at.join("b.sol")).unwrap());
    for part in ["contract Groth16Verifier {", "uint256[2] calldata _pubSignals", "returns (bool)"] {
        assert!(contract.contains(part), "{contract}");
    }
    assert!(fail(at, "zkey export-solidity proof c.sol").starts_with("proof: "));
    assert!(fail(at, "zkey export-solidity wtns c.sol").starts_with("wtns: "));
    succeed(at, "zkey export verificationkey zkey exported");
    assert_eq!(fs::read(at.join("exported")).unwrap(), fs::read(at.join("vkey")).unwrap());
}

#[test]
fn arguments_are_hexadecimal() {
    let directory = files("bn254");
    let at = directory.path();
    let text = succeed(at, "zkey export-calldata public proof");
    assert_eq!(text, succeed(at, "zkey export soliditycalldata public proof"));
    let arguments: Value = serde_json::from_str(&format!("[{text}]")).unwrap();
    let public: Vec<String> = serde_json::from_slice(&fs::read(at.join("public")).unwrap()).unwrap();
    assert_eq!(arguments[3].as_array().unwrap().len(), public.len());
    assert!(fail(at, "zkey export-calldata proof proof").starts_with("proof: "));
    assert!(fail(at, "zkey export-calldata public vkey").starts_with("vkey: "));
}

#[test]
fn contracts_are_for_one_curve() {
    let directory = files("bls12-381");
    let at = directory.path();
    let reason = "curve bls12381: expected bn128, the curve of Ethereum's precompiled contracts 0x06 to 0x08";
    for (line, file) in [
        ("zkey export-solidity zkey a.sol", "zkey"),
        ("zkey export-solidity vkey a.sol", "vkey"),
        ("zkey export-calldata public proof", "proof"),
    ] {
        assert_eq!(fail(at, line), format!("{file}: {reason}"));
    }
    assert!(!at.join("a.sol").exists());
}

/// Returns the path of snarkjs, if Node is installed and tools/circuits.sh has fetched snarkjs.
fn snarkjs() -> Option<std::path::PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/circuits");
    let circuits = std::env::var_os("BUCKETWHEEL_CIRCUITS").map_or(built, Into::into);
    let program = circuits.join("npm/node_modules/snarkjs/build/cli.cjs");
    let is_there = program.exists() && Command::new("node").arg("--version").output().is_ok();
    (is_there || {
        eprintln!("skipped: needs Node and {}", program.display());
        false
    })
    .then_some(program)
}

#[test]
fn witnesses_are_lists_of_decimals() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let report = succeed(at, "witness export-json wtns w.json");
        succeed(at, "wtns export json wtns x.json");
        let text = fs::read_to_string(at.join("w.json")).unwrap();
        assert_eq!(text, fs::read_to_string(at.join("x.json")).unwrap());
        let values: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(report, format!("{curve} witness of {} values: w.json\n", values.len()));
        let public: Vec<String> = serde_json::from_slice(&fs::read(at.join("public")).unwrap()).unwrap();
        assert_eq!((&values[0][..], &values[1..=public.len()]), ("1", &public[..]));
        assert!(fail(at, "witness export-json zkey y.json").starts_with("zkey: "));
        let Some(program) = snarkjs() else { continue };
        let theirs = ["wtns", "export", "json", "wtns", "theirs.json"];
        assert!(Command::new("node").current_dir(at).arg(program).args(theirs).status().unwrap().success());
        assert_eq!(text, fs::read_to_string(at.join("theirs.json")).unwrap());
    }
}

/// Witnesses are secrets, and may be piped to other programs.
#[test]
#[cfg(unix)]
fn exported_witnesses_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = files("bn254");
    let at = directory.path();
    succeed(at, "witness export-json wtns w.json");
    assert_eq!(fs::metadata(at.join("w.json")).unwrap().permissions().mode() & 0o777, 0o600);
    let printed = succeed(at, "witness export-json wtns /dev/stdout");
    assert!(printed.starts_with(&fs::read_to_string(at.join("w.json")).unwrap()));
}
