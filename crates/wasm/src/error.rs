//! Errors, as texts for the host.

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A number names no object of the kind.
    #[error("object {id} is no {expected}: it was freed, or belongs to another instance")]
    Object {
        /// Number of the object.
        id: u32,
        /// Name of the kind.
        expected: &'static str,
    },
    /// The group does not exist, or its curve is not in this build.
    #[cfg(feature = "sums")]
    #[error("this module has no group {0}: the groups are 0 and 1 (G1 and G2 of BN254), and 2 and 3 (G1 and G2 of BLS12-381)")]
    Group(u32),
    /// The sums have a wrong length.
    #[cfg(feature = "proofs")]
    #[error("the sums have {found} bytes: expected {expected}, five points of the circuit's curve")]
    Sums {
        /// Bytes of the sums.
        found: usize,
        /// Bytes of five points.
        expected: usize,
    },
    /// The memory does not suffice.
    #[error("{bytes} bytes of memory are not there: a WebAssembly has 4 GB at most")]
    Memory {
        /// Bytes that were requested.
        bytes: usize,
    },
    /// The threads cannot start.
    #[cfg(feature = "threads")]
    #[error("the threads cannot start: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The engine's error.
    #[cfg(feature = "sums")]
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// The circuit's error.
    #[cfg(feature = "proofs")]
    #[error(transparent)]
    Circuit(#[from] bucketwheel_circuit::Error),
    /// The verifier's error.
    #[cfg(feature = "proofs")]
    #[error(transparent)]
    Groth16(#[from] bucketwheel_groth16::Error),
    /// A text cannot be written.
    #[cfg(feature = "proofs")]
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
