//! Witnesses that satisfy their circuit, and witnesses that do not.

use std::io::Cursor;

use ark_ff::BigInt;
use bucketwheel::Cancel;
use bucketwheel_groth16::file::{write_r1cs, write_wtns, R1cs, R1csHeader, Wtns};
use bucketwheel_groth16::{check_witness, CurveId, Error, CURVES};

use crate::{data, Silent};
use bucketwheel_properties::explains;

fn check(circuit: &[u8], witness: &[u8]) -> Result<(), Error> {
    check_witness(&R1cs::parse(circuit).unwrap(), &Wtns::parse(witness).unwrap(), &Cancel::new(), &Silent)
}

#[test]
fn what_circom_computed_satisfies() {
    for curve in CURVES {
        check(&data(curve, "power.r1cs"), &data(curve, "power.wtns")).unwrap();
    }
}

#[test]
fn every_value_matters() {
    for curve in CURVES {
        let circuit = data(curve, "power.r1cs");
        let bytes = data(curve, "power.wtns");
        let witness = Wtns::parse(&bytes).unwrap();
        for index in 0..witness.len() {
            let mut values = witness.to_vec().unwrap();
            values[index] = BigInt::from(12345u64);
            let changed = write_wtns(Cursor::new(Vec::new()), curve, &values).unwrap().into_inner();
            let error = check(&circuit, &changed).unwrap_err();
            explains(&error);
            assert_eq!(matches!(error, Error::Unsatisfied(_)), index > 0, "{error}");
        }
        let longer =
            write_wtns(Cursor::new(Vec::new()), curve, &[BigInt::from(1u64); 8]).unwrap().into_inner();
        let message = check(&circuit, &longer).unwrap_err().to_string();
        assert_eq!(message, "the witness has 8 values: expected 7, as many as the circuit has signals; make it again, with this circuit");
    }
    let error =
        check(&data(CurveId::Bn254, "power.r1cs"), &data(CurveId::Bls12_381, "power.wtns")).unwrap_err();
    assert_eq!(error.to_string(), "the file is for curve bls12381: expected bn128");
}

/// The circuit has `w_(i+1) = w_i^2` for many constraints, so that there are several blocks.
#[test]
fn the_first_of_several_is_named() {
    const CONSTRAINTS: usize = 300_000;
    let one = |wire: usize| [(wire as u32, BigInt::from(1u64))];
    let constraints: Vec<_> = (0..CONSTRAINTS).map(|i| [one(i + 1), one(i + 1), one(i + 2)]).collect();
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires: CONSTRAINTS + 2,
        outputs: 0,
        public_inputs: 0,
        private_inputs: 1,
        labels: 0,
        constraints: CONSTRAINTS,
    };
    let borrowed = constraints.iter().map(|c| [&c[0][..], &c[1], &c[2]]);
    let circuit = write_r1cs(Cursor::new(Vec::new()), &header, borrowed).unwrap().into_inner();
    let check_with = |wrong: &[usize]| {
        let mut values = vec![BigInt::from(1u64); CONSTRAINTS + 2];
        wrong.iter().for_each(|&i| values[i] = BigInt::from(5u64));
        let witness = write_wtns(Cursor::new(Vec::new()), CurveId::Bn254, &values).unwrap().into_inner();
        check(&circuit, &witness)
    };
    check_with(&[]).unwrap();
    for first in [2, 4097, 4098, 131_072, CONSTRAINTS + 1] {
        // Wire i is the result of constraint i - 2.
        let message = check_with(&[first, CONSTRAINTS + 1]).unwrap_err().to_string();
        let expected =
            format!("constraint {} does not hold: A is 1, B is 1 and C is 5: expected C to be 1,", first - 2);
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn cancelled() {
    let cancel = Cancel::new();
    cancel.cancel();
    let (circuit, witness) = (data(CurveId::Bn254, "power.r1cs"), data(CurveId::Bn254, "power.wtns"));
    let (circuit, witness) = (R1cs::parse(&circuit).unwrap(), Wtns::parse(&witness).unwrap());
    let error = check_witness(&circuit, &witness, &cancel, &Silent).unwrap_err();
    assert!(matches!(error, Error::Engine(bucketwheel::Error::Cancelled)));
}
