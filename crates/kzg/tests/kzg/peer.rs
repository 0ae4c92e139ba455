//! The same results as c-kzg-4844.

use bucketwheel_kzg::{Cell, KzgProof, BYTES_PER_BLOB, BYTES_PER_CELL, CELLS};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::SeedableRng;

use crate::{blob, settings};

fn peer() -> &'static c_kzg::KzgSettings {
    c_kzg::ethereum_kzg_settings(0)
}

/// Returns the cells and proofs of c-kzg.
fn of_peer(blob: &[u8]) -> (Vec<Cell>, Vec<KzgProof>) {
    let blob = c_kzg::Blob::from_bytes(blob).expect("a blob's length");
    let (cells, proofs) = peer().compute_cells_and_kzg_proofs(&blob).expect("a valid blob");
    let proofs = proofs.iter().map(|proof| *proof.to_bytes());
    (cells.iter().map(|cell| cell.to_bytes().to_vec()).collect(), proofs.collect())
}

/// Returns blobs with zeros, with one element, with equal elements, with the largest element, and at random.
fn blobs() -> Vec<Vec<u8>> {
    let largest = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000";
    let largest: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&largest[2 * i..2 * i + 2], 16).expect("digits")).collect();
    let mut one = vec![0; BYTES_PER_BLOB];
    one[32 * 1000 + 31] = 1;
    let mut equal = vec![0; BYTES_PER_BLOB];
    equal.chunks_exact_mut(32).for_each(|element| element[31] = 7);
    vec![vec![0; BYTES_PER_BLOB], one, equal, largest.repeat(4096), blob(1), blob(2)]
}

#[test]
fn cells_proofs_and_commitments_are_those_of_c_kzg() {
    for (number, blob) in blobs().iter().enumerate() {
        let expected = of_peer(blob);
        assert!(
            settings().compute_cells_and_kzg_proofs(blob).expect("a valid blob") == expected,
            "blob {number}"
        );
        assert!(settings().compute_cells(blob).expect("a valid blob") == expected.0, "blob {number}");
        let commitment = settings().blob_to_kzg_commitment(blob).expect("a valid blob");
        let peer = peer().blob_to_kzg_commitment(&c_kzg::Blob::from_bytes(blob).expect("a blob's length"));
        assert_eq!(commitment, *peer.expect("a valid blob").to_bytes().as_ref(), "blob {number}");
    }
}

#[test]
fn lost_cells_are_recovered() {
    let rng = &mut StdRng::seed_from_u64(3);
    for (blob, count) in blobs().iter().zip([64, 65, 100, 127, 128, 64]) {
        let all = settings().compute_cells_and_kzg_proofs(blob).expect("a valid blob");
        let mut indices: Vec<usize> = (0..CELLS).collect();
        indices.shuffle(rng);
        indices.truncate(count);
        indices.sort_unstable();
        let cells: Vec<&Cell> = indices.iter().map(|&index| &all.0[index]).collect();
        let indices: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
        let recovered = settings().recover_cells_and_kzg_proofs(&indices, &cells).expect("enough cells");
        assert!(recovered == all, "{count} cells");
    }
}

#[test]
fn cells_of_no_blob_are_refused_by_recovery_and_not_by_c_kzg() {
    let (mut cells, _) = settings().compute_cells_and_kzg_proofs(&blob(4)).expect("a valid blob");
    cells[7][31] ^= 1;
    for count in [65, 128] {
        let indices: Vec<u64> = (0..count).collect();
        let cells = &cells[..count as usize];
        assert!(settings().recover_cells_and_kzg_proofs(&indices, cells).is_err());
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| {
                c_kzg::Cell::new(<[u8; BYTES_PER_CELL]>::try_from(&cell[..]).expect("a cell's length"))
            })
            .collect();
        assert!(peer().recover_cells_and_kzg_proofs(&indices, &cells).is_ok(), "{count} cells");
    }
}

/// Some cells of three blobs, one of them twice.
struct Batch {
    commitments: Vec<[u8; 48]>,
    indices: Vec<u64>,
    cells: Vec<Cell>,
    proofs: Vec<KzgProof>,
}

impl Batch {
    fn new() -> Self {
        let mut batch = Batch { commitments: vec![], indices: vec![], cells: vec![], proofs: vec![] };
        for (blob, places) in
            [blob(1), blobs().swap_remove(1), blob(2)].iter().zip([&[0, 5, 127][..], &[5, 5, 64], &[1]])
        {
            let commitment = settings().blob_to_kzg_commitment(blob).expect("a valid blob");
            let (cells, proofs) = settings().compute_cells_and_kzg_proofs(blob).expect("a valid blob");
            for &place in places {
                batch.commitments.push(commitment);
                batch.indices.push(place as u64);
                batch.cells.push(cells[place].clone());
                batch.proofs.push(proofs[place]);
            }
        }
        batch
    }

    /// Returns the answer, which is also c-kzg's.
    fn is_valid(&self) -> bool {
        let Batch { commitments, indices, cells, proofs } = self;
        let valid =
            settings().verify_cell_kzg_proof_batch(commitments, indices, cells, proofs).expect("good points");
        let bytes =
            |points: &[[u8; 48]]| points.iter().map(|point| c_kzg::Bytes48::from(*point)).collect::<Vec<_>>();
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| {
                c_kzg::Cell::new(<[u8; BYTES_PER_CELL]>::try_from(&cell[..]).expect("a cell's length"))
            })
            .collect();
        let expected =
            peer().verify_cell_kzg_proof_batch(&bytes(commitments), indices, &cells, &bytes(proofs));
        assert_eq!(valid, expected.expect("good points"));
        valid
    }
}

#[test]
fn batches_are_verified_as_by_c_kzg() {
    assert!(Batch::new().is_valid());
    let mut swapped = Batch::new();
    swapped.proofs.swap(0, 1);
    assert!(!swapped.is_valid());
    let mut other = Batch::new();
    other.commitments[0] = other.commitments[6];
    assert!(!other.is_valid());
    let mut moved = Batch::new();
    moved.indices[1] = 6;
    assert!(!moved.is_valid());
    for (cell, byte) in [(0, 31), (3, 2047), (6, 1055)] {
        let mut changed = Batch::new();
        changed.cells[cell][byte] ^= 1;
        assert!(!changed.is_valid(), "cell {cell}, byte {byte}");
    }
    let mut infinite = Batch::new();
    infinite.proofs[2] = [0; 48];
    infinite.proofs[2][0] = 0xc0;
    assert!(!infinite.is_valid());
    let nothing: [Cell; 0] = [];
    assert!(settings().verify_cell_kzg_proof_batch(&[], &[], &nothing, &[]).expect("nothing to verify"));
}
