//! The short run of the fuzz targets: every reader with a bounded number of damaged files, the same files each time.

use bucketwheel_groth16::CURVES;

use bucketwheel_properties::files::{self as properties, Gnark, GNARK};
use bucketwheel_properties::mutator::check;

use crate::data;

/// Returns this file for both curves.
fn files(name: &str) -> Vec<Vec<u8>> {
    CURVES.map(|curve| data(curve, name)).into()
}

/// Returns this file of gnark for each curve.
fn gnark(file: fn(&Gnark) -> &'static [u8]) -> Vec<Vec<u8>> {
    GNARK.iter().map(|files| file(files).into()).collect()
}

#[test]
fn keys() {
    check("zkey", properties::zkey, files("power.zkey"), 30_000);
}

#[test]
fn witnesses() {
    check("wtns", properties::wtns, [files("power.wtns"), files("power.r1cs")].concat(), 100_000);
}

#[test]
fn circuits() {
    check("r1cs", properties::r1cs, [files("power.r1cs"), files("power.wtns")].concat(), 100_000);
}

#[test]
fn verifying_keys() {
    check("verifying_key", properties::verifying_key, files("verification_key.json"), 5_000);
}

#[test]
fn proofs() {
    check("proof", properties::proof, files("proof.json"), 10_000);
}

#[test]
fn public_signals() {
    check("public", properties::public, files("public.json"), 50_000);
}

#[test]
fn gnark_keys() {
    check("gnark_key", properties::gnark_key, gnark(|files| files.key), 500);
}

#[test]
fn gnark_proofs() {
    check("gnark_proof", properties::gnark_proof, gnark(|files| files.proof), 500);
}

#[test]
fn gnark_public_witnesses() {
    check("gnark_public", properties::gnark_public, gnark(|files| files.public), 500);
}

#[test]
fn claims() {
    let claim = |curve| {
        let [proof, public] =
            ["proof.json", "public.json"].map(|name| String::from_utf8(data(curve, name)).unwrap());
        format!("{{\"proof\": {proof}, \"publicSignals\": {public}}}")
    };
    let [first, second] = CURVES.map(claim);
    check("claims", properties::claims, vec![format!("[{first}, {second}]").into(), first.into()], 10_000);
}

#[test]
fn powers_of_tau() {
    let files = ["bn254-3.ptau", "bls12-381-3.ptau"].map(crate::key_checks::ceremony);
    check("ptau", properties::ptau, files.into(), 5_000);
}

#[test]
fn inputs() {
    let inputs = r#"{ "a": 3, "b": ["1", "0x2f", -1], "bus": { "x": [[1, 2], [3, 4]], "y": true }, "c": 9007199254740991 }"#;
    check("inputs", properties::inputs, vec![inputs.into()], 50_000);
}

#[test]
fn names_of_signals() {
    let names =
        "1,1,5,main.sum\n2,-1,5,main.v[0]\n3,2,5,main.v[1]\n4,2,5,main.p.x\r\n5,3,0,main.sub[2].out\n";
    check("sym", properties::sym, vec![names.into()], 50_000);
}

#[test]
fn jsnark_circuits() {
    let circuit = "total 20\ninput 0 # public\nnizkinput 1\nmul in 2 <0 1> out 1 <2>\nadd in 2 <0 2> out 1 <3>\n\
                   const-mul-neg-1f in 1 <3> out 1 <4>\nsplit in 1 <1> out 3 <5 6 7>\nxor in 2 <5 6> out 1 <8>\n\
                   or in 2 <5 7> out 1 <9>\npack in 3 <5 6 7> out 1 <10>\nzerop in 1 <0> out 2 <11 12>\n\
                   assert in 2 <5 6> out 1 <6>\noutput 4\noutput 10\0\x200 c\n1 5\n";
    check("jsnark", properties::jsnark, vec![circuit.into()], 30_000);
}
