//! The commands that make keys, circuits and witnesses, up to a proof that holds.

#[cfg(feature = "witness")]
use std::collections::BTreeSet;
use std::fs;

#[cfg(feature = "witness")]
use crate::groth16::foreign;
use crate::groth16::{files, CURVES};
use crate::{fail, run, succeed};

#[test]
fn a_development_key_proves() {
    for (folder, curve) in CURVES {
        let directory = files(folder);
        let at = directory.path();
        let output = run(at, "setup r1cs --out made.zkey --vkey made.json --threads 2");
        assert!(output.status.success());
        let warning = String::from_utf8(output.stderr).unwrap();
        assert_eq!(warning, "warning: made.zkey is for development: its maker can forge proofs\n");
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            format!("{curve} key for 4 constraints: made.zkey\n")
        );
        succeed(at, "zkey check made.zkey");
        succeed(at, "zkey export-vkey made.zkey exported.json");
        assert_eq!(fs::read(at.join("made.json")).unwrap(), fs::read(at.join("exported.json")).unwrap());
        succeed(at, "prove made.zkey wtns made.proof made.public");
        succeed(at, "verify made.json made.public made.proof");
        // The proof must not hold for another key.
        fail(at, "verify vkey made.public made.proof");
    }
}

#[test]
fn setup_wants_a_circuit() {
    let directory = files("bn254");
    let at = directory.path();
    assert!(fail(at, "setup wtns --out key").starts_with("wtns: this is a "));
    assert!(fail(at, "setup none --out key").starts_with("cannot read none"));
    assert!(fail(at, "setup r1cs --out no/key").starts_with("cannot write no/key"));
    assert!(!at.join("key").exists());
}

#[test]
fn jsnark_becomes_a_proof() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("c.arith"), "total 3\ninput 0\nnizkinput 1\nmul in 2 <0 1> out 1 <2>\noutput 2\n")
        .unwrap();
    fs::write(at.join("c.in"), "0 6\n1 7\n").unwrap();
    for (_, curve) in CURVES {
        let line = format!("import jsnark c.arith c.in --r1cs r --wtns w --curve {curve}");
        let expected = format!("{curve} circuit of 1 constraints: r\nwitness of 4 values: w\n");
        assert_eq!(succeed(at, &line), expected);
        succeed(at, "witness check r w");
        assert!(run(at, "setup r --out key --vkey vkey").status.success());
        succeed(at, "prove key w proof public");
        assert_eq!(
            serde_json::from_slice::<Vec<String>>(&fs::read(at.join("public")).unwrap()).unwrap(),
            ["42", "6"]
        );
        succeed(at, "verify vkey public proof");
    }
    fs::write(at.join("bad.in"), "0 6\n1 x\n").unwrap();
    let message = fail(at, "import jsnark c.arith bad.in --r1cs r2 --wtns w2");
    assert!(message.starts_with("bad.in: line 2: \"x\" is not understood"), "{message}");
    let message = fail(at, "import jsnark c.in c.in --r1cs r2 --wtns w2");
    assert!(message.starts_with("c.in: line 1: "), "{message}");
    assert!(!at.join("r2").exists() && !at.join("w2").exists());
}

#[test]
#[cfg(feature = "witness")]
fn witnesses_need_a_circuit_and_inputs() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("wasm"), b"\0asm\x01\0\0\0").unwrap();
    fs::write(at.join("inputs"), "{}").unwrap();
    fs::write(at.join("list"), "[]").unwrap();
    for line in ["witness", "witness calculate"] {
        let message = fail(at, &format!("{line} wasm inputs out"));
        assert!(message.starts_with("wasm: this is not a circuit: it exports no memory"), "{message}");
    }
    assert!(fail(at, "witness wasm list out").starts_with("list: the inputs are not readable"));
    assert!(fail(at, "witness inputs inputs out").starts_with("inputs: this is not a circuit"));
    assert!(!at.join("out").exists());
}

#[test]
#[cfg(feature = "witness")]
fn inputs_are_named() {
    for version in ["0.5.46", "2.2.3"] {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        for file in ["wasm", "sym", "wtns"] {
            foreign(at, &format!("{version}/arrays.{file}"));
        }
        fs::create_dir(at.join("arrays_js")).unwrap();
        fs::rename(at.join("arrays.wasm"), at.join("arrays_js/arrays.wasm")).unwrap();
        let calculate = |a: &str| {
            let inputs = format!("{{ {a} \"v\": [[1, 2, 3], [4, -5, 6]], \"w\": [7, 8] }}");
            fs::write(at.join("inputs"), inputs).unwrap();
        };
        calculate("\"a\": 9,");
        succeed(at, "witness arrays_js/arrays.wasm inputs out");
        assert_eq!(fs::read(at.join("out")).unwrap(), fs::read(at.join("arrays.wtns")).unwrap());
        calculate("\"aa\": 9,");
        let message = fail(at, "witness arrays_js/arrays.wasm inputs out");
        assert_eq!(message, "inputs: no input `aa`; did you mean `a`?");
        calculate("");
        let message = fail(at, "witness arrays_js/arrays.wasm inputs out");
        assert_eq!(message, "inputs: 1 input values are missing, of a: expected 9, found 8 in v, w");
        fs::rename(at.join("arrays.sym"), at.join("names")).unwrap();
        let message = fail(at, "witness calculate arrays_js/arrays.wasm inputs out");
        assert_eq!(message, "inputs: 1 input values are missing: expected 9, found 8 in v, w");
        let message = fail(at, "witness calculate arrays_js/arrays.wasm inputs out --sym names");
        assert_eq!(message, "inputs: 1 input values are missing, of a: expected 9, found 8 in v, w");
        let message = fail(at, "witness calculate arrays_js/arrays.wasm inputs out --sym inputs");
        assert!(message.starts_with("inputs: line 1 names no signal: expected LABEL,WIRE"), "{message}");
    }
}

#[test]
#[cfg(not(feature = "witness"))]
fn a_build_without_a_compiler_says_which_has_one() {
    let directory = tempfile::tempdir().unwrap();
    for line in ["witness", "witness calculate"] {
        let message = fail(directory.path(), &format!("{line} wasm inputs out"));
        assert!(message.starts_with("cannot run wasm: this build has no WebAssembly compiler"), "{message}");
        assert!(message.contains("the feature witness"), "{message}");
    }
}

#[test]
#[cfg(not(feature = "serve"))]
fn a_build_without_a_server_says_which_has_one() {
    let directory = tempfile::tempdir().unwrap();
    let message = fail(directory.path(), "serve circuits");
    assert!(
        message.starts_with("this build has no server") && message.contains("the feature serve"),
        "{message}"
    );
}

/// `prove` runs a circuit itself, and leaves no witness behind.
#[test]
#[cfg(feature = "witness")]
fn inputs_become_a_proof_in_one_command() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for ending in ["r1cs", "wasm", "json"] {
        foreign(at, &format!("2.2.3/arrays.{ending}"));
    }
    assert!(run(at, "setup arrays.r1cs --out key --vkey vkey --insecure-seed 1").status.success());
    succeed(at, "witness arrays.wasm arrays.json w");
    succeed(at, "prove key w p x --insecure-seed 2");
    let [proof, public] = ["p", "x"].map(|name| fs::read(at.join(name)).unwrap());
    fs::remove_file(at.join("w")).unwrap();
    let names = || fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<_>>();
    let before = names();
    let forms = [
        "prove key --wasm arrays.wasm --input arrays.json p x",
        "prove key p x --wasm arrays.wasm --input arrays.json --memory 512M",
        "fullprove --wasm arrays.wasm --input arrays.json key p x",
    ];
    for line in forms {
        for name in ["p", "x"] {
            fs::remove_file(at.join(name)).unwrap();
        }
        succeed(at, &format!("{line} --insecure-seed 2"));
        assert_eq!([&proof, &public], ["p", "x"].map(|name| fs::read(at.join(name)).unwrap()).each_ref());
        assert_eq!(names(), before, "no witness is left");
        succeed(at, "verify vkey x p");
    }
    let told = String::from_utf8(run(at, &format!("{} --progress json", forms[0])).stderr).unwrap();
    assert!(told.contains("calculate"), "{told}");
    fs::write(at.join("bad.json"), "{ \"aa\": 9 }").unwrap();
    let message = fail(at, "prove key --wasm arrays.wasm --input bad.json p x");
    assert!(message.starts_with("bad.json: no input `aa`"), "{message}");
    let message = fail(at, "prove key --wasm arrays.wasm --input arrays.json p x --memory 1");
    assert!(message.contains("arrays"), "{message}");
    let message = fail(at, "prove key --wasm arrays.json --input arrays.json p x");
    assert!(message.starts_with("arrays.json: this is not a circuit"), "{message}");
}

#[test]
fn the_witness_is_named_once() {
    let directory = files("bn254");
    let at = directory.path();
    succeed(at, "prove zkey --witness wtns p x");
    succeed(at, "verify vkey x p");
    for (line, expected) in [
        ("prove zkey p x", "no witness: pass WITNESS.wtns"),
        ("prove zkey wtns p x --witness wtns", "an option names the witness"),
        ("prove zkey p x --witness wtns --wasm c --input i", "cannot be used with"),
        ("prove zkey p x --wasm c", "--input"),
        ("prove zkey p x --input i", "--wasm"),
        ("prove zkey p", "PROOF.json"),
    ] {
        let output = run(at, line);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{line}: {errors}");
    }
}

/// The first session of docs/circom.md, on a circuit that circom has compiled.
#[test]
#[cfg(feature = "witness")]
fn the_documented_session_proves() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::create_dir(at.join("circuit_js")).unwrap();
    for (ending, name) in
        [("r1cs", "circuit.r1cs"), ("wasm", "circuit_js/circuit.wasm"), ("json", "input.json")]
    {
        foreign(at, &format!("2.2.3/arrays.{ending}"));
        fs::rename(at.join(format!("arrays.{ending}")), at.join(name)).unwrap();
    }
    let document = include_str!("../../../../docs/circom.md");
    let session = document.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let lines: Vec<&str> = session.lines().filter_map(|line| line.strip_prefix("bucketwheel ")).collect();
    assert_eq!(lines.len(), 8, "{session}");
    for line in lines {
        let output = run(at, line.split('#').next().unwrap());
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(fs::read_to_string(at.join("Verifier.sol")).unwrap().contains("contract Groth16Verifier"));
}
