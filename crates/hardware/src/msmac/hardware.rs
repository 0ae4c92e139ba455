//! A processing element from the view of its programs.

use crate::digits::Windows;

/// Parameters of a processing element that matter to its programs.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// The windows of a scalar; the bucket RAM has all their buckets.
    pub windows: Windows,
    /// Cycles from an addition's beginning until its sum can be read.
    pub latency: u32,
    /// Places of the RAM for temporaries.
    pub temps: u32,
    /// Segments of a window's buckets, each with a sum and a total in the RAM for temporaries.
    pub segments: u32,
    /// Number of entries from which on the conflict FIFO is almost full.
    pub conflict_threshold: u32,
    /// Number of entries that the conflict FIFO holds.
    pub conflict_depth: u32,
    /// Cycles of the front end for a `jmp`.
    pub jump_cycles: u32,
    /// Cycles between the arrivals of two points.
    pub point_cycles: u32,
    /// Number of cycles after which a program counts as endless.
    pub cycle_limit: u64,
}

impl Hardware {
    /// Returns the number of buckets of the processing element.
    pub(super) fn buckets(&self) -> usize {
        self.windows.count() as usize * self.windows.buckets()
    }
}
