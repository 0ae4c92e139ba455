//! Compares circuits of widespread compilers with snarkjs' witnesses. `tools/foreign.sh` makes the circuits.
//! `BUCKETWHEEL_FOREIGN` names a folder with all of them; some are in this repository.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bucketwheel_groth16::file::{main_signals, write_wtns, Wtns};
use bucketwheel_groth16::witness::{Calculator, Inputs, Witness, WitnessError};
use bucketwheel_groth16::CurveId;
use num_bigint::{BigInt, BigUint};

use crate::inputs;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/foreign")
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn calculate(name: &str, json: &str) -> Result<Witness, WitnessError> {
    Calculator::new().calculate(&read(&here().join(name)), &inputs(json))
}

fn error(name: &str, json: &str) -> String {
    calculate(name, json).unwrap_err().to_string()
}

fn bytes(witness: &Witness) -> Vec<u8> {
    write_wtns(std::io::Cursor::new(Vec::new()), witness.curve, &witness.values).unwrap().into_inner()
}

#[test]
fn witnesses_are_those_of_snarkjs() {
    let mut compared = 0;
    let given = std::env::var_os("BUCKETWHEEL_FOREIGN").map(PathBuf::from);
    for folder in std::iter::once(here()).chain(given) {
        let compilers = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        for compiler in compilers.filter(|path| path.is_dir() && !path.ends_with("npm")) {
            for wasm in compiler.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
                if wasm.extension().is_none_or(|extension| extension != "wasm") {
                    continue;
                }
                let inputs = Inputs::from_json(&read(&wasm.with_extension("json"))).unwrap();
                let witness = Calculator::new().calculate(&read(&wasm), &inputs);
                let witness = witness.unwrap_or_else(|error| panic!("{}: {error}", wasm.display()));
                assert!(bytes(&witness) == read(&wasm.with_extension("wtns")), "{}", wasm.display());
                compared += 1;
            }
        }
    }
    assert!(compared >= 11, "{compared}");
}

/// `c = (((v[0] a) v[1] + b) v[2] + b) b` by circom 1.
const CHAIN: &str = "0.5.46/chain.wasm";

#[test]
fn circom_1_takes_any_integer() {
    let values = |json: &str| {
        let bytes = bytes(&calculate(CHAIN, json).unwrap());
        Wtns::parse(&bytes).unwrap().to_vec().unwrap()
    };
    let prime: BigInt =
        "21888242871839275222246405745257275088548364400416034343698204186575808495617".parse().unwrap();
    let large = format!(
        r#"{{ "b": "{}", "a": "{}", "v": ["0x1", "{}", [5]] }}"#,
        &prime + 7,
        3 - 2 * &prime,
        &prime - 2
    );
    assert_eq!(values(&large), values(r#"{ "a": "3", "v": ["1", "-2", 5], "b": "7" }"#));
    // The values are at both ends of circom 1's range of small values.
    for a in [0, 1, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, (1 << 32) - 1, -(1i64 << 32)] {
        let c = BigUint::from(values(&format!(r#"{{ "a": "{a}", "v": [1, 1, 1], "b": 1 }}"#))[1]);
        assert_eq!(BigInt::from(c), (BigInt::from(a + 2) + &prime) % &prime, "{a}");
    }
}

#[test]
fn circom_1_tells_what_is_wrong() {
    let unknown = error(CHAIN, r#"{ "a": 3, "v": [1, 2, 3], "c": 7 }"#);
    assert_eq!(unknown, "no input `c`: expected the names of the circuit's input signals");
    assert_eq!(error(CHAIN, r#"{ "a": 3, "v": [1, 2], "b": 7 }"#), "input v has 2 values: expected 3");
    assert_eq!(error(CHAIN, r#"{ "a": [3, 4], "v": [1, 2, 3] }"#), "input a has 2 values: expected 1");
    assert_eq!(
        error(CHAIN, r#"{ "a": 3, "b": 7 }"#),
        "3 input values are missing: expected 5, found 2 in a, b"
    );
}

#[test]
fn circom_before_2_0_4_tells_what_it_can() {
    const WASM: &str = "2.0.3/product.wasm";
    assert_eq!(error(WASM, r#"{ "a": 3 }"#), "1 input values are missing: expected 2, found 1 in a");
    assert_eq!(error(WASM, r#"{ "a": [3, 4], "b": 5 }"#), "the inputs have 3 values: expected 2");
    let unknown = error(WASM, r#"{ "a": 3, "c": 4 }"#);
    assert_eq!(unknown, "no input `c`: expected the names of the circuit's input signals");
}

#[test]
fn names_explain_errors() {
    let error = |name: &str, json: &str| {
        let path = here().join(name);
        let names = main_signals(&read(&path.with_extension("sym"))).unwrap();
        let calculator = Calculator::new().names(Arc::new(names));
        calculator.calculate(&read(&path), &inputs(json)).unwrap_err().to_string()
    };
    for arrays in ["0.5.46/arrays.wasm", "2.1.0/arrays.wasm", "2.2.3/arrays.wasm"] {
        // The circuit has an output c.
        let given = r#""v": [[1, 2, 3], [4, 5, 6]], "w": [7, 8], "#;
        let near = error(arrays, &format!(r#"{{ {given} "aa": 9 }}"#));
        assert_eq!(near, "no input `aa`; did you mean `a`?", "{arrays}");
        let far = error(arrays, &format!(r#"{{ {given} "quantity": 9 }}"#));
        assert_eq!(far, "no input `quantity`: expected the names of the circuit's input signals");
        assert_eq!(
            error(arrays, r#"{ "a": 9 }"#),
            "8 input values are missing, of v, w: expected 9, found 1 in a",
            "{arrays}"
        );
    }
    // The circuit has no lengths, but the names have them.
    assert_eq!(error("2.0.3/product.wasm", r#"{ "a": [1, 2] }"#), "input a has 2 values: expected 1");
    let unknown = error("2.0.3/product.wasm", r#"{ "a": 1, "x": 2 }"#);
    assert_eq!(unknown, "no input `x`: expected the names of the circuit's input signals");
}

#[test]
fn logs_and_assertions_of_all_versions() {
    for version in ["0.5.46", "2.0.3", "2.0.6", "2.0.8"] {
        let wasm = read(&here().join(version).join("checks.wasm"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = lines.clone();
        let calculator = Calculator::new().log(move |line| kept.lock().unwrap().push(line.to_owned()));
        calculator.calculate(&wasm, &inputs(r#"{ "a": 7, "b": 8 }"#)).unwrap();
        assert_eq!(*lines.lock().unwrap(), ["7", "8"], "{version}");
        let error = calculator.calculate(&wasm, &inputs(r#"{ "a": 7, "b": 9 }"#)).unwrap_err();
        assert!(matches!(error, WitnessError::Refused(_)), "{version}: {error}");
        assert!(error.to_string().to_lowercase().contains("checks"), "{version}: {error}");
    }
}

#[test]
fn compiled_circuits_know_their_witness() {
    for (name, values) in [("0.5.46/chain.wasm", 10), ("2.0.3/product.wasm", 4), ("2.2.3/no-inputs.wasm", 3)]
    {
        let compiled = Calculator::new().compile(&read(&here().join(name))).unwrap();
        assert_eq!((compiled.curve(), compiled.values()), (CurveId::Bn254, values), "{name}");
    }
    let refused = Calculator::new().compile(b"\0asm\x01\0\0\0");
    assert!(matches!(refused, Err(WitnessError::Export("memory"))), "{refused:?}");
}
