//! Compares circom's own circuits with snarkjs' witnesses, if `tools/circuits.sh` has built them.

use std::path::PathBuf;

use bucketwheel_groth16::file::write_wtns;
use bucketwheel_groth16::witness::{Calculator, Inputs, WitnessError};

/// Returns the folder of a workload.
fn workload(name: &str) -> Option<PathBuf> {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/circuits");
    let circuits = std::env::var_os("BUCKETWHEEL_CIRCUITS").map_or(built.into(), PathBuf::from);
    let folder = circuits.join(name);
    if !folder.join("witness.wtns").exists() {
        eprintln!("skipped: there is no {}, tools/circuits.sh makes it", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn witnesses_are_those_of_snarkjs() {
    for folder in ["members", "merkle", "merkle-mimc", "semaphore"].into_iter().filter_map(workload) {
        let read = |name| std::fs::read(folder.join(name)).unwrap();
        let inputs = Inputs::from_json(&read("input.json")).unwrap();
        let witness = Calculator::new().calculate(&read("circuit.wasm"), &inputs).unwrap();
        let mut ours = std::io::Cursor::new(Vec::new());
        write_wtns(&mut ours, witness.curve, &witness.values).unwrap();
        assert!(ours.into_inner() == read("witness.wtns"), "{}", folder.display());
    }
}

#[test]
fn an_assertion_of_circom_has_its_place() {
    let Some(folder) = workload("members") else { return };
    let json = std::fs::read_to_string(folder.join("input.json")).unwrap();
    // One bit is 2.
    let json = json.replacen("\"index\":[1", "\"index\":[2", 1);
    let inputs = Inputs::from_json(json.as_bytes()).unwrap();
    let wasm = std::fs::read(folder.join("circuit.wasm")).unwrap();
    match Calculator::new().calculate(&wasm, &inputs) {
        Err(WitnessError::Refused(message)) => {
            assert!(message.starts_with("assertion failed: Error in template Members"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}
