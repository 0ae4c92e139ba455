//! The time of a sum over uniform scalars in closed form, for sweeps of parameters.

use super::{balance, Parameters};
use crate::report::milliseconds;
use crate::Error;

impl Parameters {
    /// Returns the time of one MSM over uniform scalars in milliseconds, in closed form: an estimate, whose deviations
    /// docs/explore.md states. The [example](crate::explore) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn estimated_ms(&self, points: u64) -> Result<f64, Error> {
        let windows = self.windows(points as usize)?;
        // The last sums of a window are sums of sums.
        let draining = 4 * u64::from(self.pipeline_stages);
        let classified = points + draining + windows.buckets() as u64;
        let cycles = match self.count_aggregation {
            true => balance::round(self, windows, 1, classified),
            false => u64::from(windows.count()) * classified,
        };
        Ok(milliseconds(cycles, self.clock_mhz))
    }
}
