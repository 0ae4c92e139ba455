//! The time of an MSM over uniform scalars in closed form, for sweeps of parameters.

use super::Parameters;
use crate::digits::{Spread, Windows};
use crate::report::milliseconds;
use crate::Error;

impl Parameters {
    /// Returns the time of an MSM over uniform scalars in milliseconds, in closed form: an estimate, whose deviations
    /// docs/explore.md states. The [example](crate::explore) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn estimated_ms(&self, points: u64) -> Result<f64, Error> {
        let (windows, schedule) = self.check(points as usize)?;
        let (points, latency) = (points as f64, schedule.mean_latency() as f64);
        let all: Vec<u32> = (0..windows.count()).collect();
        let mut cycles = 0.0;
        // Cycles of the shared adder for the pass before, and the longest aggregation of one lane.
        let (mut shared, mut own) = (0.0f64, 0.0f64);
        for pass in all.chunks(self.adders as usize) {
            let spreads: Vec<Spread> =
                pass.iter().map(|&window| windows.spread(window, self.curve)).collect();
            let emptying =
                spreads.iter().map(|spread| levels(spread, points.min(latency))).fold(0.0, f64::max);
            // The last of several lanes is later than the last of one.
            let emptying = latency * (emptying + 0.25 * (pass.len() as f64).log2());
            cycles += (points + emptying).max(shared);
            let works: Vec<Work> = spreads.iter().map(|spread| Work::new(windows, spread, points)).collect();
            let waits = f64::from(windows.width() - 1) * latency;
            own = works.iter().map(|work| work.lane).fold(0.0, f64::max) + waits;
            shared = works.iter().map(|work| work.additions).sum::<f64>() + waits;
            shared = shared.max(own);
        }
        Ok(milliseconds((cycles + own).round() as u64, self.clock_mhz))
    }
}

/// Returns the latencies from the last point of a pass to its last sum, if each bucket has this share of the points in flight: sums
/// are added in pairs. Fitted to the model.
fn levels(spread: &Spread, in_flight: f64) -> f64 {
    let share =
        spread.iter().filter(|(buckets, _)| *buckets > 0.0).map(|(_, share)| *share).fold(0.0, f64::max);
    1.9 + (1.0 + 1.2 * in_flight * share).log2()
}

/// Cycles of a window's aggregation.
struct Work {
    /// Additions.
    additions: f64,
    /// Cycles of a lane: a cycle for each pair of neighbours, and another for each point in the first of the two.
    lane: f64,
}

impl Work {
    fn new(windows: Windows, spread: &Spread, points: f64) -> Self {
        let mut buckets = windows.buckets() as f64;
        let occupied: f64 = spread.iter().map(|(count, share)| count * (1.0 - (-points * share).exp())).sum();
        let mut full = occupied / buckets;
        let mut work = Work { additions: 0.0, lane: 0.0 };
        while buckets > 1.0 {
            buckets /= 2.0;
            work.additions += buckets * (full + full * full);
            work.lane += buckets * (1.0 + full);
            full = 1.0 - (1.0 - full) * (1.0 - full);
        }
        work
    }
}
