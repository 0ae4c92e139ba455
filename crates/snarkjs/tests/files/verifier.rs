//! The verifier, on proofs made with the secrets of a key, and on snarkjs' proofs with one thing wrong.

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, UniformRand};
use bucketwheel_groth16::file::{public_from_json, FileError, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{
    verify, with_pairing, Error, PairingCurve, PreparedVerifyingKey, Proof, VerifyingKey, CURVES,
};
use rand_chacha::rand_core::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::data;
use bucketwheel_properties::explains;

#[test]
fn proofs_from_the_secrets() {
    for curve in CURVES {
        with_pairing!(curve, E => secrets::<E>()).unwrap();
    }
}

/// Chooses all exponents. C follows from the equation.
fn secrets<E: PairingCurve>() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let g1 = |x: E::ScalarField| (E::G1Affine::generator() * x).into_affine();
    let g2 = |x: E::ScalarField| (E::G2Affine::generator() * x).into_affine();
    for public in [0, 1, 2, 7, 50] {
        let mut draw = || E::ScalarField::rand(rng);
        let [alpha, beta, gamma, delta, a, b] = std::array::from_fn(|_| draw());
        let ic: Vec<_> = (0..=public).map(|_| draw()).collect();
        let mut signals: Vec<_> = (0..public).map(|_| draw()).collect();
        signals.iter_mut().skip(1).step_by(3).for_each(|signal| *signal = E::ScalarField::ZERO);
        let sum: E::ScalarField =
            ic[0] + ic[1..].iter().zip(&signals).map(|(x, y)| *x * y).sum::<E::ScalarField>();
        let c = (a * b - alpha * beta - sum * gamma) * delta.inverse().unwrap();
        let key = VerifyingKey::<E> {
            alpha_g1: g1(alpha),
            beta_g2: g2(beta),
            gamma_g2: g2(gamma),
            delta_g2: g2(delta),
            ic: ic.into_iter().map(g1).collect(),
        };
        let proof = Proof { a: g1(a), b: g2(b), c: g1(c) };
        let prepared = PreparedVerifyingKey::new(&key);
        assert!(prepared.verify(&signals, &proof).unwrap());
        assert!(verify(&key, &signals, &proof).unwrap());
        // The same points stand in another place.
        for wrong in [
            Proof { a: -proof.a, ..proof },
            Proof { b: -proof.b, ..proof },
            Proof { c: -proof.c, ..proof },
            Proof { a: proof.c, c: proof.a, ..proof },
            Proof { a: E::G1Affine::zero(), ..proof },
            Proof { b: E::G2Affine::zero(), ..proof },
            Proof { c: E::G1Affine::zero(), ..proof },
        ] {
            assert!(!prepared.verify(&signals, &wrong).unwrap());
        }
        // Changing both signs gives the same pairing.
        assert!(prepared.verify(&signals, &Proof { a: -proof.a, b: -proof.b, ..proof }).unwrap());
        for i in 0..public {
            let mut wrong = signals.clone();
            wrong[i] += E::ScalarField::ONE;
            assert!(!prepared.verify(&wrong, &proof).unwrap());
        }
        let counts = [public + 1].into_iter().chain(public.checked_sub(1));
        for found in counts {
            let error = prepared.verify(&vec![E::ScalarField::ONE; found], &proof).unwrap_err();
            explains(&error);
            assert!(
                matches!(error, Error::PublicSignals { expected, found: n } if (expected, n) == (public, found))
            );
        }
    }
    let empty = VerifyingKey::<E> {
        alpha_g1: E::G1Affine::zero(),
        beta_g2: E::G2Affine::zero(),
        gamma_g2: E::G2Affine::zero(),
        delta_g2: E::G2Affine::zero(),
        ic: Vec::new(),
    };
    let proof = Proof { a: E::G1Affine::zero(), b: E::G2Affine::zero(), c: E::G1Affine::zero() };
    explains(&verify(&empty, &[], &proof).unwrap_err());
}

#[test]
fn snarkjs_proofs_with_a_byte_changed() {
    for curve in CURVES {
        with_pairing!(curve, E => changed::<E>()).unwrap();
    }
}

fn changed<E: PairingCurve>() {
    let key = VerifyingKeyJson::parse(&data(E::ID, "verification_key.json")).unwrap().decode::<E>().unwrap();
    let key = PreparedVerifyingKey::new(&key);
    let (proof, public) = (data(E::ID, "proof.json"), data(E::ID, "public.json"));
    let holds = |proof: &[u8], public: &[u8]| -> Result<bool, Error> {
        let signals = public_from_json(public)?;
        key.verify(&signals, &ProofJson::parse(proof)?.decode::<E>()?)
    };
    assert!(holds(&proof, &public).unwrap());
    let mut digits = 0;
    for at in (0..proof.len()).filter(|&at| proof[at].is_ascii_digit()) {
        // The digits in the curve's name, in pi_a and the like stay: with other digits, these do not parse.
        let mut wrong = proof.clone();
        wrong[at] = b'0' + (proof[at] - b'0' + 1) % 10;
        match holds(&wrong, &public) {
            Ok(holds) => assert!(!holds),
            Err(error) => explains(&error),
        }
        digits += 1;
    }
    assert!(digits > 500);
    for at in (0..public.len()).filter(|&at| public[at].is_ascii_digit()) {
        let mut wrong = public.clone();
        wrong[at] = b'0' + (public[at] - b'0' + 1) % 10;
        match holds(&proof, &wrong) {
            Ok(holds) => assert!(!holds),
            Err(error) => explains(&error),
        }
    }
}

#[test]
fn public_signals_are_refused_not_reduced() {
    // The numbers r, r - 1 and r + 5 of BN254.
    let text = |last: &str| {
        format!("[\"218882428718392752222464057452572750885483644004160343436982041865758084956{last}\"]")
    };
    let read = |text: String| public_from_json::<ark_bn254::Fr>(text.as_bytes());
    assert_eq!(read(text("16")), Ok(vec![-ark_bn254::Fr::ONE]));
    for text in
        [text("17"), text("22"), "[\"-1\"]".into(), "[\"007\"]".into(), "[\"+7\"]".into(), "[\"\"]".into()]
    {
        assert_eq!(read(text), Err(FileError::Decimal { what: "public signal 0".into() }));
    }
    for text in ["[7]", "[\"0x7\"]", "[\"0x07\"]"] {
        assert_eq!(read(text.into()), Ok(vec![ark_bn254::Fr::from(7)]), "{text}");
    }
    for text in ["[\"0X7\"]", "[\" 7\"]", "[\"7 \"]", "[\"7.0\"]", "[\"1e3\"]", "[\"\u{0667}\"]"] {
        assert_eq!(read(text.into()), Err(FileError::Decimal { what: "public signal 0".into() }));
    }
    assert_eq!(
        read(format!("[\"{}\"]", "9".repeat(1 << 20))),
        Err(FileError::Decimal { what: "public signal 0".into() })
    );
    for text in ["[7.0]", "[-7]", "\"7\"", "{}", "", "[\"7\"", "[\"7\"] 8", "nul", "\u{0}"] {
        assert!(matches!(read(text.into()), Err(FileError::Json { .. })), "{text}");
    }
}
