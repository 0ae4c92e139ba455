//! Memory whose size a file determines.

use rayon::prelude::*;

use crate::Error;

/// Returns an empty vector with room for this number of values.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    values.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(values)
}

/// Collects all values, on the threads of the current pool.
pub fn collect<T: Send>(values: impl IndexedParallelIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut all = with_room(values.len())?;
    all.par_extend(values);
    Ok(all)
}
