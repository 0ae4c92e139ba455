//! Shared by all runners: random choices, the number of threads, and the count of memory.

use peak_alloc::PeakAlloc;

/// Generator of all random choices.
pub type Random = rand_chacha::ChaCha8Rng;

/// Counts the bytes of allocated memory.
#[global_allocator]
pub static MEMORY: PeakAlloc = PeakAlloc;

/// Most threads to choose; more than most test machines have, so that the system interrupts threads anywhere.
pub const THREADS: usize = 8;
