//! CycloneMSM's parameters, their ranges, and derived values.

use serde::{Deserialize, Serialize};

use crate::digits::Windows;
use crate::memory::{self, Kind};
use crate::model::{check_segments, in_range, kilohertz, windows};
use crate::{Curve, Error, Model};

/// CycloneMSM's parameters. Sections and tables are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve: only BLS12-377, for its twisted Edwards form.
    pub curve: Curve,
    /// The clock in MHz: 250 (5.2).
    pub clock_mhz: f64,
    /// Bits of a window, c: 16 (4.4).
    pub window: u32,
    /// Stages of the adder: 96; 65 at 125 MHz (4.3).
    pub pipeline_stages: u32,
    /// Stages of its multiplier, through which a full addition goes first: 39 (4.3).
    pub multiplier_stages: u32,
    /// Cycles around the adder, from reading a bucket to writing it, in which the bucket is in use too: 18. Fitted to
    /// the FIFO's 235,000 conflicts (4.4).
    pub control_stages: u32,
    /// Share of the cycles in which the host's link delivers a command: 1, "at most 64-bit/cycle" (4.4).
    pub link_efficiency: f64,
    /// The card's memory, DDR4-2133: three channels deliver points, and a fourth channel takes conflicts and gives them back
    /// (5.1). `None` is memory that never waits.
    pub memory: Option<Kind>,
    /// Conflicts at either end of the memory's queue, on chip: 512, the RTL's. Inferred.
    pub conflict_queue: u32,
    /// Commands of a window that arrive back to back before a pause: 4096, 32 KiB. Inferred: pauses are rare
    /// and long, because 235,000 conflicts need a command in every cycle.
    pub link_burst: u32,
    /// Cycles per bucket in the aggregation's loop, beside the latency of a full addition: 79. Fitted to Table 3.
    pub aggregation_gap: u32,
    /// Number of segments of the buckets, a power of two, which are aggregated in parallel: 1 is the paper's loop.
    /// Larger values are ours; from 32 or 64 on the adder never waits.
    pub segments: u32,
    /// Places of the greedy scheduler's queue, 2 to 255 (3.2, 6); 0 is the delayed scheduler, which the paper has
    /// built.
    pub greedy_queue: u32,
    /// True if the buckets of a window are aggregated while the next window's buckets are filled: the paper's future
    /// work (4.4). Needs twice the buckets.
    pub overlap_aggregation: bool,
    /// Bytes of a point's coordinate in its channel: 64, one beat of 512 bits (5.1).
    pub coordinate_bytes: u64,
    /// Bytes of a channel's memory: 16 GiB (5.1).
    pub channel_bytes: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bls12_377,
            clock_mhz: 250.0,
            window: 16,
            pipeline_stages: 96,
            multiplier_stages: 39,
            control_stages: 18,
            link_efficiency: 1.0,
            memory: Some(Kind::Ddr4At2133),
            conflict_queue: 512,
            link_burst: 4096,
            aggregation_gap: 79,
            segments: 1,
            greedy_queue: 0,
            overlap_aggregation: false,
            coordinate_bytes: 64,
            channel_bytes: 16 << 30,
        }
    }
}

/// Bytes of a command (4.4).
pub(super) const COMMAND_BYTES: u64 = 8;
/// Number of coordinates of a point, one channel each: x, y and u.
pub(super) const CHANNELS: u64 = 3;
/// Beats of a channel that wait for the other channels' beats: the RTL's.
const POINT_QUEUE: usize = 32;
/// Table 3 of the paper.
pub(super) const TABLE_3: [(u32, f64); 5] =
    [(22, 817.9), (23, 1133.0), (24, 1761.0), (25, 3016.0), (26, 5656.0)];

impl Parameters {
    pub(crate) fn check(&self, points: usize) -> Result<Windows, Error> {
        if self.curve != Curve::Bls12_377 {
            let expected = "bls12-377, which has a twisted Edwards form";
            return Err(Error::Curve { design: Self::NAME, curve: self.curve, expected });
        }
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("pipeline_stages", self.pipeline_stages, 1..=10_000)?;
        in_range("multiplier_stages", self.multiplier_stages, 0..=10_000)?;
        in_range("control_stages", self.control_stages, 0..=10_000)?;
        in_range("link_efficiency", self.link_efficiency, 0.01..=1.0)?;
        in_range("link_burst", self.link_burst, 1..=1 << 20)?;
        in_range("conflict_queue", self.conflict_queue, 2..=1 << 20)?;
        in_range("aggregation_gap", self.aggregation_gap, 0..=1_000_000)?;
        if self.greedy_queue != 0 {
            in_range("greedy_queue", self.greedy_queue, 2..=255)?;
        }
        in_range("coordinate_bytes", self.coordinate_bytes, self.curve.coordinate_bytes()..=4096)?;
        let most = self.most_points();
        if points as u64 > most {
            return Err(Error::Size { points, most, limit: "a channel's memory" });
        }
        let windows = windows(self.window, self.curve)?;
        check_segments(self.segments, windows)?;
        Ok(windows)
    }

    pub(super) fn clock_khz(&self) -> u32 {
        kilohertz(self.clock_mhz)
    }

    /// Returns the share of the cycles in which a command and its point arrive.
    pub(super) fn delivery(&self) -> f64 {
        let points = |kind| memory::streams(kind, self.clock_khz(), CHANNELS as u32, POINT_QUEUE);
        self.memory.map_or(1.0, points).min(self.link_efficiency)
    }

    /// Returns the bytes of a conflict in memory: bucket, sign and coordinates, packed.
    pub(super) fn spill_bytes(&self) -> u64 {
        (CHANNELS * 377 + u64::from(self.window)).div_ceil(8)
    }

    /// Returns the cycles for which a conflict occupies the memory on its way in one direction.
    pub(super) fn spill_cycles(&self) -> f64 {
        let beats = self.spill_bytes() as f64 / 64.0;
        self.memory.map_or(0.0, |kind| beats / memory::both_ways(kind, self.clock_khz()))
    }

    /// Returns the number of slots for which a bucket is in use.
    pub(super) fn slots(&self) -> usize {
        (self.pipeline_stages + self.control_stages) as usize
    }

    /// Returns the cycles of an addition in the aggregation, until another addition with its sum begins.
    pub(super) fn addition_cycles(&self) -> u64 {
        let latency = self.multiplier_stages + self.pipeline_stages + self.control_stages;
        u64::from(latency + self.aggregation_gap)
    }

    /// Returns the cycles from an addition's beginning to the multiplier that full additions use three times: half of
    /// the pipeline's stages beside two multipliers.
    pub(super) fn before_product(&self) -> u64 {
        u64::from(self.pipeline_stages.saturating_sub(2 * self.multiplier_stages) / 2)
    }

    /// Returns the cycles from a full addition's first product in that multiplier to its last (4.3): through the
    /// multiplier, and then like a mixed addition from its beginning.
    pub(super) fn third_product(&self) -> u64 {
        u64::from(self.multiplier_stages) + 1 + self.before_product()
    }

    /// Returns the cycles from the grant of a full addition until it comes to the adder, if mixed additions share the
    /// adder.
    pub(super) fn grant_lead(&self) -> u64 {
        self.before_product() + 6
    }
}
