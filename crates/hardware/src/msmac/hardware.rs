//! A processing element as its programs see it.

use crate::digits::Windows;

/// Parameters of a processing element that matter to its programs.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// The windows of a scalar: as many buckets has the bucket RAM.
    pub windows: Windows,
    /// Cycles from an addition's beginning until its sum can be read.
    pub latency: u32,
    /// Places of the RAM for intermediate results.
    pub temps: u32,
    /// Segments of a window's buckets, each with a sum and a total in that RAM.
    pub segments: u32,
    /// Entries of the conflict FIFO from which on it is almost full.
    pub conflict_threshold: u32,
    /// Entries that it has room for.
    pub conflict_depth: u32,
    /// Cycles of the front end for a `jmp`.
    pub jump_cycles: u32,
    /// Cycles between the arrivals of two points.
    pub point_cycles: u32,
    /// A program that takes longer has no end.
    pub cycle_limit: u64,
}

impl Hardware {
    /// The buckets of the processing element.
    pub(super) fn buckets(&self) -> usize {
        self.windows.count() as usize * self.windows.buckets()
    }
}
