//! Keys and proofs of ark-groth16, for a circuit with one public signal, the square of a private signal.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use bucketwheel_circuit::{read_arkworks_key, verifying_key_text, Error};
use bucketwheel_groth16::{CurveId, Error as Groth16Error, KeyFault, TextClaim, TextVerifier};

use crate::data;

const CURVES: [(&str, CurveId); 2] = [("bn254", CurveId::Bn254), ("bls12-381", CurveId::Bls12_381)];
const KEYS: [&str; 4] = [".vk", ".pk", "-compressed.vk", "-compressed.pk"];

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/samples").join(name)).unwrap()
}

#[test]
fn every_form_of_a_key_is_read() {
    for (name, curve) in CURVES {
        let proof = file(&format!("arkworks-{name}.proof.json"));
        let first = verifying_key_text(&file(&format!("arkworks-{name}.vk"))).unwrap().into_owned();
        for key in KEYS {
            let key = file(&format!("arkworks-{name}{key}"));
            assert_eq!(read_arkworks_key(&key).unwrap().unwrap().curve().unwrap(), curve);
            let text = verifying_key_text(&key).unwrap();
            assert!(text == first);
            let verifier = TextVerifier::new(&text).unwrap();
            let bad = |public: &[u8]| verifier.first_bad(&[TextClaim { public, proof: &proof }]).unwrap();
            assert!(bad(br#"["9"]"#).is_none() && bad(br#"["8"]"#).is_some());
        }
    }
}

#[test]
fn other_files_stay_as_they_are() {
    for name in ["verification_key.json", "power.zkey", "proof.json", "power.wtns"] {
        let bytes = fs::read(data(CurveId::Bn254, name)).unwrap();
        assert!(matches!(verifying_key_text(&bytes), Ok(Cow::Borrowed(same)) if same == bytes));
    }
    let key = file("arkworks-bn254.pk");
    for len in (0..key.len()).filter(|len| len % 61 == 0) {
        assert!(read_arkworks_key(&key[..len]).unwrap().is_none(), "{len}");
    }
    assert!(read_arkworks_key(&[&key[..], &[0]].concat()).unwrap().is_none());
}

#[test]
fn keys_that_no_setup_makes_are_refused() {
    let key = file("arkworks-bn254.vk");
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut key = key.clone();
        change(&mut key);
        read_arkworks_key(&key).unwrap_err()
    };
    // The key has alpha, then beta, gamma and delta. Infinity is a flag in the last byte.
    for (point, range) in [("alpha1", 0..64), ("beta2", 64..192), ("gamma2", 192..320), ("delta2", 320..448)]
    {
        let infinite = error(&|key| {
            key[range.clone()].fill(0);
            key[range.end - 1] = 0x40;
        });
        let Error::Groth16 { source: Groth16Error::Key(KeyFault::Infinity { point: found }), .. } = &infinite
        else {
            panic!("{infinite}")
        };
        assert_eq!(found, point);
        let moved = error(&|key| key[range.start] ^= 1);
        assert!(moved.to_string().contains(" is not on the curve: expected "), "{moved}");
        let large = error(&|key| key[range.start..range.start + 32].fill(0xff));
        assert!(large.to_string().contains(" is not encoded as arkworks does: expected "), "{large}");
    }
    let empty = error(&|key| {
        key[448..456].fill(0);
        key.truncate(456);
    });
    assert!(empty.to_string().contains("for public signals is 0: expected at least 1"), "{empty}");
}
