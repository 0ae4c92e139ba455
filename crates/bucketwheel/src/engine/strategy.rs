//! Strategy of the additions: a scheduler and an adder.

use crate::engine::adder::AdderKind;
use crate::schedule::{BatchSize, Scheduler, SchedulerKind, ThreadsBy};
use crate::Error;

/// A scheduler, an adder, and the units of work that threads share out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
    pub threads_by: ThreadsBy,
    /// Additions in a batch; `None` for the adder's own choice.
    pub batch: Option<usize>,
}

impl Strategy {
    /// Returns true if the scheduler takes points sorted by bucket.
    pub fn needs_sorted(self) -> bool {
        self.scheduler(1, 0).needs_sorted()
    }

    /// Returns true if the scheduler lets an adder sum runs side by side.
    pub fn allows_columns(self) -> bool {
        self.scheduler(1, 0).allows_columns()
    }

    /// Returns a scheduler for an adder that prefers `batch` additions at a time, and for buckets of indices below `buckets`.
    pub fn scheduler(self, batch: usize, buckets: usize) -> Box<dyn Scheduler> {
        let batch = self.batch.map_or(BatchSize::Preferred(batch), BatchSize::Chosen);
        self.scheduler.sized(batch, buckets)
    }

    /// Returns an error if this build lacks the scheduler, or if threads cannot share points this way. `sorted` tells
    /// whether points are sorted.
    pub fn check(self, sorted: bool) -> Result<(), Error> {
        if !self.scheduler.is_built() {
            return Err(Error::Scheduler(self.scheduler.name()));
        }
        match self.threads_by {
            ThreadsBy::Loop if sorted => Err(Error::ThreadsByLoop),
            _ => Ok(()),
        }
    }

    /// Returns the strategy with each `Auto` replaced by the scheduler or adder that it stands for.
    pub fn resolve(self) -> Self {
        Strategy { scheduler: self.scheduler.resolved(), adder: self.adder.resolved(), ..self }
    }
}
