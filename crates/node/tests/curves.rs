//! Compares the curves of the package's JavaScript with the engine's catalogue.

use bucketwheel_groth16::{curve_named, CurveId};

/// Returns an integer as JavaScript writes it, from its little-endian bytes.
fn hexadecimal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}n")
}

/// Returns the texts between quotation marks.
fn texts(source: &str) -> Vec<&str> {
    source.split('"').skip(1).step_by(2).collect()
}

#[test]
fn javascript_has_the_curves_of_the_catalogue() {
    let source = include_str!("../js/curves.cjs");
    let (_, behind) = source.split_once("const CURVES = [").expect("the table");
    let (table, _) = behind.split_once("\n];").expect("the end of the table");
    let entries: Vec<_> = table.split("    },\n").filter(|entry| entry.contains("name:")).collect();
    let of_snarkjs = |curve: &&CurveId| curve.snarkjs_name().is_some();
    assert_eq!(entries.len(), CurveId::ALL.iter().filter(of_snarkjs).count());
    for entry in entries {
        let names = texts(entry);
        let curve = curve_named(names[0]).unwrap_or_else(|| panic!("{}: no curve", names[0]));
        assert_eq!(curve.snarkjs_name(), Some(names[0]));
        for name in names {
            assert_eq!(curve_named(name), Some(curve), "{name}");
        }
        let bytes = curve.field_bytes();
        for line in [
            format!("q: {},", hexadecimal(curve.prime())),
            format!("r: {},", hexadecimal(curve.order())),
            format!("bytes: {bytes},"),
        ] {
            assert!(entry.lines().any(|found| found.trim() == line), "{curve}: expected {line} in {entry}");
        }
    }
}
