//! Circuits of folders and lists.

use std::fs;
use std::path::Path;

use bucketwheel_server::{Circuits, Error};

use crate::fixture::ONE;
use bucketwheel_server_kit::circuits::{data, folder};

fn error(path: &Path) -> Error {
    Circuits::load(path, ONE).err().expect("an error")
}

#[test]
fn a_list_names_circuits() {
    let at = tempfile::tempdir().unwrap();
    let list = at.path().join("circuits.toml");
    fs::create_dir(at.path().join("keys")).unwrap();
    fs::copy(folder().join("sum.zkey"), at.path().join("keys/a.zkey")).unwrap();
    let absolute = folder().join("sum.wasm");
    let text = format!(
        "# What is proved here\n[circuits.first]\nkey = \"keys/a.zkey\"\nwitness = {absolute:?}\n\n[circuits.second]\nkey = {:?}\n",
        data("data/bls12-381/power.zkey")
    );
    fs::write(&list, &text).unwrap();
    let circuits = Circuits::load(&list, ONE).unwrap();
    let infos: Vec<_> = circuits.infos().map(|info| (&*info.name, info.curve, info.inputs)).collect();
    assert_eq!(infos, [("first", "bn128", true), ("second", "bls12381", false)]);

    let swap = |from: &str, to: &str| {
        fs::write(&list, text.replacen(from, to, 1)).unwrap();
        let message = error(&list).to_string();
        assert!(!message.contains('\n'), "{message}");
        message.replace(&format!("{}/", at.path().display()), "")
    };
    for (from, to, expected) in [
        ("keys/a.zkey", "keys/b.zkey", "circuits.toml, line 3: cannot read keys/b.zkey: No such file"),
        ("key = \"", "keys = \"", "circuits.toml, line 3: unknown field `keys`"),
        ("witness = ", "witness = 3 #", "circuits.toml, line 4: invalid type: integer `3`"),
        ("[circuits.second]", "[circuits.second", "circuits.toml, line 6: "),
        ("[circuits.second]", "[circuits.first]", "circuits.toml, line 6: duplicate key"),
        ("[circuits.second]", "[other]\n[circuits.second]", "circuits.toml, line 6: unknown field `other`"),
        ("circuits.second", "circuits.\"a/b\"", "circuits.toml: the circuit's name is \"a/b\""),
    ] {
        let message = swap(from, to);
        assert!(message.starts_with(expected), "{message}");
    }
    let damaged = swap("keys/a.zkey", "circuits.toml");
    assert!(damaged.starts_with("circuits.toml, line 3: circuits.toml: "), "{damaged}");
    let key = folder().join("sum.zkey");
    let message = swap(&absolute.display().to_string(), &key.display().to_string());
    assert!(
        message.starts_with("circuits.toml, line 4: ") && message.contains("this is not a circuit"),
        "{message}"
    );
}

#[test]
fn a_folder_has_circuits() {
    let at = tempfile::tempdir().unwrap();
    assert!(matches!(error(at.path()), Error::NoCircuits { .. }));
    fs::write(at.path().join("circuits.toml"), "").unwrap();
    assert!(matches!(error(&at.path().join("circuits.toml")), Error::NoCircuits { .. }));
    assert!(matches!(error(&at.path().join("nothing")), Error::Read { .. }));

    fs::copy(folder().join("sum.zkey"), at.path().join("a.zkey")).unwrap();
    fs::create_dir(at.path().join("a")).unwrap();
    assert_eq!(Circuits::load(at.path(), ONE).unwrap().infos().count(), 1);
    fs::copy(folder().join("sum.zkey"), at.path().join("a/circuit.zkey")).unwrap();
    assert!(matches!(error(at.path()), Error::Twice { .. }));
    fs::rename(at.path().join("a"), at.path().join("b b")).unwrap();
    assert!(matches!(error(at.path()), Error::Name { .. }));
    fs::rename(at.path().join("b b"), at.path().join("b.1")).unwrap();
    fs::write(at.path().join("b.1/circuit.zkey"), b"garbage").unwrap();
    assert!(matches!(error(at.path()), Error::Circuit { .. }));
}

#[test]
fn witness_calculators_fit_their_keys() {
    let at = tempfile::tempdir().unwrap();
    let wasm = at.path().join("a.wasm");
    fs::copy(folder().join("sum.zkey"), at.path().join("a.zkey")).unwrap();
    let message = || error(at.path()).to_string().replace(&format!("{}/", at.path().display()), "");
    // WebAssembly that is not a circuit, a circuit that cannot run, and calculators of another circuit and of another
    // curve.
    let sum = fs::read_to_string(data("witness/circuit.wat")).unwrap();
    let prime = "\\01\\00\\00\\f0\\93\\f5\\e1\\43\\91\\70\\b9\\79\\48\\e8\\33\\28\\5d\\58\\81\\81\\b6\\45\\50\\b8\\29\\a0\\31\\e1\\72\\4e\\64\\30";
    let other = "\\01\\00\\00\\00\\ff\\ff\\ff\\ff\\fe\\5b\\fe\\ff\\02\\a4\\bd\\53\\05\\d8\\a1\\09\\08\\d8\\39\\33\\48\\7d\\9d\\29\\53\\a7\\ed\\73";
    for (from, to, expected) in [
        (
            "(export \"getWitness\")",
            "",
            "a.wasm: this is not a circuit: it exports no getWitness as circom does",
        ),
        ("i32.const 2)", "i32.const 3)", "a.wasm: the circuit was made by circom 3: expected circom 1 or 2"),
        (
            "(result i32) i32.const 5)",
            "(result i32) i32.const 6)",
            "a.wasm: the WebAssembly calculates 6 values, but the key expects 5: was it made for another circuit?",
        ),
        (prime, other, "a.wasm: the file is for curve bls12381: expected bn128"),
    ] {
        assert!(sum.contains(from), "{from}");
        fs::write(&wasm, wat::parse_str(sum.replacen(from, to, 1)).unwrap()).unwrap();
        assert!(message().starts_with(expected), "{}", message());
    }
    // A circuit of circom 1 works like a circuit of circom 2.
    fs::copy(data("witness/circuit1.wat"), at.path().join("a.wat")).unwrap();
    fs::write(&wasm, wat::parse_file(at.path().join("a.wat")).unwrap()).unwrap();
    assert!(Circuits::load(at.path(), ONE).unwrap().infos().all(|info| info.inputs));
    // A file of names that the list does not mention may hold anything; a mentioned file must be valid.
    fs::write(at.path().join("a.sym"), "names").unwrap();
    Circuits::load(at.path(), ONE).unwrap();
    let list = at.path().join("circuits.toml");
    fs::write(&list, "[circuits.a]\nkey = \"a.zkey\"\nwitness = \"a.wasm\"\nsymbols = \"a.sym\"\n").unwrap();
    let message = error(&list).to_string();
    assert!(
        message.contains("circuits.toml, line 4: ") && message.contains("line 1 names no signal"),
        "{message}"
    );
}
