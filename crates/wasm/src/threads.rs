//! The threads of a module whose instances share a memory, and room in this memory for their work.

#[cfg(feature = "threads")]
pub use shared::{make_room, start_threads};

/// A single thread needs no room before its work.
#[cfg(not(feature = "threads"))]
pub fn make_room(_input: usize) {}

#[cfg(feature = "threads")]
mod shared {
    use std::hint::black_box;

    use crate::objects;

    /// Bytes of a thread's stack.
    const STACK: usize = 1 << 20;
    /// Room for work on few points.
    const LEAST_ROOM: usize = 16 << 20;
    /// Room for a thread's part of the work.
    const THREAD_ROOM: usize = 2 << 20;

    /// Makes the calling instance and new threads the pool that shares the work of later calls. Returns 1, or 0 for an error.
    #[no_mangle]
    pub extern "C" fn start_threads(threads: usize) -> u32 {
        objects::checked(|| {
            grow(threads.saturating_mul(STACK + THREAD_ROOM));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread();
            pool.stack_size(STACK).build_global()?;
            Ok(1)
        })
    }

    /// Makes room for work on some bytes of input that are in memory, while the other threads sleep. The proofs of eight threads with a key of
    /// 124 MB took 2.9 times its size beside the key.
    ///
    /// V8 tells a thread that the memory has grown when the thread next checks its stack. If the memory grows during the threads' work, an
    /// atomic access or a copy may come before: it traps.
    pub fn make_room(input: usize) {
        let least = LEAST_ROOM + rayon::current_num_threads() * THREAD_ROOM;
        grow(input.saturating_mul(3).saturating_add(least));
    }

    /// Lets the allocator have this number of free bytes, if the memory may grow so far. The allocator keeps freed memory.
    fn grow(bytes: usize) {
        let mut room = Vec::<u8>::new();
        // Without this room, the memory grows later.
        let _ = room.try_reserve_exact(bytes);
        black_box(&room);
    }
}
