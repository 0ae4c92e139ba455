//! Errors of the demonstration.

/// A library for comparison failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot compare with {peer}: {reason}; please report this")]
pub struct PeerError {
    pub peer: &'static str,
    pub reason: String,
}
