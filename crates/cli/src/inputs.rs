//! Memory for inputs whose size comes from a file or an argument.

use bucketwheel::Error as EngineError;

use crate::error::{own, Error};
use crate::measure::{half_of_memory, Bytes};

/// The inputs need too much memory.
#[derive(Debug, thiserror::Error)]
#[error("the inputs take {needed}: expected at most {most}, half of the memory; pass a smaller size")]
struct TooMuch {
    needed: Bytes,
    most: Bytes,
}

/// Refuses inputs that need more than half of the memory, before the command makes any input. Results need the other
/// half.
///
/// # Errors
/// If the inputs need more.
pub fn check_memory(needed: usize) -> Result<(), Error> {
    let most = half_of_memory();
    match needed > most {
        true => Err(own(TooMuch { needed: Bytes(needed), most: Bytes(most) })),
        false => Ok(()),
    }
}

/// Returns an empty list with room for this number of elements, which a file or an argument states.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn room_for<T>(count: usize) -> Result<Vec<T>, EngineError> {
    let mut all = Vec::new();
    reserve(&mut all, count)?;
    Ok(all)
}

/// Reserves room for this number of further elements.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn reserve<T>(all: &mut Vec<T>, more: usize) -> Result<(), EngineError> {
    let bytes = more.saturating_mul(size_of::<T>());
    all.try_reserve(more).map_err(|_| EngineError::OutOfMemory { bytes })
}
