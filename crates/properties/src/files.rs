//! Properties of the readers of circom's, snarkjs' and gnark's files. If a writer exists, parsed content is the same
//! after it was written and read again.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::LazyLock;

use ark_ec::pairing::Pairing;
use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::GnarkVerifier;
use bucketwheel_groth16::file::{
    self, public_from_json, public_to_json, write_r1cs, write_wtns, zkey_curve, LinearCombination, ProofJson,
    Ptau, R1cs, Symbol, VerifyingKeyJson, Wtns, Zkey, ZkeyHeader, ZkeyWriter,
};
use bucketwheel_groth16::witness::Inputs;
use bucketwheel_groth16::{check_witness, jsnark, with_pairing, Bn254, PairingCurve, TextClaim, CURVES};

use crate::explains;

/// Checks the reader of a proving key.
pub fn zkey(bytes: &[u8]) {
    match zkey_curve(bytes) {
        Ok(curve) => with_pairing!(curve, E => zkey_of::<E>(bytes)).unwrap(),
        Err(error) => {
            explains(&error);
            for curve in CURVES {
                assert!(with_pairing!(curve, E => Zkey::<E>::parse(bytes).is_err()).unwrap());
            }
        }
    }
}

fn zkey_of<E: PairingCurve>(bytes: &[u8]) {
    let key = match Zkey::<E>::parse(bytes) {
        Ok(key) => key,
        Err(error) => return explains(&error),
    };
    assert_eq!(ZkeyHeader::read(bytes).unwrap(), key.header);
    if let Err(error) = key.verifying_key() {
        explains(&error);
    }
    let write = |key: &Zkey<'_, E>| {
        let mut writer = ZkeyWriter::<_, E>::new(Cursor::new(Vec::new()), key.header.clone())?;
        writer.ic(key.ic.iter())?;
        writer.coefficients(key.coefficients.iter())?;
        writer.a(key.a.iter())?;
        writer.b1(key.b1.iter())?;
        writer.b2(key.b2.iter())?;
        writer.c(key.c.iter())?;
        writer.h(key.h.iter())?;
        writer.finish(&[0; 64]).map(Cursor::into_inner)
    };
    let written = write(&key).unwrap();
    let again = Zkey::<E>::parse(&written).unwrap();
    assert_eq!(again.header, key.header);
    assert_eq!(write(&again).unwrap(), written);
}

/// Checks the reader of a witness.
pub fn wtns(bytes: &[u8]) {
    match Wtns::parse(bytes) {
        Ok(witness) => {
            let values = witness.to_vec().unwrap();
            let written = write_wtns(Cursor::new(Vec::new()), witness.curve(), &values).unwrap().into_inner();
            let again = Wtns::parse(&written).unwrap();
            assert_eq!((again.curve(), again.to_vec().unwrap()), (witness.curve(), values));
        }
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a circuit.
pub fn r1cs(bytes: &[u8]) {
    match R1cs::parse(bytes) {
        Ok(circuit) => {
            let constraints = all_terms(&circuit);
            let borrowed = constraints.iter().map(|c| [&c[0][..], &c[1], &c[2]]);
            let written =
                write_r1cs(Cursor::new(Vec::new()), &circuit.header, borrowed).unwrap().into_inner();
            let again = R1cs::parse(&written).unwrap();
            assert_eq!((again.header, all_terms(&again)), (circuit.header, constraints));
        }
        Err(error) => explains(&error),
    }
}

/// Returns the terms of A, B and C of every constraint.
pub fn all_terms(circuit: &R1cs<'_>) -> Vec<[Vec<(u32, ark_ff::BigInt<4>)>; 3]> {
    let terms = |combination: LinearCombination<'_>| combination.terms().collect();
    circuit.constraints().map(|c| [terms(c.a), terms(c.b), terms(c.c)]).collect()
}

/// Checks the reader of a `verification_key.json`.
pub fn verifying_key(bytes: &[u8]) {
    let json = match VerifyingKeyJson::parse(bytes) {
        Ok(json) => json,
        Err(error) => return explains(&error),
    };
    match json.curve() {
        Ok(curve) => with_pairing!(curve, E => match json.decode::<E>() {
            Ok(key) => assert_eq!(VerifyingKeyJson::encode(&key).decode::<E>(), Ok(key)),
            Err(error) => explains(&error),
        })
        .unwrap(),
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a `proof.json`.
pub fn proof(bytes: &[u8]) {
    let json = match ProofJson::parse(bytes) {
        Ok(json) => json,
        Err(error) => return explains(&error),
    };
    for curve in CURVES {
        with_pairing!(curve, E => match json.decode::<E>() {
            Ok(proof) => {
                assert_eq!(ProofJson::encode(&proof).decode::<E>(), Ok(proof));
                assert_eq!(ProofJson::encode(&proof).without_curve().decode::<E>(), Ok(proof));
            }
            Err(error) => explains(&error),
        })
        .unwrap();
    }
}

/// Checks the reader of a `public.json`.
pub fn public(bytes: &[u8]) {
    for curve in CURVES {
        with_pairing!(curve, E => match public_from_json::<<E as Pairing>::ScalarField>(bytes) {
            Ok(signals) => assert_eq!(public_from_json(public_to_json(&signals).as_bytes()), Ok(signals)),
            Err(error) => explains(&error),
        })
        .unwrap();
    }
}

/// Checks the reader of the names of a circuit's signals.
pub fn sym(bytes: &[u8]) {
    let mut symbols = Vec::new();
    let read = file::symbols(bytes).try_for_each(|symbol| symbol.map(|symbol| symbols.push(symbol)));
    if let Err(error) = &read {
        explains(error);
    }
    let line = |symbol: &Symbol<'_>| {
        let wire = symbol.wire.map_or("-1".into(), |wire| wire.to_string());
        format!("{},{wire},{},{}\n", symbol.label, symbol.component, symbol.name)
    };
    let written: String = symbols.iter().map(line).collect();
    assert!(file::symbols(written.as_bytes()).map(Result::unwrap).eq(symbols.iter().copied()));

    let wires: BTreeSet<u32> = symbols.iter().filter_map(|symbol| symbol.wire).collect();
    match file::wire_names(bytes, &wires) {
        Ok(names) => {
            assert!(read.is_ok() && names.keys().eq(&wires));
            let is_named = |(&wire, name): (&u32, &String)| {
                symbols.iter().any(|symbol| symbol.wire == Some(wire) && symbol.name == name)
            };
            assert!(names.iter().all(is_named));
        }
        Err(error) => assert_eq!(read, Err(error)),
    }
    match file::main_signals(bytes) {
        Ok(signals) => assert!(signals.values().sum::<usize>() <= symbols.len()),
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a text with a proof and its public signals, or a list of these.
pub fn claims(bytes: &[u8]) {
    match TextClaim::parse_all(bytes) {
        Ok(claims) => {
            assert!(!claims.is_empty());
            claims.iter().for_each(|claim| proof(claim.proof));
            claims.iter().for_each(|claim| public(claim.public));
        }
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a verifying key of gnark.
pub fn gnark_key(bytes: &[u8]) {
    match GnarkVerifier::new(bytes) {
        // A proof for another key or curve is read, or refused, and does not hold.
        Ok(key) => GNARK.iter().for_each(|files| gnark_claim(&key, files.public, files.proof)),
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a proof of gnark.
pub fn gnark_proof(bytes: &[u8]) {
    GNARK.iter().zip(&*GNARK_KEYS).for_each(|(files, key)| gnark_claim(key, files.public, bytes));
}

/// Checks the reader of a public witness of gnark.
pub fn gnark_public(bytes: &[u8]) {
    GNARK.iter().zip(&*GNARK_KEYS).for_each(|(files, key)| gnark_claim(key, bytes, files.proof));
}

fn gnark_claim(key: &GnarkVerifier, public: &[u8], proof: &[u8]) {
    if let Err(error) = key.first_bad(&[TextClaim { public, proof }]) {
        explains(&error);
    }
}

/// Files of gnark for a circuit with commitments.
pub struct Gnark {
    /// The verifying key.
    pub key: &'static [u8],
    /// The verifying key with uncompressed points.
    pub raw_key: &'static [u8],
    /// A public witness.
    pub public: &'static [u8],
    /// A proof.
    pub proof: &'static [u8],
    /// The proof with uncompressed points.
    pub raw_proof: &'static [u8],
}

macro_rules! gnark {
    ($curve:literal) => {
        Gnark {
            key: include_bytes!(concat!("../../formats/tests/samples/gnark-", $curve, "-committed.vk")),
            raw_key: include_bytes!(concat!(
                "../../formats/tests/samples/gnark-",
                $curve,
                "-committed-raw.vk"
            )),
            public: include_bytes!(concat!(
                "../../formats/tests/samples/gnark-",
                $curve,
                "-committed.public"
            )),
            proof: include_bytes!(concat!("../../formats/tests/samples/gnark-", $curve, "-committed.proof")),
            raw_proof: include_bytes!(concat!(
                "../../formats/tests/samples/gnark-",
                $curve,
                "-committed-raw.proof"
            )),
        }
    };
}

/// Files that gnark wrote, for each curve.
pub const GNARK: &[Gnark] = &[
    gnark!("bn254"),
    #[cfg(feature = "gnark-all")]
    gnark!("bls12-381"),
    #[cfg(feature = "gnark-all")]
    gnark!("bls12-377"),
    #[cfg(feature = "gnark-all")]
    gnark!("bw6-761"),
];

static GNARK_KEYS: LazyLock<Vec<GnarkVerifier>> =
    LazyLock::new(|| GNARK.iter().map(|files| GnarkVerifier::new(files.key).unwrap()).collect());

/// Checks the reader of powers of tau, for the parts that checks of keys need.
pub fn ptau(bytes: &[u8]) {
    for curve in CURVES {
        with_pairing!(curve, E => match Ptau::<E>::parse(bytes) {
            Ok(ptau) => {
                if let Err(error) = ptau.check_powers(1, &Cancel::new(), &Silent) {
                    explains(&error);
                }
            }
            Err(error) => explains(&error),
        })
        .unwrap();
    }
}

/// Checks the reader of the inputs of a circuit, as JSON.
pub fn inputs(bytes: &[u8]) {
    if let Err(error) = Inputs::from_json(bytes) {
        explains(&error);
    }
}

/// Checks the importer of a jsnark circuit; its inputs follow a zero byte. The imported witness must satisfy the
/// circuit.
pub fn jsnark(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let (circuit, inputs) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut circuit_file = Cursor::new(Vec::new());
    let imported =
        match jsnark::import::<Bn254, _>(circuit, inputs, &mut circuit_file, &Cancel::new(), &Silent) {
            Ok(imported) => imported,
            Err(error) => return explains(&error),
        };
    let circuit = circuit_file.into_inner();
    let witness = imported.write_wtns::<Bn254, _>(Cursor::new(Vec::new())).unwrap().into_inner();
    let (circuit, witness) = (R1cs::parse(&circuit).unwrap(), Wtns::parse(&witness).unwrap());
    check_witness(&circuit, &witness, &Cancel::new(), &Silent).unwrap();
}

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}
