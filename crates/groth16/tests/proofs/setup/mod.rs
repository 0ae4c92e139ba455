//! Checks development keys: on random circuits by arkworks' pairings and by proofs, and with snarkjs if it is there.

mod accepted;
mod circuits;

use std::io::Cursor;

use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::UniformRand;
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{FileError, R1cs, Zkey};
use bucketwheel_groth16::ntt::TransformField;
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{verify, Bls12_381, Bn254, Error, PairingCurve, ProveOptions, Prover};
use rand_chacha::rand_core::SeedableRng;
use rand_chacha::ChaCha8Rng;

use circuits::{Shape, SHAPES};

struct Silent;

impl Progress for Silent {
    fn report(&self, done: usize, total: usize) {
        assert!(done <= total);
    }
}

/// Returns the bytes of a key.
fn key<E: PairingCurve<ScalarField: TransformField>>(setup: &Setup<'_, E>) -> Vec<u8> {
    setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner()
}

/// Checks the key of a random circuit.
fn check<E: PairingCurve<ScalarField: TransformField>>(shape: Shape, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (circuit, witness) = circuits::random::<E>(shape, &mut rng);
    let circuit = R1cs::parse(&circuit).unwrap();
    let setup = Setup::<E>::new(circuit).unwrap();
    let bytes = key(&setup);
    let key = Zkey::<E>::parse(&bytes).unwrap();
    key.check_points(&Cancel::new(), &Silent).unwrap();
    let header = &key.header;
    let rows = shape.constraints + shape.public + 1;
    assert!(
        header.domain_size >= rows && (header.domain_size < 2 * rows || header.domain_size == 2),
        "{shape:?}"
    );
    assert_eq!(key.contributions, Some(0));
    assert_eq!(setup.verifying_key(), key.verifying_key().unwrap());

    // The same secrets in both groups.
    let (g1, g2) = (E::G1Affine::generator(), E::G2Affine::generator());
    assert_eq!(E::pairing(header.beta_g1, g2), E::pairing(g1, header.beta_g2));
    assert_eq!(E::pairing(header.delta_g1, g2), E::pairing(g1, header.delta_g2));
    assert_eq!(header.gamma_g2, g2);
    let weights: Vec<_> = key.b1.iter().map(|_| E::ScalarField::rand(&mut rng)).collect();
    let b1 = E::G1::msm(&key.b1.iter().collect::<Vec<_>>(), &weights).unwrap();
    let b2 = E::G2::msm(&key.b2.iter().collect::<Vec<_>>(), &weights).unwrap();
    assert_eq!(E::pairing(b1.into_affine(), g2), E::pairing(g1, b2.into_affine()));

    // A proof needs every point at its place, whichever sums it takes.
    let values: Vec<_> = witness.iter().map(|value| ark_ff::PrimeField::into_bigint(*value)).collect();
    let options = ProveOptions::new().insecure_seed(seed);
    let reading = Prover::new(key.clone()).unwrap();
    let proven = reading.prove(&values, options).unwrap();
    assert!(verify(&setup.verifying_key(), &proven.public, &proven.proof).unwrap());
    for (prover, options) in [(reading, options.memory(1 << 30)), (Prover::retaining(key).unwrap(), options)]
    {
        assert_eq!(prover.prove(&values, options).unwrap().proof, proven.proof);
    }
}

fn check_all<E: PairingCurve<ScalarField: TransformField>>() {
    for (seed, shape) in SHAPES.into_iter().enumerate() {
        check::<E>(shape, seed as u64);
        check::<E>(Shape { bits: true, ..shape }, seed as u64);
    }
}

#[test]
fn random_circuits_bn254() {
    check_all::<Bn254>();
}

#[test]
fn random_circuits_bls12_381() {
    check_all::<Bls12_381>();
}

#[test]
fn seeds_make_keys_reproducible_and_nothing_else_does() {
    let (circuit, _) = circuits::random::<Bn254>(SHAPES[1], &mut ChaCha8Rng::seed_from_u64(1));
    let circuit = R1cs::parse(&circuit).unwrap();
    let seeded = |seed| key(&Setup::<Bn254>::insecure_seed(circuit, seed).unwrap());
    assert!(seeded(1) == seeded(1));
    assert!(seeded(1) != seeded(2));
    let fresh = || key(&Setup::<Bn254>::new(circuit).unwrap());
    assert!(fresh() != fresh());
}

#[test]
fn cancelled() {
    let (circuit, _) = circuits::random::<Bn254>(SHAPES[1], &mut ChaCha8Rng::seed_from_u64(1));
    let setup = Setup::<Bn254>::new(R1cs::parse(&circuit).unwrap()).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let error = setup.write_zkey(Cursor::new(Vec::new()), &cancel, &Silent).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
}

#[test]
fn circuits_of_another_curve() {
    let (circuit, _) = circuits::random::<Bn254>(SHAPES[1], &mut ChaCha8Rng::seed_from_u64(1));
    let circuit = R1cs::parse(&circuit).unwrap();
    let other = Setup::<Bls12_381>::new(circuit).err();
    assert!(matches!(other, Some(Error::File(FileError::OtherCurve { .. }))), "{other:?}");
}
