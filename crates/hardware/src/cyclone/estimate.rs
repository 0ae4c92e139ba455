//! The time of an MSM over uniform scalars in closed form, for sweeps of parameters.

use super::aggregation::Cost;
use super::Parameters;
use crate::digits::{Spread, Windows};
use crate::model::in_range;
use crate::report::milliseconds;
use crate::{memory, Error};

/// Rates of the memory, which are simulated once for all windows and segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    delivery: f64,
    both_ways: Option<f64>,
}

/// A machine whose time is estimated.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    parameters: Parameters,
    windows: Windows,
    aggregation: u64,
    /// Cycles of pause for each command of a burst.
    pause: f64,
    /// Cycles for which a conflict occupies the memory on its way in one direction.
    spill_cycles: f64,
}

impl Parameters {
    /// Returns the time of an MSM over uniform scalars in milliseconds, in closed form: an estimate, whose deviations
    /// docs/explore.md states. The [example](crate::explore) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters, and [`Error::Parameter`] for the greedy scheduler and for
    /// overlap, which have no closed form.
    pub fn estimated_ms(&self, points: u64) -> Result<f64, Error> {
        Estimate::new(self.clone(), self.rates())?.ms(points)
    }

    /// Returns the rates of the memory.
    pub(crate) fn rates(&self) -> Rates {
        let both_ways = self.memory.map(|kind| memory::both_ways(kind, self.clock_khz()));
        Rates { delivery: self.delivery(), both_ways }
    }
}

impl Estimate {
    /// Returns the estimate.
    ///
    /// # Errors
    /// As [`Parameters::estimated_ms`].
    pub fn new(parameters: Parameters, rates: Rates) -> Result<Self, Error> {
        let Parameters { greedy_queue, overlap_aggregation, .. } = parameters;
        in_range("greedy_queue", greedy_queue, 0..=0)?;
        if overlap_aggregation {
            let expected = "false for a time in closed form".to_owned();
            return Err(Error::Parameter { name: "overlap_aggregation", value: "true".to_owned(), expected });
        }
        let windows = parameters.check(0)?;
        let beats = parameters.spill_bytes() as f64 / 64.0;
        Ok(Estimate {
            windows,
            aggregation: Cost::new(&parameters, windows.buckets()).cycles,
            pause: 1.0 / rates.delivery - 1.0,
            spill_cycles: rates.both_ways.map_or(0.0, |rate| beats / rate),
            parameters,
        })
    }

    /// Returns the time in milliseconds.
    pub fn ms(&self, points: u64) -> Result<f64, Error> {
        self.parameters.check(points as usize)?;
        let windows = 0..self.windows.count();
        let spread = |window| self.windows.spread(window, self.parameters.curve);
        let accumulation: f64 = windows.map(|window| self.accumulation(&spread(window), points as f64)).sum();
        let aggregation = self.aggregation * u64::from(self.windows.count());
        Ok(milliseconds(accumulation.round() as u64 + aggregation, self.parameters.clock_mhz))
    }

    /// Returns the cycles of a window's passes.
    ///
    /// A bucket with the probability q takes a point, is in use for T slots, and then waits 1 / q slots for its next point. So
    /// the share of its points that conflict is T / (T + 1 / q). The conflicts of a pass are the points of the next pass.
    fn accumulation(&self, spread: &Spread, points: f64) -> f64 {
        let Parameters { link_burst, conflict_queue, .. } = self.parameters;
        let slots = self.parameters.slots() as f64;
        let burst = f64::from(link_burst);
        let first_pass = points + self.pause * burst * ((points - 1.0).max(0.0) / burst).floor();
        // Points of each bucket in the next pass.
        let mut waiting = spread.map(|(_, share)| points * share * conflicts(share, slots, 0.0));
        let sum = |waiting: &[f64; 2]| {
            waiting.iter().zip(spread).map(|(each, (buckets, _))| each * buckets).sum::<f64>()
        };
        let first = sum(&waiting);
        let (mut further, mut all) = (slots, 0.0);
        let (mut left, mut passes) = (first, 0.0);
        while left >= 0.5 {
            passes += 1.0;
            further += left + slots;
            all += left;
            waiting = waiting.map(|each| each * conflicts(each / left, slots, passes));
            left = sum(&waiting);
        }
        let mut cycles = first_pass + further;
        if first > 2.0 * f64::from(conflict_queue) {
            // All conflicts go to memory, and come back.
            cycles += (first * self.spill_cycles - first_pass).max(0.0);
            cycles += ((2.0 * all - first) * self.spill_cycles - further).max(0.0);
        }
        cycles
    }
}

/// Returns the share of a bucket's points that find it in use, if the bucket gets this share of the points, after a number of
/// passes. Buckets that have more points than others keep more: the factor is fitted to the scheduler.
fn conflicts(share: f64, slots: f64, passes: f64) -> f64 {
    let odds = slots * share;
    let uneven = 0.55 * odds / (1.0 + odds).powi(2);
    let odds = odds + passes * uneven;
    odds / (1.0 + odds)
}
