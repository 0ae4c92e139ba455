//! Errors, as texts for the host.

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A number that names no object of the kind.
    #[error("object {id} is no {expected}: it was freed, or belongs to another instance")]
    Object {
        /// The number.
        id: u32,
        /// The kind.
        expected: &'static str,
    },
    /// No such group.
    #[error("group {0} is unknown: expected 0 or 1 (G1 and G2 of BN254), or 2 or 3 (those of BLS12-381)")]
    Group(u32),
    /// Sums of another length.
    #[error("the sums have {found} bytes: expected {expected}, five points of the circuit's curve")]
    Sums {
        /// Their bytes.
        found: usize,
        /// Bytes of five points.
        expected: usize,
    },
    /// No memory.
    #[error("{bytes} bytes of memory are not there: a WebAssembly has 4 GB at most")]
    Memory {
        /// The bytes.
        bytes: usize,
    },
    /// The engine's.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// The circuit's.
    #[error(transparent)]
    Circuit(#[from] bucketwheel_circuit::Error),
    /// The verifier's.
    #[error(transparent)]
    Groth16(#[from] bucketwheel_groth16::Error),
    /// A text that cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
