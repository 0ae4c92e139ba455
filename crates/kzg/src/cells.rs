//! The cells of a blob, and their proofs.

use ark_bls12_381::{Fr, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{AdditiveGroup, Field};
use bucketwheel::Msm;
use bucketwheel_transform::Transform;

use crate::bytes::{read_elements, write_elements, write_point};
use crate::points::{in_reverse_order, transform};
use crate::setup::{root, LOG_CELLS};
use crate::sizes::{BYTES_PER_BLOB, BYTES_PER_POINT, CELLS, ELEMENTS, ELEMENTS_PER_CELL, LEAST_CELLS};
use crate::{Error, Settings};

/// The bytes of a cell.
pub type Cell = Vec<u8>;
/// The bytes of a proof.
pub type KzgProof = [u8; BYTES_PER_POINT];
/// The bytes of a commitment.
pub type KzgCommitment = [u8; BYTES_PER_POINT];

impl Settings {
    /// Returns the commitment of a blob. The [example](crate) uses it.
    ///
    /// # Errors
    /// [`Error::BlobLength`], [`Error::Element`].
    pub fn blob_to_kzg_commitment(&self, blob: &[u8]) -> Result<KzgCommitment, Error> {
        let sum = Msm::new().run(&self.powers, &self.coefficients(blob)?)?;
        Ok(write_point(&sum.into_affine()))
    }

    /// Returns the cells of a blob.
    ///
    /// # Errors
    /// [`Error::BlobLength`], [`Error::Element`].
    pub fn compute_cells(&self, blob: &[u8]) -> Result<Vec<Cell>, Error> {
        self.cells(&self.coefficients(blob)?)
    }

    /// Returns the cells of a blob and their proofs. The [example](crate) uses it.
    ///
    /// # Errors
    /// [`Error::BlobLength`], [`Error::Element`].
    pub fn compute_cells_and_kzg_proofs(&self, blob: &[u8]) -> Result<(Vec<Cell>, Vec<KzgProof>), Error> {
        let coefficients = self.coefficients(blob)?;
        Ok((self.cells(&coefficients)?, self.proofs(&coefficients)?))
    }

    /// Returns the coefficients of the polynomial with the values of a blob.
    fn coefficients(&self, blob: &[u8]) -> Result<Vec<Fr>, Error> {
        if blob.len() != BYTES_PER_BLOB {
            return Err(Error::BlobLength(blob.len()));
        }
        let values =
            read_elements(blob).map_err(|element| Error::Element { what: "blob", index: 0, element })?;
        let mut values = in_reverse_order(&values);
        self.of_blob.inverse(&mut values)?;
        Ok(values)
    }

    /// Returns the cells of the polynomial with these coefficients.
    pub(crate) fn cells(&self, coefficients: &[Fr]) -> Result<Vec<Cell>, Error> {
        let mut values = coefficients.to_vec();
        values.resize(2 * ELEMENTS, Fr::ZERO);
        self.of_extended.forward(&mut values)?;
        let values = in_reverse_order(&values);
        Ok(values.chunks_exact(ELEMENTS_PER_CELL).map(|cell| write_elements(cell.iter())).collect())
    }

    /// Returns the proofs of all cells of the polynomial with these coefficients. The derivation is in the [introduction](crate).
    pub(crate) fn proofs(&self, coefficients: &[Fr]) -> Result<Vec<KzgProof>, Error> {
        // The inverse transform's factor 1 / 128 goes into the scalars.
        let factor = Fr::from(CELLS as u64).inverse().expect("a power of 2");
        let mut scalars = vec![Fr::ZERO; CELLS * ELEMENTS_PER_CELL];
        let mut column = vec![Fr::ZERO; CELLS];
        for place in 0..ELEMENTS_PER_CELL {
            column.fill(Fr::ZERO);
            let behind = coefficients[ELEMENTS_PER_CELL + place..].iter().step_by(ELEMENTS_PER_CELL);
            column.iter_mut().zip(behind).for_each(|(entry, coefficient)| *entry = *coefficient * factor);
            self.of_column.forward(&mut column)?;
            let row = scalars[place..].iter_mut().step_by(ELEMENTS_PER_CELL);
            row.zip(&column).for_each(|(scalar, value)| *scalar = *value);
        }
        let mut points = self.columns.sums(&scalars, None)?;
        let root = root(LOG_CELLS);
        transform(&mut points, root.inverse().expect("a root of unity"), LOG_CELLS)?;
        points[LEAST_CELLS..].fill(G1Projective::ZERO);
        transform(&mut points, root, LOG_CELLS)?;
        let proofs = G1Projective::normalize_batch(&in_reverse_order(&points));
        Ok(proofs.iter().map(write_point).collect())
    }
}
