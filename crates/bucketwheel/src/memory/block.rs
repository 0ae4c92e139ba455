//! Blocks: the memory of one array, on the heap, in a mapping of its own, or in a region.

use std::alloc::{alloc, dealloc, Layout};
use std::ptr::NonNull;
use std::sync::Arc;

use memmap2::MmapMut;

use super::mapping::map_huge;
use super::region::{Region, Taken};

/// Memory for an array.
#[derive(Debug)]
pub struct Block {
    pub start: NonNull<u8>,
    pub layout: Layout,
    place: Storage,
}

/// Place of a block.
#[derive(Debug)]
enum Storage {
    Heap,
    Mapping { _mapping: MmapMut },
    Region(Arc<Region>),
}

// SAFETY: a block owns its bytes.
unsafe impl Send for Block {}
// SAFETY: a shared reference to a block does not access its bytes.
unsafe impl Sync for Block {}

impl Block {
    /// Returns a block on the heap; `None` if the system has too little memory.
    pub fn on_heap(layout: Layout) -> Option<Self> {
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        Some(Block { start, layout, place: Storage::Heap })
    }

    /// Returns a mapping of its own, on huge pages as far as it fills them; `None` on systems without mappings.
    pub fn mapped(layout: Layout) -> Option<Self> {
        let (mapping, start) = map_huge(layout.size(), layout.align())?;
        Some(Block { start, layout, place: Storage::Mapping { _mapping: mapping } })
    }

    /// Returns a block at the first place of a region with room, and the number of its first bytes that need not be zero.
    pub fn in_region(region: &Arc<Region>, layout: Layout) -> Option<(Self, usize)> {
        let Taken { start, layout, used } = region.take(layout)?;
        Some((Block { start, layout, place: Storage::Region(region.clone()) }, used))
    }

    /// Returns true if the block lies in a region.
    pub fn is_in_region(&self) -> bool {
        matches!(self.place, Storage::Region(_))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        match &self.place {
            // SAFETY: `alloc` gave the block with this layout.
            Storage::Heap => unsafe { dealloc(self.start.as_ptr(), self.layout) },
            Storage::Mapping { .. } => {}
            Storage::Region(region) => region.free(self.start, self.layout.size()),
        }
    }
}
