//! Threads and processes that fork.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The process whose first work it was; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Returns true unless this process was forked after the first call of this function: the threads of rayon's global pool stay
/// with the other process, and work would wait for them forever.
///
/// For libraries that programs in other languages load, before all work.
pub fn has_threads() -> bool {
    let this = process::id();
    match OWNER.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => true,
        Err(owner) => owner == this,
    }
}
