//! Compares the content of files that circom and snarkjs wrote, and writes the files again to the same bytes.

use std::io::Cursor;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{BigInt, Field, PrimeField};
use bucketwheel::{Cancel, Curve};
use bucketwheel_groth16::file::{
    write_r1cs, write_wtns, zkey_curve, Coefficient, LinearCombination, Matrix, Montgomery, Points, R1cs,
    Wtns, Zkey, ZkeyWriter,
};
use bucketwheel_groth16::{file, with_pairing, CurveId, PairingCurve, CURVES};

use crate::{data, Silent};

/// Number of signals of the circuit `y = x^5 + k x + 3`: the constant, output, public input, private input,
/// intermediate signals.
const SIGNALS: usize = 7;

#[test]
fn circuits() {
    for curve in CURVES {
        let bytes = data(curve, "power.r1cs");
        let circuit = R1cs::parse(&bytes).unwrap();
        let header = circuit.header;
        assert_eq!((header.curve, header.wires, header.constraints), (curve, SIGNALS, 4));
        assert_eq!((header.outputs, header.public_inputs, header.private_inputs), (1, 1, 1));
        assert_eq!(circuit.constraints().count(), 4);
        let terms = |combination: LinearCombination<'_>| combination.terms().collect::<Vec<_>>();
        let constraints: Vec<_> =
            circuit.constraints().map(|c| [terms(c.a), terms(c.b), terms(c.c)]).collect();
        let borrowed = constraints.iter().map(|c| [&c[0][..], &c[1], &c[2]]);
        let written = write_r1cs(Cursor::new(Vec::new()), &header, borrowed).unwrap().into_inner();
        let again = R1cs::parse(&written).unwrap();
        assert_eq!(again.header, header);
        let constraints_again: Vec<_> =
            again.constraints().map(|c| [terms(c.a), terms(c.b), terms(c.c)]).collect();
        assert_eq!(constraints_again, constraints);
        with_pairing!(curve, E => satisfied::<<E as ark_ec::pairing::Pairing>::ScalarField>(circuit, curve))
            .unwrap();
    }
}

/// Checks that the witness satisfies the circuit.
fn satisfied<F: PrimeField<BigInt = BigInt<4>>>(circuit: R1cs<'_>, curve: CurveId) {
    let bytes = data(curve, "power.wtns");
    let witness = Wtns::parse(&bytes).unwrap();
    let value = |integer| F::from_bigint(integer).unwrap();
    let sum = |combination: LinearCombination<'_>| -> F {
        combination
            .terms()
            .map(|(wire, coefficient)| value(coefficient) * value(witness.get(wire as usize)))
            .sum()
    };
    for constraint in circuit.constraints() {
        assert_eq!(sum(constraint.a) * sum(constraint.b), sum(constraint.c));
    }
}

#[test]
fn witnesses() {
    for curve in CURVES {
        let bytes = data(curve, "power.wtns");
        let witness = Wtns::parse(&bytes).unwrap();
        assert_eq!((witness.curve(), witness.len()), (curve, SIGNALS));
        assert_eq!(witness.get(0), BigInt::from(1u64));
        let values = witness.to_vec().unwrap();
        assert_eq!(values, witness.iter().collect::<Vec<_>>());
        assert_eq!(write_wtns(Cursor::new(Vec::new()), curve, &values).unwrap().into_inner(), bytes);
    }
}

#[test]
fn keys() {
    for curve in CURVES {
        let bytes = data(curve, "power.zkey");
        assert_eq!(zkey_curve(&bytes), Ok(curve));
        with_pairing!(curve, E => key::<E>(&bytes)).unwrap();
    }
}

fn key<E: PairingCurve>(bytes: &[u8]) {
    let key = Zkey::<E>::parse(bytes).unwrap();
    let header = key.header.clone();
    // Four constraints and three rows for the public signals.
    assert_eq!((header.signals, header.public, header.domain_size), (SIGNALS, 2, 8));
    assert_eq!((key.ic.len(), key.a.len(), key.c.len(), key.h.len()), (3, SIGNALS, SIGNALS - 3, 8));
    key.check_points(&Cancel::new(), &Silent).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(matches!(
        key.check_points(&cancel, &Silent),
        Err(file::Error::Engine(bucketwheel::Error::Cancelled))
    ));
    on_curve(&key.ic);
    on_curve(&key.a);
    on_curve(&key.b1);
    on_curve(&key.b2);
    on_curve(&key.c);
    on_curve(&key.h);
    assert!(header.gamma_g2 == E::G2Affine::generator());
    // Signals without an entry in B have points at infinity.
    assert!(key.b1.iter().any(|point| point.is_zero()) && key.b2.iter().any(|point| point.is_zero()));

    let entries: Vec<_> = key.coefficients.iter().collect();
    let (constraints, public) = entries.split_at(entries.len() - 3);
    assert!(constraints.iter().all(|entry| entry.constraint < 4));
    for (i, entry) in (0..).zip(public) {
        assert_eq!(*entry, Coefficient::new(Matrix::A, 4 + i, i, E::ScalarField::ONE));
        assert_eq!(entry.value::<E::ScalarField>(), E::ScalarField::ONE);
    }
    let written = write(&key, &entries);
    let again = Zkey::<E>::parse(&written).unwrap();
    assert_eq!(again.header, header);
    assert_eq!(again.coefficients.iter().collect::<Vec<_>>(), entries);
    same(&again.ic, &key.ic);
    same(&again.a, &key.a);
    same(&again.b1, &key.b1);
    same(&again.b2, &key.b2);
    same(&again.c, &key.c);
    same(&again.h, &key.h);

    // The file has rows in any order.
    let mut backwards = entries.clone();
    backwards.reverse();
    let unsorted = write(&key, &backwards);
    let unsorted = Zkey::<E>::parse(&unsorted).unwrap();
    assert_eq!(unsorted.coefficients.iter().collect::<Vec<_>>(), backwards);
    for (first, last) in [(0, 1), (0, 9), (2, 5), (3, 3), (6, 8), (8, 9)] {
        let in_rows = |entry: &&Coefficient| (first..last).contains(&(entry.constraint as usize));
        let expected: Vec<_> = entries.iter().filter(in_rows).copied().collect();
        assert_eq!(key.coefficients.rows(first..last).collect::<Vec<_>>(), expected);
        // The entries of a row stay in the order of the file.
        let mut expected: Vec<_> = backwards.iter().filter(in_rows).copied().collect();
        expected.sort_by_key(|entry| entry.constraint);
        assert_eq!(unsorted.coefficients.rows(first..last).collect::<Vec<_>>(), expected);
    }
}

/// Returns the file of a key with other entries.
fn write<E: PairingCurve>(key: &Zkey<'_, E>, entries: &[Coefficient]) -> Vec<u8> {
    let mut writer = ZkeyWriter::<_, E>::new(Cursor::new(Vec::new()), key.header.clone()).unwrap();
    writer.ic(key.ic.iter()).unwrap();
    writer.coefficients(entries.iter().copied()).unwrap();
    writer.a(key.a.iter()).unwrap();
    writer.b1(key.b1.iter()).unwrap();
    writer.b2(key.b2.iter()).unwrap();
    writer.c(key.c.iter()).unwrap();
    writer.h(key.h.iter()).unwrap();
    writer.finish(&[7; 64]).unwrap().into_inner()
}

fn on_curve<C: Curve<BaseField: Montgomery>>(points: &Points<'_, C>) {
    for point in points.iter() {
        assert!(point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve());
    }
}

fn same<C: Curve<BaseField: Montgomery>>(one: &Points<'_, C>, other: &Points<'_, C>) {
    let all = |points: &Points<'_, C>| points.iter().collect::<Vec<Affine<C>>>();
    assert_eq!(all(one), all(other));
}
