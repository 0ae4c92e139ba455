//! Cells and KZG proofs of Ethereum's blobs: EIP-7594 (PeerDAS), with the functions of c-kzg-4844 and all sums in SIMD lanes.
//!
//! ```
//! use bucketwheel_kzg::{Settings, BYTES_PER_BLOB, CELLS};
//!
//! let settings = Settings::ethereum()?;
//! let blob = vec![0; BYTES_PER_BLOB];
//! let commitment = settings.blob_to_kzg_commitment(&blob)?;
//! let (cells, proofs) = settings.compute_cells_and_kzg_proofs(&blob)?;
//!
//! // Half of the cells are enough for all of them.
//! let indices: Vec<u64> = (0..CELLS as u64 / 2).collect();
//! let recovered = settings.recover_cells_and_kzg_proofs(&indices, &cells[..CELLS / 2])?;
//! assert_eq!(recovered, (cells.clone(), proofs.clone()));
//! assert!(settings.verify_cell_kzg_proof_batch(&[commitment], &[5], &cells[5..6], &proofs[5..6])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A blob, its cells and their proofs
//! A blob has 4096 elements of BLS12-381's scalar field, of 32 bytes each, the most significant byte first. They are the values of a
//! polynomial f of degree below 4096 at the 4096th roots of unity, in bit-reversed order. The extended blob has the values at the
//! 8192nd roots, also in bit-reversed order, and 64 neighbours make a cell. A proof of a cell shows to anybody who knows the commitment
//! of f that f has the cell's values.
//!
//! # The proofs
//! The points of cell k are the 64 roots of `X^64 - z`, where z is a 128th root of unity. So the proof of the cell is the quotient of f
//! and `X^64 - z` at the secret, `sum_j z^j v_j` with `v_j = [floor(f / X^(64 (j + 1)))]`: all proofs are a transform of the points v
//! of size 128. All v together are 64 correlations of f's coefficients with the powers of the secret, one for each place in a
//! cell. Transforms turn these into 128 sums of 64 points each (Feist and Khovratovich, *Fast amortized KZG proofs*). These points are fixed.
//!
//! | step | cost |
//! |---|---|
//! | coefficients of f, values of the cells | transforms of 4096 and 8192 elements |
//! | 64 columns of f's coefficients | transforms of 128 elements |
//! | 128 sums over 64 fixed points | about 230,000 affine additions ([`Groups`](bucketwheel::Groups)) |
//! | v, and the proofs of v | two transforms of 128 points, 642 products |
//!
//! All calls use all threads of the current rayon pool.
//!
//! # Where changes go
//! - Numbers of elements, cells and bytes: `sizes.rs`. Bytes of elements and points: `bytes.rs`. The trusted setup and all that is made of it: `setup.rs`.
//! - Transforms of points: `points.rs`. Cells and proofs: `cells.rs`; lost cells: `recovery.rs`; checks: `verification.rs`.

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod bytes;
mod cells;
mod error;
mod points;
mod recovery;
mod setup;
mod sizes;
mod verification;

pub use cells::{Cell, KzgCommitment, KzgProof};
pub use error::Error;
pub use setup::Settings;
pub use sizes::{
    BYTES_PER_BLOB, BYTES_PER_CELL, BYTES_PER_ELEMENT, BYTES_PER_POINT, CELLS, ELEMENTS, ELEMENTS_PER_CELL,
    LEAST_CELLS,
};
