//! Proving keys with faults by construction: secrets at infinity, points outside of their subgroups or off their curves, points that
//! stand for other secrets, swapped and missing points. The full check refuses each such key. If a prover takes the key, the proofs
//! that it returns hold, are in their groups and hide the witness.

use std::time::Duration;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::UniformRand;
use bucketwheel::{Cancel, Curve, Progress};
use bucketwheel_groth16::file::{Coefficient, Ptau, R1cs, Wtns, Zkey};
use bucketwheel_groth16::{
    with_pairing, CurveId, Error, PairingCurve, PreparedVerifyingKey, ProveOptions, Prover,
};
use bucketwheel_properties::key_parts::Parts;
use rand::seq::SliceRandom;
use rand::Rng;

use crate::drive::Session;
use crate::shared::Random;

/// A key, its circuit, a witness, and the powers of tau that the key was made with.
struct Files {
    key: &'static [u8],
    circuit: &'static [u8],
    witness: &'static [u8],
    ptau: &'static [u8],
}

/// The files of each curve that snarkjs has.
const FILES: [(CurveId, Files); 2] = [(CurveId::Bn254, BN254), (CurveId::Bls12_381, BLS12_381)];

const BN254: Files = Files {
    key: include_bytes!("../../snarkjs/tests/data/ceremony/bn254-3.zkey"),
    circuit: include_bytes!("../../snarkjs/tests/data/bn254/power.r1cs"),
    witness: include_bytes!("../../snarkjs/tests/data/bn254/power.wtns"),
    ptau: include_bytes!("../../snarkjs/tests/data/ceremony/bn254-3.ptau"),
};

const BLS12_381: Files = Files {
    key: include_bytes!("../../snarkjs/tests/data/ceremony/bls12-381-3.zkey"),
    circuit: include_bytes!("../../snarkjs/tests/data/bls12-381/power.r1cs"),
    witness: include_bytes!("../../snarkjs/tests/data/bls12-381/power.wtns"),
    ptau: include_bytes!("../../snarkjs/tests/data/ceremony/bls12-381-3.ptau"),
};

/// Runs cases.
///
/// # Errors
/// The first failure.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    session.run("keys", "", time, Duration::from_secs(60), |rng| {
        let (curve, files) = FILES.choose(rng).expect("curves");
        with_pairing!(*curve, E => case::<E>(files, rng)).expect("the build has all curves of snarkjs");
    })
}

fn case<E: PairingCurve>(files: &Files, rng: &mut Random) {
    let mut parts = Parts::<E>::read(files.key);
    let changes: Vec<String> = (0..rng.gen_range(1..=3)).map(|_| change(&mut parts, rng)).collect();
    let what = format!("{} key: {}", E::ID, changes.join(", "));
    let key = parts.write();
    if key == Parts::<E>::read(files.key).write() {
        return;
    }
    assert!(check::<E>(&key, files).is_err(), "all checks take a {what}");
    let Ok(prover) = Zkey::<E>::parse(&key).map_err(Error::from).and_then(Prover::new) else { return };
    let verifier =
        PreparedVerifyingKey::new(&prover.key().verifying_key().expect("points that the prover took"));
    let values = Wtns::parse(files.witness).expect("a witness").to_vec().expect("memory");
    let prove = || prover.prove(&values, ProveOptions::new());
    let (Ok(first), Ok(second)) = (prove(), prove()) else { return };
    for proven in [&first, &second] {
        assert!(proven.proof.is_in_groups(), "a proof outside of its groups by a {what}");
        let holds = verifier.verify(&proven.public, &proven.proof).expect("as many public signals");
        assert!(holds, "a proof that does not hold by a {what}");
    }
    let (one, two) = (first.proof, second.proof);
    assert!(one.a != two.a && one.b != two.b && one.c != two.c, "a proof that hides nothing by a {what}");
}

/// Runs every check of keys.
fn check<E: PairingCurve>(key: &[u8], files: &Files) -> Result<(), Error> {
    let (cancel, key) = (Cancel::new(), Zkey::<E>::parse(key)?);
    key.check_points(&cancel, &Silent)?;
    key.check_agreement(&cancel, &Silent)?;
    let (circuit, ptau) = (R1cs::parse(files.circuit)?, Ptau::parse(files.ptau)?);
    Ok(key.check_circuit(&circuit, &ptau, &cancel, &Silent)?)
}

/// Progress without a listener.
struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// Changes a part of a key. Returns a description of the change.
fn change<E: PairingCurve>(key: &mut Parts<E>, rng: &mut Random) -> String {
    let header = &mut key.header;
    match rng.gen_range(0..16) {
        0 => damage("alpha1", &mut header.alpha_g1, rng),
        1 => damage("beta1", &mut header.beta_g1, rng),
        2 => damage("beta2", &mut header.beta_g2, rng),
        3 => damage("gamma2", &mut header.gamma_g2, rng),
        4 => damage("delta1", &mut header.delta_g1, rng),
        5 => damage("delta2", &mut header.delta_g2, rng),
        6 => damage_list("IC", &mut key.ic, rng),
        7 => damage_list("A", &mut key.a, rng),
        8 => damage_list("B1", &mut key.b1, rng),
        9 => damage_list("B2", &mut key.b2, rng),
        10 => damage_list("C", &mut key.c, rng),
        11 => damage_list("H", &mut key.h, rng),
        // Changes that agree in both groups.
        12 => {
            let factor = factor::<E>(rng);
            multiply(&mut header.beta_g1, factor);
            multiply(&mut header.beta_g2, factor);
            "another beta".into()
        }
        13 => {
            let factor = factor::<E>(rng);
            multiply(&mut header.delta_g1, factor);
            multiply(&mut header.delta_g2, factor);
            "another delta".into()
        }
        14 => {
            let (factor, at) = (factor::<E>(rng), rng.gen_range(0..key.b1.len()));
            multiply(&mut key.b1[at], factor);
            multiply(&mut key.b2[at], factor);
            format!("another point {at} of B1 and B2")
        }
        _ => {
            let at = rng.gen_range(0..key.coefficients.len());
            let entry = key.coefficients[at];
            let value = E::ScalarField::rand(rng);
            key.coefficients[at] = Coefficient::new(entry.matrix, entry.constraint, entry.signal, value);
            format!("another coefficient {at}")
        }
    }
}

/// Returns a factor, often a factor that careless checks overlook.
fn factor<E: PairingCurve>(rng: &mut Random) -> E::ScalarField {
    match rng.gen_range(0..3) {
        0 => E::ScalarField::from(2_u64),
        1 => -E::ScalarField::from(1_u64),
        _ => E::ScalarField::rand(rng),
    }
}

fn multiply<C: Curve>(point: &mut Affine<C>, factor: C::ScalarField) {
    *point = (*point * factor).into_affine();
}

/// Replaces a point. Returns a description of the change.
fn damage<C: Curve>(name: &str, point: &mut Affine<C>, rng: &mut Random) -> String {
    let (how, other) = match rng.gen_range(0..6) {
        0 => ("at infinity", Affine::identity()),
        1 => ("the generator", Affine::generator()),
        2 => ("negated", -*point),
        3 => ("another point", (*point + Affine::<C>::rand(rng)).into_affine()),
        4 => ("any point of the curve", any_point(rng)),
        _ => ("off the curve", Affine::new_unchecked(C::BaseField::rand(rng), C::BaseField::rand(rng))),
    };
    *point = other;
    format!("{name} {how}")
}

/// Replaces one point of a list, or all, or swaps two. Returns a description of the change.
fn damage_list<C: Curve>(name: &str, points: &mut [Affine<C>], rng: &mut Random) -> String {
    let (at, other) = (rng.gen_range(0..points.len()), rng.gen_range(0..points.len()));
    match rng.gen_range(0..6) {
        0 => {
            points.fill(Affine::identity());
            format!("{name} all at infinity")
        }
        1 => {
            points.fill(points[at]);
            format!("{name} all as point {at}")
        }
        2 => {
            points.swap(at, other);
            format!("{name} with points {at} and {other} swapped")
        }
        _ => damage(&format!("{name}[{at}]"), &mut points[at], rng),
    }
}

/// Returns a point of the curve, which is in the prime-order subgroup only by chance.
fn any_point<C: Curve>(rng: &mut Random) -> Affine<C> {
    loop {
        if let Some(point) = Affine::get_point_from_x_unchecked(C::BaseField::rand(rng), rng.gen()) {
            return point;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_of_snarkjs_has_files() {
        for curve in CurveId::ALL {
            let has_files = FILES.iter().any(|(other, _)| other == curve);
            assert_eq!(has_files, curve.snarkjs_name().is_some(), "{curve}");
        }
    }
}
