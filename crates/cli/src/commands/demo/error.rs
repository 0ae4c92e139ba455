//! Errors of the demonstration.

/// A library that the demonstration compares with fails.
#[derive(Debug, thiserror::Error)]
#[error("{peer} cannot be compared with: {reason}; expected it to work, please report this")]
pub struct PeerError {
    pub peer: &'static str,
    pub reason: String,
}
