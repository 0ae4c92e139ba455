//! Memory for inputs, whose size a file or an argument says.

use bucketwheel::Error as EngineError;

use crate::args::msm::Bytes;
use crate::error::Error;
use crate::measure::half_of_memory;

/// Refuses inputs that take more than half of the memory, before any of them is made; the other half is for what is made
/// of them.
///
/// # Errors
/// [`Error::InputMemory`].
pub fn check_memory(needed: usize) -> Result<(), Error> {
    let most = half_of_memory();
    match needed > most {
        true => Err(Error::InputMemory { needed: Bytes(needed), most: Bytes(most) }),
        false => Ok(()),
    }
}

/// An empty list with room for so many elements, a number that a file or an argument says.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn room_for<T>(count: usize) -> Result<Vec<T>, EngineError> {
    let mut all = Vec::new();
    reserve(&mut all, count)?;
    Ok(all)
}

/// Room for so many elements more.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn reserve<T>(all: &mut Vec<T>, more: usize) -> Result<(), EngineError> {
    let bytes = more.saturating_mul(size_of::<T>());
    all.try_reserve(more).map_err(|_| EngineError::OutOfMemory { bytes })
}
