//! Many proofs, verified together.

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, UniformRand};
use ark_std::rand::rngs::StdRng;
use ark_std::rand::SeedableRng;
use bucketwheel_groth16::file::{Wtns, Zkey};
use bucketwheel_groth16::{
    Bls12_381, Bn254, Error, PairingCurve, PreparedVerifyingKey, Proof, ProveOptions, Prover,
};

use crate::keys::read;

/// Public signals and their proof.
type Claim<E> = (Vec<<E as Pairing>::ScalarField>, Proof<E>);

/// Returns a verifying key, and `count` proofs with their public signals.
fn proofs<E: PairingCurve>(curve: &str, count: u64) -> (PreparedVerifyingKey<E>, Vec<Claim<E>>) {
    let (key, witness) = (read(curve, "power.zkey"), read(curve, "power.wtns"));
    let prover = Prover::new(Zkey::<E>::parse(&key).unwrap()).unwrap();
    let witness = Wtns::parse(&witness).unwrap().to_vec().unwrap();
    let prove = |seed| {
        let proven = prover.prove(&witness, ProveOptions::new().verify(false).insecure_seed(seed)).unwrap();
        (proven.public, proven.proof)
    };
    let key = PreparedVerifyingKey::new(&prover.key().verifying_key().unwrap());
    (key, (0..count).map(prove).collect())
}

fn first_bad<E: PairingCurve>(key: &PreparedVerifyingKey<E>, proofs: &[Claim<E>]) -> Option<usize> {
    let claims: Vec<_> = proofs.iter().map(|(public, proof)| (&public[..], *proof)).collect();
    key.verify_many(&claims).unwrap()
}

/// Returns a point of the curve outside of the subgroup.
fn outside<E: PairingCurve>() -> Affine<E::G2Curve> {
    let rng = &mut StdRng::seed_from_u64(38);
    loop {
        let x = <E::G2Curve as ark_ec::CurveConfig>::BaseField::rand(rng);
        match Affine::get_point_from_x_unchecked(x, true) {
            Some(point) if !point.is_in_correct_subgroup_assuming_on_curve() => return point,
            _ => {}
        }
    }
}

fn a_bad_proof_among_many_is_found<E: PairingCurve>(curve: &str) {
    let (key, good) = proofs::<E>(curve, 11);
    assert_eq!(first_bad(&key, &good), None);
    assert_eq!(first_bad(&key, &good[..1]), None);
    assert_eq!(first_bad(&key, &[]), None);
    let g = E::G1Affine::generator();
    for bad in [0, 4, 10] {
        let wrong = |change: &dyn Fn(&mut Claim<E>)| {
            let mut proofs = good.clone();
            change(&mut proofs[bad]);
            assert_eq!(first_bad(&key, &proofs), Some(bad));
            // The last proof is changed, too. The result names the first.
            change(&mut proofs[10]);
            assert_eq!(first_bad(&key, &proofs), Some(bad));
        };
        wrong(&|(public, _)| public[0] += E::ScalarField::ONE);
        wrong(&|(_, proof)| proof.a = (proof.a + g).into_affine());
        wrong(&|(_, proof)| proof.b = proof.b.mul_bigint([3]).into_affine());
        wrong(&|(_, proof)| proof.c = (proof.c + g).into_affine());
        wrong(&|(_, proof)| proof.c = E::G1Affine::zero());
        wrong(&|(_, proof)| proof.b = outside::<E>());
        wrong(&|(_, proof)| proof.a = Affine::new_unchecked(proof.a.x, proof.a.x));
    }
    // Errors that cancel out in a sum without coefficients.
    let mut proofs = good.clone();
    proofs[3].1.c = (proofs[3].1.c + g).into_affine();
    proofs[7].1.c = (proofs[7].1.c - g).into_affine();
    assert_eq!(first_bad(&key, &proofs), Some(3));
    // A proof comes with another proof's signals.
    let mut proofs = good.clone();
    let few = proofs[5].0.pop().map(|_| proofs[5].0.len()).unwrap();
    let claims: Vec<_> = proofs.iter().map(|(public, proof)| (&public[..], *proof)).collect();
    match key.verify_many(&claims) {
        Err(Error::PublicSignals { expected, found }) => assert_eq!((expected, found), (few + 1, few)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bn254() {
    a_bad_proof_among_many_is_found::<Bn254>("bn254");
}

#[test]
fn bls12_381() {
    a_bad_proof_among_many_is_found::<Bls12_381>("bls12-381");
}
