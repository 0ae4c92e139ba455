//! Memory whose size a file determines.

use bucketwheel::Control;

use crate::Error;

/// Returns an empty vector with room for this number of values.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    values.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(values)
}

/// Collects a value for each number below `count`, on the threads of the current pool.
pub fn collect<T: Send>(count: usize, value: impl Fn(usize) -> T + Send + Sync) -> Result<Vec<T>, Error> {
    let mut all = with_room(count)?;
    Control::extend(&mut all, count, value);
    Ok(all)
}
