//! Files with wrong bytes, as the program sees them.

use std::fs;
use std::path::Path;

use crate::{fail, generated};

/// Changes a file, runs `msm`, and restores it.
fn with_damage(at: &Path, name: &str, damage: impl Fn(&mut Vec<u8>)) -> String {
    let original = fs::read(at.join(name)).unwrap();
    let mut bytes = original.clone();
    damage(&mut bytes);
    fs::write(at.join(name), bytes).unwrap();
    let message = fail(at, "msm points scalars");
    fs::write(at.join(name), original).unwrap();
    let reason = message.strip_prefix(&format!("{name}: "));
    reason.unwrap_or_else(|| panic!("{message}")).to_owned()
}

#[test]
fn headers() {
    let directory = generated("--curve bls12-381 --group pair --size 5");
    let at = directory.path();
    for name in ["points", "scalars"] {
        let check = |expected: &str, damage: &dyn Fn(&mut Vec<u8>)| {
            let reason = with_damage(at, name, damage);
            assert!(reason.starts_with(expected), "{reason}");
        };
        check("0 bytes are too few: expected a header of 64 bytes", &|bytes| bytes.clear());
        check("63 bytes are too few: expected a header of 64 bytes", &|bytes| bytes.truncate(63));
        check(&format!("this is not a {name} file: expected it to start with \"BW"), &|bytes| bytes[0] = 0);
        check("format version 2: expected version 1", &|bytes| bytes[8] = 2);
        check("unknown curve code 99: expected 1 (bls12-381), 2", &|bytes| bytes[12] = 99);
        check("unknown group code 9: expected ", &|bytes| bytes[13] = 9);
        check("unknown encoding code 0: expected 1", &|bytes| bytes[14] = 0);
        check("byte 15 is 1: expected 0", &|bytes| bytes[15] = 1);
        check("byte 63 is 8: expected 0", &|bytes| bytes[63] = 8);
    }
}

#[test]
fn lengths() {
    let directory = generated("--curve bls12-381 --group pair --size 5");
    let at = directory.path();
    let reason = with_damage(at, "points", |bytes| bytes.truncate(1000));
    assert!(
        reason.starts_with("1000 bytes: expected 1536 bytes for 5 points; the file is incomplete"),
        "{reason}"
    );
    let reason = with_damage(at, "scalars", |bytes| bytes.push(0));
    assert!(reason.starts_with("225 bytes: expected 224 bytes for 5 scalars"), "{reason}");
    // The length in bytes exceeds 64 bits.
    let reason = with_damage(at, "points", |bytes| bytes[16..24].fill(255));
    assert!(reason.contains("for 18446744073709551615 points"), "{reason}");
    let reason = with_damage(at, "scalars", |bytes| bytes[16..24].fill(255));
    assert!(reason.contains("for 18446744073709551615 scalars"), "{reason}");
}

#[test]
fn payloads() {
    let directory = generated("--curve bls12-381 --group pair --size 5");
    let at = directory.path();
    let reason = with_damage(at, "points", |bytes| bytes[64 + 3 * 96..][..48].fill(255));
    assert!(
        reason.starts_with("g1 point 3 has a coordinate that is not below the field's modulus"),
        "{reason}"
    );
    // Changes the last coefficient of the last point.
    let reason = with_damage(at, "points", |bytes| *bytes.last_mut().unwrap() = 255);
    assert!(reason.starts_with("g2 point 4 has a coordinate"), "{reason}");
    // Changes a byte of the padding between the groups.
    let reason = with_damage(at, "points", |bytes| bytes[64 + 5 * 96 + 1] = 1);
    assert!(reason.starts_with("byte 545 is 1: expected 0"), "{reason}");
    let reason = with_damage(at, "scalars", |bytes| bytes[64 + 2 * 32..].fill(255));
    assert!(reason.starts_with("scalar 2 is not below the group's order"), "{reason}");
}
