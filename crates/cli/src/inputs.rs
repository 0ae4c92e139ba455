//! Memory for inputs, whose size a file or an argument says.

use bucketwheel::Error as EngineError;

use crate::error::{own, Error};
use crate::measure::{half_of_memory, Bytes};

/// Inputs that take too much memory.
#[derive(Debug, thiserror::Error)]
#[error("the inputs take {needed}: expected at most {most}, half of the memory; pass a smaller size")]
struct TooMuch {
    needed: Bytes,
    most: Bytes,
}

/// Refuses inputs that take more than half of the memory, before any of them is made; the other half is for what is made
/// of them.
///
/// # Errors
/// If they do.
pub fn check_memory(needed: usize) -> Result<(), Error> {
    let most = half_of_memory();
    match needed > most {
        true => Err(own(TooMuch { needed: Bytes(needed), most: Bytes(most) })),
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
