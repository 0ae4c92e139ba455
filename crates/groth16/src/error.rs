//! The one error type.

use crate::file::FileError;

/// What can go wrong: what, where, what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine's errors.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// A file whose content is wrong.
    #[error(transparent)]
    File(#[from] FileError),
}
