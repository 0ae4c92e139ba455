//! The threads of a module whose instances share a memory.

use crate::objects;

/// Makes the calling instance and new threads the pool that shares the work of later calls. Returns 1, or 0 for an error.
#[no_mangle]
pub extern "C" fn start_threads(threads: usize) -> u32 {
    objects::checked(|| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build_global()?;
        Ok(1)
    })
}
