//! Verification of proofs in texts.

use bucketwheel_circuit::check_fork;
use bucketwheel_groth16::file::{public_from_json, FileError, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{verify as verify_proof, Bn254, Error as Groth16Error};

use crate::error::Error;

/// Returns true if the proof of these public signals holds. A proof whose points are not in their groups does not hold.
///
/// # Errors
/// [`Error::Json`] for the first argument that cannot be read; [`Error::Forked`].
pub fn verify(proof: &[u8], public: &[u8], key: &[u8]) -> Result<bool, Error> {
    check_fork()?;
    let proof = ProofJson::parse(proof).map_err(Error::json(PROOF))?;
    let public = public_from_json(public).map_err(Error::json(PUBLIC))?;
    let key = VerifyingKeyJson::parse(key).and_then(|key| key.decode::<Bn254>()).map_err(Error::json(KEY))?;
    let proof = match proof.decode::<Bn254>() {
        Ok(proof) => proof,
        Err(FileError::Point { .. }) => return Ok(false),
        Err(error) => return Err(Error::json(PROOF)(error)),
    };
    let error = |source: Groth16Error| Error::Json { what: PUBLIC, source };
    verify_proof(&key, &public, &proof).map_err(error)
}

const PROOF: &str = "proof";
const PUBLIC: &str = "public signals";
const KEY: &str = "verification key";

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Runs the table of `crates/snarkjs/tests/files/texts.rs`.
    #[test]
    fn texts_are_taken_or_refused_as_in_every_face() {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data");
        let read = |name: &str| fs::read(format!("{data}/{name}")).unwrap();
        let table: Vec<serde_json::Value> = serde_json::from_slice(&read("texts.json")).unwrap();
        let [key, public, proof] =
            ["vkey", "public", "proof"].map(|part| read(&format!("circom/mul.{part}.json")));
        for entry in table {
            let text = entry["text"].as_str().unwrap().as_bytes();
            let (key, public, proof) = match entry["part"].as_str().unwrap() {
                "key" => (text, &public[..], &proof[..]),
                "public" => (&key[..], text, &proof[..]),
                _ => (&key[..], &public[..], text),
            };
            match (verify(proof, public, key), entry["says"].as_str()) {
                (Ok(valid), None) => assert!(valid, "{entry}"),
                (Err(error), Some(says)) => assert!(error.to_string().contains(says), "{error}: {says}"),
                (verified, _) => panic!("{verified:?}: {entry}"),
            }
        }
    }
}
