//! CycloneMSM: one adder, one command a cycle, further passes for conflicts.
//!
//! The host sends the digits of a window, one command each. The points come from three memory channels, one
//! coordinate each. The adder's pipeline takes one addition a cycle, unless the digit's bucket is in the pipeline.
//! Then the point goes into a FIFO and returns in the next pass, as in the engine's scheduler `delayed`. After the
//! last pass, a loop of dependent additions aggregates the buckets, window by window.
//!
//! ```
//! use bucketwheel_hardware::cyclone::{Counts, Parameters};
//!
//! // The counts of a machine, for example of registers of hardware, make a report.
//! let counts = Counts { first_pass_cycles: 1000, additions: 900, windows: 1, ..Default::default() };
//! let report = Parameters::default().report(1000, 1, &counts);
//! assert_eq!((report.cycles, report.counters["additions"]), (1000, 900));
//! ```

mod aggregation;
mod counts;
mod estimate;
mod greedy;
mod holds;
mod host;
mod machine;
mod parameters;

pub use counts::Counts;
pub(crate) use estimate::Estimate;
pub use host::Commands;
pub use parameters::Parameters;

use bucketwheel::schedule::Ref;
use bucketwheel::Control;

use self::machine::Machine;
use crate::digits::Scalar;
use crate::model::check_inputs;
use crate::{Curve, Error, Group, Model, Outcome};

impl Model for Parameters {
    const NAME: &'static str = "cyclone";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn most_points(&self) -> u64 {
        // The schedulers number points with 29 bits.
        (self.channel_bytes / self.coordinate_bytes.max(1)).min(Ref::MAX_INDEX as u64)
    }

    fn bucket_bytes<G: Group>(&self) -> usize {
        // Each bucket has a value, and the cycle until which it is in use.
        self.check(0).map_or(usize::MAX, |windows| windows.buckets() * (size_of::<G>() + size_of::<u64>()))
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error> {
        let windows = self.check(points.len())?;
        check_inputs(points.len(), tasks, self.curve)?;
        control.expect(points.len() * windows.count() as usize * tasks.len());
        let mut machine = Machine::new(self, windows, points, control)?;
        let sums = tasks.iter().map(|scalars| machine.task(scalars)).collect::<Result<Vec<G>, Error>>()?;
        machine.drain();
        Ok(Outcome { sums, report: self.report(points.len(), tasks.len(), &machine.counts()) })
    }
}
