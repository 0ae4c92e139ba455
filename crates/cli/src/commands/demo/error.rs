//! Errors of the demonstration.

/// A library that the demonstration compares with fails.
#[derive(Debug, thiserror::Error)]
#[error("cannot compare with {peer}: {reason}; please report this")]
pub struct PeerError {
    pub peer: &'static str,
    pub reason: String,
}
