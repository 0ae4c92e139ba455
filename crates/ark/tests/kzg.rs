//! KZG10 of ark-poly-commit, unchanged, on the wrapped curves: the same commitments and proofs.
#![cfg(feature = "ark-0_6")]

use ark_bls12_381_0_6::{Bls12_381 as Original, Fr};
use ark_ec_0_6::pairing::Pairing;
use ark_ff_0_6::UniformRand;
use ark_poly_0_6::{univariate::DensePolynomial, DenseUVPolynomial, Polynomial};
use ark_poly_commit_0_6::kzg10::{Commitment, Powers, Proof, UniversalParams, VerifierKey, KZG10};
use ark_serialize_0_6::CanonicalSerialize;
use ark_std_0_6::rand::{rngs::StdRng, SeedableRng};
use bucketwheel_ark::v0_6::Bls12_381;
use bucketwheel_ark::Prepared;

type Dense = DensePolynomial<Fr>;

const DEGREE: usize = 100;

fn setup<E: Pairing<ScalarField = Fr>>() -> UniversalParams<E> {
    KZG10::<E, Dense>::setup(DEGREE, false, &mut StdRng::seed_from_u64(1)).unwrap()
}

/// Commits to a random polynomial, and proves its value at a random point.
fn open<E: Pairing<ScalarField = Fr>>(params: &UniversalParams<E>) -> (Commitment<E>, Proof<E>, [Fr; 2]) {
    let rng = &mut StdRng::seed_from_u64(2);
    let powers = Powers {
        powers_of_g: params.powers_of_g[..].into(),
        powers_of_gamma_g: params.powers_of_gamma_g.values().copied().collect(),
    };
    let polynomial = Dense::rand(DEGREE, rng);
    let (commitment, randomness) =
        KZG10::<E, Dense>::commit(&powers, &polynomial, Some(3), Some(rng)).unwrap();
    let point = Fr::rand(rng);
    let proof = KZG10::open(&powers, &polynomial, point, &randomness).unwrap();
    (commitment, proof, [point, polynomial.evaluate(&point)])
}

fn bytes(value: &impl CanonicalSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.serialize_uncompressed(&mut bytes).unwrap();
    bytes
}

#[test]
fn commitments_and_proofs_are_those_of_arkworks() {
    let (params, original) = (setup::<Bls12_381>(), setup::<Original>());
    assert_eq!(bytes(&params), bytes(&original));
    let (commitment, proof, [point, value]) = open(&params);
    let expected = open(&original);
    assert_eq!((bytes(&commitment), bytes(&proof)), (bytes(&expected.0), bytes(&expected.1)));
    let prepared = Prepared::new().points(&params.powers_of_g).unwrap();
    let (other, same, _) = prepared.scope(|| open(&params));
    assert_eq!((other, same), (commitment, proof));

    let key = VerifierKey {
        g: params.powers_of_g[0],
        gamma_g: params.powers_of_gamma_g[&0],
        h: params.h,
        beta_h: params.beta_h,
        prepared_h: params.prepared_h.clone(),
        prepared_beta_h: params.prepared_beta_h.clone(),
    };
    let check = |value| KZG10::<Bls12_381, Dense>::check(&key, &commitment, point, value, &proof).unwrap();
    assert!(check(value));
    assert!(!check(point));
}
