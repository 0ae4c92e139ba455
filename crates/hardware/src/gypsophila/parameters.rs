//! Gypsophila's parameters and their ranges.

use serde::{Deserialize, Serialize};

use crate::digits::Windows;
use crate::memory::{Kind, Layout, Ports, BEAT};
use crate::model::{in_range, kilohertz, windows};
use crate::{Curve, Error, Model};

/// Gypsophila's parameters. Sections and tables are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve: BLS12-377, or BN254 for the variant of 256 bits (4.1).
    pub curve: Curve,
    /// The clock in MHz: 200 (Table 1).
    pub clock_mhz: f64,
    /// Bits of a window, c: 16, or 12 with 16 processing elements (4.1).
    pub window: u32,
    /// Processing elements, each with a task of its own: 1 (Table 2).
    pub pes: u32,
    /// Stages of a processing element's adder: 123, the RTL's. Inferred; of little influence.
    pub pipeline_stages: u32,
    /// Banks of buckets, a power of two up to 64: 4. Inferred; banks with one port suffice.
    pub banks: u32,
    /// Entries of the pairing queues of points and of collisions: 64 each. Inferred; the paper calls it spacious.
    pub pairing_queue: u32,
    /// Entries of the collision queue: 64. Inferred.
    pub collision_queue: u32,
    /// Points in the buffer of each processing element (3.1): 16. Inferred.
    pub point_buffer: u32,
    /// The card's memory, from which indexes and coordinates come, each from a channel of its own as on `gypsophila_card`. `None`, the
    /// default, is memory that never waits: the paper reports no waits.
    pub memory: Option<Kind>,
    /// Bursts of 16 beats of a port that wait for data, at most: 8, the cards'. They cover a refresh.
    pub outstanding_bursts: u32,
    /// Bytes of a point: 142, three coordinates of 377 bits. Inferred from the throughput of Table 2.
    pub point_bytes: u64,
    /// Shared area-efficient adders: 1 (3.1).
    pub shared_adders: u32,
    /// Cycles of an addition of a shared adder: 161, the RTL's. Inferred; the paper says "comparable latency" (3.3).
    pub shared_adder_cycles: u32,
    /// True if processing elements wait for the shared adders, and the last aggregation counts. False by default:
    /// Tables 2 and 3 count only the classification, and are right only as long as the adders keep up.
    pub count_aggregation: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bls12_377,
            clock_mhz: 200.0,
            window: 16,
            pes: 1,
            pipeline_stages: 123,
            banks: 4,
            pairing_queue: 64,
            collision_queue: 64,
            point_buffer: 16,
            memory: None,
            outstanding_bursts: 8,
            point_bytes: 142,
            shared_adders: 1,
            shared_adder_cycles: 161,
            count_aggregation: false,
        }
    }
}

/// Table 2 of the paper, one processing element.
pub(super) const TABLE_2: [(u32, f64); 8] =
    [(18, 23.8), (19, 44.8), (20, 86.8), (21, 170.7), (22, 338.6), (23, 674.3), (24, 1346.0), (25, 2689.0)];

/// Largest number of buckets of all processing elements; they are in this machine's memory.
pub(super) const MAX_BUCKETS: u64 = 1 << 28;
/// Largest number of points, as in the engine.
pub(super) const MAX_POINTS: u64 = 1 << 29;

impl Parameters {
    /// Returns the decomposition of scalars, if the hardware is possible and has room for this number of points.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::Curve`], [`Error::Size`].
    pub fn windows(&self, points: usize) -> Result<Windows, Error> {
        if !matches!(self.curve, Curve::Bls12_377 | Curve::Bn254) {
            let expected = "bls12-377 or bn254";
            return Err(Error::Curve { design: Self::NAME, curve: self.curve, expected });
        }
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("pes", self.pes, 1..=1024)?;
        in_range("pipeline_stages", self.pipeline_stages, 1..=10_000)?;
        in_range("banks", self.banks, 1..=64)?;
        if !self.banks.is_power_of_two() {
            let expected = "a power of two".to_owned();
            return Err(Error::Parameter { name: "banks", value: self.banks.to_string(), expected });
        }
        in_range("pairing_queue", self.pairing_queue, 5..=1 << 20)?;
        in_range("collision_queue", self.collision_queue, 4..=1 << 20)?;
        in_range("point_buffer", self.point_buffer, 1..=1 << 20)?;
        in_range("outstanding_bursts", self.outstanding_bursts, 1..=1024)?;
        in_range("point_bytes", self.point_bytes, 1..=4096)?;
        in_range("shared_adders", self.shared_adders, 1..=1024)?;
        in_range("shared_adder_cycles", self.shared_adder_cycles, 1..=1_000_000)?;
        if points as u64 > MAX_POINTS {
            return Err(Error::Size { points, most: MAX_POINTS, limit: "the numbers that points have" });
        }
        let windows = windows(self.window, self.curve)?;
        if self.memory.is_some() && self.indexes().bits > BEAT {
            let expected = format!("the indexes of a point to fit into the {BEAT} bits of a beat");
            return Err(Error::Parameter { name: "pes", value: self.pes.to_string(), expected });
        }
        if u64::from(self.pes) * windows.buckets() as u64 > MAX_BUCKETS {
            let expected =
                format!("{} processing elements to have no more than {MAX_BUCKETS} buckets", self.pes);
            return Err(Error::Parameter { name: "window", value: self.window.to_string(), expected });
        }
        Ok(windows)
    }

    /// Returns the ports of the card's memory, if the memory may wait.
    pub(super) fn ports(&self) -> Option<Ports> {
        let (core_khz, outstanding) = (kilohertz(self.clock_mhz), self.outstanding_bursts);
        self.memory.map(|kind| Ports { kind, core_khz, outstanding })
    }

    /// Returns a coordinate of all points in the card's memory.
    pub(super) fn coordinates(&self) -> Layout {
        Layout { bits: 8 * self.curve.coordinate_bytes(), advances: false }
    }

    /// Returns the rows of indexes in the card's memory: an index for each element.
    pub(super) fn indexes(&self) -> Layout {
        Layout { bits: u64::from(self.pes) * u64::from(self.window.next_multiple_of(8)), advances: true }
    }
}
