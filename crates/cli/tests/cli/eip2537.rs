//! Ethereum's precompiles: the vectors of the EIP, and blst on random inputs.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{PrimeField, UniformRand};
use bucketwheel::{Cancel, Curve, CurveId, GroupId};
use bucketwheel_cli::commands::eip2537::unhex;
use bucketwheel_cli::format::{encode, FormatId};
use bucketwheel_dynamic::precompile::{call, Precompile};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::{command, error_of, fail, succeed};

fn vectors(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).unwrap().as_array().unwrap().clone()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap()
}

/// A multiplication is a multi-scalar multiplication of one point.
#[test]
fn vectors_that_succeed() {
    use Precompile::{G1Add, G1Msm, G2Add, G2Msm};
    let files = [
        (G1Add, include_str!("eip2537/add_G1_bls.json")),
        (G2Add, include_str!("eip2537/add_G2_bls.json")),
        (G1Msm, include_str!("eip2537/mul_G1_bls.json")),
        (G2Msm, include_str!("eip2537/mul_G2_bls.json")),
        (G1Msm, include_str!("eip2537/msm_G1_bls.json")),
        (G2Msm, include_str!("eip2537/msm_G2_bls.json")),
    ];
    let mut count = 0;
    for (operation, file) in files {
        for vector in vectors(file) {
            let output = call(operation, &unhex(text(&vector, "Input").as_bytes()).unwrap(), &Cancel::new());
            let output: String = output.unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(output, text(&vector, "Expected"), "{}", vector["Name"]);
            count += 1;
        }
    }
    assert!(count > 50);
}

#[test]
fn vectors_that_fail() {
    let files = [
        ("g1add", include_str!("eip2537/fail-add_G1_bls.json")),
        ("g2add", include_str!("eip2537/fail-add_G2_bls.json")),
        ("g1msm", include_str!("eip2537/fail-mul_G1_bls.json")),
        ("g2msm", include_str!("eip2537/fail-mul_G2_bls.json")),
        ("g1msm", include_str!("eip2537/fail-msm_G1_bls.json")),
        ("g2msm", include_str!("eip2537/fail-msm_G2_bls.json")),
    ];
    let directory = tempfile::tempdir().unwrap();
    for (operation, file) in files {
        for vector in vectors(file) {
            fs::write(directory.path().join("input"), text(&vector, "Input")).unwrap();
            let message = fail(directory.path(), &format!("eip2537 {operation} input"));
            let expected = match text(&vector, "ExpectedError") {
                "invalid input length" if text(&vector, "Input").is_empty() && operation.ends_with("msm") => {
                    "is empty"
                }
                "invalid input length" => "bytes of input: expected",
                "invalid fp.Element encoding" | "invalid field element top bytes" => {
                    "not below the field's modulus"
                }
                "invalid point: not on curve" => "is not on the curve",
                error
                    if error.ends_with("not in the correct subgroup")
                        || error.ends_with("not in correct subgroup") =>
                {
                    "is not in the prime-order subgroup"
                }
                error => panic!("{error}"),
            };
            assert!(message.contains(expected), "{}: {message}", vector["Name"]);
        }
    }
}

fn random_inputs<C: Curve>(group: GroupId, msm: Precompile, add: Precompile) {
    let codec = FormatId::Eip2537.format().codec(CurveId::Bls12_381, group).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let none = Cancel::new();
    for count in [1, 2, 3, 65] {
        let mut points: Vec<Affine<C>> =
            (0..count).map(|_| Projective::<C>::rand(&mut rng).into_affine()).collect();
        points[count / 2] = [points[0], Affine::identity(), -points[0], points[0]][count % 4];
        let scalars: Vec<[u8; 32]> = (0..count)
            .map(|i| {
                let mut scalar = [if i % 3 == 0 { 0xff } else { 0 }; 32];
                rng.fill_bytes(&mut scalar[i % 32..]);
                scalar
            })
            .collect();
        let mut input = Vec::new();
        for (point, scalar) in points.iter().zip(&scalars) {
            input.extend(encode(&codec, &[*point]).unwrap());
            input.extend(scalar);
        }
        let reduced: Vec<_> =
            scalars.iter().map(|scalar| C::ScalarField::from_be_bytes_mod_order(scalar)).collect();
        let expected = Projective::<C>::msm(&points, &reduced).unwrap().into_affine();
        assert_eq!(call(msm, &input, &none).unwrap(), encode(&codec, &[expected]).unwrap());
    }
    // Sums of all exceptional pairs on the curve, outside of the subgroup, too.
    let outside = (1u64..).find_map(|x| Affine::<C>::get_point_from_x_unchecked(x.into(), true)).unwrap();
    let points = [Affine::identity(), Affine::generator(), outside, -outside, -Affine::<C>::generator()];
    for (a, b) in points.iter().flat_map(|a| points.iter().map(move |b| (*a, *b))) {
        let sum = call(add, &encode(&codec, &[a, b]).unwrap(), &none).unwrap();
        assert_eq!(sum, encode(&codec, &[(a + b).into_affine()]).unwrap());
    }
}

#[test]
fn random_sums_are_those_of_arkworks() {
    random_inputs::<ark_bls12_381::g1::Config>(GroupId::G1, Precompile::G1Msm, Precompile::G1Add);
    random_inputs::<ark_bls12_381::g2::Config>(GroupId::G2, Precompile::G2Msm, Precompile::G2Add);
}

#[test]
fn inputs_and_their_hexadecimal() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let vector = vectors(include_str!("eip2537/add_G1_bls.json")).swap_remove(0);
    let (input, expected) = (text(&vector, "Input"), format!("0x{}\n", text(&vector, "Expected")));
    for input in [input.to_owned(), format!("0x{input}\n"), format!(" \t\n0x{}\r\n\n", input.to_uppercase())]
    {
        fs::write(at.join("input"), &input).unwrap();
        assert_eq!(succeed(at, "eip2537 g1add input"), expected);
        let mut child = command(at);
        child.args(["eip2537", "g1add"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), expected);
    }
    for (input, expected) in [
        ("0x0g", "digit 1 of the input is 'g': expected hexadecimal digits"),
        ("00 00", "digit 2 of the input is ' ': expected hexadecimal digits"),
        ("0x0x", "digit 1 of the input is 'x': expected"),
        ("0x123", "3 hexadecimal digits: expected an even number"),
        ("", "0 bytes of input: expected 256"),
        ("0x", "0 bytes of input: expected 256"),
    ] {
        fs::write(at.join("input"), input).unwrap();
        let message = fail(at, "eip2537 g1add input");
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(fail(at, "eip2537 g1msm input").starts_with("the input is empty: expected at least one"));
    fs::write(at.join("input"), [0xff, 0xfe]).unwrap();
    fail(at, "eip2537 g1add input");
    assert!(fail(at, "eip2537 g2add missing").starts_with("cannot read missing: "));
    let output = command(at).args(["eip2537", "g3add"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output = command(at).args(["eip2537", "g1msm"]).stdin(Stdio::null()).output().unwrap();
    assert!(error_of(&output, 1).starts_with("the input is empty"));
}
