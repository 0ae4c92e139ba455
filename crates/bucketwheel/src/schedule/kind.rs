//! Choice of the scheduler, and of the division of work among threads.

use super::{BatchSize, Delayed, Greedy, Overlap, Scheduler, Serial, ThreeTier, Tree};
use crate::named::named;

/// Scheduler that makes batches of independent additions of points ([`schedule`](crate::schedule)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SchedulerKind {
    /// The best scheduler.
    #[default]
    Auto,
    /// Adds points pairwise, level by level, sorted by bucket.
    Tree,
    /// Adds pairs first, and caches their sums (SimdMSM).
    ThreeTier,
    /// Puts conflicting points off to a second pass, and so on (CycloneMSM).
    Delayed,
    /// Adds conflicting points as soon as possible.
    Greedy,
    /// Adds one point after the other: the reference.
    Serial,
}

impl SchedulerKind {
    /// Returns a scheduler of this kind, for an adder that prefers `batch` additions at a time, and for buckets of
    /// indices below `buckets`. `Delayed` has batches of at most an eighth of the buckets, so that few points collide,
    /// but no less than 16. `Tree` replaces a kind that the build [lacks](Self::is_built). The [example](crate::Msm)
    /// uses it.
    pub fn scheduler(self, batch: usize, buckets: usize) -> Box<dyn Scheduler> {
        self.sized(BatchSize::Preferred(batch), buckets)
    }

    /// Returns a scheduler of this kind with batches of this size, for buckets of indices below `buckets`.
    pub(crate) fn sized(self, batch: BatchSize, buckets: usize) -> Box<dyn Scheduler> {
        match self {
            SchedulerKind::Auto | SchedulerKind::Tree => Box::<Tree>::default(),
            #[cfg(feature = "strategies")]
            SchedulerKind::ThreeTier => Box::new(ThreeTier::new(batch.additions(), buckets)),
            #[cfg(feature = "strategies")]
            SchedulerKind::Delayed => Box::new(Delayed::sized(batch, buckets)),
            #[cfg(feature = "strategies")]
            SchedulerKind::Greedy => Box::new(Greedy::new(batch.additions(), buckets)),
            #[cfg(feature = "strategies")]
            SchedulerKind::Serial => Box::<Serial>::default(),
            #[cfg(not(feature = "strategies"))]
            _ => Box::<Tree>::default(),
        }
    }

    /// Returns a scheduler of this kind with batches of `batch` additions, even if they are too long for the buckets. A
    /// kind [with a pipeline](Self::has_pipeline) follows `overlap`; other kinds always have batches. The
    /// [example](crate::schedule) uses it.
    pub fn with_overlap(self, batch: usize, buckets: usize, overlap: Overlap) -> Box<dyn Scheduler> {
        match self {
            SchedulerKind::Delayed => Box::new(Delayed::new(batch, buckets, overlap)),
            kind => kind.sized(BatchSize::Chosen(batch), buckets),
        }
    }

    /// Returns true if the scheduler can issue additions to a pipeline ([`Overlap::Pipeline`]). The
    /// [example](crate::schedule) uses it.
    pub fn has_pipeline(self) -> bool {
        self == SchedulerKind::Delayed
    }

    /// Returns true if this build has the scheduler. See the example of [`Msm`](crate::Msm).
    pub fn is_built(self) -> bool {
        cfg!(feature = "strategies") || self.resolved() == SchedulerKind::Tree
    }

    /// Returns the kind that `Auto` stands for, or the kind itself.
    pub(crate) fn resolved(self) -> Self {
        match self {
            SchedulerKind::Auto => SchedulerKind::Tree,
            kind => kind,
        }
    }
}

/// Division of an MSM's work among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ThreadsBy {
    /// The best division: equal parts of all windows' points with `Tree`, windows with the other schedulers.
    #[default]
    Auto,
    /// By the points of each window: threads share the window's buckets, and each bucket has a lock (SimdMSM's loop level).
    /// `Tree` cannot divide work in this way.
    Loop,
}

named!(SchedulerKind, "scheduler", Auto => "auto", Tree => "tree", ThreeTier => "three-tier", Delayed => "delayed",
    Greedy => "greedy", Serial => "serial");
named!(ThreadsBy, "division of work among threads", Auto => "auto", Loop => "loop");
