//! Keys and witnesses that circom and snarkjs made.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ff::{BigInt, BigInteger, PrimeField};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{public_to_json, FileError, ProofJson, Wtns, Zkey};
use bucketwheel_groth16::{
    Bls12_381, Bn254, Error, PairingCurve, PreparedVerifyingKey, ProveOptions, Prover, Stage, VerifyingCurve,
};

use crate::snarkjs::Snarkjs;

pub fn read(curve: &str, name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data").join(curve).join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Calls `check` with the key and the witness of a curve.
fn with_key<E: PairingCurve>(curve: &str, check: impl Fn(Zkey<'_, E>, Vec<BigInt<4>>)) {
    let (key, witness) = (read(curve, "power.zkey"), read(curve, "power.wtns"));
    check(Zkey::parse(&key).unwrap(), Wtns::parse(&witness).unwrap().to_vec().unwrap());
}

fn proofs_verify<E: PairingCurve>(curve: &str) {
    with_key::<E>(curve, |key, witness| {
        let verifier = PreparedVerifyingKey::new(&key.verifying_key().unwrap());
        for prover in [Prover::new(key.clone()).unwrap(), Prover::retaining(key).unwrap()] {
            let proven = prover.prove(&witness, ProveOptions::new().verify(false)).unwrap();
            assert_eq!(proven.public.len(), prover.key().header.public);
            for (public, value) in proven.public.iter().zip(&witness[1..]) {
                assert_eq!(public.into_bigint(), *value);
            }
            assert!(verifier.verify(&proven.public, &proven.proof).unwrap());
            // Proofs are blinded: two proofs of one witness have nothing in common.
            let again = prover.prove(&witness, ProveOptions::new()).unwrap();
            assert_ne!(proven.proof.a, again.proof.a);
            assert_ne!(proven.proof.b, again.proof.b);
            assert_ne!(proven.proof.c, again.proof.c);
        }
    });
}

#[test]
fn proofs_verify_bn254() {
    proofs_verify::<Bn254>("bn254");
}

#[test]
fn proofs_verify_bls12_381() {
    proofs_verify::<Bls12_381>("bls12-381");
}

/// Checks proofs of both provers with snarkjs.
fn accepted<E: PairingCurve>(curve: &str) {
    let Some(snarkjs) = Snarkjs::find() else { return };
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    std::fs::write(at.join("vkey.json"), read(curve, "verification_key.json")).unwrap();
    with_key::<E>(curve, |key, witness| {
        for prover in [Prover::new(key.clone()).unwrap(), Prover::retaining(key).unwrap()] {
            let proven = prover.prove(&witness, ProveOptions::new().verify(false)).unwrap();
            std::fs::write(at.join("proof.json"), ProofJson::encode(&proven.proof).to_text()).unwrap();
            std::fs::write(at.join("public.json"), public_to_json(&proven.public)).unwrap();
            snarkjs.run(at, "groth16 verify vkey.json public.json proof.json");
        }
    });
}

#[test]
fn snarkjs_accepts_proofs_bn254() {
    accepted::<Bn254>("bn254");
}

#[test]
fn snarkjs_accepts_proofs_bls12_381() {
    accepted::<Bls12_381>("bls12-381");
}

#[test]
fn seeds_make_proofs_reproducible_however_points_are_kept() {
    with_key::<Bn254>("bn254", |key, witness| {
        let prove = |prover: &Prover<_, _>, seed| {
            prover.prove(&witness, ProveOptions::new().insecure_seed(seed)).unwrap().proof
        };
        let (reading, retaining) = (Prover::new(key.clone()).unwrap(), Prover::retaining(key).unwrap());
        assert_eq!(prove(&reading, 1).c, prove(&retaining, 1).c);
        assert_ne!(prove(&reading, 1).c, prove(&reading, 2).c);
    });
}

#[test]
fn a_bound_on_memory_changes_no_proof() {
    with_key::<Bls12_381>("bls12-381", |key, witness| {
        let expected = Prover::new(key.clone()).unwrap();
        let expected = expected.prove(&witness, ProveOptions::new().insecure_seed(1)).unwrap().proof;
        for prover in [Prover::new(key.clone()).unwrap(), Prover::retaining(key).unwrap()] {
            let prove = |bytes| prover.prove(&witness, ProveOptions::new().insecure_seed(1).memory(bytes));
            let least = match prove(1).map(|_| ()) {
                Err(Error::Memory { bytes: 1, least }) => least,
                other => panic!("{other:?}"),
            };
            assert!(matches!(prove(least - 1), Err(Error::Memory { least: again, .. }) if again == least));
            for bytes in [0, least, 1 << 30] {
                assert_eq!(prove(bytes).unwrap().proof.c, expected.c);
            }
        }
    });
}

#[test]
fn wrong_witnesses_are_errors() {
    with_key::<Bn254>("bn254", |key, witness| {
        let prover = Prover::new(key).unwrap();
        let prove = |witness: &[BigInt<4>]| prover.prove(witness, ProveOptions::new()).unwrap_err();
        let short = &witness[..witness.len() - 1];
        assert!(matches!(prove(short), Error::WitnessLength { .. }));
        assert!(matches!(prove(&[]), Error::WitnessLength { .. }));
        // Changes any value but the first, in any of a few bits.
        for (index, bit) in (1..witness.len()).zip([0, 1, 63, 64, 200].into_iter().cycle()) {
            let mut flipped = witness.clone();
            flipped[index].0[bit / 64] ^= 1 << (bit % 64);
            assert!(matches!(prove(&flipped), Error::NotSatisfied), "value {index}, bit {bit}");
        }
        let mut no_one = witness.clone();
        no_one[0] = BigInt::from(2u64);
        assert!(matches!(prove(&no_one), Error::WitnessConstant));
        let mut large = witness.clone();
        large[1] = ark_bn254::Fr::MODULUS;
        assert!(matches!(prove(&large), Error::Engine(bucketwheel::Error::ScalarRange { index: 1 })));
        large[1].add_with_carry(&BigInt::from(1u64));
        assert!(matches!(prove(&large), Error::Engine(bucketwheel::Error::ScalarRange { index: 1 })));
    });
}

/// Returns the start of a section's bytes in a valid container.
fn section(file: &[u8], id: u32) -> usize {
    let mut at = 12;
    while file[at..][..4] != id.to_le_bytes() {
        at += 12 + u64::from_le_bytes(file[at + 4..][..8].try_into().unwrap()) as usize;
    }
    at + 12
}

fn damaged_keys_are_errors<E: PairingCurve>(curve: &str) {
    let (key, witness) =
        (read(curve, "power.zkey"), Wtns::parse(&read(curve, "power.wtns")).unwrap().to_vec().unwrap());
    let prove = |at: usize| {
        let mut key = key.clone();
        key[at] ^= 1;
        let prover = Prover::new(Zkey::<E>::parse(&key).unwrap()).unwrap();
        prover.prove(&witness, ProveOptions::new()).unwrap_err()
    };
    let bytes = if E::ID == Bn254::ID { 64 } else { 96 };
    for (id, name, bytes) in
        [(5, "A", bytes), (6, "B1", bytes), (7, "B2", 2 * bytes), (8, "C", bytes), (9, "H", bytes)]
    {
        // Changes the lowest bit of x and of y.
        for at in [2 * bytes, 3 * bytes - bytes / 2] {
            let error = prove(section(&key, id) + at);
            let expected = format!("point 2 of {name} is not on the curve: expected points of the group");
            assert!(matches!(error, Error::DamagedKey { .. }), "{name}: {error}");
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
    // Behind lengths, primes and counts: alpha1, beta1, beta2, gamma2, delta1, delta2.
    let points = section(&key, 2) + 20 + bytes / 2 + 32;
    for (at, name) in [(bytes, "beta1"), (6 * bytes, "delta1")] {
        let mut key = key.clone();
        key[points + at] ^= 1;
        let error = Prover::new(Zkey::<E>::parse(&key).unwrap()).unwrap_err();
        assert!(
            matches!(&error, Error::File(FileError::Point { what, .. }) if what == name),
            "{name}: {error}"
        );
    }
    // Changes the value of the first coefficient. The key allows any value, so the witness could be wrong as well.
    let error = prove(section(&key, 4) + 4 + 12);
    assert!(matches!(error, Error::NotSatisfied), "{error}");
    let message = error.to_string();
    assert!(["or the key is damaged", "witness check", "zkey check"]
        .iter()
        .all(|part| message.contains(part)));
}

#[test]
fn damaged_keys_are_errors_bn254() {
    damaged_keys_are_errors::<Bn254>("bn254");
}

#[test]
fn damaged_keys_are_errors_bls12_381() {
    damaged_keys_are_errors::<Bls12_381>("bls12-381");
}

#[derive(Default)]
struct Counter(AtomicUsize);

impl Progress for Counter {
    fn report(&self, done: usize, total: usize) {
        assert!(done <= total);
        self.0.fetch_max(done, Ordering::Relaxed);
    }
}

#[test]
fn progress_trace_and_cancellation() {
    with_key::<Bn254>("bn254", |key, witness| {
        let prover = Prover::new(key).unwrap();
        let (counter, cancel) = (Counter::default(), Cancel::new());
        let options = ProveOptions::new().progress(&counter).cancel(&cancel);
        let trace = prover.prove(&witness, options).unwrap().trace;
        assert!(counter.0.load(Ordering::Relaxed) > 0);
        // This witness has long values, so C's sum is part of H's sum.
        for stage in Stage::ALL.into_iter().filter(|&stage| stage != Stage::C) {
            assert!(trace.spans.iter().any(|span| span.stage == stage), "{}", stage.name());
            assert!(trace.elapsed(stage) <= trace.total);
        }
        cancel.cancel();
        let error = prover.prove(&witness, options).unwrap_err();
        assert!(matches!(error, Error::Engine(bucketwheel::Error::Cancelled)));
    });
}

#[test]
fn one_prover_serves_many_threads() {
    with_key::<Bn254>("bn254", |key, witness| {
        let prover = Prover::new(key).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| prover.prove(&witness, ProveOptions::new()).unwrap());
            }
        });
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        one.install(|| prover.prove(&witness, ProveOptions::new()).unwrap());
    });
}
