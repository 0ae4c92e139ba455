//! Names of the stages of a request for a proof.

use bucketwheel_groth16::Stage;

/// The time in the queue.
pub const QUEUE: &str = "queue";
/// The whole proof after the queue, except the witness.
pub const PROOF: &str = "proof";
/// The calculation of the witness.
pub const WITNESS: &str = "witness";

/// Returns all stages, in their order.
pub fn stages() -> impl Iterator<Item = &'static str> {
    [QUEUE, WITNESS].into_iter().chain(Stage::ALL.map(Stage::name)).chain([PROOF])
}
