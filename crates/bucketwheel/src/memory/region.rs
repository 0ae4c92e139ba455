//! Regions: memory set aside for the arrays of several calls.

use std::alloc::Layout;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memmap2::MmapMut;

use super::mapping::{map, map_huge, HUGE_PAGE};

/// Bytes of the smallest region on huge pages. A smaller region is for a caller with little memory, who has no use for most of
/// the last huge page.
const LITTLE: usize = 8 * HUGE_PAGE;

/// Memory that arrays lie in, one behind the other, at the first place with room. When an array leaves its memory, the
/// next array takes it, without a fresh page.
#[derive(Debug)]
pub struct Region {
    _mapping: MmapMut,
    start: NonNull<u8>,
    gaps: Mutex<Gaps>,
}

/// A place in a region.
pub struct Taken {
    pub start: NonNull<u8>,
    /// Size and alignment of the place.
    pub layout: Layout,
    /// Number of bytes at the start of the place that need not be zero.
    pub used: usize,
}

/// The bytes of a region without an array.
#[derive(Debug)]
struct Gaps {
    /// The gaps in ascending order. No gap borders another gap.
    ranges: Vec<Range<usize>>,
    /// Start of the bytes that never belonged to an array, and are zero.
    fresh: usize,
}

// SAFETY: a region owns its mapping, and gives each byte to one block at a time.
unsafe impl Send for Region {}
// SAFETY: the methods change a region only behind `&mut` or a lock, and never access bytes of blocks.
unsafe impl Sync for Region {}

impl Region {
    /// Alignment of the region's blocks, and the unit of their size.
    const PAGE: usize = 4096;

    /// Returns a region of at least `bytes` bytes; `None` on systems without mappings.
    pub fn new(bytes: usize) -> Option<Self> {
        let bytes = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        let (mapping, start) = match bytes {
            LITTLE.. => map_huge(bytes, Self::PAGE)?,
            _ => map(bytes, Self::PAGE)?,
        };
        let gaps = Gaps { ranges: std::iter::once(0..bytes).collect(), fresh: 0 };
        Some(Region { _mapping: mapping, start, gaps: Mutex::new(gaps) })
    }

    fn gaps(&self) -> MutexGuard<'_, Gaps> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the first place with room.
    pub fn take(&self, layout: Layout) -> Option<Taken> {
        let size = layout.size().checked_next_multiple_of(Self::PAGE)?;
        let mut gaps = self.gaps();
        let Gaps { ranges, fresh } = &mut *gaps;
        let index = ranges.iter().position(|gap| gap.len() >= size && layout.align() <= Self::PAGE)?;
        let first = ranges[index].start;
        ranges[index].start += size;
        if ranges[index].is_empty() {
            ranges.remove(index);
        }
        let used = size.min(fresh.saturating_sub(first));
        *fresh = (*fresh).max(first + size);
        let start = NonNull::new(self.start.as_ptr().wrapping_add(first))?;
        let layout = Layout::from_size_align(size, Self::PAGE).ok()?;
        Some(Taken { start, layout, used })
    }

    /// Takes back `size` bytes that [`take`](Self::take) gave.
    pub fn free(&self, start: NonNull<u8>, size: usize) {
        let first = start.as_ptr().addr() - self.start.as_ptr().addr();
        let mut gap = first..first + size;
        let gaps = &mut self.gaps().ranges;
        let index = gaps.partition_point(|gap| gap.start < first);
        if gaps.get(index).is_some_and(|next| next.start == gap.end) {
            gap.end = gaps.remove(index).end;
        }
        match index.checked_sub(1).map(|before| &mut gaps[before]) {
            Some(before) if before.end == gap.start => before.end = gap.end,
            _ => gaps.insert(index, gap),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks take the first place with room, and freed neighbours join.
    #[test]
    fn a_region_has_the_first_place_with_room() {
        let Some(region) = Region::new(1) else { return };
        let layout = |bytes, align| Layout::from_size_align(bytes, align).expect("a valid layout");
        let block = |bytes| region.take(layout(bytes, 8));
        let first = |taken: &Taken| taken.start.as_ptr().addr() - region.start.as_ptr().addr();
        let drop = |taken: Taken| region.free(taken.start, taken.layout.size());
        let [a, b, c] = [1, 4096, 8193].map(|bytes| block(bytes).expect("room"));
        assert_eq!([&a, &b, &c].map(first), [0, 4096, 8192]);
        assert!(block(HUGE_PAGE).is_none() && region.take(layout(1, 8192)).is_none());
        // Frees blocks between two others, before a gap, behind a gap, and between two gaps.
        drop(b);
        assert_eq!(region.gaps().ranges, [4096..8192, 20480..HUGE_PAGE]);
        drop(a);
        assert_eq!(region.gaps().ranges, [0..8192, 20480..HUGE_PAGE]);
        let [a, b] = [4096, 4096].map(|bytes| block(bytes).expect("room"));
        assert_eq!([&a, &b].map(first), [0, 4096]);
        drop(a);
        drop(b);
        assert_eq!(region.gaps().ranges, [0..8192, 20480..HUGE_PAGE]);
        drop(c);
        assert_eq!(region.gaps().ranges, std::slice::from_ref(&(0..HUGE_PAGE)));
        let all = block(HUGE_PAGE).expect("room");
        assert!(region.gaps().ranges.is_empty() && block(1).is_none());
        drop(all);
    }
}
