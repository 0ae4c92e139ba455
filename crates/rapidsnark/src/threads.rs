//! Test that there are threads to work: those of rayon's global pool, which start with the first work and do not come
//! along where a process forks.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

/// The process whose first work it was; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Before all work: without, a forked process would wait forever for threads that it does not have.
///
/// # Errors
/// [`Error::Forked`].
pub fn check() -> Result<(), Error> {
    let this = process::id();
    match OWNER.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != this => Err(Error::Forked),
        _ => Ok(()),
    }
}
