//! The one error type.

use crate::file::FileError;
use crate::Unsatisfied;

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
    /// A witness that a constraint does not hold for.
    #[error(transparent)]
    Unsatisfied(Box<Unsatisfied>),
    /// Public signals that do not fit the verifying key.
    #[error("{found} public signals: expected {expected}, as many as the verifying key has")]
    PublicSignals {
        /// What the key has.
        expected: usize,
        /// What there are.
        found: usize,
    },
}
