//! Checks of keys from strangers. The keys are snarkjs' keys of the circuit `power` by a small ceremony
//! (`tests/data/ceremony`), whose number is the logarithm of the largest domain of the powers of tau, and keys with a
//! fault.

use std::io::Cursor;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveConfig, CurveGroup};
use ark_ff::{AdditiveGroup, BigInt, Field, PrimeField};
use bucketwheel::Cancel;
use bucketwheel_groth16::file::{
    write_r1cs, zkey_curve, Coefficient, FileWarning, Ptau, R1cs, R1csHeader, VerifyingKeyJson, Wtns, Zkey,
};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{
    with_pairing, Bls12_381, Bn254, CurveId, Error, KeyFault, PairingCurve, PreparedVerifyingKey,
    ProveOptions, Prover, CURVES,
};
use num_bigint::BigUint;

use crate::{data, sections, Silent};
use bucketwheel_properties::explains;
use bucketwheel_properties::key_parts::Parts;

/// Returns a file of the ceremony.
pub fn ceremony(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/ceremony/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Curve and name of each ceremony.
const CEREMONIES: [(CurveId, &str); 3] =
    [(CurveId::Bn254, "bn254-3"), (CurveId::Bn254, "bn254-4"), (CurveId::Bls12_381, "bls12-381-3")];

/// Runs all checks without a circuit.
fn check<E: PairingCurve>(key: &[u8]) -> Result<(), Error> {
    let key = Zkey::<E>::parse(key)?;
    key.check_points(&Cancel::new(), &Silent)?;
    Ok(key.check_agreement(&Cancel::new(), &Silent)?)
}

/// Runs all checks.
fn check_all(key: &[u8], circuit: &[u8], ptau: &[u8]) -> Result<(), Error> {
    let (cancel, circuit) = (Cancel::new(), R1cs::parse(circuit)?);
    with_pairing!(zkey_curve(key)?, E => {
        check::<E>(key)?;
        let (key, ptau) = (Zkey::<E>::parse(key)?, Ptau::parse(ptau)?);
        ptau.check_powers(key.header.domain_size.ilog2(), &cancel, &Silent)?;
        Ok(key.check_circuit(&circuit, &ptau, &cancel, &Silent)?)
    })?
}

/// Returns the warnings of a key.
fn warnings(key: &[u8]) -> Vec<FileWarning> {
    with_pairing!(zkey_curve(key).unwrap(), E => Zkey::<E>::parse(key).unwrap().warnings()).unwrap()
}

#[test]
fn snarkjs_keys_pass() {
    for (curve, name) in CEREMONIES {
        let circuit = data(curve, "power.r1cs");
        let (key, ptau) = (ceremony(&format!("{name}.zkey")), ceremony(&format!("{name}.ptau")));
        check_all(&key, &circuit, &ptau).unwrap();
        assert!(warnings(&key).is_empty());
    }
    // For the keys of `tests/data`, there are no powers of tau.
    for curve in CURVES {
        let key = data(curve, "power.zkey");
        with_pairing!(curve, E => check::<E>(&key).unwrap()).unwrap();
    }
}

#[test]
fn a_key_without_contributions_has_a_warning() {
    let key = ceremony("bn254-3-first.zkey");
    assert_eq!(warnings(&key), [FileWarning::NoContribution]);
    check_all(&key, &data(CurveId::Bn254, "power.r1cs"), &ceremony("bn254-3.ptau")).unwrap();
}

#[test]
fn keys_for_development_agree_and_have_no_powers() {
    for curve in CURVES {
        let bytes = data(curve, "power.r1cs");
        let circuit = R1cs::parse(&bytes).unwrap();
        let key = with_pairing!(curve, E => {
            let setup = Setup::<E>::new(circuit).unwrap();
            let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
            check::<E>(&key).unwrap();
            key
        })
        .unwrap();
        let ptau = ceremony(if curve == CurveId::Bn254 { "bn254-3.ptau" } else { "bls12-381-3.ptau" });
        let error = check_all(&key, &bytes, &ptau).unwrap_err();
        assert!(matches!(error, Error::Key(KeyFault::Secret { point: "alpha1" })), "{error}");
    }
}

/// A change of a key.
type Change<E> = fn(&mut Parts<E>);

fn twice<C: bucketwheel::Curve>(point: Affine<C>) -> Affine<C> {
    (point + point).into_affine()
}

/// Every load refuses these keys.
fn refused_at_every_load<E: PairingCurve>(key: &[u8]) {
    let changes: [(&str, Change<E>); 7] = [
        ("alpha1", |key| key.header.alpha_g1 = Affine::identity()),
        ("beta1", |key| key.header.beta_g1 = Affine::identity()),
        ("beta2", |key| key.header.beta_g2 = Affine::identity()),
        ("gamma2", |key| key.header.gamma_g2 = Affine::identity()),
        ("delta1", |key| key.header.delta_g1 = Affine::identity()),
        ("delta2", |key| key.header.delta_g2 = Affine::identity()),
        // With this key, every proof that leaves the witness in the open holds.
        ("delta2", |key| {
            (key.header.delta_g1, key.header.delta_g2) = (Affine::identity(), Affine::identity());
            key.ic.fill(Affine::identity());
            key.a.fill(Affine::identity());
        }),
    ];
    for (point, change) in changes {
        let mut parts = Parts::<E>::read(key);
        change(&mut parts);
        let key = parts.write();
        for error in [
            Prover::new(Zkey::<E>::parse(&key).unwrap()).unwrap_err(),
            Prover::retaining(Zkey::<E>::parse(&key).unwrap()).unwrap_err(),
            check::<E>(&key).unwrap_err(),
        ] {
            explains(&error);
            assert!(
                matches!(&error, Error::Key(KeyFault::Infinity { point: found }) if found == point),
                "{error}"
            );
        }
        let zkey = Zkey::<E>::parse(&key).unwrap();
        if let Ok(vkey) = zkey.verifying_key() {
            let read = VerifyingKeyJson::encode(&vkey).decode::<E>();
            assert_eq!(read.is_err(), point.ends_with('2') || point == "alpha1", "{point}");
        }
    }
}

#[test]
fn secrets_at_infinity_are_refused_at_every_load() {
    refused_at_every_load::<Bn254>(&data(CurveId::Bn254, "power.zkey"));
    refused_at_every_load::<Bls12_381>(&data(CurveId::Bls12_381, "power.zkey"));
}

/// These keys contradict themselves.
fn refused_by_the_check<E: PairingCurve>(key: &[u8]) {
    let changes: [(&str, Change<E>); 13] = [
        ("delta1 and delta2", |key| key.header.delta_g1 = twice(key.header.delta_g1)),
        ("delta1 and delta2", |key| key.header.delta_g2 = twice(key.header.delta_g2)),
        ("beta1 and beta2", |key| key.header.beta_g1 = twice(key.header.beta_g1)),
        ("beta1 and beta2", |key| key.header.beta_g2 = twice(key.header.beta_g2)),
        ("the points B1 and B2", |key| key.b1.iter_mut().for_each(|point| *point = twice(*point))),
        ("the points B1 and B2", |key| {
            let last = key.b2.iter_mut().rev().find(|point| !point.is_zero()).unwrap();
            *last = twice(*last);
        }),
        // Without random coefficients, the two sums would be equal.
        ("the points B1 and B2", |key| {
            let used: Vec<usize> = (0..key.b1.len()).filter(|&i| !key.b1[i].is_zero()).collect();
            key.b1.swap(used[0], used[1]);
        }),
        ("in section 3 (points IC) is the point at infinity", |key| key.ic.fill(Affine::identity())),
        ("point 1 in section 3 (points IC) is the point at infinity", |key| key.ic[1] = Affine::identity()),
        ("in section 5 (points A) is the point at infinity", |key| key.a.fill(Affine::identity())),
        ("in section 6 (points B1) is the point at infinity", |key| {
            key.b1.fill(Affine::identity());
            key.b2.fill(Affine::identity());
        }),
        ("in section 8 (points C) is the point at infinity", |key| key.c.fill(Affine::identity())),
        ("point 7 in section 9 (points H) is the point at infinity", |key| key.h[7] = Affine::identity()),
    ];
    for (says, change) in changes {
        let mut parts = Parts::<E>::read(key);
        change(&mut parts);
        let error = check::<E>(&parts.write()).unwrap_err();
        explains(&error);
        assert!(matches!(error, Error::Key(_)) && error.to_string().contains(says), "{error}: {says}");
    }
}

#[test]
fn keys_that_no_setup_makes_are_refused() {
    refused_by_the_check::<Bn254>(&data(CurveId::Bn254, "power.zkey"));
    refused_by_the_check::<Bls12_381>(&data(CurveId::Bls12_381, "power.zkey"));
}

/// These keys agree with themselves, but are for another circuit.
fn refused_beside_the_circuit<E: PairingCurve>(name: &str) {
    let (circuit, ptau) = (data(E::ID, "power.r1cs"), ceremony(&format!("{name}.ptau")));
    let key = ceremony(&format!("{name}.zkey"));
    let changes: [(u32, Change<E>); 8] = [
        (5, |key| key.a[1] = twice(key.a[1])),
        (6, |key| {
            key.b1.iter_mut().for_each(|point| *point = twice(*point));
            key.b2.iter_mut().for_each(|point| *point = twice(*point));
        }),
        (3, |key| key.ic[2] = twice(key.ic[2])),
        (3, |key| key.header.gamma_g2 = twice(key.header.gamma_g2)),
        (8, |key| key.c.swap(0, 1)),
        // The key has another delta, in both groups.
        (8, |key| {
            (key.header.delta_g1, key.header.delta_g2) =
                (twice(key.header.delta_g1), twice(key.header.delta_g2));
        }),
        (9, |key| key.h.swap(2, 3)),
        (4, |key| {
            let entry = key.coefficients[0];
            let value = entry.value::<E::ScalarField>().double();
            key.coefficients[0] = Coefficient::new(entry.matrix, entry.constraint, entry.signal, value);
        }),
    ];
    for (id, change) in changes {
        let mut parts = Parts::<E>::read(&key);
        change(&mut parts);
        let error = check_all(&parts.write(), &circuit, &ptau).unwrap_err();
        explains(&error);
        assert!(
            matches!(&error, Error::Key(KeyFault::Section { section }) if section.id == id),
            "{id}: {error}"
        );
    }
}

#[test]
fn sections_are_those_of_the_circuit() {
    refused_beside_the_circuit::<Bn254>("bn254-3");
    refused_beside_the_circuit::<Bn254>("bn254-4");
    refused_beside_the_circuit::<Bls12_381>("bls12-381-3");
}

#[test]
fn other_circuits_and_other_powers() {
    let (key, ptau) = (ceremony("bn254-3.zkey"), ceremony("bn254-3.ptau"));
    let circuit = data(CurveId::Bn254, "power.r1cs");
    let says = |key: &[u8], circuit: &[u8], ptau: &[u8], expected: &str| {
        let error = check_all(key, circuit, ptau).unwrap_err();
        explains(&error);
        assert!(error.to_string().contains(expected), "{error}");
    };
    says(&key, &circuit, &ceremony("bn254-4.ptau"), "alpha1 differs from the alpha1 of the powers of tau");
    says(&key, &circuit, &ceremony("bls12-381-3.ptau"), "the file is for curve bls12381: expected bn128");
    says(
        &key,
        &data(CurveId::Bls12_381, "power.r1cs"),
        &ptau,
        "the file is for curve bls12381: expected bn128",
    );
    let other = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/circom/unused.r1cs")).unwrap();
    says(&key, &other, &ptau, "the key has 7 signals: expected 4, as the circuit has");
    says(&key, &circuit, &key, "this is a .zkey file: expected a .ptau file");

    // The powers are damaged: in a section, one point is swapped for another point of the group.
    let swap = |id: u32, size: usize, first: usize, second: usize| {
        let mut file = ptau.clone();
        let mut all = sections::split(&file);
        for (_, bytes) in all.iter_mut().filter(|(other, _)| *other == id) {
            let points: Vec<Vec<u8>> = bytes.chunks(size).map(<[u8]>::to_vec).collect();
            bytes[first * size..][..size].copy_from_slice(&points[second]);
            bytes[second * size..][..size].copy_from_slice(&points[first]);
        }
        file.truncate(8);
        sections::join(&mut file, &all);
        file
    };
    for (id, size) in [(2, 64), (4, 64), (5, 64)] {
        let powers = format!("section {id} (powers of tau");
        says(&key, &circuit, &swap(id, size, 3, 4), &powers);
        says(&key, &circuit, &swap(id, size, 0, 1), &powers);
    }
    says(&key, &circuit, &swap(3, 128, 1, 2), "does not have the powers of one tau");
    let mut short = ptau.clone();
    let power = 12 + 12 + 4 + 32;
    short[power] = 2;
    says(&key, &circuit, &short, "section 2 (powers of tau in G1) has 960 bytes: expected 448");
    for power_of_file in [0, 41, 255] {
        short[power] = power_of_file;
        says(&key, &circuit, &short, "the power is ");
    }
    for len in 0..ptau.len() {
        if let Err(error) = Ptau::<Bn254>::parse(&ptau[..len]) {
            explains(&error);
        }
    }
    // The domain is larger than the ceremony's.
    let error = Ptau::<Bn254>::parse(&ptau)
        .unwrap()
        .check_powers(4, &Cancel::new(), &Silent)
        .map_err(Error::from)
        .unwrap_err();
    explains(&error);
    assert!(matches!(error, Error::Key(KeyFault::Power { found: 3, expected: 4 })), "{error}");
}

#[test]
fn checks_stop_when_cancelled() {
    let (bytes, ptau) = (ceremony("bn254-3.zkey"), ceremony("bn254-3.ptau"));
    let (key, cancel) = (Zkey::<Bn254>::parse(&bytes).unwrap(), Cancel::new());
    cancel.cancel();
    let ptau = Ptau::parse(&ptau).unwrap();
    let circuit = data(CurveId::Bn254, "power.r1cs");
    let circuit = R1cs::parse(&circuit).unwrap();
    for result in [
        key.check_agreement(&cancel, &Silent),
        ptau.check_powers(3, &cancel, &Silent),
        key.check_circuit(&circuit, &ptau, &cancel, &Silent),
    ] {
        assert!(matches!(result.map_err(Error::from), Err(Error::Engine(bucketwheel::Error::Cancelled))));
    }
}

/// A proof has a point of BLS12-381's G1 outside of the subgroup, of small order. With any blinding, this part of A
/// would disclose parts of the witness, and a pairing does not notice the point.
#[test]
fn proofs_outside_of_their_groups_are_kept_back() {
    let (key, witness) = (data(CurveId::Bls12_381, "power.zkey"), data(CurveId::Bls12_381, "power.wtns"));
    let mut parts = Parts::<Bls12_381>::read(&key);
    let small = small_order();
    assert!(small.is_on_curve() && !small.is_in_correct_subgroup_assuming_on_curve());
    parts.a[0] = (parts.a[0] + small).into_affine();
    let key = parts.write();
    let prover = Prover::new(Zkey::<Bls12_381>::parse(&key).unwrap()).unwrap();
    let witness = Wtns::parse(&witness).unwrap().to_vec().unwrap();
    let open = prover.prove(&witness, ProveOptions::new().verify(false)).unwrap();
    // The equation alone holds by the pairing.
    let verifier = PreparedVerifyingKey::new(&prover.key().verifying_key().unwrap());
    assert!(verifier.verify(&open.public, &open.proof).unwrap());
    assert!(!open.proof.is_in_groups());
    let error = prover.prove(&witness, ProveOptions::new()).unwrap_err();
    assert!(matches!(error, Error::NotSatisfied), "{error}");
    assert!(check::<Bls12_381>(&key).unwrap_err().to_string().contains("point 0 in section 5 (points A)"));
    // A key with this delta never reaches the prover.
    let mut parts = Parts::<Bls12_381>::read(&key);
    parts.header.delta_g1 = small;
    let error = Prover::new(Zkey::<Bls12_381>::parse(&parts.write()).unwrap()).unwrap_err();
    assert!(error.to_string().contains("delta1 is not in the prime-order subgroup"), "{error}");
}

/// Returns a point of order 3, a factor of the cofactor.
fn small_order() -> ark_bls12_381::G1Affine {
    let order = BigUint::from(ark_bls12_381::Fr::MODULUS);
    let cofactor = ark_bls12_381::g1::Config::COFACTOR;
    let cofactor = cofactor.iter().rev().fold(BigUint::ZERO, |all, word| (all << 64) + *word);
    let factor = order * (cofactor / 3u32);
    // The curve's own products take scalars of the subgroup only.
    let times_factor = |point: ark_bls12_381::G1Affine| {
        (0..factor.bits()).rev().fold(ark_bls12_381::G1Projective::ZERO, |sum, bit| match factor.bit(bit) {
            true => sum.double() + point,
            false => sum.double(),
        })
    };
    let points = (0u64..).filter_map(|x| Affine::get_point_from_x_unchecked(x.into(), true));
    points.map(|point| times_factor(point).into_affine()).find(|point| !point.is_zero()).unwrap()
}

/// Keys that `setup` draws have no ceremony to be compared with, but agree with themselves for any circuit.
#[test]
fn keys_of_circuits_with_duplicate_terms_agree() {
    let (one, minus) = (BigInt::from(1u64), (-ark_bn254::Fr::ONE).into_bigint());
    // (w3 - w3 + w1) w2 = w1: signal 3 has entries that cancel.
    let constraint = [vec![(3, one), (3, minus), (1, one)], vec![(2, one)], vec![(1, one)]];
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires: 4,
        outputs: 1,
        public_inputs: 0,
        private_inputs: 2,
        labels: 4,
        constraints: 1,
    };
    let file = write_r1cs(Cursor::new(Vec::new()), &header, [constraint]).unwrap().into_inner();
    let setup = Setup::<Bn254>::new(R1cs::parse(&file).unwrap()).unwrap();
    let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
    check::<Bn254>(&key).unwrap();
}
