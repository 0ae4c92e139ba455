//! Counts of a scheduler over seeded random points: it works on ids alone, without arithmetic.
//!
//! ```
//! use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm, SchedulerKind};
//! use bucketwheel_dynamic::inputs::{collect, points, scalars, Distribution};
//! use bucketwheel_dynamic::{schedule::Schedule, twice, AnyPoints, AnyScalars};
//!
//! let (curve, group) = (CurveId::Bn254, GroupId::G1);
//! let control = Control::new(None, None, None);
//! let points = collect(1000, 64, &points(curve, group, 1)?, &control)?;
//! let scalars = collect(1000, 32, &scalars(curve, Distribution::Small, 2)?, &control)?;
//!
//! // Two sums over the same group, with the same scalars.
//! let points = AnyPoints::integers(&points);
//! let bases = twice(curve, group)?.prepare(BasesOptions::new(), &[points, points])?;
//! let (sums, _) = bases.run(Msm::new(), AnyScalars::integers(&scalars))?;
//! assert!(!sums[0].is_infinity() && sums[0].integers == sums[1].integers);
//!
//! let schedule = Schedule {
//!     scheduler: SchedulerKind::Greedy,
//!     buckets: 512,
//!     distinct: 512,
//!     points: 10_000,
//!     batch: 64,
//!     pipeline: false,
//!     lanes: 8,
//!     seed: 3,
//! };
//! let counts = schedule.count(&control)?;
//! assert!(counts.mean_batch() <= 64.0 && counts.lane_utilisation(8) > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use bucketwheel::schedule::{Addition, Overlap, Place, Ref, Run, Scheduler, Sink, Statistics, Work};
use bucketwheel::{Control, Error, SchedulerKind};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points that the scheduler is given at a time.
const CHUNK: usize = 1 << 15;

/// Random points, and the scheduler that takes them.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The scheduler.
    pub scheduler: SchedulerKind,
    /// Number of buckets.
    pub buckets: usize,
    /// Number of buckets that points fall into, all with equal chances: the first buckets, at least 1.
    pub distinct: usize,
    /// Number of points, below [`Ref::MAX_INDEX`].
    pub points: usize,
    /// Most additions of a batch, even if batches are too long for the buckets.
    pub batch: usize,
    /// True if a bucket is in use for `batch` more additions, as in hardware, and not until the end of its batch. Only for
    /// schedulers with a pipeline ([`SchedulerKind::has_pipeline`]).
    pub pipeline: bool,
    /// Lanes of the adder, at least 1.
    pub lanes: usize,
    /// Any number: it determines the points' buckets.
    pub seed: u64,
}

/// Counts of a scheduler's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of all additions.
    pub additions: u64,
    /// Number of points that came to an empty bucket.
    pub copies: u64,
    /// Number of batches.
    pub batches: u64,
    /// Number of groups of lanes that the batches take. Each batch starts with a new group.
    pub groups: u64,
    /// Number of temporaries in use.
    pub temporaries: usize,
    /// The scheduler's own counts.
    pub statistics: Statistics,
}

impl Counts {
    /// Returns the additions per batch.
    ///
    /// The [example](crate::schedule) uses it.
    pub fn mean_batch(&self) -> f64 {
        self.additions as f64 / self.batches.max(1) as f64
    }

    /// Returns the share of `lanes` lanes that add.
    ///
    /// The [example](crate::schedule) uses it.
    pub fn lane_utilisation(&self, lanes: usize) -> f64 {
        self.additions as f64 / (self.groups * lanes as u64).max(1) as f64
    }
}

impl Schedule {
    /// Makes the schedule and counts. Takes some nanoseconds a point, and 12 bytes for each waiting point. A point is a
    /// step of progress.
    ///
    /// The [example](crate::schedule) uses it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Cancelled`].
    pub fn count(&self, control: &Control<'_>) -> Result<Counts, Error> {
        let overlap = if self.pipeline { Overlap::Pipeline } else { Overlap::Batch };
        let mut scheduler = self.scheduler.with_overlap(self.batch, self.buckets, overlap);
        control.expect(self.points);
        let mut counter = Counter { lanes: self.lanes, control, counts: Counts::default() };
        match scheduler.needs_sorted() {
            true => self.sorted(&mut *scheduler, &mut counter)?,
            false => self.in_order(&mut *scheduler, &mut counter)?,
        }
        control.check()?;
        Ok(Counts { statistics: scheduler.statistics(), ..counter.counts })
    }

    /// Returns the buckets of the points.
    fn of_points(&self) -> impl Iterator<Item = u32> {
        let (mut rng, distinct) = (ChaCha8Rng::seed_from_u64(self.seed), self.distinct as u64);
        (0..self.points).map(move |_| ((u64::from(rng.next_u32()) * distinct) >> 32) as u32)
    }

    /// Schedules the points in their order.
    fn in_order(&self, scheduler: &mut dyn Scheduler, counter: &mut Counter<'_>) -> Result<(), Error> {
        let (mut points, mut runs) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let mut buckets = self.of_points().enumerate().peekable();
        while buckets.peek().is_some() {
            points.clear();
            runs.clear();
            for (index, bucket) in buckets.by_ref().take(CHUNK) {
                points.push(Ref::positive(index));
                runs.push(Run { bucket, len: 1 });
            }
            counter.chunk(scheduler, &points, &runs)?;
        }
        scheduler.finish(counter);
        Ok(())
    }

    /// Schedules the points by bucket: whole buckets, about a chunk of points at a time.
    fn sorted(&self, scheduler: &mut dyn Scheduler, counter: &mut Counter<'_>) -> Result<(), Error> {
        let mut lengths = vec![0; self.distinct];
        self.of_points().for_each(|bucket| lengths[bucket as usize] += 1);
        let (mut points, mut runs) = (Vec::new(), Vec::new());
        let mut index = 0;
        for (bucket, len) in lengths.into_iter().enumerate().filter(|&(_, len)| len > 0) {
            runs.push(Run { bucket: bucket as u32, len });
            let bytes = (len as usize).saturating_mul(size_of::<Ref>());
            points.try_reserve(len as usize).map_err(|_| Error::OutOfMemory { bytes })?;
            points.extend((index..index + len as usize).map(Ref::positive));
            index += len as usize;
            if points.len() >= CHUNK {
                counter.chunk(scheduler, &points, &runs)?;
                points.clear();
                runs.clear();
            }
        }
        counter.chunk(scheduler, &points, &runs)?;
        scheduler.finish(counter);
        Ok(())
    }
}

/// Counts the scheduler's calls.
struct Counter<'a> {
    lanes: usize,
    control: &'a Control<'a>,
    counts: Counts,
}

impl Counter<'_> {
    /// Gives the scheduler more points.
    fn chunk(&mut self, scheduler: &mut dyn Scheduler, points: &[Ref], runs: &[Run]) -> Result<(), Error> {
        self.control.check()?;
        scheduler.schedule(Work { points, runs }, self);
        self.control.advance(points.len());
        Ok(())
    }
}

impl Sink for Counter<'_> {
    fn add(&mut self, batch: &[Addition]) {
        let counts = &mut self.counts;
        counts.additions += batch.len() as u64;
        counts.batches += 1;
        counts.groups += batch.len().div_ceil(self.lanes) as u64;
        for &Addition { destination, .. } in batch {
            if destination.place() == Place::Temporary {
                counts.temporaries = counts.temporaries.max(destination.index() + 1);
            }
        }
    }

    fn copy(&mut self, _: Ref, _: Ref) {
        self.counts.copies += 1;
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }
}
