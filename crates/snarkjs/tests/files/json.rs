//! Checks that snarkjs' JSON is read, and written to the same bytes.

use bucketwheel_groth16::file::{public_from_json, public_to_json, ProofJson, VerifyingKeyJson, Zkey};
use bucketwheel_groth16::{verify, with_pairing, PairingCurve, CURVES};

use crate::data;

#[test]
fn what_snarkjs_proves_verifies() {
    for curve in CURVES {
        with_pairing!(curve, E => proof_verifies::<E>()).unwrap();
    }
}

fn proof_verifies<E: PairingCurve>() {
    let [key, proof, public] =
        ["verification_key.json", "proof.json", "public.json"].map(|name| data(E::ID, name));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();

    let json = VerifyingKeyJson::parse(&key).unwrap();
    assert_eq!(json.curve(), Ok(E::ID));
    let decoded = json.decode::<E>().unwrap();
    assert_eq!(VerifyingKeyJson::encode(&decoded).to_text(), text(&key));

    let decoded_proof = ProofJson::parse(&proof).unwrap().decode::<E>().unwrap();
    assert_eq!(ProofJson::encode(&decoded_proof).to_text(), text(&proof));

    let signals = public_from_json::<E::ScalarField>(&public).unwrap();
    assert_eq!(public_to_json(&signals), text(&public));
    assert!(verify(&decoded, &signals, &decoded_proof).unwrap());

    let zkey = data(E::ID, "power.zkey");
    assert_eq!(Zkey::<E>::parse(&zkey).unwrap().verifying_key(), Ok(decoded));
}
