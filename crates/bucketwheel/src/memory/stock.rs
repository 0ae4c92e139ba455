//! The stock: blocks that wait for the next call, since an MSM of some thousand points spends a tenth of its time on fresh pages
//! otherwise.

use std::alloc::Layout;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::block::Block;
use super::region::Region;

/// The least block that is kept, and not on the heap.
pub const LEAST_KEPT: usize = 64 << 10;
/// The most bytes that are kept, in all.
const MOST_KEPT: usize = 16 << 20;
/// So much memory, points included, is little enough to keep all but the points.
const LITTLE: usize = 32 << 20;

/// Blocks without an array, for the next call. Together with the arrays that there are, they take no more than arrays have
/// taken at once, or [`LITTLE`]: a small MSM keeps all of its arrays, though they do not live at the same time.
#[derive(Debug)]
pub struct Stock {
    /// The oldest first.
    blocks: Vec<Block>,
    /// The bytes of all arrays.
    pub used: usize,
    /// The most that they have been.
    most_used: usize,
    /// Regions that arrays may lie in; these do not count here.
    pub regions: Vec<Arc<Region>>,
}

static STOCK: Mutex<Stock> = Mutex::new(Stock::new());

/// Locks the stock.
pub fn stock() -> MutexGuard<'static, Stock> {
    STOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stock {
    const fn new() -> Self {
        Stock { blocks: Vec::new(), used: 0, most_used: 0, regions: Vec::new() }
    }

    /// Takes a block of this size for an array; without one, the array gets a fresh one. Returns the blocks that
    /// there is no room for any more.
    fn take(&mut self, layout: Layout) -> (Option<Block>, Vec<Block>) {
        let will_do =
            |block: &Block| block.layout.size() == layout.size() && block.layout.align() >= layout.align();
        let block = self.blocks.iter().position(will_do).map(|i| self.blocks.remove(i));
        self.used += layout.size();
        self.most_used = self.most_used.max(self.used);
        (block, self.excess())
    }

    /// Keeps the block of a freed array; returns the blocks that there is no room for any more.
    pub fn keep(&mut self, block: Block) -> Vec<Block> {
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

/// Returns a block of at least this layout's size, with any bytes in it: in a region, from the stock, or a fresh one.
/// `None` if the system has too little memory.
pub fn block(layout: Layout) -> Option<Block> {
    if layout.size() < LEAST_KEPT {
        return Block::on_heap(layout);
    }
    let regions = stock().regions.clone();
    if let Some((block, _)) = regions.iter().find_map(|region| Block::in_region(region, layout)) {
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

/// Frees the memory that calls leave for the next ones, 16 MiB at most.
///
/// ```
/// use ark_bn254::{Fr, G1Affine};
/// use ark_ec::AffineRepr;
///
/// let points = vec![G1Affine::generator(); 1000];
/// let scalars: Vec<Fr> = (1000..2000u64).map(Fr::from).collect();
/// bucketwheel::msm(&points, &scalars)?;
/// bucketwheel::release_memory();
/// # Ok::<(), bucketwheel::Error>(())
/// ```
pub fn release_memory() {
    let mut stock = stock();
    stock.most_used = stock.used;
    let blocks = std::mem::take(&mut stock.blocks);
    drop(stock);
    // Freed without the lock.
    drop(blocks);
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
}
