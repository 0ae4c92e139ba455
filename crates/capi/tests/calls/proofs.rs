//! Groth16 proofs that are verified together.

use std::ffi::c_char;
use std::{fs, ptr};

use bucketwheel_c::*;

use crate::kit::*;

/// Reads a file of the same circuit, over either curve.
fn data(curve: &str, name: &str) -> Vec<u8> {
    let path = format!("{}/../snarkjs/tests/data/{curve}/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn proof(proof: &[u8], public: &[u8]) -> bw_proof {
    bw_proof {
        proof: proof.as_ptr().cast(),
        proof_size: proof.len(),
        public_signals: public.as_ptr().cast(),
        public_size: public.len(),
    }
}

fn verify(key: &[u8], proofs: &[bw_proof]) -> Result<usize, bw_status> {
    let mut first_bad = 77;
    let (key, size) = (key.as_ptr().cast::<c_char>(), key.len());
    let found = call!(bw_groth16_verify_many(key, size, proofs.as_ptr(), proofs.len(), &mut first_bad));
    match found {
        BW_OK => Ok(first_bad),
        error => {
            assert_eq!(first_bad, 77, "told, in spite of an error");
            Err(error)
        }
    }
}

#[test]
fn the_first_that_does_not_hold_is_told() {
    for curve in ["bn254", "bls12-381"] {
        let (key, text) = (data(curve, "verification_key.json"), data(curve, "proof.json"));
        let public = data(curve, "public.json");
        let good = proof(&text, &public);
        assert_eq!(verify(&key, &[good; 5]), Ok(BW_NO_INDEX), "{curve}");
        // Changes the last digit of a signal.
        let mut other = public.clone();
        let digit = other.iter().rposition(u8::is_ascii_digit).unwrap();
        other[digit] ^= 1;
        let bad = proof(&text, &other);
        assert_eq!(verify(&key, &[good, good, bad, good, bad]), Ok(2), "{curve}");
        // A point that is on no curve.
        let words = String::from_utf8(text.clone()).unwrap();
        let x = words.split('"').find(|word| word.len() > 20).unwrap();
        let outside = words.replacen(x, "5", 1);
        assert_eq!(verify(&key, &[good, proof(outside.as_bytes(), &public)]), Ok(1), "{curve}");
    }
}

#[test]
fn texts_that_are_none_are_errors() {
    let (key, text) = (data("bn254", "verification_key.json"), data("bn254", "proof.json"));
    let public = data("bn254", "public.json");
    let good = proof(&text, &public);
    let refused = |key: &[u8], proofs: &[bw_proof], index: usize, words: &str| {
        assert_eq!(verify(key, proofs), Err(BW_ERROR_PROOF), "{words}");
        assert_eq!(fails(BW_ERROR_PROOF, BW_ERROR_PROOF, words), index, "{words}");
    };
    refused(b"{", &[good], BW_NO_INDEX, "verification_key.json");
    refused(&text, &[good], BW_NO_INDEX, "verification_key.json");
    refused(&key, &[good, proof(&public, &public)], 1, "proof 1, its text");
    refused(&key, &[good, proof(&text, b"[]")], 1, "public signals: expected");
    refused(&key, &[proof(&text, b"[\"x\"]"), good], 0, "proof 0, its public signals");
    refused(&key, &[], BW_NO_INDEX, "there are no proofs to verify: expected at least one");
    // A key of another curve.
    refused(&key, &[proof(&data("bls12-381", "proof.json"), &public)], 0, "bls12381");
}

/// Checks the table of `crates/snarkjs/tests/files/texts.rs`.
#[test]
fn texts_are_taken_or_refused_as_in_every_face() {
    let table: Vec<serde_json::Value> = serde_json::from_slice(&data(".", "texts.json")).unwrap();
    let [key, public, good] =
        ["vkey", "public", "proof"].map(|part| data("circom", &format!("mul.{part}.json")));
    for entry in table {
        let text = entry["text"].as_str().unwrap().as_bytes();
        let (key, claim) = match entry["part"].as_str().unwrap() {
            "key" => (text, proof(&good, &public)),
            "public" => (&key[..], proof(&good, text)),
            _ => (&key[..], proof(text, &public)),
        };
        match (verify(key, &[claim]), entry["says"].as_str()) {
            (verified, None) => assert_eq!(verified, Ok(BW_NO_INDEX), "{entry}"),
            (verified, Some(says)) => {
                assert_eq!(verified, Err(BW_ERROR_PROOF), "{entry}");
                fails(BW_ERROR_PROOF, BW_ERROR_PROOF, says);
            }
        }
    }
}

#[test]
fn null_pointers_are_errors() {
    let (key, text) = (data("bn254", "verification_key.json"), data("bn254", "proof.json"));
    let public = data("bn254", "public.json");
    let good = proof(&text, &public);
    let key = (key.as_ptr().cast::<c_char>(), key.len());
    let call = |key: (*const c_char, usize), proofs, out| {
        call!(bw_groth16_verify_many(key.0, key.1, proofs, 1, out))
    };
    let mut first_bad = 0;
    fails(call((ptr::null(), 5), &good, &mut first_bad), BW_ERROR_NULL, "key");
    fails(call(key, ptr::null(), &mut first_bad), BW_ERROR_NULL, "proofs");
    fails(call(key, &good, ptr::null_mut()), BW_ERROR_NULL, "first_bad");
    let no_text = bw_proof { proof: ptr::null(), ..good };
    fails(call(key, &no_text, &mut first_bad), BW_ERROR_NULL, "proof");
    let no_signals = bw_proof { public_signals: ptr::null(), ..good };
    fails(call(key, &no_signals, &mut first_bad), BW_ERROR_NULL, "public_signals");
}
