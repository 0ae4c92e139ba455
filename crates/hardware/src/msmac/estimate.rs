//! The time of an MSM over uniform scalars in closed form, for sweeps of parameters.

use super::{cards, Parameters};
use crate::report::milliseconds;
use crate::Error;

impl Parameters {
    /// Returns the time of an MSM over uniform scalars in milliseconds, in closed form: an estimate, whose deviations
    /// docs/explore.md states. The [example](crate::explore) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn estimated_ms(&self, points: u64) -> Result<f64, Error> {
        let points = points as usize;
        self.programmed(points)?;
        let ms = |cycles: f64| milliseconds(cycles.round() as u64, self.clock_mhz);
        let (aggregation, point) = (self.aggregation_cycles()?, self.cycles_of_point()?);
        let windows = f64::from(self.check(0)?.count());
        // The runtime's search leaves out conflicts.
        let size = match self.sub_task {
            0 => cards::best_size(
                self,
                points,
                1,
                ms(aggregation),
                windows.max(self.point_cycles.into()) / self.clock_mhz * 1e-3,
            ),
            size => size,
        };
        let lens: Vec<usize> = cards::split(points, size).map(|range| range.len()).collect();
        Ok(cards::timeline(self, &lens, |i| ms(aggregation + lens[i] as f64 * point)).0)
    }

    /// Returns the cycles of a sub-task without points: the program's second step (`program.rs`).
    fn aggregation_cycles(&self) -> Result<f64, Error> {
        let windows = self.check(0)?;
        let [batch, latency] = [windows.count(), self.latency].map(f64::from);
        let segments = f64::from(self.segments);
        let of_each = windows.buckets() as f64 / segments;
        let turn = 2.0 * segments * batch + (latency - (2.0 * segments - 1.0) * batch).max(0.0);
        let join = match self.segments {
            1 => 0.0,
            _ => segments * latency + (3.0 * segments - 2.0) * batch + of_each.log2() * latency.max(batch),
        };
        Ok(latency + (of_each - 1.0) * turn + 2.0 * segments * batch + latency + join + batch + latency)
    }

    /// Returns the mean cycles of a point: an addition for each window, and the additions of conflicts.
    ///
    /// A bucket with the probability q of a point is in use for the next S points, so the share q S / (1 + q S) of its points
    /// conflicts. When conflicts are added, a bucket with the share s of them takes one in 1 / s cycles and its own latency.
    fn cycles_of_point(&self) -> Result<f64, Error> {
        let windows = self.check(0)?;
        let [batch, latency] = [windows.count(), self.latency].map(f64::from);
        let slots = latency / batch;
        let again = |window| {
            let conflicts = windows
                .spread(window, self.curve)
                .map(|(buckets, share)| (buckets, share * share * slots / (1.0 + share * slots)));
            let all: f64 = conflicts.iter().map(|(buckets, each)| buckets * each).sum();
            let rate: f64 =
                conflicts.iter().map(|(buckets, each)| buckets * each / (all + each * latency)).sum();
            if all > 0.0 {
                all / rate
            } else {
                0.0
            }
        };
        let cycles = batch + (0..windows.count()).map(again).sum::<f64>();
        Ok(cycles.max(self.point_cycles.into()))
    }
}
