//! Files of circom versions other than the version that made `tests/data/bn254`: `tests/data/circom`.
//!
//! `unused` has six private inputs, of which circom 2.2.3 keeps one wire; `unused.zkey` is snarkjs' key for it. `mul` was
//! compiled by circom 2.0.6 and 2.0.8, which write empty sections of custom gates.

use std::io::Cursor;

use bucketwheel::Cancel;
use bucketwheel_groth16::file::{FileError, FileWarning, R1cs, Wtns, Zkey};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{check_witness, verify, Bn254, CurveId, ProveOptions, Prover};

use crate::{data, sections, Silent};
use bucketwheel_properties::explains;

/// Returns a file of `tests/data/circom`.
pub fn read(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/circom/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Checks that a proof of a witness by a key holds.
fn proves(key: &[u8], witness: &Wtns<'_>) {
    let prover = Prover::new(Zkey::<Bn254>::parse(key).unwrap()).unwrap();
    let options = ProveOptions::new().verify(false);
    let proven = prover.prove(&witness.to_vec().unwrap(), options).unwrap();
    assert!(verify(&prover.key().verifying_key().unwrap(), &proven.public, &proven.proof).unwrap());
}

/// Checks that the witness satisfies the circuit, and that a key for the circuit proves it.
fn works(circuit: &[u8], witness: &[u8]) {
    let (circuit, witness) = (R1cs::parse(circuit).unwrap(), Wtns::parse(witness).unwrap());
    check_witness(&circuit, &witness, &Cancel::new(), &Silent).unwrap();
    let setup = Setup::<Bn254>::new(circuit).unwrap();
    let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
    proves(&key, &witness);
}

#[test]
fn private_inputs_without_a_wire() {
    let (circuit, witness) = (read("unused.r1cs"), read("unused.wtns"));
    let header = R1cs::parse(&circuit).unwrap().header;
    assert_eq!((header.wires, header.private_inputs, header.public()), (4, 6, 2));
    works(&circuit, &witness);
    proves(&read("unused.zkey"), &Wtns::parse(&witness).unwrap());
}

#[test]
fn empty_sections_of_custom_gates() {
    for name in ["circom-2.0.6.r1cs", "circom-2.0.8.r1cs"] {
        let circuit = read(name);
        assert_eq!(sections::split(&circuit).iter().filter(|(id, _)| [4, 5].contains(id)).count(), 2);
        works(&circuit, &read("mul.wtns"));
    }
}

/// Returns a circuit with these bytes in a section.
fn with_section(id: u32, bytes: &[u8]) -> Vec<u8> {
    let mut file = data(CurveId::Bn254, "power.r1cs");
    let mut all = sections::split(&file);
    all.retain(|(other, _)| *other != id);
    all.push((id, bytes.to_vec()));
    file.truncate(8);
    sections::join(&mut file, &all);
    file
}

#[test]
fn the_number_of_custom_gates_decides() {
    for id in [4, 5] {
        for none in [&[0; 4][..], &[0, 0, 0, 0, 7, 7]] {
            assert!(R1cs::parse(&with_section(id, none)).is_ok(), "section {id}: {none:?}");
        }
        for (bytes, expected) in [
            (&[1, 0, 0, 0][..], "the circuit has custom gates, 1 in section"),
            (&[0, 0, 0, 1, 5], "the circuit has custom gates, 16777216 in section"),
            (&[], "is cut off: expected 4 bytes, found 0"),
            (&[0, 0, 0], "is cut off: expected 4 bytes, found 3"),
        ] {
            let error = R1cs::parse(&with_section(id, bytes)).unwrap_err();
            explains(&error);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}

#[test]
fn labels_of_any_length() {
    for len in [0, 7, 8, 1000] {
        let circuit = with_section(3, &vec![7; len]);
        works(&circuit, &data(CurveId::Bn254, "power.wtns"));
    }
}

/// Declares `more` sections than the file has.
fn declare(mut file: Vec<u8>, more: u8) -> Vec<u8> {
    file[8] += more;
    file
}

#[test]
fn fewer_sections_than_declared() {
    let bn254 = |name| data(CurveId::Bn254, name);
    let (circuit, witness, key) = (bn254("power.r1cs"), bn254("power.wtns"), bn254("power.zkey"));
    assert!(R1cs::parse(&circuit).unwrap().warnings().is_empty());
    assert!(Wtns::parse(&witness).unwrap().warnings().is_empty());
    assert!(Zkey::<Bn254>::parse(&key).unwrap().warnings().is_empty());

    let warning = |declared, found| vec![FileWarning::FewerSections { declared, found }];
    let (circuit, witness, key) = (declare(circuit, 2), declare(witness, 1), declare(key, 200));
    assert_eq!(R1cs::parse(&circuit).unwrap().warnings(), warning(5, 3));
    assert_eq!(Wtns::parse(&witness).unwrap().warnings(), warning(3, 2));
    assert_eq!(Zkey::<Bn254>::parse(&key).unwrap().warnings(), warning(210, 10));
    works(&circuit, &witness);
    // It is still an error if a required section is missing or cut off.
    let whole = bn254("power.wtns");
    let values = whole.len() - 7 * 32 - 12;
    assert!(matches!(Wtns::parse(&whole[..values]), Err(FileError::Missing(_))));
    for len in [values + 1, values + 12, whole.len() - 1] {
        assert!(matches!(Wtns::parse(&whole[..len]), Err(FileError::Truncated { .. })));
    }
    assert!(matches!(Wtns::parse(&whole[..12]), Err(FileError::Truncated { .. })));
}
