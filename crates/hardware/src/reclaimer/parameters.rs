//! The reclaimer's parameters, and their ranges.

use serde::{Deserialize, Serialize};

use super::schedule::Schedule;
use crate::digits::Windows;
use crate::memory::{Kind, Layout, Ports};
use crate::model::{in_range, kilohertz, windows};
use crate::{Curve, Error};

/// The reclaimer's parameters, each with the reason for its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve. Affine additions are the same on all three: BLS12-377, to stand beside CycloneMSM.
    pub curve: Curve,
    /// The clock in MHz: 250, as CycloneMSM's and MSMAC's.
    pub clock_mhz: f64,
    /// Bits of a window: 17, because three adders then take five passes over the points for scalars of 253 bits; 16 bits
    /// take six.
    pub window: u32,
    /// Adders for points, a window each: 3. One more adder aggregates.
    pub adders: u32,
    /// Pairs of a batch: 1024, the least power of two in which the inverter keeps up. A longer batch takes fewer products
    /// for its root, and its sums come later.
    pub batch: u32,
    /// Chains of products in a batch of an adder: 64, the least power of two that covers the stages of a product. More chains
    /// make the trees larger.
    pub chains: u32,
    /// Stages of a modular multiplier: 39, CycloneMSM's, as in the RTL.
    pub multiplier_stages: u32,
    /// Stages of a modular sum: 3, as in the RTL.
    pub sum_stages: u32,
    /// Banks of buckets, a power of two up to 64: 4. A point and a sum visit a bank each in a cycle, so half of the
    /// visits are free for points that had to wait.
    pub banks: u32,
    /// Entries of each queue of pairs: 64. Points and sums make one pair a cycle on average, so the queues only even out.
    pub pairing_queue: u32,
    /// Entries of the collision queue: 64.
    pub collision_queue: u32,
    /// The card's memory, from which scalars, x and y come, each from a channel of its own as on `reclaimer_card`. `None`, the
    /// default, is memory that never waits.
    pub memory: Option<Kind>,
    /// Bursts of 16 beats of a port that wait for data, at most: 8, the cards'. They cover a refresh.
    pub outstanding_bursts: u32,
    /// Bytes of a point in memory: 96, two coordinates. Adders share the stream: 24 GB/s at 250 MHz.
    pub point_bytes: u64,
    /// Bytes of the card's memory: 64 GiB, four channels of 16 GiB. They limit the number of points.
    pub memory_bytes: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bls12_377,
            clock_mhz: 250.0,
            window: 17,
            adders: 3,
            batch: 1024,
            chains: 64,
            multiplier_stages: 39,
            sum_stages: 3,
            banks: 4,
            pairing_queue: 64,
            collision_queue: 64,
            memory: None,
            outstanding_bursts: 8,
            point_bytes: 96,
            memory_bytes: 64 << 30,
        }
    }
}

/// Scalars in the card's memory.
pub(super) const SCALARS: Layout = Layout { bits: 8 * SCALAR_BYTES, advances: false };
/// Bytes of a scalar in memory.
pub(crate) const SCALAR_BYTES: u64 = 32;
/// Largest number of buckets of all adders; they are in this machine's memory.
const MAX_BUCKETS: u64 = 1 << 28;
/// Largest number of points, as in the engine.
const MAX_POINTS: u64 = 1 << 29;

impl Parameters {
    pub(crate) fn check(&self, points: usize) -> Result<(Windows, Schedule), Error> {
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("adders", self.adders, 1..=64)?;
        in_range("batch", self.batch, 1..=1 << 16)?;
        in_range("chains", self.chains, 1..=1 << 12)?;
        in_range("multiplier_stages", self.multiplier_stages, 1..=1000)?;
        in_range("sum_stages", self.sum_stages, 1..=1000)?;
        in_range("banks", self.banks, 2..=64)?;
        if !self.banks.is_power_of_two() {
            let expected = "a power of two".to_owned();
            return Err(Error::Parameter { name: "banks", value: self.banks.to_string(), expected });
        }
        in_range("pairing_queue", self.pairing_queue, 5..=1 << 20)?;
        in_range("collision_queue", self.collision_queue, 4..=1 << 20)?;
        in_range("outstanding_bursts", self.outstanding_bursts, 1..=1024)?;
        in_range("point_bytes", self.point_bytes, 1..=4096)?;
        let most = self.memory_points();
        if points as u64 > most {
            return Err(Error::Size { points, most, limit: "the card's memory" });
        }
        let windows = windows(self.window, self.curve)?;
        if 2 * u64::from(self.adders) * windows.buckets() as u64 > MAX_BUCKETS {
            let expected = format!("{} adders to have no more than {MAX_BUCKETS} buckets", self.adders);
            return Err(Error::Parameter { name: "window", value: self.window.to_string(), expected });
        }
        Ok((windows, Schedule::new(self)?))
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

    /// Returns the decomposition of scalars, if the parameters make a machine. The [example](crate::reclaimer) uses it.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn windows(&self) -> Result<Windows, Error> {
        Ok(self.check(0)?.0)
    }

    /// Returns the number of points that the memory holds with their scalars.
    pub(super) fn memory_points(&self) -> u64 {
        (self.memory_bytes / self.point_bytes.saturating_add(SCALAR_BYTES)).min(MAX_POINTS)
    }
}
