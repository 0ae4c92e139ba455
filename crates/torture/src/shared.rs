//! Shared by all runners: random choices, the number of threads, and the count of memory.

use peak_alloc::PeakAlloc;

/// Generator of all random choices.
pub type Random = rand_chacha::ChaCha8Rng;

/// Counts the bytes that live.
#[global_allocator]
pub static MEMORY: PeakAlloc = PeakAlloc;

/// Threads to choose from; more than most machines that this runs on have, so that they are interrupted anywhere.
pub const THREADS: usize = 8;
