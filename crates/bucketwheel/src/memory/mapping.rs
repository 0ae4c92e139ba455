//! Mappings of the system, on huge pages where it has them: a page fault per 2 MiB instead of per 4 KiB, and fewer misses of the
//! translation cache.

use std::ptr::NonNull;

use memmap2::MmapMut;

/// Size of a huge page in bytes.
pub const HUGE_PAGE: usize = 2 << 20;

/// Returns a mapping of `size` bytes with this alignment; `None` on systems without mappings.
pub fn map(size: usize, align: usize) -> Option<(MmapMut, NonNull<u8>)> {
    // Pages that nobody touches take no memory.
    let mut mapping = MmapMut::map_anon(size.checked_add(align)?).ok()?;
    let offset = mapping.as_mut_ptr().align_offset(align);
    let start = NonNull::new(mapping.as_mut_ptr().wrapping_add(offset))?;
    Some((mapping, start))
}

/// Returns a mapping as [`map`] does, on huge pages as far as the bytes fill them.
pub fn map_huge(size: usize, align: usize) -> Option<(MmapMut, NonNull<u8>)> {
    let huge = size / HUGE_PAGE * HUGE_PAGE;
    let (mapping, start) = map(size, if huge > 0 { HUGE_PAGE } else { align })?;
    #[cfg(target_os = "linux")]
    if huge > 0 {
        let offset = start.as_ptr().addr() - mapping.as_ptr().addr();
        // The call is advice: its failure changes nothing.
        let _ = mapping.advise_range(memmap2::Advice::HugePage, offset, huge);
    }
    Some((mapping, start))
}
