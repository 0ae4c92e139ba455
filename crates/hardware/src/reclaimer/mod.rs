//! The reclaimer, a design of our own: points pair in buckets, and batches of pairs share an inversion.
//!
//! An affine addition needs an inverse. A batch of additions needs one inversion and three products more for each
//! addition, so that an addition takes six products on any curve, and buckets have two coordinates. A sum comes back
//! thousands of cycles later. Nothing waits for it: two points that meet in a bucket are a pair, and a sum is a point
//! like any other, as in Gypsophila.
//!
//! Adders share one stream of points. Each adder has its own window and two sets of buckets: one set takes the points of
//! a window while an adder for all of them halves the other set, until a handful of sums is left for the host
//! (`aggregator.rs`).
//!
//! ```
//! use bucketwheel_hardware::reclaimer::{Counts, Parameters};
//!
//! // The counts of a machine make a report.
//! let mut counts = Counts { phases: [1000, 10, 0, 20], additions: 900, products: 5400, ..Default::default() };
//! counts.add(&Counts::default());
//! let report = Parameters::default().report(1000, 1, &counts);
//! assert_eq!((report.cycles, report.counters["additions"]), (1030, 900));
//!
//! // 15 windows of 17 bits are the scalars of BLS12-377.
//! assert_eq!(Parameters::default().windows()?.count(), 15);
//!
//! // Cycles from a pair at an adder to its sum, for the middle of a batch.
//! assert!(Parameters::default().latency()? > 3000);
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

mod adder;
mod aggregator;
mod counts;
mod estimate;
mod machine;
mod parameters;
mod schedule;
mod store;

use bucketwheel::Control;

pub use self::counts::Counts;
use self::machine::Machine;
pub use self::parameters::Parameters;
pub(crate) use self::parameters::SCALAR_BYTES;
use self::store::{Parts, Store, Values};
use crate::digits::Scalar;
use crate::group::combine;
use crate::model::check_inputs;
use crate::{Curve, Error, Group, Model, Outcome, Report};

impl Model for Parameters {
    const NAME: &'static str = "reclaimer";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn most_points(&self) -> u64 {
        self.memory_points()
    }

    fn bucket_bytes<G: Group>(&self) -> usize {
        // A bucket has the number of its value, a flag that says whether it is present, and its value.
        let of_each = size_of::<u32>() + size_of::<bool>() + size_of::<G>();
        self.check(0)
            .map_or(usize::MAX, |(windows, _)| windows.buckets() * 2 * self.adders as usize * of_each)
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error> {
        let mut store = Store::new(points);
        let (tasks, report) = self.run(points.len(), tasks, &mut store, control)?;
        let sum = |windows: &Vec<Parts>| {
            let sums: Vec<G> = windows.iter().map(|parts| store.window(parts)).collect();
            combine(&sums, self.window)
        };
        Ok(Outcome { sums: tasks.iter().map(sum).collect(), report })
    }
}

impl Parameters {
    /// Returns the parts of each task's windows, and the report.
    fn run(
        &self,
        points: usize,
        tasks: &[&[Scalar]],
        values: &mut dyn Values,
        control: &Control<'_>,
    ) -> Result<(Vec<Vec<Parts>>, Report), Error> {
        let (windows, schedule) = self.check(points)?;
        check_inputs(points, tasks, self.curve)?;
        control.expect(points * windows.count() as usize * tasks.len());
        let mut counts = Counts::default();
        let mut parts = Vec::new();
        for scalars in tasks {
            let mut machine = Machine::new(self, windows, &schedule, values, control)?;
            parts.push(machine.run(scalars)?);
            counts.add(&machine.counts);
        }
        Ok((parts, self.report(points, tasks.len(), &counts)))
    }
}
