//! The plan of a stream: windows and blocks that fit its memory.

use crate::digits::table::Table;
use crate::engine::buckets::CHUNK;
use crate::plan::costs::Costs;
use crate::plan::lengths::{Lengths, PER_BUCKET};
use crate::plan::SETS;
use crate::windows::{Windows, WIDTHS};
use crate::Error;

/// Fewest points of a block. A smaller block would go into empty buckets.
const MIN_BLOCK: usize = 1 << 12;
/// Most points of a block. Sorting a larger block costs no less.
const MAX_BLOCK: usize = 1 << 21;

/// Windows, block and memory of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamPlan {
    /// Bits of the widest window.
    pub window: u32,
    /// Number of windows of a scalar.
    pub windows: usize,
    /// Number of points that are sorted and added at a time.
    pub block: usize,
    /// Most memory in bytes beyond the caller's memory, for any number of points: the
    /// [`Plan::memory_bytes`](crate::Plan::memory_bytes) of a block's points, and these points in the lanes' layout.
    pub memory_bytes: usize,
}

/// Parameters that the choice depends on.
pub(crate) struct Demand {
    /// Expected number of points.
    pub points: usize,
    /// Bits of the longest scalar.
    pub bits: u32,
    /// Window that the caller asked for.
    pub window: Option<u32>,
    /// Bytes of a point in the layout.
    pub point_bytes: usize,
    /// Bytes of a bucket.
    pub bucket_bytes: usize,
    pub threads: usize,
    pub costs: Costs,
}

impl Demand {
    /// Returns the plan of least cost within `memory` bytes.
    ///
    /// # Errors
    /// [`Error::Memory`] if no plan fits.
    pub fn plan(&self, memory: usize) -> Result<(Windows, StreamPlan), Error> {
        let widths = self.window.map_or(WIDTHS, |window| window..=window);
        let table = Table::none(self.points);
        let windows: Vec<Windows> = widths.map(|width| Windows::new(self.bits, width, table.step)).collect();
        let lengths = Lengths::equal(self.points, self.bits);
        // The sort of every block goes through all buckets.
        let cost = |&(windows, block): &(Windows, usize)| {
            let buckets = windows.count() * windows.buckets();
            lengths.cost(windows, &table).total(&self.costs)
                + PER_BUCKET * buckets as f64 * self.points.div_ceil(block) as f64
        };
        let block = |&windows: &Windows| {
            let left = memory.checked_sub(self.fixed_bytes(windows))?;
            let block = (left / self.bytes_per_point(windows)).min(self.points.clamp(MIN_BLOCK, MAX_BLOCK));
            (block >= MIN_BLOCK).then_some((windows, block))
        };
        let best = windows.iter().filter_map(block).min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some((windows, block)) = best else {
            let least = windows.iter().map(|&windows| self.memory_bytes(windows, MIN_BLOCK)).min();
            return Err(Error::Memory { bytes: memory, least: least.unwrap_or(usize::MAX) });
        };
        let plan = StreamPlan {
            window: windows.max_width(),
            windows: windows.count(),
            block,
            memory_bytes: self.memory_bytes(windows, block),
        };
        Ok((windows, plan))
    }

    fn memory_bytes(&self, windows: Windows, block: usize) -> usize {
        self.fixed_bytes(windows) + block * self.bytes_per_point(windows)
    }

    /// Returns the bytes that do not depend on the block: buckets, and the memory of each thread.
    fn fixed_bytes(&self, windows: Windows) -> usize {
        windows.count() * windows.buckets() * (self.bucket_bytes + 8)
            + self.threads * CHUNK * (self.bucket_bytes + 72)
    }

    /// Returns the bytes of a point, its scalar, and the ids of the windows that are sorted at a time.
    fn bytes_per_point(&self, windows: Windows) -> usize {
        self.point_bytes + Lengths::equal(0, self.bits).bytes() + 4 * SETS.min(windows.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Costs {
        Costs::of::<ark_bls12_381::g1::Config>(crate::Backend::Portable)
    }

    fn demand(points: usize) -> Demand {
        let costs = costs();
        Demand { points, bits: 254, window: None, point_bytes: 128, bucket_bytes: 128, threads: 2, costs }
    }

    #[test]
    fn plans_fit_the_memory_and_use_it() {
        for points in [1, 1 << 16, 1 << 20, 1 << 24, 1 << 28] {
            let mut last = f64::INFINITY;
            for memory in (25..33).map(|log_size| 1 << log_size) {
                let (windows, plan) = demand(points).plan(memory).unwrap();
                assert!(plan.memory_bytes <= memory && plan.block >= MIN_BLOCK, "{plan:?}");
                assert_eq!((plan.window, plan.windows), (windows.max_width(), windows.count()));
                let cost = Lengths::equal(points, 254).cost(windows, &Table::none(points)).total(&costs());
                assert!(cost <= 1.1 * last, "more memory costs more: {plan:?}");
                last = cost;
            }
        }
        let window = |points, memory| demand(points).plan(memory).unwrap().1.window;
        assert!(window(1 << 24, 1 << 26) < window(1 << 24, 1 << 32));
        assert!(window(1 << 12, 1 << 32) < window(1 << 24, 1 << 32));
    }

    #[test]
    fn the_least_memory_suffices() {
        for window in [None, Some(3), Some(20)] {
            let demand = Demand { window, ..demand(1 << 20) };
            let Err(Error::Memory { bytes: 1000, least }) = demand.plan(1000) else {
                panic!("too little memory");
            };
            assert_eq!(demand.plan(least).unwrap().1.memory_bytes, least);
            assert_eq!(demand.plan(least - 1), Err(Error::Memory { bytes: least - 1, least }));
        }
    }
}
