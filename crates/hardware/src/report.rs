//! Reports of simulations.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Curve;

/// Counts of a simulation. Serializes to the JSON of `bucketwheel simulate`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The design.
    pub design: &'static str,
    /// The curve, which determines the length of the scalars.
    pub curve: Curve,
    /// Model of the multipliers: `"cycle"` is their latency alone. In simulated RTL, `"behavioural"` is a function of
    /// integers with the same number of stages, and `"rtl"` the multipliers as they are built.
    pub multiplier_model: &'static str,
    /// The number of points.
    pub points: usize,
    /// The number of MSMs over the points.
    pub tasks: usize,
    /// The clock in MHz.
    pub clock_mhz: f64,
    /// Cycles in all, from the host's first command to its result.
    pub cycles: u64,
    /// Duration of these cycles in milliseconds.
    pub ms: f64,
    /// Cycles by phase. The phases that are not `hidden` add up to `cycles`.
    pub phases: Vec<Phase>,
    /// Events by name.
    pub counters: BTreeMap<&'static str, u64>,
    /// Queues and their fill.
    pub fifos: Vec<Fifo>,
    /// Traffic of memory channels and links.
    pub channels: Vec<Channel>,
    /// The paper's figure for the same task, if there is one.
    pub paper: Option<Published>,
    /// Omissions and assumptions of the figures.
    pub notes: Vec<String>,
    /// All parameters.
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

impl Report {
    /// Returns the counts of this MSM and then of `next`, an MSM of the same number of tasks over other points on the
    /// same machine. The notes are about the first MSM; no paper has the whole.
    ///
    /// ```
    /// use bucketwheel::Control;
    /// use bucketwheel_hardware::{cyclone, Model};
    ///
    /// let model = cyclone::Parameters { window: 8, ..Default::default() };
    /// let control = Control::new(None, None, None);
    /// let first = model.simulate(&[(); 2], &[&[[1, 0, 0, 0], [2, 0, 0, 0]]], &control)?.report;
    /// let next = model.simulate(&[(); 1], &[&[[3, 0, 0, 0]]], &control)?.report;
    /// let cycles = first.cycles + next.cycles;
    /// let both = first.then(next);
    /// assert_eq!((both.points, both.cycles), (3, cycles));
    /// # Ok::<(), bucketwheel_hardware::Error>(())
    /// ```
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.points += next.points;
        self.cycles += next.cycles;
        self.ms += next.ms;
        self.paper = None;
        for phase in next.phases {
            match self.phases.iter_mut().find(|first| first.name == phase.name) {
                Some(first) => first.cycles += phase.cycles,
                None => self.phases.push(phase),
            }
        }
        for (name, count) in next.counters {
            *self.counters.entry(name).or_default() += count;
        }
        for (fifo, next) in self.fifos.iter_mut().zip(next.fifos) {
            fifo.high_water = fifo.high_water.max(next.high_water);
        }
        for (channel, next) in self.channels.iter_mut().zip(next.channels) {
            *channel = Channel::new(channel.name, channel.bytes + next.bytes, self.ms);
        }
        self
    }
}

/// A part of the time.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    /// Name of the work.
    pub name: &'static str,
    /// Duration of the phase in cycles.
    pub cycles: u64,
    /// True if the phase takes place at the same time as other phases.
    pub hidden: bool,
}

impl Phase {
    pub(crate) fn new(name: &'static str, cycles: u64) -> Self {
        Phase { name, cycles, hidden: false }
    }

    pub(crate) fn hidden(name: &'static str, cycles: u64) -> Self {
        Phase { name, cycles, hidden: true }
    }
}

/// A queue.
#[derive(Clone, Debug, Serialize)]
pub struct Fifo {
    /// Name of the entries.
    pub name: &'static str,
    /// Largest number of entries at a time.
    pub high_water: u64,
    /// Number of entries that the queue can hold, if it is fixed.
    pub depth: Option<u64>,
}

/// A memory channel or a link.
#[derive(Clone, Debug, Serialize)]
pub struct Channel {
    /// Name of the data.
    pub name: &'static str,
    /// Bytes in all.
    pub bytes: u64,
    /// Bytes over the time of the whole simulation, in 10^9 a second.
    pub gigabytes_per_second: f64,
}

impl Channel {
    pub(crate) fn new(name: &'static str, bytes: u64, ms: f64) -> Self {
        let gigabytes_per_second = if ms > 0.0 { bytes as f64 / ms * 1e-6 } else { 0.0 };
        Channel { name, bytes, gigabytes_per_second }
    }
}

/// A figure of a paper.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    /// The paper and the table.
    pub table: &'static str,
    /// The paper's time.
    pub ms: f64,
    /// The model's time over the paper's, minus 1.
    pub deviation: f64,
}

impl Published {
    pub(crate) fn new(table: &'static str, paper_ms: Option<f64>, ms: f64) -> Option<Self> {
        paper_ms.map(|paper| Published { table, ms: paper, deviation: ms / paper - 1.0 })
    }
}

/// Converts cycles to milliseconds.
pub(crate) fn milliseconds(cycles: u64, clock_mhz: f64) -> f64 {
    cycles as f64 / clock_mhz * 1e-3
}
