//! Names of signals, in circom's files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bucketwheel_groth16::file::{main_signals, symbols, symbols_beside, wire_names, FileError, Symbol};

const FILE: &str = "1,1,5,main.sum\n2,-1,5,main.v[0][0]\n3,2,5,main.v[0][1]\n4,3,5,main.p[1].x\n5,2,0,main.sub.a\n6,4,5,main.x\n";

#[test]
fn lines_are_signals() {
    let all: Vec<_> = symbols(FILE.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(all.len(), 6);
    assert_eq!(all[1], Symbol { label: 2, wire: None, component: 5, name: "main.v[0][0]" });
    assert_eq!(all[4], Symbol { label: 5, wire: Some(2), component: 0, name: "main.sub.a" });
    assert_eq!(symbols(b"").count(), 0);
    assert_eq!(
        symbols(b"\r\n1,1,1,main.a\r\n").next(),
        Some(Ok(Symbol { label: 1, wire: Some(1), component: 1, name: "main.a" }))
    );
}

#[test]
fn other_lines_are_errors() {
    for line in [
        "1,1,5",
        "a,1,5,main.a",
        "1,-2,5,main.a",
        "1,4294967296,5,main.a",
        "1,1,-1,main.a",
        "1,1,5,",
        ",,,",
        "r1cs\u{1}",
        "1,1,5,main.\u{1b}[2J",
        "+1,1,5,main.a",
        "18446744073709551616,1,5,main.a",
    ] {
        let file = format!("1,1,5,main.a\n{line}\n1,1,5,main.b\n");
        let all: Vec<_> = symbols(file.as_bytes()).collect();
        assert_eq!(all[1..], [Err(FileError::Symbol { line: 2 })], "{line}");
        assert_eq!(wire_names(file.as_bytes(), &BTreeSet::new()), Err(FileError::Symbol { line: 2 }));
    }
    let long = format!("1,1,5,{}", "a".repeat(1025));
    assert_eq!(symbols(long.as_bytes()).next(), Some(Err(FileError::Symbol { line: 1 })));
    assert_eq!(symbols(&[0xff, 0xfe]).next(), Some(Err(FileError::Symbol { line: 1 })));
}

#[test]
fn names_of_inputs_and_wires() {
    let signals: Vec<_> = main_signals(FILE.as_bytes()).unwrap().into_iter().collect();
    // Only the signals up to the first signal of another component count.
    let expected = [("p[1].x", 1), ("sum", 1), ("v", 2)].map(|(name, values)| (name.to_owned(), values));
    assert_eq!(signals, expected);
    let names = wire_names(FILE.as_bytes(), &BTreeSet::from([2, 3, 9])).unwrap();
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        [(2, "main.sub.a".to_owned()), (3, "main.p[1].x".to_owned())]
    );
}

#[test]
fn circom_leaves_them_beside_or_above() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("c_js")).unwrap();
    assert_eq!(symbols_beside(&at("c.r1cs")), None);
    fs::write(at("c.sym"), FILE).unwrap();
    assert_eq!(symbols_beside(&at("c.r1cs")), Some(at("c.sym")));
    assert_eq!(symbols_beside(&at("c_js/c.wasm")), Some(at("c.sym")));
    fs::write(at("c_js/c.sym"), FILE).unwrap();
    assert_eq!(symbols_beside(&at("c_js/c.wasm")), Some(at("c_js/c.sym")));
    assert_eq!(symbols_beside(Path::new("nowhere.wasm")), None);
}
