//! Runs work on one of libuv's threads: the choice of rayon's threads, panics.

use std::panic::{catch_unwind, AssertUnwindSafe};

use napi::Result;
use rayon::ThreadPoolBuilder;

use crate::error::refuse;

/// Runs `work` on `threads` threads of its own, or for 0 on rayon's global pool. A panic becomes an error.
///
/// # Errors
/// Errors of the work. An error if the threads cannot be started.
pub fn run<T: Send>(threads: u32, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let work = || match threads {
        0 => work(),
        threads => {
            let pool = ThreadPoolBuilder::new().num_threads(threads as usize).build();
            let pool =
                pool.map_err(|error| refuse(format!("no {threads} threads: {error}; ask for fewer")))?;
            pool.install(work)
        }
    };
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(refuse("internal error: only this call failed; please report it")))
}
