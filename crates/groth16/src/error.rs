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
    /// A witness that a constraint does not hold for.
    #[error("constraint {constraint} does not hold: A is {a}, B is {b} and C is {c}: expected C to be {product}, the product of A and B; calculate the witness again, with this circuit")]
    Unsatisfied {
        /// The first such constraint.
        constraint: usize,
        /// The value of the left factor.
        a: String,
        /// The value of the right factor.
        b: String,
        /// The value of what should be the product.
        c: String,
        /// The product.
        product: String,
    },
    /// Public signals that do not fit the verifying key.
    #[error("{found} public signals: expected {expected}, as many as the verifying key has")]
    PublicSignals {
        /// What the key has.
        expected: usize,
        /// What there are.
        found: usize,
    },
}
