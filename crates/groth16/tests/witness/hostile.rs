//! Circuits that are none, or that never end.

use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_groth16::witness::{Calculator, WitnessError};

use crate::{calculate, inputs, CIRCUIT};

const INPUTS: &str = r#"{ "a": 1, "b": [2, 3] }"#;

/// The circuit with a part of it replaced.
fn variant(part: &str, by: &str) -> String {
    assert!(CIRCUIT.contains(part), "{part}");
    CIRCUIT.replacen(part, by, 1)
}

fn error(part: &str, by: &str) -> WitnessError {
    calculate(&variant(part, by), INPUTS).expect_err(by)
}

const COMPUTE: &str = "(func $compute\n";

#[test]
fn endless_loops_end() {
    let wasm = wat::parse_str(variant(COMPUTE, "(func $compute (loop $l (br $l))")).unwrap();
    let start = Instant::now();
    let limited = Calculator::new().time_limit(Duration::from_millis(200)).calculate(&wasm, &inputs(INPUTS));
    assert!(matches!(limited, Err(WitnessError::Time { .. })), "{limited:?}");
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Calculator::new().cancel(&cancel).calculate(&wasm, &inputs(INPUTS));
    assert!(matches!(cancelled, Err(WitnessError::Cancelled)), "{cancelled:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn endless_recursion_ends() {
    let error = error(COMPUTE, "(func $compute (call $compute)");
    assert!(matches!(error, WitnessError::Damaged(_)), "{error}");
}

#[test]
fn endless_messages_end() {
    let endless = "(func (export \"getMessageChar\") (result i32) (i32.const 65))\n  (func (result i32)";
    let witness =
        calculate(&variant("(func (export \"getMessageChar\") (result i32)", endless), INPUTS).unwrap();
    assert_eq!(witness.values.len(), 5);
    let stuck = "(func (export \"getMessageChar\") (result i32) (loop $l (br $l)) (i32.const 0))\n  (func (result i32)";
    let stuck = variant("(func (export \"getMessageChar\") (result i32)", stuck);
    let wasm = wat::parse_str(stuck).unwrap();
    let limited = Calculator::new().time_limit(Duration::from_millis(200)).calculate(&wasm, &inputs(INPUTS));
    assert!(matches!(limited, Err(WitnessError::Time { .. })), "{limited:?}");
}

#[test]
fn memory_is_limited() {
    let large = variant("(memory (export \"memory\") 1)", "(memory (export \"memory\") 65536)");
    let error = calculate(&large, INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Memory { .. }), "{error}");
    // A circuit that asks for more is told that there is none.
    let growing =
        "(func $compute (if (i32.ne (memory.grow (i32.const 40000)) (i32.const -1)) (then unreachable))";
    calculate(&variant(COMPUTE, growing), INPUTS).unwrap();
    let many = variant("(result i32) i32.const 5)", "(result i32) i32.const -1)");
    let error = calculate(&many, INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Memory { .. }), "{error}");
}

#[test]
fn other_interfaces() {
    let version = error("(result i32) i32.const 2)", "(result i32) i32.const 1)");
    assert!(matches!(version, WitnessError::Version(1)), "{version}");
    let words = error("(result i32) i32.const 8)", "(result i32) i32.const 12)");
    assert!(matches!(words, WitnessError::Prime), "{words}");
    let prime = error("(i32.const 64) \"\\01", "(i32.const 64) \"\\02");
    assert!(matches!(prime, WitnessError::Prime), "{prime}");
    for name in ["getVersion", "getWitness", "getInputSignalSize", "setInputSignal", "memory", "init"] {
        let error = error(&format!("(export \"{name}\")"), "");
        assert!(matches!(error, WitnessError::Export(missing) if missing == name), "{error}");
    }
    let typed = error("(func (export \"init\") (param i32))", "(func (export \"init\") (param i64))");
    assert!(matches!(typed, WitnessError::Export("init")), "{typed}");
    for import in ["\"runtime\" \"launch\"", "\"env\" \"exceptionHandler\""] {
        let error = error("\"runtime\" \"exceptionHandler\"", import);
        assert!(matches!(error, WitnessError::Module(_)), "{error}");
    }
    // A function that runs at the start has the same limits.
    let start = error(COMPUTE, "(start $start) (func $start unreachable) (func $compute\n");
    assert!(matches!(start, WitnessError::Damaged(_)), "{start}");
    let wasm = variant(COMPUTE, "(start $start) (func $start (loop $l (br $l))) (func $compute\n");
    let limited = Calculator::new().time_limit(Duration::from_millis(200));
    let start = limited.calculate(&wat::parse_str(wasm).unwrap(), &inputs(INPUTS));
    assert!(matches!(start, Err(WitnessError::Time { .. })), "{start:?}");
}

#[test]
fn damaged_circuits() {
    let outside = error(
        "\"getSharedRWMemoryStart\") (result i32) i32.const 0",
        "\"getSharedRWMemoryStart\") (result i32) i32.const -8",
    );
    assert!(matches!(outside, WitnessError::Damaged(_)), "{outside}");
    let unreduced = error("(data (i32.const 96) \"\\01\")", "(data (i32.const 127) \"\\ff\")");
    assert!(matches!(&unreduced, WitnessError::Damaged(what) if what.starts_with("value 0 ")), "{unreduced}");
    let unreachable = error(COMPUTE, "(func $compute unreachable");
    assert!(matches!(unreachable, WitnessError::Damaged(_)), "{unreachable}");
    let far = error(COMPUTE, "(func $compute (drop (i32.load (i32.const -4)))");
    assert!(matches!(far, WitnessError::Damaged(_)), "{far}");

    let wasm = wat::parse_str(CIRCUIT).unwrap();
    for length in 0..wasm.len() {
        match Calculator::new().calculate(&wasm[..length], &inputs(INPUTS)) {
            // What is behind the last section that counts are names.
            Ok(witness) => assert_eq!(witness, calculate(CIRCUIT, INPUTS).unwrap()),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
    // Any bytes: some are circuits of another kind, none panics or hangs.
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
