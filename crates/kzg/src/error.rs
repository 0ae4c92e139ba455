//! Errors of this crate.

use thiserror::Error;

use crate::sizes::{BYTES_PER_BLOB, BYTES_PER_CELL, CELLS, LEAST_CELLS};

/// Points or scalars that are wrong, and failures of the engine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A trusted setup that cannot be read.
    #[error("trusted setup: {0}")]
    Setup(String),
    /// A blob has another number of bytes.
    #[error("a blob has {BYTES_PER_BLOB} bytes, and this one has {0}")]
    BlobLength(usize),
    /// A cell has another number of bytes.
    #[error("a cell has {BYTES_PER_CELL} bytes, and cell {index} has {bytes}")]
    CellLength {
        /// Place of the cell among the cells of the call.
        index: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// A field element is not below the order.
    #[error("element {element} of {what} {index} is not below the order of BLS12-381")]
    Element {
        /// "blob" or "cell".
        what: &'static str,
        /// Place of the blob or the cell among the blobs or cells of the call.
        index: usize,
        /// Place of the element.
        element: usize,
    },
    /// The bytes of a commitment or a proof are no point of the prime-order subgroup.
    #[error("{what} {index} is no compressed point of the prime-order subgroup of BLS12-381's G1")]
    Point {
        /// "commitment" or "proof".
        what: &'static str,
        /// Its place.
        index: usize,
    },
    /// Lists of one call have different lengths.
    #[error("{cells} cells, but {count} {what}")]
    Count {
        /// Number of cells.
        cells: usize,
        /// Name of the other list.
        what: &'static str,
        /// Its length.
        count: usize,
    },
    /// The index of a cell is too large.
    #[error("cell index {0}, but a blob has {CELLS} cells")]
    CellIndex(u64),
    /// The indices of cells do not ascend.
    #[error("cell index {index} follows {previous}: indices must ascend")]
    Order {
        /// The index in front of it.
        previous: u64,
        /// The index.
        index: u64,
    },
    /// There are too few cells to recover the others.
    #[error("{0} cells, but recovery takes at least {LEAST_CELLS} of {CELLS}")]
    TooFewCells(usize),
    /// No blob has all of these cells.
    #[error("no blob has all of these cells: one of them is wrong")]
    Inconsistent,
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// A transform failed.
    #[error(transparent)]
    Transform(#[from] bucketwheel_transform::Error),
}
