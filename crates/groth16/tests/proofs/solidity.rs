//! Verifiers for Ethereum: compiled and called in a virtual machine if Node is there, and compared with snarkjs' texts.

use std::fs;
use std::process::Command;

use ark_bn254::{Fq, Fr, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField, UniformRand};
use bucketwheel_groth16::file::{public_to_json, FileError, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{solidity, Bn254, Error, Proof, VerifyingKey};
use num_bigint::BigUint;
use rand_chacha::rand_core::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{json, Value};

use crate::keys::read;
use crate::snarkjs::Snarkjs;

/// Returns a key, a proof and its signals from chosen exponents. C follows from the equation.
fn chosen(public: usize, seed: u64) -> (VerifyingKey<Bn254>, Proof<Bn254>, Vec<Fr>) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let g1 = |x: Fr| (G1Affine::generator() * x).into_affine();
    let g2 = |x: Fr| (G2Affine::generator() * x).into_affine();
    let mut draw = || Fr::rand(rng);
    let [alpha, beta, gamma, delta, a, b] = std::array::from_fn(|_| draw());
    let mut ic: Vec<_> = (0..=public).map(|_| draw()).collect();
    let signals: Vec<_> = (0..public).map(|_| draw()).collect();
    // The point of a public input that no constraint has is infinity.
    ic.iter_mut().skip(2).for_each(|point| *point = Fr::ZERO);
    let sum: Fr = ic[0] + ic[1..].iter().zip(&signals).map(|(x, y)| *x * y).sum::<Fr>();
    let c = (a * b - alpha * beta - sum * gamma) * delta.inverse().unwrap();
    let key = VerifyingKey {
        alpha_g1: g1(alpha),
        beta_g2: g2(beta),
        gamma_g2: g2(gamma),
        delta_g2: g2(delta),
        ic: ic.into_iter().map(g1).collect(),
    };
    (key, Proof { a: g1(a), b: g2(b), c: g1(c) }, signals)
}

fn calldata(proof: &Proof<Bn254>, signals: &[Fr]) -> String {
    let proof = ProofJson::encode(proof).to_text();
    solidity::calldata(public_to_json(signals).as_bytes(), proof.as_bytes()).unwrap()
}

fn arguments(calldata: &str) -> Value {
    serde_json::from_str(&format!("[{calldata}]")).unwrap()
}

/// Returns the call with one word changed, at this place.
fn changed(call: &Value, place: &str, change: impl Fn(BigUint) -> BigUint) -> Value {
    let mut call = call.clone();
    let number = call.pointer_mut(place).unwrap();
    let digits = &number.as_str().unwrap()[2..];
    let change = change(BigUint::parse_bytes(digits.as_bytes(), 16).unwrap());
    *number = format!("0x{change:x}").into();
    call
}

/// Returns every call that differs from a right call in one word.
fn wrong_calls(right: &Value, public: usize) -> Vec<Value> {
    let (order, prime) = (BigUint::from(Fr::MODULUS), BigUint::from(Fq::MODULUS));
    let most = (BigUint::from(1u8) << 256u32) - 1u8;
    let mut calls = Vec::new();
    let points = ["/0/0", "/0/1", "/1/0/0", "/1/0/1", "/1/1/0", "/1/1/1", "/2/0", "/2/1"];
    for place in points {
        calls.push(changed(right, place, |number| number + 1u8));
        calls.push(changed(right, place, |number| number + &prime));
        calls.push(changed(right, place, |_| 0u8.into()));
        calls.push(changed(right, place, |_| most.clone()));
    }
    // The points' negatives are points, too.
    calls.push(changed(right, "/0/1", |number| &prime - number));
    calls.push(changed(right, "/2/1", |number| &prime - number));
    // Points become infinity.
    for (place, infinity) in
        [("/0", json!(["0", "0"])), ("/1", json!([["0", "0"], ["0", "0"]])), ("/2", json!(["0", "0"]))]
    {
        let mut call = right.clone();
        *call.pointer_mut(place).unwrap() = infinity;
        calls.push(call);
    }
    let swapped = json!([right[2], right[1], right[0], right[3]]);
    calls.push(swapped);
    for signal in 0..public {
        let place = format!("/3/{signal}");
        // The signal plus multiples of the order is another name of the signal. None of these numbers is below the order.
        for times in 1u8..=4 {
            calls.push(changed(right, &place, |number| number + &order * times));
        }
        calls.push(changed(right, &place, |_| order.clone()));
        calls.push(changed(right, &place, |_| most.clone()));
        // Signals whose point is infinity may have any value.
        if signal == 0 {
            calls.push(changed(right, &place, |number| (number + 1u8) % &order));
        }
    }
    if public == 0 {
        let mut call = right.clone();
        call[3] = json!(["0"]);
        calls.push(call);
    }
    calls
}

/// Returns the contract's verdicts twice: compiled as it is, and optimised.
fn verdicts(snarkjs: &Snarkjs, contract: &str, calls: &[Value]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let (text, list) = (folder.path().join("contract.sol"), folder.path().join("calls.json"));
    fs::write(&text, contract).unwrap();
    fs::write(&list, serde_json::to_string(calls).unwrap()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proofs/verifier.mjs");
    let output = Command::new("node").arg(script).arg(snarkjs.modules()).args([text, list]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn contracts_accept_right_proofs_alone() {
    let Some(snarkjs) = Snarkjs::find() else { return };
    for public in [0, 1, 3] {
        let (key, proof, signals) = chosen(public, public as u64);
        let contract = solidity::contract(VerifyingKeyJson::encode(&key).to_text().as_bytes()).unwrap();
        let right = arguments(&calldata(&proof, &signals));
        let mut calls = vec![right.clone()];
        calls.extend(wrong_calls(&right, public));
        let verdicts = verdicts(&snarkjs, &contract, &calls);
        assert_eq!(verdicts.len(), 2 * calls.len());
        for (call, verdict) in calls.iter().cycle().zip(verdicts) {
            assert_eq!(verdict, json!(*call == right), "{public} public signals: {call}");
        }
    }
}

#[test]
fn contracts_accept_proofs_of_snarkjs() {
    let Some(snarkjs) = Snarkjs::find() else { return };
    let [key, vkey, public, proof] =
        ["power.zkey", "verification_key.json", "public.json", "proof.json"].map(|name| read("bn254", name));
    let contract = solidity::contract(&key).unwrap();
    assert_eq!(contract, solidity::contract(&vkey).unwrap());
    let calldata = solidity::calldata(&public, &proof).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("public.json"), public).unwrap();
    fs::write(folder.path().join("proof.json"), proof).unwrap();
    let theirs = snarkjs.run(folder.path(), "zkey export soliditycalldata public.json proof.json");
    assert_eq!(theirs.trim_end(), calldata);
    assert_eq!(verdicts(&snarkjs, &contract, &[arguments(&calldata)]), [json!(true), json!(true)]);
}

#[test]
fn calldata_is_as_snarkjs_prints_it() {
    let Some(snarkjs) = Snarkjs::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    for public in [0, 1, 3] {
        let (_, proof, mut signals) = chosen(public, 10);
        // A number has leading digits that are 0.
        signals.first_mut().into_iter().for_each(|signal| *signal = Fr::from(7u8));
        fs::write(folder.path().join("public.json"), public_to_json(&signals)).unwrap();
        fs::write(folder.path().join("proof.json"), ProofJson::encode(&proof).to_text()).unwrap();
        let theirs = snarkjs.run(folder.path(), "zkey export soliditycalldata public.json proof.json");
        assert_eq!(theirs.trim_end(), calldata(&proof, &signals));
    }
}

#[test]
fn points_at_infinity_are_zeros() {
    let (key, proof, _) = chosen(2, 20);
    let contract = solidity::contract(VerifyingKeyJson::encode(&key).to_text().as_bytes()).unwrap();
    for axis in ["X", "Y"] {
        assert!(contract.contains(&format!("uint256 private constant IC2_{axis} = 0;\n")), "{contract}");
    }
    let call = arguments(&calldata(&Proof { a: G1Affine::zero(), ..proof }, &[]));
    assert_eq!(call[0], json!([format!("0x{:064}", 0), format!("0x{:064}", 0)]));
}

#[test]
fn other_curves_are_errors() {
    let names = ["verification_key.json", "power.zkey", "public.json", "proof.json"];
    let [vkey, key, public, proof] = names.map(|name| read("bls12-381", name));
    for error in [
        solidity::contract(&vkey).unwrap_err(),
        solidity::contract(&key).unwrap_err(),
        solidity::calldata(&public, &proof).unwrap_err(),
    ] {
        assert!(matches!(error, Error::File(FileError::Unsupported { .. })), "{error}");
        assert_eq!(
            error.to_string(),
            "curve bls12381: expected bn128, the curve of Ethereum's precompiled contracts 0x06 to 0x08"
        );
    }
    for text in [&b""[..], b"zkey", b"{}", b"[]", &proof] {
        assert!(solidity::contract(text).unwrap_err().to_string().contains("expected"));
    }
}
