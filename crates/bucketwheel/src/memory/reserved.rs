//! Memory that a caller sets aside, and bytes that are zero at first.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Arc;

use super::block::Block;
use super::region::Region;
use super::stock::stock;
use crate::Error;

/// Memory set aside for arrays, until it is dropped.
#[derive(Debug)]
pub struct Reserved(Arc<Region>);

/// Sets memory aside for the arrays of the following calls, on any thread. These calls reuse memory that earlier arrays
/// left in it, instead of fresh pages. Room that is never used takes no memory. If there is too little room, arrays get
/// memory as they do without it. `None` on systems without this kind of memory.
pub fn reserve_memory(bytes: usize) -> Option<Reserved> {
    let region = Arc::new(Region::new(bytes)?);
    stock().regions.push(region.clone());
    Some(Reserved(region))
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // Arrays that lie in the region keep it.
        stock().regions.retain(|region| !Arc::ptr_eq(region, &self.0));
    }
}

/// Bytes that are zero at first: in memory set aside if there is room, else in a mapping of their own. Pages that
/// nobody touches take no memory, unless an earlier array has left them.
#[derive(Debug)]
pub struct Zeroed(Block);

impl Zeroed {
    /// Alignment of the first byte, in bytes.
    pub const ALIGN: usize = 64;

    /// Returns a block of this size, in bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(bytes: usize) -> Result<Self, Error> {
        let layout = Layout::from_size_align(bytes.max(1), Self::ALIGN);
        layout.ok().and_then(Self::block).map(Zeroed).ok_or(Error::OutOfMemory { bytes })
    }

    fn block(layout: Layout) -> Option<Block> {
        let regions = stock().regions.clone();
        let (block, used) = match regions.iter().find_map(|region| Block::in_region(region, layout)) {
            Some(found) => found,
            None => match Block::mapped(layout) {
                Some(block) => (block, 0),
                None => (Block::on_heap(layout)?, layout.size()),
            },
        };
        // SAFETY: `used` is at most the block's size, and nobody else has the block yet.
        unsafe { block.start.write_bytes(0, used) };
        Some(block)
    }

    /// Returns the first byte. Code that accesses the bytes makes sure that no other code does.
    pub fn start(&self) -> NonNull<u8> {
        self.0.start
    }
}

#[cfg(test)]
mod tests {
    use super::super::mapping::HUGE_PAGE;
    use super::super::stock::LEAST_KEPT;
    use super::super::Array;
    use super::*;

    #[test]
    fn zeroed_bytes_are_zero_wherever_they_lie() {
        let reserved = reserve_memory(4 * LEAST_KEPT);
        for len in [0, 1, 100, LEAST_KEPT, 3 * LEAST_KEPT, 8 * LEAST_KEPT, 2 * HUGE_PAGE + 1] {
            let bytes = [(); 2].map(|()| Zeroed::new(len).expect("little memory"));
            for Zeroed(block) in &bytes {
                // SAFETY: the block has `len` bytes, which are set to zero, and nobody else accesses them.
                let bytes = unsafe { std::slice::from_raw_parts_mut(block.start.as_ptr(), len) };
                assert!(block.start.as_ptr().addr().is_multiple_of(Zeroed::ALIGN));
                assert!(bytes.iter().all(|&byte| byte == 0));
                bytes.fill(1);
            }
        }
        drop(reserved);
        assert!(Zeroed::new(usize::MAX).is_err());
    }

    #[test]
    fn arrays_outlive_the_region_they_were_made_in() {
        let reserved = reserve_memory(4 * LEAST_KEPT);
        let of = |i: usize| i as u8;
        let arrays = [0; 100].map(|_| Array::from_fn(LEAST_KEPT, of).expect("little memory"));
        drop(reserved);
        assert!(arrays.iter().all(|array| array.iter().enumerate().all(|(i, &x)| x == of(i))));
    }
}
