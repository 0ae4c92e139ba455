//! Prefetches, for all backends.

/// Fetches the cache line of `address`, which may be any address. On x86-64 it goes into the second-level cache, since
/// a batch fetches more lines ahead than the first level holds beside the batch's own data.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults.
    unsafe {
        use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T1};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the instruction never faults, and changes nothing but the cache.
    unsafe {
        core::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) address,
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

/// Fetches the cache line of `address` into the nearest cache.
#[inline(always)]
pub fn prefetch_near(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults.
    unsafe {
        use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    prefetch(address);
}
