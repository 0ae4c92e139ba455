//! MSMAC's parameters, their ranges, and the derived processing element.

use serde::{Deserialize, Serialize};

use super::hardware::Hardware;
use crate::digits::Windows;
use crate::model::{check_segments, in_range, windows};
use crate::{Curve, Error, Model};

/// MSMAC's parameters. Sections and tables are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve: BN254, which the paper calls BN128.
    pub curve: Curve,
    /// The clock in MHz: 250 (5.1).
    pub clock_mhz: f64,
    /// Bits of a window, s: 13, the best from 2^17 points on (3.3).
    pub window: u32,
    /// Cards: 1, 2 or 4 in the paper (5.2).
    pub cards: u32,
    /// Processing elements of a card: 4 (3.3).
    pub pes: u32,
    /// Stages of the adder, including the write-back: 100. Fitted to Table 3; the paper does not say.
    pub latency: u32,
    /// Number of entries from which on the conflict FIFO is almost full: 256. Inferred.
    pub conflict_threshold: u32,
    /// Number of entries that the conflict FIFO holds: 512. Inferred.
    pub conflict_depth: u32,
    /// Segments of a window's buckets, a power of two, which the program aggregates in parallel: 1 is the paper's
    /// value. Larger values are ours, and multiply the places for temporaries; with 4 segments the adder never waits.
    pub segments: u32,
    /// Cycles of the front end for a jump, at least 2: 2, fetch and decode. Inferred.
    pub jump_cycles: u32,
    /// Cycles between points from the card's memory: 4. Inferred; of little influence, because points are at least
    /// one batch apart.
    pub point_cycles: u32,
    /// Number of buckets that a card holds: the buckets of four elements with s = 13 (3.3).
    pub card_buckets: u64,
    /// Points of a sub-task, or 0 to search for the size of least time (5.2).
    pub sub_task: usize,
    /// Bytes of a point and its scalar: 96. Inferred: affine coordinates.
    pub point_bytes: u64,
    /// Bandwidth of a card's link in 10^9 bytes a second: 8. Fitted to Table 3.
    pub card_gigabytes: f64,
    /// Bandwidth of the host to all cards together, in 10^9 bytes a second: 30. Fitted to Table 3.
    pub host_gigabytes: f64,
    /// Time of the host for each sub-task in microseconds: 100. Fitted to Table 3.
    pub sub_task_us: f64,
    /// Time of the host for a task in microseconds, including its last sums: 1000. Fitted to Table 3.
    pub host_us: f64,
    /// Bytes of each of a processing element's two buffers on the card: 2 GiB. Inferred.
    pub buffer_bytes: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bn254,
            clock_mhz: 250.0,
            window: 13,
            cards: 1,
            pes: 4,
            latency: 100,
            conflict_threshold: 256,
            conflict_depth: 512,
            segments: 1,
            jump_cycles: 2,
            point_cycles: 4,
            card_buckets: 4 * 20 * 4096,
            sub_task: 0,
            point_bytes: 96,
            card_gigabytes: 8.0,
            host_gigabytes: 30.0,
            sub_task_us: 100.0,
            host_us: 1000.0,
            buffer_bytes: 2 << 30,
        }
    }
}

/// Table 3 of the paper: milliseconds on one card and on four.
pub(super) const TABLE_3: [(u32, [f64; 2]); 9] = [
    (18, [10.65, 6.30]),
    (19, [19.45, 9.79]),
    (20, [34.15, 14.39]),
    (21, [58.87, 22.56]),
    (22, [114.48, 31.43]),
    (23, [200.65, 54.49]),
    (24, [373.77, 101.02]),
    (25, [736.68, 192.34]),
    (26, [1420.0, 369.30]),
];

/// Largest number of sub-tasks of a processing element if each fills a buffer; the search for the size starts there.
pub(super) const MAX_ROUNDS: u64 = 1 << 10;

impl Parameters {
    pub(crate) fn check(&self, points: usize) -> Result<Windows, Error> {
        if self.curve != Curve::Bn254 {
            return Err(Error::Curve { design: Self::NAME, curve: self.curve, expected: "bn254" });
        }
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("cards", self.cards, 1..=256)?;
        in_range("pes", self.pes, 1..=256)?;
        in_range("latency", self.latency, 1..=10_000)?;
        in_range("jump_cycles", self.jump_cycles, 2..=100)?;
        in_range("point_cycles", self.point_cycles, 1..=10_000)?;
        in_range("conflict_threshold", self.conflict_threshold, 1..=4095)?;
        in_range("point_bytes", self.point_bytes, 1..=4096)?;
        in_range("buffer_bytes", self.buffer_bytes, self.point_bytes..=1 << 50)?;
        in_range("card_gigabytes", self.card_gigabytes, 1e-3..=1e6)?;
        in_range("host_gigabytes", self.host_gigabytes, 1e-3..=1e6)?;
        in_range("sub_task_us", self.sub_task_us, 0.0..=1e9)?;
        in_range("host_us", self.host_us, 0.0..=1e9)?;
        let windows = windows(self.window, self.curve)?;
        // Two batches may begin before a jump sees that the FIFO is almost full.
        let least = self.conflict_threshold + 2 * windows.count();
        in_range("conflict_depth", self.conflict_depth, least..=1 << 20)?;
        check_segments(self.segments, windows)?;
        let buckets = u64::from(self.pes) * u64::from(windows.count()) * windows.buckets() as u64;
        if buckets > self.card_buckets {
            let expected = format!(
                "{} processing elements to have no more than {} buckets",
                self.pes, self.card_buckets
            );
            return Err(Error::Parameter { name: "window", value: self.window.to_string(), expected });
        }
        let most = self.buffered_points();
        if self.sub_task as u64 > most {
            return Err(Error::Size {
                points: self.sub_task,
                most,
                limit: "a buffer of a processing element",
            });
        }
        let most = self.most_points();
        if points as u64 > most {
            let limit = "the sub-tasks of all processing elements, 1024 of each";
            return Err(Error::Size { points, most, limit });
        }
        Ok(windows)
    }

    /// Returns the processing element for these parameters, for sub-tasks of at most `points` points.
    ///
    /// The [example](crate#parameters-and-programs) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`].
    pub fn hardware(&self, points: usize) -> Result<Hardware, Error> {
        let windows = self.check(points)?;
        Ok(Hardware {
            windows,
            latency: self.latency,
            temps: 2 * self.segments * windows.count(),
            segments: self.segments,
            conflict_threshold: self.conflict_threshold,
            conflict_depth: self.conflict_depth,
            jump_cycles: self.jump_cycles,
            point_cycles: self.point_cycles,
            // The time if every addition waited for the previous one, doubled.
            cycle_limit: 2
                * (u64::from(self.latency) + 16)
                * u64::from(windows.count())
                * (points as u64 + 2 * windows.buckets() as u64 + 1000)
                + points as u64 * u64::from(self.point_cycles),
        })
    }

    /// Returns the number of points that a buffer of a processing element holds.
    pub(super) fn buffered_points(&self) -> u64 {
        self.buffer_bytes / self.point_bytes.max(1)
    }
}
