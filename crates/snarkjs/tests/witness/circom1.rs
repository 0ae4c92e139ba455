//! Circom 1's interface: a circuit written by hand, and hostile variants of it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ark_ff::BigInt;
use bucketwheel::Cancel;
use bucketwheel_groth16::witness::{Calculator, WitnessError};
use bucketwheel_groth16::CurveId;

use crate::{calculate, inputs};

const CIRCUIT: &str = include_str!("circuit1.wat");
const INPUTS: &str = r#"{ "a": 1, "b": [2, 3] }"#;
const COMPUTE: &str = "(func $compute\n";

/// Returns the circuit with a part of it replaced.
fn variant(part: &str, by: &str) -> String {
    assert!(CIRCUIT.contains(part), "{part}");
    CIRCUIT.replacen(part, by, 1)
}

fn error(part: &str, by: &str) -> WitnessError {
    calculate(&variant(part, by), INPUTS).expect_err(by)
}

#[test]
fn values_and_log() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let calculator = Calculator::new().log(move |line| log.lock().unwrap().push(line.to_owned()));
    let wasm = wat::parse_str(CIRCUIT).unwrap();
    let witness = calculator.calculate(&wasm, &inputs(r#"{ "a": 3, "b": ["0x10", "-4"] }"#)).unwrap();
    assert_eq!(witness.curve, CurveId::Bn254);
    assert_eq!(witness.values[..4], [1u64, 15, 3, 16].map(BigInt::from));
    assert_eq!(*lines.lock().unwrap(), ["15"]);
    // The circuit may also have a memory of its own.
    let own = variant("(import \"env\" \"memory\" (memory 1))", "").replacen(
        ";; 0: the first",
        "(memory (export \"memory\") 16)\n  ;; 0: the first",
        1,
    );
    assert_eq!(calculate(&own, INPUTS).unwrap(), calculate(CIRCUIT, INPUTS).unwrap());
}

#[test]
fn inputs_of_another_circuit() {
    let error = |json: &str| calculate(CIRCUIT, json).unwrap_err().to_string();
    // c is an output, d is a component, and e is nothing.
    for name in ["c", "d", "e"] {
        let json = format!(r#"{{ "a": 1, "b": [2, 3], "{name}": 4 }}"#);
        let expected = format!("no input `{name}`: expected the names of the circuit's input signals");
        assert_eq!(error(&json), expected);
    }
    assert_eq!(error(r#"{ "a": 1, "b": 2 }"#), "input b has 1 values: expected 2");
    assert_eq!(error(r#"{ "a": [1, 2], "b": [2, 3] }"#), "input a has 2 values: expected 1");
    assert_eq!(error(r#"{ "b": [2, 3] }"#), "1 input values are missing: expected 3, found 2 in b");
}

#[test]
fn a_failing_constraint_has_its_place() {
    let refused = |wat: &str| calculate(wat, r#"{ "a": 10, "b": [2, 1] }"#).unwrap_err().to_string();
    assert_eq!(
        refused(CIRCUIT),
        "the circuit refuses the inputs: Constraint doesn't match: 13 is not 1, sum.circom:1:2"
    );
    // After a signal without a value was read, constraints may fail that hold in the end.
    let unset = "(i32.const 13))\n      (then (call $error (i32.const 5) (i32.const 768) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))";
    calculate(&variant("(i32.const 13))\n      (then", unset), r#"{ "a": 10, "b": [2, 1] }"#).unwrap();
    let twice = variant("(i32.const 7) (i32.const 768)", "(i32.const 6) (i32.const 768)");
    calculate(&twice, r#"{ "a": 10, "b": [2, 1] }"#).unwrap();
    let assertion = variant("(i32.const 7) (i32.const 768)", "(i32.const 9) (i32.const 832)").replacen(
        "(i32.const 8192) (i32.const 832)",
        "(i32.const 768) (i32.const 0)",
        1,
    );
    assert_eq!(
        refused(&assertion),
        "the circuit refuses the inputs: sum.circom:1:2: Constraint doesn't match"
    );
    let steering = variant("\"sum.circom:1:2\\00\"", "\"\\1b[2J\\0d\\07\\0ax\\00\"");
    assert!(refused(&steering).ends_with("?[2J??; x"), "{}", refused(&steering));
}

#[test]
fn endless_loops_and_recursion_end() {
    let start = Instant::now();
    let short = Calculator::new().time_limit(Duration::from_millis(200));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Calculator::new().cancel(&cancel);
    for place in [COMPUTE, "(func (export \"init\") (param $checks i32)\n"] {
        let endless = variant(place, &format!("{place} (loop $l (br $l))"));
        let wasm = wat::parse_str(endless).unwrap();
        let limited = short.calculate(&wasm, &inputs(INPUTS));
        assert!(matches!(limited, Err(WitnessError::Time { .. })), "{limited:?}");
        let cancelled = cancelled.calculate(&wasm, &inputs(INPUTS));
        assert!(matches!(cancelled, Err(WitnessError::Cancelled)), "{cancelled:?}");
    }
    let error = error(COMPUTE, "(func $compute (call $compute)");
    assert!(matches!(error, WitnessError::Damaged(_)), "{error}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn memory_is_limited() {
    const MEMORY: &str = "(memory 1))";
    let large = variant(MEMORY, "(memory 65536))");
    let error = calculate(&large, INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Memory { .. }), "{error}");
    let calculator = Calculator::new().memory_limit(1 << 20);
    let limited = |wat: &str| calculator.calculate(&wat::parse_str(wat).unwrap(), &inputs(INPUTS));
    // The circuit gets the memory that exists, and no more than it needs.
    limited(&variant(MEMORY, "(memory 14))")).unwrap();
    limited(&variant(MEMORY, "(memory 1 1))")).unwrap();
    let over = limited(&variant(MEMORY, "(memory 17))"));
    assert!(matches!(over, Err(WitnessError::Memory { .. })), "{over:?}");
    for elements in [1 << 17, 700_000_000] {
        let table = variant(COMPUTE, &format!("(table {elements} funcref) {COMPUTE}"));
        let over = limited(&table);
        assert!(matches!(over, Err(WitnessError::Memory { .. })), "{over:?}");
    }
    let growing =
        "(func $compute (if (i32.ne (memory.grow (i32.const 40000)) (i32.const -1)) (then unreachable))";
    calculate(&variant(COMPUTE, growing), INPUTS).unwrap();
    // A stack at the end of the memory has an address that fits a signed integer, for any limit.
    let sign = "(func $compute (if (i32.lt_s (i32.load (i32.const 4)) (i32.const 65536)) (then unreachable))";
    let wasm = wat::parse_str(variant(COMPUTE, sign)).unwrap();
    for limit in [1 << 20, 2 << 30, usize::MAX] {
        Calculator::new().memory_limit(limit).calculate(&wasm, &inputs(INPUTS)).unwrap();
    }
}

#[test]
fn logs_and_texts_are_bounded() {
    let flood = "(func $compute (local $i i32) (loop $l (call $log (i32.const 8192))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 600000)))))
        (func $computed\n";
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let calculator = Calculator::new().log(move |line| log.lock().unwrap().push(line.to_owned()));
    calculator.calculate(&wat::parse_str(variant(COMPUTE, flood)).unwrap(), &inputs(INPUTS)).unwrap();
    let lines = lines.lock().unwrap();
    assert_eq!(lines.last().unwrap(), "the circuit logs more than 1 MiB: the rest is left out");
    assert_eq!(lines.len(), 1 << 19);
    let endless = "(func $compute (memory.fill (i32.const 20000) (i32.const 65) (i32.const 40000))
        (call $error (i32.const 9) (i32.const 20000) (i32.const 0) (i32.const 0) (i32.const 20000) (i32.const 0)))
        (func $computed\n";
    let error = calculate(&variant(COMPUTE, endless), INPUTS).unwrap_err().to_string();
    assert!(error.len() < 10_000 && error.contains("AAAA"), "{}", error.len());
}

#[test]
fn tables_and_addresses_are_not_believed() {
    for name in ["getPRawPrime", "getNVars", "getPWitness", "setSignal", "init"] {
        let error = error(&format!("(export \"{name}\")"), "");
        assert!(matches!(error, WitnessError::Export(missing) if missing == name), "{error}");
    }
    let neither = error("(export \"getFrLen\")", "");
    assert!(matches!(neither, WitnessError::Export("getVersion")), "{neither}");
    for (part, by) in [
        ("(result i32) i32.const 40)", "(result i32) i32.const 56)"),
        ("(i32.const 64) \"\\01", "(i32.const 64) \"\\02"),
        ("(result i32) i32.const 64)", "(result i32) i32.const 4)"),
    ] {
        let error = error(part, by);
        assert!(matches!(error, WitnessError::Prime), "{by}: {error}");
    }
    let zero = "(data (i32.const 64) \"\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\")\n  ;; The component:";
    let error_of_zero = error(";; The component:", zero);
    assert!(matches!(error_of_zero, WitnessError::Prime), "{error_of_zero}");
    for (part, by) in [
        // The prime, the number of values or the components are elsewhere.
        ("(result i32) i32.const 64)", "(result i32) i32.const -8)"),
        ("(result i32) i32.const 5)", "(result i32) i32.const 6)"),
        ("\"\\40\\01\\00\\00\\58", "\"\\40\\01\\00\\ff\\58"),
        // Slots, entries, lengths, the inputs' bits or the free address are outside of the memory.
        ("\"\\00\\10\\00\\00\\00\\02", "\"\\00\\10\\00\\ff\\00\\02"),
        ("\"\\00\\10\\00\\00\\00\\02\\00\\00", "\"\\00\\10\\00\\00\\00\\02\\00\\ff"),
        ("\"\\02\\00\\00\\00\\30\\02\\00\\00", "\"\\02\\00\\00\\00\\30\\02\\00\\ff"),
        ("\\58\\01\\00\\00\")", "\\58\\01\\00\\ff\")"),
        ("\"\\00\\40\\00\\00\"", "\"\\00\\40\\00\\ff\""),
        ("(i32.const 8192) (i32.mul", "(i32.const -8192) (i32.mul"),
        ("(call $log (i32.const 8232))", "(call $log (i32.const -32))"),
        // A value is not below the prime.
        (COMPUTE, "(func $compute (i32.store8 (i32.const 8199) (i32.const 0x80)) (memory.fill (i32.const 8200) (i32.const 255) (i32.const 32))"),
    ] {
        let error = error(part, by);
        assert!(matches!(error, WitnessError::Damaged(_)), "{by}: {error}");
    }
    // A search ends even if no slot is empty.
    let full = "(i32.store (i32.const 8192) (i32.const 1)) (memory.fill (i32.const 4096) (i32.const 1) (i32.const 3072))";
    let error = error("(i32.store (i32.const 8192) (i32.const 1))", full);
    assert!(matches!(error, WitnessError::UnknownSignal { .. }), "{error}");
    // There are more values than the memory has room for.
    let many = variant("(result i32) i32.const 5)", "(result i32) i32.const -1)").replacen(
        "\\01\\00\\00\\00\\05\\00\\00\\00\\01",
        "\\01\\00\\00\\00\\ff\\ff\\ff\\ff\\01",
        1,
    );
    let error = calculate(&many, INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Memory { .. }), "{error}");
}

#[test]
fn damaged_circuits() {
    let wasm = wat::parse_str(CIRCUIT).unwrap();
    let calculator = Calculator::new().time_limit(Duration::from_millis(50));
    for at in 0..wasm.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut wasm = wasm.clone();
            wasm[at] ^= flip;
            if let Err(error) = calculator.calculate(&wasm, &inputs(INPUTS)) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
}
