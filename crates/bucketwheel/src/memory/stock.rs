//! The stock: blocks that wait for the next call. Without it, an MSM of some thousand points spends a tenth of its time
//! on fresh pages.

use std::alloc::Layout;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::block::Block;
use super::region::Region;

/// Size of the smallest block that is kept. Smaller blocks are on the heap.
pub const LEAST_KEPT: usize = 64 << 10;
/// Most bytes that are kept, in all.
const MOST_KEPT: usize = 16 << 20;
/// Up to this total in bytes, points included, every array except the points stays in the stock.
const LITTLE: usize = 32 << 20;

/// Blocks without an array, for the next call. Together with the arrays in use, they take no more memory than arrays
/// have taken at once, or [`LITTLE`]. So a small MSM keeps all of its arrays, though they do not live at the same time.
#[derive(Debug)]
pub struct Stock {
    /// The blocks, the oldest first.
    blocks: Vec<Block>,
    /// Bytes of all arrays in use.
    pub used: usize,
    /// Most bytes that arrays have used at once.
    most_used: usize,
    /// Regions that arrays may lie in. Their bytes do not count here.
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

    /// Takes a block of this size for an array. If there is none, the array gets a fresh block. Returns the blocks for
    /// which there is no more room.
    fn take(&mut self, layout: Layout) -> (Option<Block>, Vec<Block>) {
        let will_do =
            |block: &Block| block.layout.size() == layout.size() && block.layout.align() >= layout.align();
        let block = self.blocks.iter().position(will_do).map(|i| self.blocks.remove(i));
        self.used += layout.size();
        self.most_used = self.most_used.max(self.used);
        (block, self.excess())
    }

    /// Keeps the block of a freed array. Returns the blocks for which there is no more room.
    pub fn keep(&mut self, block: Block) -> Vec<Block> {
        self.used -= block.layout.size();
        if block.layout.size() > MOST_KEPT {
            return vec![block];
        }
        self.blocks.push(block);
        self.excess()
    }

    /// Removes and returns the oldest blocks, as far as there are too many.
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
    // The old blocks are freed without the lock, and before the system is asked for a fresh block.
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
    // The blocks are freed without the lock.
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

    /// Returns a stock after arrays that used all of it at once.
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
        // Blocks that are too small, too large, or not aligned.
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
        // The stock keeps 32 MiB in all, until arrays have used more at once.
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
