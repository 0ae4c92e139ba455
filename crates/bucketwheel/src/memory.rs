//! Large arrays, in mappings of their own: a heap would keep the holes that they leave. On huge pages where the system has
//! them, for a page fault per 2 MiB instead of per 4 KiB and fewer misses of the translation cache; and kept for the next
//! call, since an MSM of some thousand points spends a tenth of its time on fresh pages otherwise.

use std::alloc::{alloc, dealloc, Layout};
use std::ops::Range;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memmap2::MmapMut;

use crate::Error;

/// Huge pages are this large.
const HUGE_PAGE: usize = 2 << 20;
/// The least block that is kept, and not on the heap.
const LEAST_KEPT: usize = 64 << 10;
/// The most bytes that are kept, in all.
const MOST_KEPT: usize = 16 << 20;
/// So much memory, points included, is little enough to keep all but the points.
const LITTLE: usize = 32 << 20;

/// Memory for an array.
#[derive(Debug)]
struct Block {
    start: NonNull<u8>,
    layout: Layout,
    place: Place,
}

/// Place of a block.
#[derive(Debug)]
enum Place {
    Heap,
    Mapping { _mapping: MmapMut },
    Region(Arc<Region>),
}

// SAFETY: it owns bytes.
unsafe impl Send for Block {}
// SAFETY: it does not access them.
unsafe impl Sync for Block {}

impl Block {
    /// At least so many bytes, whatever they are; none where the system has too little memory.
    fn new(layout: Layout) -> Option<Self> {
        if layout.size() < LEAST_KEPT {
            return Block::on_heap(layout);
        }
        let regions = stock().regions.clone();
        if let Some((block, _)) = regions.iter().find_map(|region| Region::block(region, layout)) {
            return Some(block);
        }
        // Arrays of about the same size are interchangeable.
        let size = layout.size();
        let size = size.checked_next_multiple_of(1 << (size.ilog2() - 3))?;
        let layout = Layout::from_size_align(size, layout.align().max(64)).ok()?;
        let (block, old) = stock().take(layout);
        // Freed without the lock, and before there is a fresh one.
        drop(old);
        let block = block.or_else(|| Block::mapped(layout)).or_else(|| Block::on_heap(layout));
        if block.is_none() {
            stock().used -= layout.size();
        }
        block
    }

    fn on_heap(layout: Layout) -> Option<Self> {
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        Some(Block { start, layout, place: Place::Heap })
    }

    /// A mapping of its own, on huge pages as far as it fills them; `None` on systems without.
    fn mapped(layout: Layout) -> Option<Self> {
        let (mapping, start) = map(layout.size(), layout.align())?;
        Some(Block { start, layout, place: Place::Mapping { _mapping: mapping } })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        match &self.place {
            // SAFETY: allocated with this layout.
            Place::Heap => unsafe { dealloc(self.start.as_ptr(), self.layout) },
            Place::Mapping { .. } => {}
            Place::Region(region) => region.free(self),
        }
    }
}

/// A mapping with so many bytes of this alignment, on huge pages as far as they fill these; `None` on systems without.
fn map(size: usize, align: usize) -> Option<(MmapMut, NonNull<u8>)> {
    let huge = size / HUGE_PAGE * HUGE_PAGE;
    let align = if huge > 0 { HUGE_PAGE } else { align };
    // Pages that nobody touches are no memory.
    let mut mapping = MmapMut::map_anon(size.checked_add(align)?).ok()?;
    let offset = mapping.as_mut_ptr().align_offset(align);
    #[cfg(target_os = "linux")]
    if huge > 0 {
        // Advice: a failure changes nothing.
        let _ = mapping.advise_range(memmap2::Advice::HugePage, offset, huge);
    }
    let start = NonNull::new(mapping.as_mut_ptr().wrapping_add(offset))?;
    Some((mapping, start))
}

/// Memory that arrays lie in, one behind the other, at the first place with room: what one of them leaves is the next
/// one's, without a fresh page.
#[derive(Debug)]
struct Region {
    _mapping: MmapMut,
    start: NonNull<u8>,
    gaps: Mutex<Gaps>,
}

/// The bytes of a region without an array.
#[derive(Debug)]
struct Gaps {
    /// In ascending order, none beside another.
    ranges: Vec<Range<usize>>,
    /// From here on, bytes have never been an array's, and are zero.
    fresh: usize,
}

// SAFETY: whoever has a block of it has its bytes alone.
unsafe impl Send for Region {}
unsafe impl Sync for Region {}

impl Region {
    /// Alignment and unit of its blocks.
    const PAGE: usize = 4096;

    fn new(bytes: usize) -> Option<Self> {
        let bytes = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        let (mapping, start) = map(bytes, Self::PAGE)?;
        let gaps = Gaps { ranges: std::iter::once(0..bytes).collect(), fresh: 0 };
        Some(Region { _mapping: mapping, start, gaps: Mutex::new(gaps) })
    }

    fn gaps(&self) -> MutexGuard<'_, Gaps> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first place with room, and how many of its first bytes need not be zero.
    fn block(region: &Arc<Self>, layout: Layout) -> Option<(Block, usize)> {
        let size = layout.size().checked_next_multiple_of(Self::PAGE)?;
        let mut gaps = region.gaps();
        let Gaps { ranges, fresh } = &mut *gaps;
        let index = ranges.iter().position(|gap| gap.len() >= size && layout.align() <= Self::PAGE)?;
        let first = ranges[index].start;
        ranges[index].start += size;
        if ranges[index].is_empty() {
            ranges.remove(index);
        }
        let used = size.min(fresh.saturating_sub(first));
        *fresh = (*fresh).max(first + size);
        let start = NonNull::new(region.start.as_ptr().wrapping_add(first))?;
        let layout = Layout::from_size_align(size, Self::PAGE).ok()?;
        Some((Block { start, layout, place: Place::Region(region.clone()) }, used))
    }

    fn free(&self, block: &Block) {
        let first = block.start.as_ptr().addr() - self.start.as_ptr().addr();
        let mut gap = first..first + block.layout.size();
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

/// Memory set aside for arrays, until it is dropped.
#[derive(Debug)]
pub struct Reserved(Arc<Region>);

/// Sets memory aside for the arrays of the calls that follow, on any thread: they take what earlier ones left in it rather
/// than fresh pages. Room that is never used takes none; where there is too little, arrays are as without. `None` on systems
/// that have no such memory.
pub fn reserve_memory(bytes: usize) -> Option<Reserved> {
    let region = Arc::new(Region::new(bytes)?);
    stock().regions.push(region.clone());
    Some(Reserved(region))
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // Arrays that lie in it keep it.
        stock().regions.retain(|region| !Arc::ptr_eq(region, &self.0));
    }
}

/// Bytes that are zero at first: in memory set aside where there is room, else in a mapping of their own. Pages that nobody
/// touches are no memory, unless something else has left them.
#[derive(Debug)]
pub struct Zeroed(Block);

impl Zeroed {
    /// Alignment of its start, in bytes.
    pub const ALIGN: usize = 64;

    /// So many bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(bytes: usize) -> Result<Self, Error> {
        let layout = Layout::from_size_align(bytes.max(1), Self::ALIGN);
        layout.ok().and_then(Self::block).map(Zeroed).ok_or(Error::OutOfMemory { bytes })
    }

    fn block(layout: Layout) -> Option<Block> {
        let regions = stock().regions.clone();
        let (block, used) = match regions.iter().find_map(|region| Region::block(region, layout)) {
            Some(found) => found,
            None => match Block::mapped(layout) {
                Some(block) => (block, 0),
                None => (Block::on_heap(layout)?, layout.size()),
            },
        };
        // SAFETY: as many bytes, which are the block's.
        unsafe { block.start.write_bytes(0, used) };
        Some(block)
    }

    /// The first byte; whoever accesses them sees to it that nobody else does.
    pub fn start(&self) -> NonNull<u8> {
        self.0.start
    }
}

/// Blocks without an array, for the next call. Together with the arrays that there are, they take no more than arrays have
/// taken at once, or [`LITTLE`]: a small MSM keeps all of its arrays, though they do not live at the same time.
#[derive(Debug)]
struct Stock {
    /// The oldest first.
    blocks: Vec<Block>,
    /// The bytes of all arrays.
    used: usize,
    /// The most that they have been.
    most_used: usize,
    /// Regions that arrays may lie in; these do not count here.
    regions: Vec<Arc<Region>>,
}

static STOCK: Mutex<Stock> = Mutex::new(Stock::new());

fn stock() -> MutexGuard<'static, Stock> {
    STOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stock {
    const fn new() -> Self {
        Stock { blocks: Vec::new(), used: 0, most_used: 0, regions: Vec::new() }
    }

    /// Takes a block of this size for an array; where there is none, the array gets a fresh one. Returns those that there is
    /// no room for any more.
    fn take(&mut self, layout: Layout) -> (Option<Block>, Vec<Block>) {
        let will_do =
            |block: &Block| block.layout.size() == layout.size() && block.layout.align() >= layout.align();
        let block = self.blocks.iter().position(will_do).map(|i| self.blocks.remove(i));
        self.used += layout.size();
        self.most_used = self.most_used.max(self.used);
        (block, self.excess())
    }

    /// Keeps the block of an array that is no more; returns those that there is no room for any more.
    fn keep(&mut self, block: Block) -> Vec<Block> {
        self.used -= block.layout.size();
        if block.layout.size() > MOST_KEPT {
            return vec![block];
        }
        self.blocks.push(block);
        self.excess()
    }

    /// The oldest blocks, as far as there are too many.
    fn excess(&mut self) -> Vec<Block> {
        let kept: usize = self.blocks.iter().map(|block| block.layout.size()).sum();
        let room = self.most_used.max(LITTLE) - self.used;
        let mut excess = kept.saturating_sub(MOST_KEPT.min(room));
        let is_too_much = |block: &&Block| {
            let is_too_much = excess > 0;
            excess = excess.saturating_sub(block.layout.size());
            is_too_much
        };
        let old = self.blocks.iter().take_while(is_too_much).count();
        self.blocks.drain(..old).collect()
    }
}

/// Frees the memory that calls leave for the next ones, 16 MiB at most.
pub fn release_memory() {
    let mut stock = stock();
    stock.most_used = stock.used;
    let blocks = std::mem::take(&mut stock.blocks);
    drop(stock);
    // Freed without the lock.
    drop(blocks);
}

/// An uninitialised array of plain data.
#[derive(Debug)]
pub struct Uninit<T> {
    /// None where there are no elements.
    block: Option<Block>,
    start: NonNull<T>,
    len: usize,
}

// SAFETY: it owns plain data.
unsafe impl<T: Send> Send for Uninit<T> {}
unsafe impl<T: Sync> Sync for Uninit<T> {}

impl<T> Uninit<T> {
    /// An array of `len` elements, whatever they are.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(len: usize) -> Result<Self, Error> {
        const { assert!(!std::mem::needs_drop::<T>()) };
        let block = Layout::array::<T>(len.max(1)).ok().and_then(Block::new);
        let block = block.ok_or(Error::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) })?;
        Ok(Uninit { start: block.start.cast(), block: Some(block), len })
    }

    /// An array of no elements.
    pub const fn empty() -> Self {
        Uninit { block: None, start: NonNull::dangling(), len: 0 }
    }

    pub fn as_mut_ptr(&self) -> *mut T {
        self.start.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// For tasks that write parts of it.
    pub fn output(&self) -> Output<T> {
        Output(self.start.as_ptr())
    }

    /// The elements.
    ///
    /// # Safety
    /// All have been written.
    pub unsafe fn as_slice(&self) -> &[T] {
        self.first(self.len)
    }

    /// The first `len` elements.
    ///
    /// # Safety
    /// There are as many, and they have been written.
    pub unsafe fn first(&self, len: usize) -> &[T] {
        std::slice::from_raw_parts(self.start.as_ptr(), len)
    }

    /// The array with its elements.
    ///
    /// # Safety
    /// All have been written.
    pub unsafe fn written(self) -> Array<T> {
        Array(self)
    }
}

impl<T> Drop for Uninit<T> {
    fn drop(&mut self) {
        let block = self.block.take();
        let is_kept =
            |block: &Block| block.layout.size() >= LEAST_KEPT && !matches!(block.place, Place::Region(_));
        if let Some(block) = block.filter(is_kept) {
            // Freed without the lock.
            let old = stock().keep(block);
            drop(old);
        }
    }
}

/// Array that tasks write, each its own part.
pub struct Output<T>(*mut T);

// SAFETY: tasks write disjoint positions.
unsafe impl<T: Send> Sync for Output<T> {}

impl<T> Output<T> {
    /// An array from its start.
    pub fn new(start: *mut T) -> Self {
        Output(start)
    }

    /// # Safety
    /// `position` is within the array, which is alive, and nobody else accesses it.
    #[inline(always)]
    pub unsafe fn write(&self, position: usize, value: T) {
        self.0.add(position).write(value);
    }

    /// The elements in `range`, for whoever has them alone.
    ///
    /// # Safety
    /// They are within the array, which is alive, have been written, and nobody else accesses them.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn part(&self, range: std::ops::Range<usize>) -> &mut [T] {
        std::slice::from_raw_parts_mut(self.0.add(range.start), range.len())
    }
}

/// An array of points whose type its adder alone knows.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub start: *mut u8,
    /// The bytes from one to the next.
    pub stride: usize,
    pub len: usize,
}

// SAFETY: addresses; whoever follows them answers for it.
unsafe impl Send for Slots {}
unsafe impl Sync for Slots {}

impl Slots {
    /// These points, to be read.
    pub fn of<T>(points: &[T]) -> Self {
        Slots { start: points.as_ptr().cast_mut().cast(), stride: size_of::<T>(), len: points.len() }
    }

    /// No points.
    pub fn none() -> Self {
        Self::of::<u8>(&[])
    }

    /// The address of a point, or where it would be.
    pub fn address(self, index: usize) -> *mut u8 {
        self.start.wrapping_add(index * self.stride)
    }

    /// The `len` points from `first` on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn part(self, first: usize, len: usize) -> Self {
        assert!(first <= self.len && len <= self.len - first, "no {len} slots from {first} on");
        Slots { start: self.address(first), len, ..self }
    }
}

/// Memory for the points of [`Slots`], uninitialised.
#[derive(Debug)]
pub struct Room {
    lines: Uninit<Line>,
    stride: usize,
    len: usize,
}

/// Unit of the points' alignment.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

impl Room {
    /// Alignment of its start, in bytes.
    pub const ALIGN: usize = align_of::<Line>();

    /// Room for `len` points of `stride` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(stride: usize, len: usize) -> Result<Self, Error> {
        let lines = Uninit::<Line>::new(stride.saturating_mul(len).div_ceil(size_of::<Line>()))?;
        Ok(Room { lines, stride, len })
    }

    /// No room.
    pub fn empty() -> Self {
        Room { lines: Uninit::empty(), stride: 0, len: 0 }
    }

    /// Sees to it that there is room for `len` points of `stride` bytes, whatever they are then.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn make(&mut self, stride: usize, len: usize) -> Result<Slots, Error> {
        if self.stride != stride || self.len < len {
            *self = Room::empty();
            *self = Room::new(stride, len)?;
        }
        Ok(self.slots().part(0, len))
    }

    pub fn slots(&self) -> Slots {
        Slots { start: self.lines.as_mut_ptr().cast(), stride: self.stride, len: self.len }
    }
}

/// An array of plain data.
#[derive(Debug)]
pub struct Array<T>(Uninit<T>);

impl<T> Array<T> {
    /// `len` elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn from_fn(len: usize, element: impl Fn(usize) -> T) -> Result<Self, Error> {
        let array: Uninit<T> = Uninit::new(len)?;
        // SAFETY: there is room for them, and then all are written.
        unsafe {
            (0..len).for_each(|i| array.as_mut_ptr().add(i).write(element(i)));
            Ok(array.written())
        }
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: all are written.
        unsafe { self.0.as_slice() }
    }
}

impl<T> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: all are written.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr(), self.0.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(bytes: usize) -> Block {
        Block::on_heap(layout(bytes, 64)).expect("little memory")
    }

    fn sizes(blocks: &[Block]) -> Vec<usize> {
        blocks.iter().map(|block| block.layout.size()).collect()
    }

    fn layout(bytes: usize, align: usize) -> Layout {
        Layout::from_size_align(bytes, align).expect("a valid layout")
    }

    /// A stock whose arrays have been as large as all of it.
    fn stock_of(bytes: &[usize]) -> Stock {
        let mut stock = Stock::new();
        for &bytes in bytes {
            assert!(stock.take(layout(bytes, 8)).0.is_none());
        }
        for &bytes in bytes {
            assert!(stock.keep(block(bytes)).is_empty());
        }
        assert_eq!((stock.used, stock.most_used), (0, bytes.iter().sum()));
        stock
    }

    #[test]
    fn a_block_of_the_size_is_taken() {
        let mut stock = stock_of(&[4096, 1000, 1000]);
        let mut take = |bytes, align| stock.take(layout(bytes, align)).0.map(|block| block.layout.size());
        assert_eq!(take(1000, 8), Some(1000));
        assert_eq!(take(4096, 64), Some(4096));
        assert_eq!(take(1000, 64), Some(1000));
        assert_eq!(take(1000, 64), None);
        // Too small, too large, or not aligned.
        for (bytes, align) in [(1001, 8), (999, 8), (1000, 128)] {
            assert!(stock_of(&[1000]).take(layout(bytes, align)).0.is_none(), "{bytes}, {align}");
        }
    }

    #[test]
    fn what_is_kept_is_no_memory_more() {
        const MIB: usize = 1 << 20;
        let mut stock = stock_of(&[MIB, 2 * MIB, 3 * MIB]);
        let mut take = |mib: usize| -> [Vec<usize>; 2] {
            let (block, old) = stock.take(layout(mib * MIB, 8));
            assert!(block.is_none());
            let in_mib = |blocks| sizes(blocks).iter().map(|bytes| bytes / MIB).collect();
            [in_mib(&old), in_mib(&stock.blocks)]
        };
        // 32 MiB in all, until arrays have had more at once.
        assert_eq!(take(20), [vec![], vec![1, 2, 3]]);
        assert_eq!(take(8), [vec![1, 2], vec![3]]);
        assert_eq!(take(5), [vec![3], vec![]]);
        assert_eq!(stock.most_used, 33 * MIB);
    }

    #[test]
    fn the_oldest_blocks_go_first() {
        let quarter = MOST_KEPT / 4;
        let mut stock = stock_of(&[quarter; 4]);
        for bytes in [1, quarter, MOST_KEPT, MOST_KEPT + 1] {
            stock.used += bytes;
            stock.most_used += MOST_KEPT;
            let old = stock.keep(block(bytes));
            let expected = match bytes {
                1 => vec![quarter],
                bytes if bytes == quarter => vec![quarter],
                MOST_KEPT => vec![quarter, quarter, 1, quarter],
                bytes => vec![bytes],
            };
            assert_eq!(sizes(&old), expected);
        }
        assert_eq!(sizes(&stock.blocks), [MOST_KEPT]);
    }

    #[test]
    fn arrays_have_room_and_alignment() {
        for len in [0, 1, LEAST_KEPT - 1, LEAST_KEPT, 3 * LEAST_KEPT + 1, 2 * HUGE_PAGE + 1] {
            let array = Array::from_fn(len, |i| i as u8).expect("little memory");
            assert_eq!(array.len(), len);
            assert!(array.iter().enumerate().all(|(i, &x)| x == i as u8));
        }
        #[repr(align(128))]
        struct Wide(#[allow(dead_code)] [u8; 128]);
        for len in [1, LEAST_KEPT / 128, HUGE_PAGE / 128] {
            assert!(Uninit::<Wide>::new(len).expect("little memory").as_mut_ptr().is_aligned());
        }
    }

    /// The first bytes of blocks in a region, and what is left of it.
    #[test]
    fn a_region_has_the_first_place_with_room() {
        let Some(region) = Region::new(1).map(Arc::new) else { return };
        let block = |bytes| Region::block(&region, layout(bytes, 8)).map(|(block, _)| block);
        let first = |block: &Block| block.start.as_ptr().addr() - region.start.as_ptr().addr();
        let [a, b, c] = [1, 4096, 8193].map(|bytes| block(bytes).expect("room"));
        assert_eq!([&a, &b, &c].map(first), [0, 4096, 8192]);
        assert!(block(HUGE_PAGE).is_none() && Region::block(&region, layout(1, 8192)).is_none());
        // Between two others, before a gap, behind one, and between two.
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

    #[test]
    fn zeroed_bytes_are_zero_wherever_they_lie() {
        let reserved = reserve_memory(4 * LEAST_KEPT);
        for len in [0, 1, 100, LEAST_KEPT, 3 * LEAST_KEPT, 8 * LEAST_KEPT, 2 * HUGE_PAGE + 1] {
            let bytes = [(); 2].map(|()| Zeroed::new(len).expect("little memory"));
            for Zeroed(block) in &bytes {
                // SAFETY: as many bytes, which are its own.
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

    #[test]
    fn more_than_there_is_is_an_error() {
        for len in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 8 - HUGE_PAGE, 1 << 56] {
            let used = stock().used;
            let bytes = len.saturating_mul(8);
            assert_eq!(Uninit::<u64>::new(len).map(drop), Err(Error::OutOfMemory { bytes }));
            assert!(stock().used <= used + (1 << 40), "what is not there is not in use");
        }
    }
}
