//! Verifies the proofs of many cells at once: the universal verification of EIP-7594.

use ark_bls12_381::{Bls12_381, Fr, G1Projective, G2Affine};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField, Zero};
use bucketwheel::{Bases, Msm, Scalars};
use bucketwheel_transform::Transform;
use sha2::{Digest, Sha256};

use crate::bytes::read_points;
use crate::points::{in_reverse_order, reverse};
use crate::recovery::{check_index, read_cells};
use crate::setup::{root, LOG_CELLS, LOG_EXTENDED};
use crate::sizes::{CELLS, ELEMENTS, ELEMENTS_PER_CELL};
use crate::{Error, KzgCommitment, KzgProof, Settings};

/// Prefix of the bytes that are hashed.
const DOMAIN: &[u8; 16] = b"RCKZGCBATCH__V1_";

impl Settings {
    /// Returns true if each proof shows that a cell belongs to the blob of its commitment: entry i of each list is for cell i. No
    /// cells are valid. The [example](crate) uses it.
    ///
    /// With powers of a random r, one equation stands for all of them. C is the commitment, V the commitment of the polynomial that has
    /// the cell's values, P the proof of cell i, and `X^64 - z` vanishes on the cell:
    /// `sum r^i (C - V + z P) = s^64 sum r^i P`, for the secret s. A pairing compares both sides.
    ///
    /// # Errors
    /// [`Error::Count`], [`Error::CellIndex`], [`Error::CellLength`], [`Error::Element`], [`Error::Point`].
    pub fn verify_cell_kzg_proof_batch(
        &self,
        commitments: &[KzgCommitment],
        cell_indices: &[u64],
        cells: &[impl AsRef<[u8]>],
        proofs: &[KzgProof],
    ) -> Result<bool, Error> {
        let lists = [
            ("commitments", commitments.len()),
            ("cell indices", cell_indices.len()),
            ("proofs", proofs.len()),
        ];
        for (what, count) in lists {
            if count != cells.len() {
                return Err(Error::Count { cells: cells.len(), what, count });
            }
        }
        if cells.is_empty() {
            return Ok(true);
        }
        let places: Vec<usize> =
            cell_indices.iter().map(|&index| check_index(index)).collect::<Result<_, _>>()?;
        let values = read_cells(cells)?;
        let (unique, rows) = unique(commitments);
        let commitments = read_points(&unique.iter().map(|entry| *entry.0).collect::<Vec<_>>(), "commitment");
        let commitments = commitments.map_err(|error| match error {
            Error::Point { what, index } => Error::Point { what, index: unique[index].1 },
            error => error,
        })?;
        let points = read_points(proofs, "proof")?;

        let r = challenge(&unique, &rows, cell_indices, cells, proofs);
        let powers: Vec<Fr> =
            std::iter::successors(Some(Fr::ONE), |power| Some(*power * r)).take(cells.len()).collect();
        let mut weights = vec![Fr::ZERO; commitments.len()];
        rows.iter().zip(&powers).for_each(|(&row, power)| weights[row] += power);
        let root = root(LOG_CELLS);
        let zeros: Vec<Fr> = (0..CELLS).map(|place| root.pow([reverse(place, LOG_CELLS) as u64])).collect();
        let shifted: Vec<Fr> =
            places.iter().zip(&powers).map(|(&place, power)| zeros[place] * power).collect();

        let sums =
            Msm::new().run_many(&Bases::new(&points)?, &[Scalars::from(&powers), Scalars::from(&shifted)])?;
        let of_commitments = Msm::new().run(&Bases::new(&commitments)?, &weights)?;
        let of_values = Msm::new().run(&self.cell_powers, &self.interpolation(&places, &values, &powers)?)?;
        let left = of_commitments - of_values + sums[1];
        let points = G1Projective::normalize_batch(&[left, -sums[0]]);
        Ok(Bls12_381::multi_pairing(points, [G2Affine::generator(), self.power_in_g2]).is_zero())
    }

    /// Returns the coefficients of the sum of the polynomials that have the values of the cells, times the powers.
    fn interpolation(&self, places: &[usize], values: &[Fr], powers: &[Fr]) -> Result<Vec<Fr>, Error> {
        // Cells at the same place have the same points.
        let mut columns: Vec<Option<Vec<Fr>>> = vec![None; CELLS];
        for ((&place, values), power) in places.iter().zip(values.chunks_exact(ELEMENTS_PER_CELL)).zip(powers)
        {
            let column = columns[place].get_or_insert_with(|| vec![Fr::ZERO; ELEMENTS_PER_CELL]);
            column.iter_mut().zip(values).for_each(|(sum, value)| *sum += *value * power);
        }
        let root = root(LOG_EXTENDED);
        let mut sum = vec![Fr::ZERO; ELEMENTS_PER_CELL];
        for (place, column) in columns.into_iter().enumerate() {
            let Some(column) = column else { continue };
            // The points are h times the 64th roots of unity.
            let mut coefficients = in_reverse_order(&column);
            self.of_cell.inverse(&mut coefficients)?;
            let inverse = root.pow([(2 * ELEMENTS - reverse(place, LOG_CELLS)) as u64]);
            let mut power = Fr::ONE;
            for (sum, coefficient) in sum.iter_mut().zip(coefficients) {
                *sum += coefficient * power;
                power *= inverse;
            }
        }
        Ok(sum)
    }
}

/// Returns the different commitments with the first place of each, and the commitment of each place.
fn unique(commitments: &[KzgCommitment]) -> (Vec<(&KzgCommitment, usize)>, Vec<usize>) {
    let mut unique: Vec<(&KzgCommitment, usize)> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let row = |(place, commitment)| {
        *known.entry(commitment).or_insert_with(|| {
            unique.push((commitment, place));
            unique.len() - 1
        })
    };
    let rows = commitments.iter().enumerate().map(row).collect();
    (unique, rows)
}

/// Returns the challenge of the specification, `compute_verify_cell_kzg_proof_batch_challenge`.
fn challenge(
    commitments: &[(&KzgCommitment, usize)],
    rows: &[usize],
    cell_indices: &[u64],
    cells: &[impl AsRef<[u8]>],
    proofs: &[KzgProof],
) -> Fr {
    let mut hash = Sha256::new();
    hash.update(DOMAIN);
    for number in [ELEMENTS, ELEMENTS_PER_CELL, commitments.len(), cells.len()] {
        hash.update((number as u64).to_be_bytes());
    }
    commitments.iter().for_each(|entry| hash.update(entry.0));
    for (((row, index), cell), proof) in rows.iter().zip(cell_indices).zip(cells).zip(proofs) {
        hash.update((*row as u64).to_be_bytes());
        hash.update(index.to_be_bytes());
        hash.update(cell.as_ref());
        hash.update(proof);
    }
    Fr::from_be_bytes_mod_order(&hash.finalize())
}
