//! Small things all x86-64 backends share.

use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T1};

/// Fetches the cache line of `address`, which may be any address, into the second-level cache. A batch fetches more lines
/// ahead than the first level holds beside its own work.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    // SAFETY: a prefetch never faults.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
}
