//! Recovers all cells and proofs from half of the cells.

use ark_bls12_381::Fr;
use ark_ff::{batch_inversion, AdditiveGroup, Field};
use bucketwheel_transform::Transform;

use crate::bytes::read_elements;
use crate::points::{in_reverse_order, reverse};
use crate::setup::{root, LOG_CELLS};
use crate::sizes::{BYTES_PER_CELL, CELLS, ELEMENTS, ELEMENTS_PER_CELL, LEAST_CELLS};
use crate::{Cell, Error, KzgProof, Settings};

impl Settings {
    /// Returns all cells and proofs of a blob from at least half of its cells, in ascending order of their indices.
    /// The [example](crate) uses it.
    ///
    /// # Errors
    /// [`Error::Count`], [`Error::TooFewCells`], [`Error::CellIndex`], [`Error::Order`], [`Error::CellLength`],
    /// [`Error::Element`], [`Error::Inconsistent`].
    pub fn recover_cells_and_kzg_proofs(
        &self,
        cell_indices: &[u64],
        cells: &[impl AsRef<[u8]>],
    ) -> Result<(Vec<Cell>, Vec<KzgProof>), Error> {
        if cell_indices.len() != cells.len() {
            return Err(Error::Count { cells: cells.len(), what: "cell indices", count: cell_indices.len() });
        }
        if cells.len() < LEAST_CELLS {
            return Err(Error::TooFewCells(cells.len()));
        }
        cell_indices.iter().try_for_each(|&index| check_index(index).map(|_| ()))?;
        if let Some(pair) = cell_indices.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::Order { previous: pair[0], index: pair[1] });
        }
        // Values in bit-reversed order, 0 where the cell is missing.
        let mut values = vec![Fr::ZERO; 2 * ELEMENTS];
        for (&index, cell) in cell_indices.iter().zip(read_cells(cells)?.chunks_exact(ELEMENTS_PER_CELL)) {
            values[index as usize * ELEMENTS_PER_CELL..][..ELEMENTS_PER_CELL].copy_from_slice(cell);
        }
        let mut values = in_reverse_order(&values);
        let missing: Vec<usize> =
            (0..CELLS).filter(|index| !cell_indices.contains(&(*index as u64))).collect();
        let coefficients = if missing.is_empty() {
            self.of_extended.inverse(&mut values)?;
            values
        } else {
            self.divide(values, &missing)?
        };
        let (coefficients, rest) = coefficients.split_at(ELEMENTS);
        if rest.iter().any(|coefficient| *coefficient != Fr::ZERO) {
            return Err(Error::Inconsistent);
        }
        Ok((self.cells(coefficients)?, self.proofs(coefficients)?))
    }

    /// Returns the coefficients of the polynomial f with these values outside of the missing cells, where the values are 0.
    ///
    /// The polynomial Z vanishes on the missing cells, so the products of the given values and the values of Z are the values of f Z on the whole domain. On
    /// a coset, where Z has no zeros, f is the quotient.
    fn divide(&self, mut values: Vec<Fr>, missing: &[usize]) -> Result<Vec<Fr>, Error> {
        // Z is a polynomial in X^64, whose zeros are 128th roots of unity.
        let root = root(LOG_CELLS);
        let mut in_power = vec![Fr::ONE];
        for &index in missing {
            let zero = root.pow([reverse(index, LOG_CELLS) as u64]);
            in_power.push(Fr::ZERO);
            for i in (0..in_power.len()).rev() {
                in_power[i] = if i > 0 { in_power[i - 1] } else { Fr::ZERO } - zero * in_power[i];
            }
        }
        let mut vanishing = vec![Fr::ZERO; 2 * ELEMENTS];
        for (i, coefficient) in in_power.into_iter().enumerate() {
            vanishing[i * ELEMENTS_PER_CELL] = coefficient;
        }
        let mut on_coset = vanishing.clone();
        self.of_extended.forward(&mut vanishing)?;
        values.iter_mut().zip(&vanishing).for_each(|(value, factor)| *value *= factor);
        self.of_extended.inverse(&mut values)?;
        self.of_extended.coset_forward(&mut values)?;
        self.of_extended.coset_forward(&mut on_coset)?;
        batch_inversion(&mut on_coset);
        values.iter_mut().zip(&on_coset).for_each(|(value, factor)| *value *= factor);
        self.of_extended.coset_inverse(&mut values)?;
        Ok(values)
    }
}

/// Checks the index of a cell.
pub fn check_index(index: u64) -> Result<usize, Error> {
    match usize::try_from(index) {
        Ok(place) if place < CELLS => Ok(place),
        _ => Err(Error::CellIndex(index)),
    }
}

/// Returns the elements of all cells.
pub fn read_cells(cells: &[impl AsRef<[u8]>]) -> Result<Vec<Fr>, Error> {
    let mut elements = Vec::with_capacity(cells.len() * ELEMENTS_PER_CELL);
    for (index, cell) in cells.iter().map(AsRef::as_ref).enumerate() {
        if cell.len() != BYTES_PER_CELL {
            return Err(Error::CellLength { index, bytes: cell.len() });
        }
        let read = read_elements(cell).map_err(|element| Error::Element { what: "cell", index, element })?;
        elements.extend(read);
    }
    Ok(elements)
}
