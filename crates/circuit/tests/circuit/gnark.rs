//! Keys, proofs and public witnesses that gnark wrote, for a square with and without commitments (`go/internal/samples`).

use std::fs;
use std::path::Path;

use ark_ec::short_weierstrass::Affine;
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::Curve;
use bucketwheel_circuit::{Error, GnarkVerifier};
use bucketwheel_groth16::file::FileError;
#[cfg(feature = "gnark-all")]
use bucketwheel_groth16::{Bls12_377, Bw6_761};
use bucketwheel_groth16::{
    Bls12_381, Bn254, ClaimPart, CurveId, Error as Groth16Error, KeyFault, TextClaim, VerifyingCurve,
};

/// The curves and the bytes of their coordinates.
const CURVES: &[(&str, CurveId, usize)] = &[
    ("bn254", CurveId::Bn254, 32),
    ("bls12-381", CurveId::Bls12_381, 48),
    #[cfg(feature = "gnark-all")]
    ("bls12-377", CurveId::Bls12_377, 48),
    #[cfg(feature = "gnark-all")]
    ("bw6-761", CurveId::Bw6_761, 96),
];
/// The circuits and their numbers of public inputs.
const CIRCUITS: [(&str, usize); 2] = [("", 1), ("-committed", 2)];
const FORMS: [&str; 2] = ["", "-raw"];

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/samples").join(name)).unwrap()
}

/// Returns true if the claim holds.
fn holds(key: &GnarkVerifier, public: &[u8], proof: &[u8]) -> Result<bool, Groth16Error> {
    key.first_bad(&[TextClaim { public, proof }]).map(|bad| bad.is_none())
}

fn key_error(key: &[u8]) -> Groth16Error {
    match GnarkVerifier::new(key).map(drop) {
        Err(Error::Groth16 { source, .. }) => source,
        other => panic!("{other:?}"),
    }
}

#[test]
fn proofs_hold_or_not() {
    for &(name, curve, _) in CURVES {
        for (circuit, inputs) in CIRCUITS {
            let public = file(&format!("gnark-{name}{circuit}.public"));
            for form in FORMS {
                let key = GnarkVerifier::new(&file(&format!("gnark-{name}{circuit}{form}.vk"))).unwrap();
                assert_eq!((key.curve(), key.public()), (curve, inputs));
                for form in FORMS {
                    let proof = file(&format!("gnark-{name}{circuit}{form}.proof"));
                    assert!(holds(&key, &public, &proof).unwrap());
                    let mut wrong = public.clone();
                    *wrong.last_mut().unwrap() ^= 1;
                    assert!(!holds(&key, &wrong, &proof).unwrap());
                    let claims = [(&public, &proof), (&public, &proof), (&wrong, &proof), (&wrong, &proof)];
                    let claims = claims.map(|(public, proof)| TextClaim { public, proof });
                    assert_eq!(key.first_bad(&claims).unwrap().unwrap().index, 2);
                    assert!(key.first_bad(&claims[..2]).unwrap().is_none());
                }
            }
        }
    }
}

/// Bytes of a compressed point in G2, over an extension except for BW6-761.
fn g2(curve: CurveId, g1: usize) -> usize {
    if curve == CurveId::Bw6_761 {
        g1
    } else {
        2 * g1
    }
}

/// Each point of a proof is moved to the place of another point of its group, so that the proof keeps its form.
#[test]
fn other_proofs_do_not_hold() {
    for &(name, curve, g1) in CURVES {
        let sample = |extension: &str| file(&format!("gnark-{name}-committed.{extension}"));
        let (key, public, proof) =
            (GnarkVerifier::new(&sample("vk")).unwrap(), sample("public"), sample("proof"));
        // The proof has A, B in G2, C, three commitments behind their number, and the proof of knowledge.
        let places = [0, 1, 2, 3, 4, 5].map(|point| match point {
            0 => 0,
            _ => point * g1 + g2(curve, g1) + if point > 1 { 4 } else { 0 },
        });
        for place in places {
            for other in places.into_iter().filter(|&other| other != place) {
                let mut proof = proof.clone();
                proof.copy_within(other..other + g1, place);
                assert!(!holds(&key, &public, &proof).unwrap(), "{name}: {other} at {place}");
            }
        }
    }
}

#[test]
fn cut_off_and_longer_files_are_refused() {
    for (name, ..) in CURVES {
        for (circuit, _) in CIRCUITS {
            for form in FORMS {
                let sample =
                    |form: &str, extension| file(&format!("gnark-{name}{circuit}{form}.{extension}"));
                let (key, proof, public) = (sample(form, "vk"), sample(form, "proof"), sample("", "public"));
                for len in 0..key.len() {
                    assert!(matches!(
                        key_error(&key[..len]),
                        Groth16Error::File(FileError::Unsupported { .. })
                    ));
                }
                key_error(&[&key[..], &[0]].concat());
                let key = GnarkVerifier::new(&key).unwrap();
                let refused = |public: &[u8], proof: &[u8], part| {
                    let error = holds(&key, public, proof).unwrap_err();
                    assert!(
                        matches!(error, Groth16Error::Claim { index: 0, part: found, .. } if found == part)
                    );
                };
                (0..proof.len()).for_each(|len| refused(&public, &proof[..len], ClaimPart::Proof));
                refused(&public, &[&proof[..], &[0]].concat(), ClaimPart::Proof);
                (0..public.len()).for_each(|len| refused(&public[..len], &proof, ClaimPart::Public));
                refused(&[&public[..], &[0]].concat(), &proof, ClaimPart::Public);
            }
        }
    }
    let key = GnarkVerifier::new(&file("gnark-bn254.vk")).unwrap();
    assert!(matches!(key.first_bad(&[]), Err(Groth16Error::NoProofs)));
}

/// No flipped bit of a proof or a public witness gives another proof that holds. No flipped bit of the key gives a key
/// for which this proof holds, except in the two points of the key that no verifier uses.
#[test]
fn every_byte_flipped() {
    for &(name, curve, g1) in CURVES {
        let sample = |extension: &str| file(&format!("gnark-{name}-committed.{extension}"));
        let (key, public, proof) = (sample("vk"), sample("public"), sample("proof"));
        // Behind alpha and beta in G1, beta and gamma in G2 is delta in G1.
        let delta = 2 * g1 + 2 * g2(curve, g1);
        let unused = [g1..2 * g1, delta..delta + g1];
        let changed = |bytes: &[u8], at: usize| {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= 1 << (at % 8);
            bytes
        };
        for at in 0..key.len() {
            if let Ok(key) = GnarkVerifier::new(&changed(&key, at)) {
                let holds = holds(&key, &public, &proof).unwrap_or(false);
                assert_eq!(
                    holds,
                    unused.iter().any(|range| range.contains(&at)),
                    "{name}: byte {at} of the key"
                );
            }
        }
        let key = GnarkVerifier::new(&key).unwrap();
        for at in 0..proof.len() {
            assert!(!holds(&key, &public, &changed(&proof, at)).unwrap_or(false), "{name}: byte {at}");
        }
        for at in 0..public.len() {
            assert!(!holds(&key, &changed(&public, at), &proof).unwrap_or(false), "{name}: byte {at}");
        }
    }
}

#[cfg(not(feature = "gnark-all"))]
#[test]
fn keys_of_other_curves_need_a_feature() {
    for name in ["bls12-377", "bw6-761"] {
        for form in FORMS {
            assert_eq!(
                key_error(&file(&format!("gnark-{name}{form}.vk"))).to_string(),
                format!("a key over {name}: expected a build with the feature gnark-all")
            );
        }
    }
}

#[test]
fn keys_that_no_setup_makes_are_refused() {
    let key = file("gnark-bn254-committed-raw.vk");
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut key = key.clone();
        change(&mut key);
        key_error(&key)
    };
    let last = key.len();
    for (point, range) in [
        ("alpha1", 0..64),
        ("beta2", 128..256),
        ("gamma2", 256..384),
        ("delta2", 448..576),
        ("GSigmaNeg of commitment 2", last - 128..last),
        ("G of commitment 2", last - 256..last - 128),
    ] {
        let infinite = error(&|key| key[range.clone()].fill(0));
        let Groth16Error::Key(KeyFault::Infinity { point: found }) = &infinite else { panic!("{infinite}") };
        assert_eq!(found, point);
    }
    let moved = error(&|key| key[127] ^= 1);
    assert_eq!(
        moved.to_string(),
        "beta1 is not on the curve: expected points of the group; the file is damaged or not to be trusted"
    );
    let other = error(&|key| key.copy_within(128..256, last - 256));
    assert!(other.to_string().starts_with("G of commitment 2 is not G of commitment 0"), "{other}");
    // The number of points in K is at 576. Behind the points are the inputs of each commitment: none; 1, 2 and 3, which
    // is the first hash, because the first commitment is to a value of the second commitment, too; 3.
    let points = usize::from(key[579]);
    let inputs = 580 + 64 * points + 4;
    assert_eq!((points, &key[inputs..inputs + 8]), (6, &[0, 0, 0, 0, 0, 0, 0, 3][..]));
    for input in [0, 4, 255] {
        let beyond = error(&|key| key[inputs + 15] = input);
        assert_eq!(beyond.to_string(), format!("an input of commitment 1 is {input}: expected 1 to 3"));
    }
    let few = error(&|key| {
        key[579] = 3;
        key.drain(580..580 + 64 * 3);
    });
    assert_eq!(few.to_string(), "the number of points in K is 3: expected more than the 3 commitments");
}

#[test]
fn claims_for_other_keys_are_refused() {
    let sample = |name: &str| file(&format!("gnark-{name}"));
    let key = GnarkVerifier::new(&sample("bn254.vk")).unwrap();
    let (public, proof) = (sample("bn254.public"), sample("bn254.proof"));
    let message = |public: &[u8], proof: &[u8]| match holds(&key, public, proof).unwrap_err() {
        Groth16Error::Claim { source, .. } => source.to_string(),
        other => panic!("{other}"),
    };
    assert_eq!(
        message(&sample("bn254-committed.public"), &proof),
        "2 public signals: expected 1, as many as the verifying key has"
    );
    assert_eq!(
        message(&public, &sample("bn254-committed.proof")),
        "the number of commitments is 3: expected 0, as many as the verifying key has"
    );
    let mut secret = public.clone();
    secret[7] = 1;
    assert!(message(&secret, &proof).starts_with("the number of secret values is 1: expected 0, a public"));
    let mut large = public.clone();
    large[12..].fill(0xff);
    assert!(message(&large, &proof).starts_with("public value 0 is not below the field's modulus"));
    message(&public, &sample("bls12-381.proof"));
}

/// Runs a test on each curve.
macro_rules! on_each_curve {
    ($test:ident) => {
        $test::<Bn254>("bn254");
        $test::<Bls12_381>("bls12-381");
        #[cfg(feature = "gnark-all")]
        $test::<Bls12_377>("bls12-377");
        #[cfg(feature = "gnark-all")]
        $test::<Bw6_761>("bw6-761");
    };
}

/// A part of a file without compression.
enum Part {
    G1(String),
    G2(String),
    /// Bytes that are no point.
    Other(usize),
}

/// Returns the parts of a proof with three commitments.
fn proof_parts() -> Vec<Part> {
    let g1 = |name: &str| Part::G1(name.into());
    let commitments = (0..3).map(|i| Part::G1(format!("point {i} of the commitments")));
    [g1("Ar"), Part::G2("Bs".into()), g1("Krs"), Part::Other(4)]
        .into_iter()
        .chain(commitments)
        .chain([g1("CommitmentPok")])
        .collect()
}

/// Returns the parts of the key of the circuit with three commitments, up to the inputs of the commitments.
fn key_parts() -> Vec<Part> {
    let (g1, g2) = (|name: &str| Part::G1(name.into()), |name: &str| Part::G2(name.into()));
    let k = (0..6).map(|i| Part::G1(format!("point {i} of K")));
    [g1("alpha1"), g1("beta1"), g2("beta2"), g2("gamma2"), g1("delta1"), g2("delta2"), Part::Other(4)]
        .into_iter()
        .chain(k)
        .collect()
}

/// Returns the coordinates of a point as gnark writes them.
fn raw<C: Curve>(point: &Affine<C>) -> Vec<u8> {
    let coordinate = |coordinate: &C::BaseField| -> Vec<u8> {
        let elements: Vec<_> = coordinate.to_base_prime_field_elements().collect();
        elements.iter().rev().flat_map(|element| element.into_bigint().to_bytes_be()).collect()
    };
    [coordinate(&point.x), coordinate(&point.y)].concat()
}

/// Returns copies of a point: in each copy, the prime is added to one coordinate. Leaves out copies in which the sum has no room
/// beside the flags.
fn unreduced<C: Curve>(point: &[u8], flags: u32) -> Vec<Vec<u8>> {
    let prime = <C::BaseField as Field>::BasePrimeField::MODULUS;
    let size = prime.to_bytes_be().len();
    let mut found = Vec::new();
    for start in (0..point.len()).step_by(size) {
        let mut bytes = point.to_vec();
        let mut sum: Vec<u8> = point[start..start + size].iter().rev().copied().collect();
        let mut carry = 0;
        for (byte, more) in sum.iter_mut().zip(prime.to_bytes_le()) {
            let total = u16::from(*byte) + u16::from(more) + carry;
            (*byte, carry) = (total as u8, total >> 8);
        }
        if carry == 0 && sum[size - 1].leading_zeros() >= flags {
            bytes[start..start + size].copy_from_slice(&sum.into_iter().rev().collect::<Vec<_>>());
            found.push(bytes);
        }
    }
    found
}

/// Returns faulty encodings of a point, each with the end of its error.
fn faulty<C: Curve>(good: &[u8], flags: u32) -> Vec<(Vec<u8>, &'static str)> {
    let xs = || (0u32..).map(C::BaseField::from);
    let mut found: Vec<(Vec<u8>, _)> = Vec::new();
    if !C::cofactor_is_one() {
        // Some of the first points have order 2 or 3.
        let points = xs().filter_map(|x| Affine::<C>::get_ys_from_x_unchecked(x).map(|(y, _)| (x, y)));
        let points = points.map(|(x, y)| Affine::<C>::new_unchecked(x, y));
        let outside = points.filter(|point| !point.is_in_correct_subgroup_assuming_on_curve());
        found.extend(outside.take(4).map(|point| (raw(&point), "in the prime-order subgroup")));
    }
    // Without 0, because (0, 0) is infinity over BN254.
    let off = xs().skip(1).find(|&x| Affine::<C>::get_ys_from_x_unchecked(x).is_none()).unwrap();
    found.push((raw(&Affine::<C>::new_unchecked(off, off)), "on the curve"));
    let mut other = good.to_vec();
    *other.last_mut().unwrap() ^= 1;
    found.push((other, "on the curve"));
    found.extend(unreduced::<C>(good, flags).into_iter().map(|bytes| (bytes, "encoded as gnark does")));
    if flags == 3 {
        // Infinity with a coordinate, and three combinations of flags without a meaning.
        for top in [0b010 << 5, 0b001 << 5, 0b011 << 5, 0b111 << 5] {
            let mut bytes = good.to_vec();
            bytes[0] |= top;
            found.push((bytes, "encoded as gnark does"));
        }
    }
    found
}

/// Calls `check` with damaged files: a fault at each point in turn. It gets the name of the point and the end of the error.
fn for_each_fault<E: VerifyingCurve>(file: &[u8], parts: &[Part], check: impl Fn(&[u8], &str, &str)) {
    let size = |degree: u64| 2 * degree as usize * E::BaseField::MODULUS.to_bytes_be().len();
    let g2 = size(<E::G2Curve as ark_ec::CurveConfig>::BaseField::extension_degree());
    let flags = if E::ID == CurveId::Bn254 { 2 } else { 3 };
    let mut start = 0;
    for part in parts {
        let (name, len) = match part {
            Part::G1(name) => (name.as_str(), size(1)),
            Part::G2(name) => (name.as_str(), g2),
            Part::Other(len) => ("", *len),
        };
        let good = &file[start..start + len];
        let faults = match part {
            Part::G1(_) => faulty::<E::G1Curve>(good, flags),
            Part::G2(_) => faulty::<E::G2Curve>(good, flags),
            Part::Other(_) => Vec::new(),
        };
        assert_eq!(faults.is_empty(), name.is_empty());
        for (bytes, expected) in faults {
            check(&[&file[..start], &bytes, &file[start + len..]].concat(), name, expected);
        }
        start += len;
    }
}

fn faults_of<E: VerifyingCurve>(curve: &str) {
    let sample = |extension: &str| file(&format!("gnark-{curve}-committed{extension}"));
    let (key, public, proof) = (sample("-raw.vk"), sample(".public"), sample("-raw.proof"));
    let verifier = GnarkVerifier::new(&key).unwrap();
    for_each_fault::<E>(&proof, &proof_parts(), |proof, name, expected| {
        match holds(&verifier, &public, proof).expect_err(&format!("{curve}, {name} is not {expected}")) {
            Groth16Error::Claim { part: ClaimPart::Proof, source, .. } => {
                // The first point tells whether the points are compressed.
                let expected = if name == "Ar" { String::new() } else { format!("{name} is not {expected}") };
                let found = source.to_string();
                assert!(found.starts_with(&expected), "{curve}: {found}; expected {expected}");
            }
            other => panic!("{curve}, {name}: {other}"),
        }
    });
    for_each_fault::<E>(&key, &key_parts(), |key, name, expected| {
        // The first point tells the curve, and whether the points are compressed.
        let expected = if name == "alpha1" { String::new() } else { format!("{name} is not {expected}") };
        let found = key_error(key).to_string();
        assert!(found.starts_with(&expected), "{curve}: {found}; expected {expected}");
    });
}

#[test]
fn points_outside_of_their_groups_are_refused() {
    on_each_curve!(faults_of);
}

/// Points at infinity: no proof with one holds.
#[test]
fn proofs_with_infinity_do_not_hold() {
    for &(name, curve, coordinate) in CURVES {
        let sample = |extension: &str| file(&format!("gnark-{name}-committed{extension}"));
        let (key, public) = (GnarkVerifier::new(&sample(".vk")).unwrap(), sample(".public"));
        for (form, g1, flags) in [("", coordinate, 0b110 << 5), ("-raw", 2 * coordinate, 0b010 << 5)] {
            let proof = sample(&format!("{form}.proof"));
            let flags = match (curve, form) {
                (CurveId::Bn254, "") => 0b01 << 6,
                (CurveId::Bn254, _) => 0,
                _ => flags,
            };
            let g2 = g2(curve, g1);
            let behind = |i: usize| g1 + g2 + i * g1 + if i > 0 { 4 } else { 0 };
            let mut places = vec![(0, g1), (g1, g2)];
            places.extend((0..5).map(|i| (behind(i), g1)));
            assert_eq!(places.last().map(|(start, len)| start + len), Some(proof.len()));
            let make_infinite = |proof: &mut Vec<u8>, (start, len): (usize, usize)| {
                proof[start..start + len].fill(0);
                proof[start] = flags;
            };
            let mut all = proof.clone();
            for &place in &places {
                let mut one = proof.clone();
                make_infinite(&mut one, place);
                assert!(!holds(&key, &public, &one).unwrap(), "{name}{form}: {place:?}");
                make_infinite(&mut all, place);
            }
            assert!(!holds(&key, &public, &all).unwrap(), "{name}{form}");
        }
    }
}

fn unreduced_values_of<E: VerifyingCurve>(curve: &str) {
    let sample = |extension: &str| file(&format!("gnark-{curve}.{extension}"));
    let (key, public, proof) =
        (GnarkVerifier::new(&sample("vk")).unwrap(), sample("public"), sample("proof"));
    // The public value is 9.
    let mut value = E::ScalarField::MODULUS;
    value.add_with_carry(&9u64.into());
    let larger = [&public[..12], &value.to_bytes_be()].concat();
    assert_eq!(larger.len(), public.len());
    let error = holds(&key, &larger, &proof).unwrap_err().to_string();
    assert!(error.contains("public value 0 is not below the field's modulus"), "{curve}: {error}");
}

#[test]
fn unreduced_public_values_are_refused() {
    on_each_curve!(unreduced_values_of);
}

#[test]
fn files_of_other_curves_do_not_hold() {
    for (of_key, ..) in CURVES {
        for (of_proof, ..) in CURVES.iter().filter(|(of_proof, ..)| of_proof != of_key) {
            for circuit in ["", "-committed"] {
                let sample =
                    |curve: &str, extension: &str| file(&format!("gnark-{curve}{circuit}{extension}"));
                let key = GnarkVerifier::new(&sample(of_key, ".vk")).unwrap();
                for form in FORMS {
                    let proof = sample(of_proof, &format!("{form}.proof"));
                    assert!(holds(&key, &sample(of_key, ".public"), &proof).is_err(), "{of_key}, {of_proof}");
                }
            }
        }
    }
}
