//! The one error type.

use crate::file::FileError;

/// What can go wrong: what, where, what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine's errors.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// The field has no root of unity of that order.
    #[error("a domain of 2^{log_size} elements: expected at most 2^{max}")]
    Domain {
        /// The logarithm of the size.
        log_size: u32,
        /// The largest possible one.
        max: u32,
    },
    /// A file whose content is wrong.
    #[error(transparent)]
    File(#[from] FileError),
}
