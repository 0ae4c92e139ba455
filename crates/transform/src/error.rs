//! The one error type.

/// Errors: what is wrong, where, what was expected.
#[derive(Debug, thiserror::Error)]
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
    /// A root of unity of another order, or a shift that makes no coset.
    #[error("no root and shift of a domain of 2^{log_size} elements: expected a root of unity of this order, and a shift other than 0")]
    Root {
        /// The logarithm of the order.
        log_size: u32,
    },
    /// More or fewer elements than the domain has points.
    #[error("{found} elements for a transform: expected 2^{log_size}, as many as the domain has points")]
    Length {
        /// Number of elements.
        found: usize,
        /// The logarithm of the number of points.
        log_size: u32,
    },
}
