//! Memory as much as a file asks for.

use rayon::prelude::*;

use crate::Error;

/// An empty vector with room for these.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    values.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(values)
}

/// All values, by the threads of the current pool.
pub fn collect<T: Send>(values: impl IndexedParallelIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut all = with_room(values.len())?;
    all.par_extend(values);
    Ok(all)
}
