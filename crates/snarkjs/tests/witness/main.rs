//! Witnesses of a circuit written by hand, of hostile variants of it, and of circom's circuits, also of the circuits
//! that `tools/circuits.sh` makes.

mod circom;
mod circom1;
mod foreign;
mod hostile;

use std::sync::{Arc, Mutex};

use ark_ff::BigInt;
use bucketwheel::Progress;
use bucketwheel_groth16::witness::{Calculator, Inputs, Witness, WitnessError};
use bucketwheel_groth16::CurveId;

const CIRCUIT: &str = include_str!("circuit.wat");

fn inputs(json: &str) -> Inputs {
    Inputs::from_json(json.as_bytes()).unwrap()
}

fn calculate(wat: &str, json: &str) -> Result<Witness, WitnessError> {
    Calculator::new().calculate(&wat::parse_str(wat).unwrap(), &inputs(json))
}

fn error(json: &str) -> String {
    calculate(CIRCUIT, json).unwrap_err().to_string()
}

#[test]
fn values_log_and_progress() {
    #[derive(Default)]
    struct Reports(Mutex<Vec<(usize, usize)>>);
    impl Progress for Reports {
        fn report(&self, done: usize, total: usize) {
            self.0.lock().unwrap().push((done, total));
        }
    }
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (log, reports) = (lines.clone(), Arc::new(Reports::default()));
    let calculator = Calculator::new()
        .log(move |line| log.lock().unwrap().push(line.to_owned()))
        .progress(reports.clone());
    let wasm = wat::parse_str(CIRCUIT).unwrap();
    let witness = calculator.calculate(&wasm, &inputs(r#"{ "a": 3, "b": ["0x10", "4"] }"#)).unwrap();
    assert_eq!(witness.curve, CurveId::Bn254);
    assert_eq!(witness.values, [1u64, 23, 3, 16, 4].map(BigInt::from));
    assert_eq!(*lines.lock().unwrap(), ["sum 23"]);
    assert_eq!(*reports.0.lock().unwrap(), [(0, 5)]);
}

#[test]
fn inputs_are_reduced() {
    let prime: num_bigint::BigInt =
        "21888242871839275222246405745257275088548364400416034343698204186575808495617".parse().unwrap();
    let json = format!(r#"{{ "b": [0, "{}"], "a": "{}" }}"#, &prime + 7, &prime * -2);
    let witness = calculate(CIRCUIT, &json).unwrap();
    assert_eq!(witness.values, [1u64, 7, 0, 0, 7].map(BigInt::from));
    let witness = calculate(CIRCUIT, r#"{ "a": 1, "b": [0, "-1"] }"#).unwrap();
    assert_eq!(num_bigint::BigUint::from(witness.values[4]), (prime - 1u8).to_biguint().unwrap());
}

#[test]
fn inputs_of_another_circuit() {
    assert_eq!(
        error(r#"{ "a": 1, "b": [2, 3], "c": 4 }"#),
        "no input `c`: expected the names of the circuit's input signals"
    );
    assert_eq!(error(r#"{ "a": 1, "b": 2 }"#), "input b has 1 values: expected 2");
    assert_eq!(error(r#"{ "a": [1, 2], "b": [2, 3] }"#), "input a has 2 values: expected 1");
    assert_eq!(error(r#"{ "b": [2, 3] }"#), "1 input values are missing: expected 3, found 2 in b");
    assert_eq!(error("{}"), "3 input values are missing: expected 3, found 0 in no signals");
}

#[test]
fn a_failing_assertion_has_its_place() {
    assert_eq!(
        error(r#"{ "a": 10, "b": [2, 1] }"#),
        "the circuit refuses the inputs: assertion failed: in line 1"
    );
}
