//! Files that are no circuits, and circuits that never end.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_groth16::witness::{Calculator, WitnessError};

use crate::{calculate, inputs, CIRCUIT};

const INPUTS: &str = r#"{ "a": 1, "b": [2, 3] }"#;

/// Returns the circuit with a part of it replaced.
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
    // A circuit that asks for more memory gets the answer that there is none.
    let growing =
        "(func $compute (if (i32.ne (memory.grow (i32.const 40000)) (i32.const -1)) (then unreachable))";
    calculate(&variant(COMPUTE, growing), INPUTS).unwrap();
    let many = variant("(result i32) i32.const 5)", "(result i32) i32.const -1)");
    let error = calculate(&many, INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Memory { .. }), "{error}");
}

#[test]
fn tables_and_memories_share_one_limit() {
    let start = Instant::now();
    let more = |part: &str| variant(COMPUTE, &format!("{part} (func $compute\n"));
    let error = |wat: &str| calculate(wat, INPUTS).unwrap_err();
    for part in ["(table 700000000 funcref)", "(table 150000000 funcref) (table 150000000 funcref)"] {
        let error = error(&more(part));
        assert!(matches!(error, WitnessError::Memory { .. }), "{part}: {error}");
    }
    for part in ["(memory 10)", "(memory i64 10)", "(func (drop (v128.const i32x4 0 0 0 0)))"] {
        let error = error(&more(part));
        assert!(matches!(error, WitnessError::Module(_)), "{part}: {error}");
    }
    // A circuit that asks for a larger table gets the answer that there is none, as for memory.
    let grow = "(table $t 0 funcref) (func $compute
        (if (i32.ne (table.grow $t (ref.null func) (i32.const 700000000)) (i32.const -1)) (then unreachable))";
    calculate(&variant(COMPUTE, grow), INPUTS).unwrap();
    // Half of the limit is memory, half of it a table.
    let calculator = Calculator::new().memory_limit(1 << 20);
    let half = |elements: usize, compute: &str| {
        let wat = variant("(memory (export \"memory\") 1)", "(memory (export \"memory\") 8)");
        let table = format!("(table {elements} funcref) (func $compute {compute}\n");
        calculator.calculate(&wat::parse_str(wat.replacen(COMPUTE, &table, 1)).unwrap(), &inputs(INPUTS))
    };
    let grow = |pages: usize, then: &str| {
        format!("(if (i32.{then} (memory.grow (i32.const {pages})) (i32.const -1)) (then unreachable))")
    };
    half(1 << 16, "").unwrap();
    let over = half((1 << 16) + 1, "");
    assert!(matches!(over, Err(WitnessError::Memory { .. })), "{over:?}");
    half(1 << 16, &grow(1, "ne")).unwrap();
    half(1 << 15, &grow(4, "eq")).unwrap();
    half(1 << 15, &format!("{} {}", grow(5, "ne"), grow(4, "eq"))).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// Returns a circuit whose compilation takes long: it has many long functions.
fn slow_to_compile() -> Vec<u8> {
    let line =
        "(local.set $x (i64.rotl (i64.mul (local.get $x) (i64.const 7)) (local.get $x)))".repeat(10_000);
    let functions = format!("(func (param $x i64) {line})").repeat(40);
    wat::parse_str(variant(COMPUTE, &format!("{functions} {COMPUTE}"))).unwrap()
}

#[test]
fn compilation_ends_in_time() {
    let wasm = slow_to_compile();
    let start = Instant::now();
    let limited = Calculator::new().time_limit(Duration::from_millis(100)).calculate(&wasm, &inputs(INPUTS));
    assert!(matches!(limited, Err(WitnessError::Time { .. })), "{limited:?}");
    assert!(start.elapsed() < Duration::from_millis(1100), "{:?}", start.elapsed());
    let cancel = Cancel::new();
    let cancelled = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        Calculator::new().cancel(&cancel).calculate(&wasm, &inputs(INPUTS))
    });
    assert!(matches!(cancelled, Err(WitnessError::Cancelled)), "{cancelled:?}");
    assert!(start.elapsed() < Duration::from_millis(2200), "{:?}", start.elapsed());
}

#[test]
fn logs_are_bounded() {
    let flood = "(func $compute (local $i i32) (loop $l
        (global.set $message (i32.const 544)) (call $writeBufferMessage)
        (global.set $message (i32.const 560)) (call $writeBufferMessage)
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 300000)))))
        (func $computed\n";
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let calculator = Calculator::new().log(move |line| log.lock().unwrap().push(line.to_owned()));
    calculator.calculate(&wat::parse_str(variant(COMPUTE, flood)).unwrap(), &inputs(INPUTS)).unwrap();
    let lines = lines.lock().unwrap();
    let (last, sums) = lines.split_last().unwrap();
    assert_eq!(last, "the circuit logs more than 1 MiB: the rest is left out");
    assert_eq!(sums.len(), (1 << 18) - 1);
    assert!(sums.iter().all(|line| line == "sum"));
}

#[test]
fn messages_do_not_steer_terminals() {
    let wat = variant("\"in line 1\\0a\\00\"", "\"in \\1b[2J\\0d\\07 1\\00\"");
    let error = calculate(&wat, r#"{ "a": 10, "b": [2, 1] }"#).unwrap_err().to_string();
    assert_eq!(error, "the circuit refuses the inputs: assertion failed: in ?[2J?? 1");
}

#[test]
fn messages_that_call_for_messages_end() {
    let nested = "(func (export \"getMessageChar\") (result i32) (call $printErrorMessage) (i32.const 65))\n  (func (result i32)";
    let wat = variant("(func (export \"getMessageChar\") (result i32)", nested);
    let limited = Calculator::new().time_limit(Duration::from_secs(2));
    let error = limited.calculate(&wat::parse_str(wat).unwrap(), &inputs(INPUTS)).unwrap_err();
    assert!(matches!(error, WitnessError::Damaged(_) | WitnessError::Time { .. }), "{error}");
}

#[test]
fn counts_are_not_believed() {
    let many =
        |count| variant(&format!("(result i32) i32.const {count})"), "(result i32) i32.const 0x80000000)");
    let witness = wat::parse_str(many(5)).unwrap();
    for limit in [2 << 30, usize::MAX] {
        let error = Calculator::new().memory_limit(limit).calculate(&witness, &inputs(INPUTS)).unwrap_err();
        // If there is memory for these values, no value stands behind the circuit's own.
        assert!(matches!(error, WitnessError::Memory { .. } | WitnessError::Damaged(_)), "{error}");
    }
    let error = calculate(&many(3), INPUTS).unwrap_err();
    assert!(matches!(error, WitnessError::Missing { missing: 2_147_483_645, found: 3, .. }), "{error}");
}

#[test]
fn other_interfaces() {
    let version = error("(result i32) i32.const 2)", "(result i32) i32.const 1)");
    assert!(matches!(version, WitnessError::Version(1)), "{version}");
    let words = error("(result i32) i32.const 8)", "(result i32) i32.const 12)");
    assert!(matches!(words, WitnessError::Prime), "{words}");
    let prime = error("(i32.const 64) \"\\01", "(i32.const 64) \"\\02");
    assert!(matches!(prime, WitnessError::Prime), "{prime}");
    for name in
        ["getVersion", "getWitness", "setInputSignal", "memory", "init", "getInputSize", "getWitnessSize"]
    {
        let error = error(&format!("(export \"{name}\")"), "");
        assert!(matches!(error, WitnessError::Export(missing) if missing == name), "{error}");
    }
    let typed = error("(func (export \"init\") (param i32))", "(func (export \"init\") (param i64))");
    assert!(matches!(typed, WitnessError::Export("init")), "{typed}");
    for import in ["\"runtime\" \"launch\"", "\"env\" \"exceptionHandler\""] {
        let error = error("\"runtime\" \"exceptionHandler\"", import);
        assert!(matches!(error, WitnessError::Module(_)), "{error}");
    }
    // A function that runs at the start has the same limits as others.
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
            // Only names follow the last section that counts.
            Ok(witness) => assert_eq!(witness, calculate(CIRCUIT, INPUTS).unwrap()),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
    // Any bytes: some are circuits of another kind, but none panics or hangs.
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

/// Of two calculations of one compiled circuit, only the cancelled one ends.
#[test]
fn a_calculation_ends_alone() {
    let endless = variant(
        COMPUTE,
        "(func $compute (if (i64.eq (i64.load (i32.const 160)) (i64.const 9)) (then (loop $l (br $l))))",
    );
    // The other calculation takes a while, too.
    let slow = endless.replacen(
        "(func $compute (if",
        "(func $compute (local $i i32) (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 400000000)))) (if",
        1,
    );
    let circuit = Calculator::new().compile(&wat::parse_str(slow).unwrap()).unwrap();
    let short = Calculator::new().time_limit(Duration::from_millis(20));
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| Calculator::new().calculate_compiled(&circuit, &inputs(INPUTS)));
        let endless = short.calculate_compiled(&circuit, &inputs(r#"{ "a": 9, "b": [2, 3] }"#));
        assert!(matches!(endless, Err(WitnessError::Time { .. })), "{endless:?}");
        assert_eq!(slow.join().unwrap().unwrap().values.len(), 5);
    });
}
