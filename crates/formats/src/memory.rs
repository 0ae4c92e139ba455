//! Memory for the sizes that a file or a caller asks for.

use bucketwheel::Error;

/// Returns an empty vector with room for `len` values. The error is the number of bytes for which there is no memory.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, usize> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| len.saturating_mul(size_of::<T>()))?;
    Ok(values)
}

/// Makes room for `count` more values of `size` bytes each.
pub(crate) fn reserve(out: &mut Vec<u8>, count: usize, size: usize) -> Result<(), Error> {
    let bytes = count.saturating_mul(size);
    out.try_reserve(bytes).map_err(|_| Error::OutOfMemory { bytes })
}
