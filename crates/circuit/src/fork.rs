//! Tests that there are threads to work. The threads of rayon's global pool start with the first work, and a forked
//! process does not have them.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// This process lacks the threads that work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the process has forked since the library's first call: expected calls before that or after it, not both; the threads stayed with the other process")]
pub struct Forked;

/// Number of the process that did the first work; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Checks, before all work on the global pool, that this process has its threads: a forked process would wait for them forever.
///
/// See the [example](crate::Circuit).
///
/// # Errors
/// [`Forked`].
pub fn check() -> Result<(), Forked> {
    // Nothing forks on these targets, and some of them have no process numbers.
    if cfg!(target_family = "wasm") {
        return Ok(());
    }
    let this = process::id();
    match OWNER.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != this => Err(Forked),
        _ => Ok(()),
    }
}
