//! Choice of the scheduler, and of the division of work among threads.

use super::{Delayed, Greedy, Overlap, Scheduler, Serial, ThreeTier, Tree};
use crate::named::named;

/// Scheduler that makes batches of independent additions of points ([`schedule`](crate::schedule)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SchedulerKind {
    /// The best one.
    #[default]
    Auto,
    /// Pairwise, level by level, sorted by bucket.
    Tree,
    /// Pairs first, their sums cached (SimdMSM).
    ThreeTier,
    /// Conflicting points in a second pass, and so on (CycloneMSM).
    Delayed,
    /// Conflicting points as soon as possible.
    Greedy,
    /// One after the other: the reference.
    Serial,
}

impl SchedulerKind {
    /// A scheduler of this kind, for an adder that likes `batch` additions at a time, and for buckets of indices below
    /// `buckets`. `Delayed` has batches of at most an eighth of the buckets, so that few points collide, but no less
    /// than 16.
    pub fn scheduler(self, batch: usize, buckets: usize) -> Box<dyn Scheduler> {
        match self {
            SchedulerKind::Auto | SchedulerKind::Tree => Box::<Tree>::default(),
            SchedulerKind::ThreeTier => Box::new(ThreeTier::new(batch, buckets)),
            SchedulerKind::Delayed => {
                Box::new(Delayed::new(batch.min((buckets / 8).max(16)), buckets, Overlap::Batch))
            }
            SchedulerKind::Greedy => Box::new(Greedy::new(batch, buckets)),
            SchedulerKind::Serial => Box::<Serial>::default(),
        }
    }
}

/// Division of an MSM's work among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ThreadsBy {
    /// The best: equal parts of all windows' points with `Tree`, windows with the other schedulers.
    #[default]
    Auto,
    /// The points of each window: threads share its buckets, each of which has a lock (SimdMSM's loop level). Not with
    /// `Tree`.
    Loop,
}

named!(SchedulerKind, "scheduler", Auto => "auto", Tree => "tree", ThreeTier => "three-tier", Delayed => "delayed",
    Greedy => "greedy", Serial => "serial");
named!(ThreadsBy, "division of work among threads", Auto => "auto", Loop => "loop");
