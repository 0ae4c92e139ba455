//! Files with one thing wrong.

use bucketwheel_groth16::file::{zkey_curve, FileError, R1cs, Wtns, Zkey};
use bucketwheel_groth16::{Bls12_381, Bn254, CurveId, CURVES};

use crate::{data, sections};
use bucketwheel_properties::{explains, files as properties};

/// Property that must hold for any bytes.
type Property = fn(&[u8]);

const FILES: [(&str, Property); 6] = [
    ("power.zkey", properties::zkey),
    ("power.wtns", properties::wtns),
    ("power.r1cs", properties::r1cs),
    ("verification_key.json", properties::verifying_key),
    ("proof.json", properties::proof),
    ("public.json", properties::public),
];

/// Reads a file of the kind that its name stands for.
fn read(name: &str, bytes: &[u8]) -> Result<(), FileError> {
    match name {
        "power.zkey" => match zkey_curve(bytes)? {
            CurveId::Bn254 => Zkey::<Bn254>::parse(bytes).map(drop),
            _ => Zkey::<Bls12_381>::parse(bytes).map(drop),
        },
        "power.wtns" => Wtns::parse(bytes).map(drop),
        _ => R1cs::parse(bytes).map(drop),
    }
}

/// Returns the error in these bytes.
fn error_of(name: &str, bytes: &[u8]) -> FileError {
    let error = read(name, bytes).expect_err(name);
    explains(&error);
    error
}

#[test]
fn binary_files_cut_off_anywhere() {
    for curve in CURVES {
        for (name, _) in &FILES[..3] {
            let bytes = data(curve, name);
            let last = sections::split(&bytes).pop().map_or(0, |(_, section)| 12 + section.len());
            for len in 0..bytes.len() {
                // A file may end behind a section, before optional sections: labels, contributions.
                match read(name, &bytes[..len]) {
                    Err(error) => explains(&error),
                    Ok(()) => assert_eq!((bytes.len() - len, *name == "power.wtns"), (last, false)),
                }
            }
            error_of(name, &[&bytes[..], &[0]].concat());
        }
    }
}

#[test]
fn every_byte_flipped() {
    for curve in CURVES {
        for (name, property) in FILES {
            let bytes = data(curve, name);
            for at in 0..bytes.len() {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << (at % 8);
                property(&bytes);
            }
        }
    }
}

#[test]
fn mixed_up_files() {
    let names = ["power.zkey", "power.wtns", "power.r1cs", "proof.json"];
    for expected in &names[..3] {
        for found in names {
            if *expected == found {
                continue;
            }
            let error = error_of(expected, &data(CurveId::Bn254, found)).to_string();
            let kind = expected.trim_start_matches("power");
            match found.strip_prefix("power") {
                Some(found) => assert_eq!(error, format!("this is a {found} file: expected a {kind} file")),
                None => {
                    assert!(error.starts_with(&format!("this is not a {kind} file: expected")), "{error}")
                }
            }
        }
    }
    let key = data(CurveId::Bn254, "power.zkey");
    let error = Zkey::<Bls12_381>::parse(&key).unwrap_err();
    assert_eq!(error, FileError::OtherCurve { expected: CurveId::Bls12_381, found: CurveId::Bn254 });
}

/// Changes a section of a file, or removes it, and returns the error.
fn with_section(name: &str, id: u32, change: impl Fn(&mut Vec<u8>)) -> String {
    let mut bytes = data(CurveId::Bn254, name);
    let mut all = sections::split(&bytes);
    all.iter_mut().filter(|(found, _)| *found == id).for_each(|(_, section)| change(section));
    bytes.truncate(8);
    sections::join(&mut bytes, &all);
    error_of(name, &bytes).to_string()
}

#[track_caller]
fn says(error: String, expected: &str) {
    assert!(error.contains(expected), "{error}");
}

#[test]
fn containers() {
    for (name, _) in &FILES[..3] {
        let bytes = data(CurveId::Bn254, name);
        let mut version = bytes.clone();
        version[4] = 9;
        says(error_of(name, &version).to_string(), "version 9: expected version");
        let all = sections::split(&bytes);
        for i in 0..all.len() {
            let id = all[i].0;
            let write = |all: &[(u32, Vec<u8>)]| {
                let mut bytes = bytes[..8].to_vec();
                sections::join(&mut bytes, all);
                bytes
            };
            let mut twice = all.clone();
            twice.push(all[i].clone());
            says(
                error_of(name, &write(&twice)).to_string(),
                &format!("section {id} is there twice: expected it once"),
            );
            let mut without = all.clone();
            without.remove(i);
            // Optional sections may be missing.
            if !matches!((*name, id), ("power.zkey", 10) | ("power.r1cs", 3)) {
                says(error_of(name, &write(&without)).to_string(), "is missing: expected it");
            }
        }
        // Sections that no version of the format has are skipped.
        let mut more = all.clone();
        more.push((77, b"whatever".to_vec()));
        let mut written = bytes[..8].to_vec();
        sections::join(&mut written, &more);
        assert_eq!(read(name, &written), Ok(()));
    }
}

#[test]
fn keys() {
    let with = |id, change: &dyn Fn(&mut Vec<u8>)| with_section("power.zkey", id, change);
    // The header: bytes of q, q, bytes of r, r, signals, public signals, domain size.
    let (q, r, signals, public, domain_size) = (4, 40, 72, 76, 80);
    says(with(1, &|s| s[0] = 2), "the protocol is 2: expected 1, which is Groth16");
    says(with(1, &|s| s.push(0)), "1 bytes behind section 1");
    says(with(2, &|s| s[q] ^= 1), "the base field's prime belongs to no known curve");
    says(with(2, &|s| s[r] ^= 1), "the groups' order belongs to no known curve");
    says(with(2, &|s| s[0] = 31), "prime belongs to no known curve");
    says(with(2, &|s| s[..4].fill(255)), "section 2 (header) is cut off");
    says(with(2, &|s| s[public] = 7), "the number of public signals is 7: expected less than the 7 signals");
    says(with(2, &|s| s[domain_size] = 7), "the domain size is 7: expected a power of two");
    says(with(2, &|s| s[domain_size] = 0), "the domain size is 0: expected a power of two");
    says(
        with(2, &|s| s[domain_size..][..4].copy_from_slice(&[0, 0, 0, 0x20])),
        "expected a power of two of at most 2^28",
    );
    says(with(2, &|s| s[signals] = 8), "section 5 (points A) has 448 bytes: expected 512");
    says(
        with(2, &|s| s[signals..][..4].fill(255)),
        "section 5 (points A) has 448 bytes: expected 274877906880",
    );
    says(with(2, &|s| s[public] = 3), "section 3 (points IC) has 192 bytes: expected 256");
    says(with(2, &|s| s[84..][..32].fill(255)), "a coordinate of alpha1 in section 2 (header) is not below");
    says(with(2, &|s| s.truncate(200)), "beta1 in section 2 (header) is cut off");
    says(with(2, &|s| s.push(0)), "1 bytes behind section 2");
    // An entry has a matrix, a constraint, a signal and a value.
    let entry = |i: usize| 4 + i * 44;
    says(with(4, &|s| s[0] += 1), "section 4 (coefficients) is cut off");
    says(with(4, &|s| s[0] -= 1), "44 bytes behind the 10 entries of section 4");
    says(with(4, &|s| s[..4].fill(255)), "section 4 (coefficients) is cut off");
    says(
        with(4, &|s| s[entry(3)] = 2),
        "the matrix of entry 3 in section 4 (coefficients) is 2: expected less than 2",
    );
    says(
        with(4, &|s| s[entry(2) + 4] = 8),
        "the constraint of entry 2 in section 4 (coefficients) is 8: expected less than 8",
    );
    says(
        with(4, &|s| s[entry(1) + 8] = 7),
        "the signal of entry 1 in section 4 (coefficients) is 7: expected less than 7",
    );
    says(
        with(4, &|s| s[entry(1) + 43] = 255),
        "the value of entry 1 in section 4 (coefficients) is not below",
    );
    for (id, name, size) in
        [(3, "IC", 64), (5, "A", 64), (6, "B1", 64), (7, "B2", 128), (8, "C", 64), (9, "H", 64)]
    {
        says(
            with(id, &|s| s[2 * size - 1] = 255),
            &format!("a coordinate of point 1 in section {id} (points {name})"),
        );
        says(with(id, &|s| s.truncate(s.len() - 1)), &format!("section {id} (points {name}) has "));
    }
}

#[test]
fn witnesses() {
    let with = |id, change: &dyn Fn(&mut Vec<u8>)| with_section("power.wtns", id, change);
    says(with(1, &|s| s[4] ^= 1), "the groups' order belongs to no known curve");
    says(with(1, &|s| s[36] = 8), "section 2 (values) has 224 bytes: expected 256");
    says(with(1, &|s| s.push(0)), "1 bytes behind section 1");
    says(with(2, &|s| s[3 * 32..][..32].fill(255)), "value 3 is not below the field's modulus");
    // The value is the order itself.
    let order = CurveId::Bn254.order();
    says(with(2, &|s| s[6 * 32..].copy_from_slice(order)), "value 6 is not below the field's modulus");
}

#[test]
fn circuits() {
    let with = |id, change: &dyn Fn(&mut Vec<u8>)| with_section("power.r1cs", id, change);
    let (wires, public_inputs, constraints) = (36, 44, 60);
    says(with(1, &|s| s[4] ^= 1), "the groups' order belongs to no known curve");
    says(with(1, &|s| s[public_inputs] = 9), "the number of wires is 7: expected at least 11");
    says(
        with(1, &|s| s[public_inputs..][..4].fill(255)),
        "the number of wires is 7: expected at least 4294967297",
    );
    says(with(1, &|s| s[constraints] = 5), "A of constraint 4 is cut off");
    says(with(1, &|s| s[constraints] = 3), "bytes behind the 3 constraints");
    says(with(2, &|s| s[..4].fill(255)), "A of constraint 0 is cut off");
    says(with(2, &|s| s[4] = 7), "the wire of term 0 in A of constraint 0 is 7: expected less than 7");
    says(with(2, &|s| s[8..][..32].fill(255)), "the coefficient of term 0 in A of constraint 0 is not below");
    // The file may lack labels.
    let mut bytes = data(CurveId::Bn254, "power.r1cs");
    let mut all = sections::split(&bytes);
    all.retain(|(id, _)| *id != 3);
    all.iter_mut().filter(|(id, _)| *id == 1).for_each(|(_, section)| section[wires + 3] = 0x10);
    bytes.truncate(8);
    sections::join(&mut bytes, &all);
    says(
        error_of("power.r1cs", &bytes).to_string(),
        &format!(
            "the number of wires is 268435463: expected at most one for each of the file's {} bytes",
            bytes.len()
        ),
    );
}
