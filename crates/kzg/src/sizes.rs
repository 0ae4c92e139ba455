//! Sizes of blobs and cells.

/// Bytes of a field element, the most significant byte first.
pub const BYTES_PER_ELEMENT: usize = 32;
/// Field elements of a blob.
pub const ELEMENTS: usize = 4096;
/// Field elements of a cell.
pub const ELEMENTS_PER_CELL: usize = 64;
/// Cells of a blob.
pub const CELLS: usize = 2 * ELEMENTS / ELEMENTS_PER_CELL;
/// Fewest cells from which all others can be recovered.
pub const LEAST_CELLS: usize = CELLS / 2;
/// Bytes of a blob.
pub const BYTES_PER_BLOB: usize = ELEMENTS * BYTES_PER_ELEMENT;
/// Bytes of a cell.
pub const BYTES_PER_CELL: usize = ELEMENTS_PER_CELL * BYTES_PER_ELEMENT;
/// Bytes of a commitment or a proof: a compressed point of G1.
pub const BYTES_PER_POINT: usize = 48;
