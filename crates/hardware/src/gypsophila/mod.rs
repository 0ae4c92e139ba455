//! Gypsophila: processing elements share a stream of points, and each has its own scalars.
//!
//! The channel sends a point when every element's buffer has room for it; nothing else keeps the elements together.
//! Each element reads its buckets out into a buffer. Shared adders, which are small and not pipelined, aggregate them
//! while the next window is classified. The model equals the RTL cycle by cycle (`hdl/rtl/pe/gypsophila_top.sv`).
//!
//! ```
//! use bucketwheel_hardware::gypsophila::{Counts, Parameters};
//!
//! // The counts of two rounds of a machine make a report.
//! let round = Counts { phases: [1000, 10, 20, 0], additions: 900, ..Default::default() };
//! let mut counts = round;
//! counts.add(&round);
//! let parameters = Parameters::default();
//! let report = parameters.report(1000, 2, &counts);
//! assert_eq!((report.cycles, report.counters["additions"]), (2060, 1800));
//! assert_eq!(parameters.windows(1000)?.width(), parameters.window);
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

mod aggregation;
mod balance;
mod classifier;
mod counts;
mod estimate;
mod machine;
mod parameters;
mod pe;

use bucketwheel::Control;

pub use self::counts::Counts;
use self::machine::Machine;
pub use self::parameters::Parameters;
use self::parameters::MAX_POINTS;
use crate::digits::{Scalar, Windows};
use crate::model::check_inputs;
use crate::{Curve, Error, Group, Model, Outcome};

impl Model for Parameters {
    const NAME: &'static str = "gypsophila";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn concurrent_tasks(&self) -> usize {
        self.pes as usize
    }

    fn most_points(&self) -> u64 {
        MAX_POINTS
    }

    fn bucket_bytes<G: Group>(&self) -> usize {
        // Each bucket has a value, and a flag that says whether it is present.
        let of_each = |windows: Windows| windows.buckets() * (size_of::<G>() + size_of::<bool>());
        self.windows(0).map_or(usize::MAX, |windows| of_each(windows) * self.pes as usize)
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error> {
        let windows = self.windows(points.len())?;
        check_inputs(points.len(), tasks, self.curve)?;
        let mut machine = Machine::new(self, windows, points, control);
        let mut sums = Vec::new();
        let rounds = tasks.chunks(self.pes as usize);
        control.expect(points.len() * windows.count() as usize * rounds.len());
        for together in rounds {
            sums.extend(machine.round(together)?);
        }
        Ok(Outcome { sums, report: self.report(points.len(), tasks.len(), &machine.counts()) })
    }
}
