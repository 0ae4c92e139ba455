//! The table of texts that every interface takes or refuses alike: `tests/data/texts.json`. Each text stands for the
//! `part` of a valid claim of the circuit `mul` in `tests/data/circom`; `says` is part of the refusal, and absent if
//! the text is taken.

use std::fmt::Display;

use bucketwheel_groth16::file::{public_from_json, FileError, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{Bn254, Error, TextClaim, TextVerifier};

use crate::foreign::read;
use bucketwheel_properties::{explains, files as properties};

/// Returns the table.
pub fn table() -> Vec<serde_json::Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/texts.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Words of parsers that only their programmers know.
const INTERNAL: [&str; 9] = [
    "invalid type",
    "variant",
    "usize",
    "untagged",
    "EOF while",
    "sequence",
    "missing field",
    "trailing",
    "serde",
];

/// Checks the message of a text that is refused.
fn refused(error: &impl Display, says: &str) {
    explains(error);
    let message = error.to_string();
    assert!(message.contains(says), "{message:?} does not say {says:?}");
    assert!(!INTERNAL.iter().any(|word| message.contains(word)), "{message}");
    assert!(message.len() < 400, "{message}");
}

#[test]
fn every_text_is_taken_or_refused_for_its_reason() {
    let [key, public, proof] = ["mul.vkey.json", "mul.public.json", "mul.proof.json"].map(read);
    for entry in table() {
        let text = entry["text"].as_str().unwrap().as_bytes();
        let says = entry["says"].as_str();
        let (mut texts, part) = ([&key[..], &public, &proof], entry["part"].as_str().unwrap());
        let place = ["key", "public", "proof"].iter().position(|name| *name == part).unwrap();
        texts[place] = text;
        let [key, public, proof] = texts;
        let verified = TextVerifier::new(key).and_then(|key| key.first_bad(&[TextClaim { public, proof }]));
        match (verified, says) {
            (Ok(None), None) => {}
            (Err(Error::Claim { source, .. }), Some(says)) => refused(&source, says),
            (Err(error), Some(says)) => refused(&error, says),
            (verified, says) => panic!("{part} {text:?}: {:?}, expected {says:?}", verified.err()),
        }
        [properties::verifying_key, properties::public, properties::proof][place](text);
    }
}

#[test]
fn no_text_is_taken_for_another() {
    let [key, public, proof] = ["mul.vkey.json", "mul.public.json", "mul.proof.json"].map(read);
    for text in [&key, &public] {
        assert!(matches!(ProofJson::parse(text), Err(FileError::Json { .. })));
    }
    for text in [&proof, &public] {
        assert!(matches!(VerifyingKeyJson::parse(text), Err(FileError::Json { .. })));
    }
    for text in [&key, &proof] {
        let signals = public_from_json::<<Bn254 as ark_ec::pairing::Pairing>::ScalarField>(text);
        assert!(matches!(signals, Err(FileError::Json { .. })));
    }
}

#[test]
fn a_batch_of_none_is_no_verdict() {
    let verifier = TextVerifier::new(&read("mul.vkey.json")).unwrap();
    let error = verifier.first_bad(&[]).unwrap_err();
    assert!(matches!(error, Error::NoProofs), "{error}");
    explains(&error);
}

/// Texts with deep nesting or many words take time and memory in proportion to their length.
#[test]
fn large_texts() {
    const SIZE: usize = 1 << 20;
    let deep = format!("{}{}", "[".repeat(SIZE), "]".repeat(SIZE));
    let wide = format!("[{}\"33\"]", "\"33\",".repeat(SIZE));
    let long = format!("[\"{}\"]", "3".repeat(SIZE));
    let names = format!("{{{}\"pi_a\": 1}}", "\"a\": 1,".repeat(SIZE));
    for text in [deep, wide, long, names] {
        properties::proof(text.as_bytes());
        properties::verifying_key(text.as_bytes());
        properties::public(text.as_bytes());
        let within = format!("{{\"pi_a\": {text}, \"IC\": {text}, \"vk_alpha_1\": {text}}}");
        properties::proof(within.as_bytes());
        properties::verifying_key(within.as_bytes());
    }
}

#[test]
fn no_public_signals() {
    let [key, proof] = ["nopub2.vkey.json", "nopub2.proof.json"].map(read);
    let verifier = TextVerifier::new(&key).unwrap();
    for public in ["null", "[]", " null\n"] {
        let claim = TextClaim { public: public.as_bytes(), proof: &proof };
        assert!(verifier.first_bad(&[claim]).unwrap().is_none(), "{public}");
    }
}
