//! Aggregation turns buckets into one sum for each bit of their indices.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::{BitSums, Buckets, Executor, Worker};
use crate::control::Control;
use crate::engine::adder::{Arena, FormulaOver};
use crate::memory::Slots;
use crate::schedule::{Addition, Ref, Sink};
use crate::Error;

/// Buckets that are aggregated together, level by level.
const BLOCK: usize = 1 << 12;
/// High levels that a task takes, if there are fewer windows than threads.
const LEVELS: u32 = 3;

impl Buckets {
    /// Leaves the sums of each window by bit ([`bit_sums`](Self::bit_sums)) in some of its buckets.
    ///
    /// Two neighbouring blocks of 2^k buckets become one block. Its total is the sum of both totals, each of its sums
    /// by bit is the sum of both blocks' sums by this bit, and its sum by bit k is the right block's total. All sums
    /// are in place: the total is in the block's first bucket, and the sum by bit i lies 2^i behind. There are two
    /// additions for each bucket. All additions of a level are independent.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    fn join_blocks(&mut self, control: &Control<'_>) -> Result<(), Error> {
        let (total, levels) = (self.occupied.len(), self.shape.per_window.trailing_zeros());
        let block = match control.threads {
            1 => BLOCK,
            threads => (total / (4 * threads)).next_power_of_two().clamp(BLOCK / 8, BLOCK / 2),
        };
        let low_levels = levels.min(block.trailing_zeros());
        // Low levels join blocks of the flat array: whole windows or parts of one.
        self.join_levels(0..low_levels, block, control);
        // High levels have few additions: a thread joins all of its windows together, or a part of one.
        let mut first = low_levels;
        while first < levels {
            let end =
                if self.shape.window_count < control.threads { levels.min(first + LEVELS) } else { levels };
            self.join_levels(first..end, (total >> end).div_ceil(control.threads) << end, control);
            first = end;
        }
        // Cancelled work stays cancelled. From here on, all occupied buckets are written.
        control.check()
    }

    /// Joins the blocks of these levels, in tasks of `share` buckets.
    fn join_levels(&self, levels: Range<u32>, share: usize, control: &Control<'_>) {
        let total = self.occupied.len();
        let workers = control.for_each(
            total.div_ceil(share),
            || self.worker(0),
            |worker, index| {
                let range = index * share..total.min((index + 1) * share);
                levels.clone().for_each(|level| self.aggregate_level(worker, range.clone(), level, control));
            },
        );
        self.retire(workers);
    }

    /// Returns the sums of each window by bit. The buckets are of no use afterwards.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn aggregate<W: Copy>(
        &mut self,
        formula: &dyn FormulaOver<W>,
        control: &Control<'_>,
    ) -> Result<BitSums<W>, Error> {
        self.join_blocks(control)?;
        let mut bits = vec![0];
        bits.extend((0..self.shape.per_window.trailing_zeros()).map(|bit| 1 << bit));
        let windows = (0..self.shape.window_count).map(|window| window * self.shape.per_window);
        // All windows together fill the lanes, even if a window has one bucket.
        let sums = self.decode(formula, windows.flat_map(|first| bits.iter().map(move |bit| first + bit)));
        Ok(sums.chunks(bits.len()).map(<[_]>::to_vec).collect())
    }

    /// Joins the blocks of 2^level buckets in `range` in pairs.
    fn aggregate_level(&self, worker: &mut Worker, range: Range<usize>, level: u32, control: &Control<'_>) {
        // SAFETY: the buckets of the range belong to this task alone.
        let arena = unsafe { Arena::new(Slots::none(), self.points.slots(), Slots::none()) };
        worker.batch.clear();
        let mut executor = Executor::new(&mut worker.adder, arena, control);
        let half = 1usize << level;
        for left in range.step_by(2 * half) {
            let offsets = std::iter::once(0).chain((0..level).map(|bit| 1 << bit));
            for left in offsets.map(|offset| left + offset) {
                let right = left + half;
                if !self.occupied[right].load(Ordering::Relaxed) {
                    continue;
                }
                let (destination, right) = (Ref::bucket(left), Ref::bucket(right));
                // No swap: the buckets of the range belong to this task alone, and a locked instruction takes as long
                // as an addition.
                if self.occupied[left].load(Ordering::Relaxed) {
                    worker.batch.push(Addition { destination, left: destination, right });
                } else {
                    self.occupied[left].store(true, Ordering::Relaxed);
                    executor.copy(destination, right);
                }
            }
        }
        executor.add(&worker.batch);
        executor.end();
    }

    /// Returns the coordinates of buckets that hold a point.
    fn decode<W: Copy>(
        &self,
        formula: &dyn FormulaOver<W>,
        buckets: impl Iterator<Item = usize> + Clone,
    ) -> Vec<Option<[W; 2]>> {
        let is_occupied = |bucket: &usize| self.occupied[*bucket].load(Ordering::Relaxed);
        let address = |bucket: usize| self.points.slots().address(bucket).cast_const();
        let occupied: Vec<*const u8> = buckets.clone().filter(is_occupied).map(address).collect();
        // SAFETY: occupied buckets have been written.
        let mut sums = unsafe { formula.decode(&occupied) }.into_iter();
        buckets.map(|bucket| is_occupied(&bucket).then(|| sums.next().expect("a sum each"))).collect()
    }
}
