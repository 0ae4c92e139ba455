//! The one error type.

/// Error of a transform: what is wrong, where, and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Error of the engine.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// The field has no root of unity of this order.
    #[error("a domain of 2^{log_size} elements: expected at most 2^{max}")]
    Domain {
        /// The logarithm of the size.
        log_size: u32,
        /// The largest possible logarithm.
        max: u32,
    },
    /// The root of unity has another order, or the shift makes no coset.
    #[error("no root and shift of a domain of 2^{log_size} elements: expected a root of unity of this order, and a shift other than 0")]
    Root {
        /// The logarithm of the order.
        log_size: u32,
    },
    /// The number of elements differs from the number of points of the domain.
    #[error("{found} elements for a transform: expected 2^{log_size}, as many as the domain has points")]
    Length {
        /// Number of elements.
        found: usize,
        /// The logarithm of the number of points.
        log_size: u32,
    },
}
