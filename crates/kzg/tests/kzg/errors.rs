//! Bad input gets an error that names it.

use bucketwheel_kzg::{Settings, BYTES_PER_BLOB, BYTES_PER_CELL};

use crate::{blob, settings};

/// A point of the curve outside of the prime-order subgroup: x = 4.
fn outside() -> [u8; 48] {
    let mut point = [0; 48];
    (point[0], point[47]) = (0x80, 4);
    point
}

#[test]
fn wrong_blobs_are_named() {
    let error = |blob: &[u8]| settings().compute_cells(blob).expect_err("a wrong blob").to_string();
    assert_eq!(error(&[0; 31]), "a blob has 131072 bytes, and this one has 31");
    let mut blob = vec![0; BYTES_PER_BLOB];
    blob[32 * 17] = 0x74;
    assert_eq!(error(&blob), "element 17 of blob 0 is not below the order of BLS12-381");
}

#[test]
fn wrong_cells_are_named() {
    let (cells, _) = settings().compute_cells_and_kzg_proofs(&blob(5)).expect("a valid blob");
    let error = |indices: &[u64], cells: &[Vec<u8>]| {
        settings().recover_cells_and_kzg_proofs(indices, cells).expect_err("wrong cells").to_string()
    };
    let all: Vec<u64> = (0..128).collect();
    assert_eq!(error(&all[..63], &cells[..63]), "63 cells, but recovery takes at least 64 of 128");
    assert_eq!(error(&all[..64], &cells[..70]), "70 cells, but 64 cell indices");
    let mut indices = all.clone();
    indices[127] = 128;
    assert_eq!(error(&indices, &cells), "cell index 128, but a blob has 128 cells");
    indices[127] = 126;
    assert_eq!(error(&indices, &cells), "cell index 126 follows 126: indices must ascend");
    let mut wrong = cells.clone();
    wrong[3].pop();
    assert_eq!(error(&all, &wrong), "a cell has 2048 bytes, and cell 3 has 2047");
    let mut wrong = cells.clone();
    wrong[100][32 * 63] = 0xff;
    assert_eq!(error(&all, &wrong), "element 63 of cell 100 is not below the order of BLS12-381");
    let mut wrong = cells;
    wrong[7][31] ^= 1;
    for count in [65, 128] {
        let error = error(&all[..count], &wrong[..count]);
        assert_eq!(error, "no blob has all of these cells: one of them is wrong");
    }
}

#[test]
fn wrong_points_are_named() {
    let cells = vec![vec![0; BYTES_PER_CELL]; 3];
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    let good = [infinity; 3];
    let verify = |commitments: &[[u8; 48]], proofs: &[[u8; 48]]| {
        settings().verify_cell_kzg_proof_batch(commitments, &[0, 1, 2], &cells, proofs)
    };
    assert!(verify(&good, &good).expect("the polynomial 0"));
    let [mut not_compressed, mut with_sign, mut too_large, mut off_curve] =
        [infinity, infinity, [0xff; 48], [0; 48]];
    not_compressed[0] = 0x40;
    with_sign[0] = 0xe0;
    too_large[0] = 0x9f;
    (off_curve[0], off_curve[47]) = (0x80, 1);
    for point in [[0; 48], not_compressed, with_sign, too_large, off_curve, outside()] {
        let bad = [infinity, infinity, point];
        let error =
            |name| format!("{name} 2 is no compressed point of the prime-order subgroup of BLS12-381's G1");
        assert_eq!(
            verify(&bad, &good).expect_err("a bad point").to_string(),
            error("commitment"),
            "{point:x?}"
        );
        assert_eq!(verify(&good, &bad).expect_err("a bad point").to_string(), error("proof"), "{point:x?}");
    }
    assert_eq!(
        verify(&good[..2], &good).expect_err("one is missing").to_string(),
        "3 cells, but 2 commitments"
    );
    assert_eq!(verify(&good, &good[..1]).expect_err("two are missing").to_string(), "3 cells, but 1 proofs");
}

#[test]
fn wrong_setups_are_refused() {
    let error = |text: &str| Settings::read(text).expect_err("a wrong setup").to_string();
    assert_eq!(error(""), "trusted setup: ends before the number of points in G1");
    assert_eq!(error("4096 64"), "trusted setup: 64 points in G2, and Ethereum has 65");
    assert_eq!(error("4096 65 00"), "trusted setup: ends before Lagrange point 1");
    let mut text = format!("4096 65 {}", "00 ".repeat(4096 + 64));
    assert_eq!(error(&text), "trusted setup: power 0 in G2: Invalid string length");
    text = format!("4096 65 {}{}", "00 ".repeat(4096), format!("{} ", "00".repeat(96)).repeat(65));
    assert_eq!(error(&text), "trusted setup: ends before power 0 in G1");
    text += &format!("{} ", "00".repeat(48)).repeat(4096);
    assert!(error(&text).starts_with("trusted setup: power 64 in G2: "));
    assert_eq!(error(&(text + "00")), "trusted setup: goes on after its last point: 00");
}
