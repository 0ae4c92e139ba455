//! Schedulers: a stream of (bucket, point) becomes batches of independent additions.
//!
//! A scheduler works on ids alone ([`Ref`]) and knows neither field nor curve: the same schedulers drive the software
//! adders and cycle models of hardware. Each scheduler is one file. All schedulers pass one suite that checks
//! schedules, not arithmetic.
//!
//! ```
//! use bucketwheel::schedule::*;
//!
//! /// Adds integers in place of points.
//! struct Integers {
//!     inputs: Vec<i64>,
//!     buckets: Vec<i64>,
//!     temporaries: Vec<i64>,
//! }
//!
//! impl Integers {
//!     fn get(&self, point: Ref) -> i64 {
//!         match point.place() {
//!             Place::Input if point.is_negative() => -self.inputs[point.index()],
//!             Place::Input => self.inputs[point.index()],
//!             Place::Bucket => self.buckets[point.index()],
//!             Place::Temporary => self.temporaries[point.index()],
//!         }
//!     }
//! }
//!
//! impl Sink for Integers {
//!     fn add(&mut self, batch: &[Addition]) {
//!         let sums: Vec<i64> = batch.iter().map(|add| self.get(add.left) + self.get(add.right)).collect();
//!         for (add, sum) in batch.iter().zip(sums) {
//!             let place = if add.destination.place() == Place::Bucket { &mut self.buckets } else { &mut self.temporaries };
//!             place[add.destination.index()] = sum;
//!         }
//!     }
//!
//!     fn copy(&mut self, destination: Ref, source: Ref) {
//!         let value = self.get(source);
//!         let place = if destination.place() == Place::Bucket { &mut self.buckets } else { &mut self.temporaries };
//!         place[destination.index()] = value;
//!     }
//! }
//!
//! // Bucket 0 gets 100 - 20 + 3, bucket 1 gets 7.
//! let points = [Ref::positive(0), Ref::negative(1), Ref::positive(2), Ref::positive(3)];
//! let runs = [Run { bucket: 0, len: 3 }, Run { bucket: 1, len: 1 }];
//! let mut schedulers: Vec<Box<dyn Scheduler>> = vec![
//!     Box::new(Delayed::new(16, 2, Overlap::Pipeline)),
//!     Box::new(Greedy::new(16, 2)),
//!     Box::new(ThreeTier::new(8, 2)),
//! ];
//! schedulers.extend(SchedulerKind::ALL.iter().map(|kind| kind.scheduler(16, 2)));
//! let pipelines = SchedulerKind::ALL.iter().filter(|kind| kind.has_pipeline());
//! schedulers.extend(pipelines.map(|kind| kind.with_overlap(16, 2, Overlap::Pipeline)));
//! for mut scheduler in schedulers {
//!     let temporaries = vec![0; scheduler.temporaries(points.len())];
//!     let mut sink = Integers { inputs: vec![100, 20, 3, 7], buckets: vec![0; 2], temporaries };
//!     scheduler.schedule(Work { points: &points, runs: &runs }, &mut sink);
//!     scheduler.finish(&mut sink);
//!     assert_eq!(sink.buckets, [83, 7]);
//!     println!("{:?}, sorted: {}", scheduler.statistics(), scheduler.needs_sorted());
//! }
//! assert_eq!((Ref::bucket(1).index(), Ref::temporary(2).place()), (1, Place::Temporary));
//! ```

mod delayed;
mod greedy;
mod kind;
mod serial;
mod three_tier;
mod tree;

pub use delayed::{Delayed, Overlap};
pub use greedy::Greedy;
pub use kind::{SchedulerKind, ThreadsBy};
pub use serial::Serial;
pub use three_tier::ThreeTier;
pub use tree::Tree;
pub(crate) use tree::{by_length, Stretch, LONG};

/// The id of a point: a signed input, a bucket, or a temporary.
///
/// Two bits of kind, 29 bits of index, one sign bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Ref(u32);

/// Place of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// One of the points to be summed up. It is never a destination.
    Input,
    /// A bucket.
    Bucket,
    /// Storage of the scheduler.
    Temporary,
}

impl Ref {
    /// Bound of indices: all are below it.
    pub const MAX_INDEX: usize = 1 << 29;
    const KINDS: [Place; 3] = [Place::Input, Place::Bucket, Place::Temporary];
    /// Value for no point, in the schedulers' tables.
    const NONE: Ref = Ref(u32::MAX);

    #[inline(always)]
    fn new(place: Place, index: usize) -> Ref {
        debug_assert!(index < Self::MAX_INDEX);
        Ref((place as u32) << 30 | (index as u32) << 1)
    }

    /// Returns input `index`, negated if `negative`. See the [example](crate::schedule).
    #[inline(always)]
    pub fn input(index: usize, negative: bool) -> Ref {
        Ref(Ref::new(Place::Input, index).0 | negative as u32)
    }

    /// Returns input `index`, with a plus sign. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn positive(index: usize) -> Ref {
        Ref::new(Place::Input, index)
    }

    /// Returns input `index`, with a minus sign. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn negative(index: usize) -> Ref {
        Ref(Ref::new(Place::Input, index).0 | 1)
    }

    /// Returns bucket `index`. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn bucket(index: usize) -> Ref {
        Ref::new(Place::Bucket, index)
    }

    /// Returns temporary `index`. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn temporary(index: usize) -> Ref {
        Ref::new(Place::Temporary, index)
    }

    /// Returns the place of the point. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn place(self) -> Place {
        Self::KINDS[self.kind()]
    }

    /// Returns the place as a number: its position in `[Input, Bucket, Temporary]`.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 >> 30) as usize
    }

    /// Returns the id as a number, in the order of place, index and sign.
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Returns the ids as numbers, as [`bits`](Self::bits) does. An odd number is a point with a minus sign.
    #[inline(always)]
    pub(crate) fn numbers(ids: &[Ref]) -> &[u32] {
        // SAFETY: an id is its number (`repr(transparent)`), and the slice stays borrowed.
        unsafe { std::slice::from_raw_parts(ids.as_ptr().cast(), ids.len()) }
    }

    /// Returns the id of a number that [`bits`](Self::bits) returned.
    #[inline(always)]
    pub(crate) fn of_bits(bits: u32) -> Ref {
        Ref(bits)
    }

    /// Returns the index within its place. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.twice_index() as usize / 2
    }

    /// Returns twice the index, which takes one instruction less.
    #[inline(always)]
    pub(crate) fn twice_index(self) -> u32 {
        self.0 & (2 * (Self::MAX_INDEX as u32 - 1))
    }

    /// Returns true if the point counts with a minus sign, as only inputs may. The [example](crate::schedule) uses it.
    #[inline(always)]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::fmt::Debug for Ref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        write!(f, "{sign}{:?}({})", self.place(), self.index())
    }
}

/// `destination = left + right`. The destination may be one of the summands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addition {
    /// Place of the sum. It is never an input.
    pub destination: Ref,
    /// A summand.
    pub left: Ref,
    /// The other summand.
    pub right: Ref,
}

/// Consecutive points of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The index of the bucket.
    pub bucket: u32,
    /// Number of points of the run, at least 1.
    pub len: u32,
}

/// Points to be added into buckets, run by run. If a bucket already holds a point, this point is the first of the bucket's run.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The points of all runs, one after the other.
    pub points: &'a [Ref],
    /// The runs. Their lengths add up to the number of points.
    pub runs: &'a [Run],
}

impl Work<'_> {
    /// Calls `f` with the index of the bucket and the point, one after the other.
    #[inline(always)]
    fn for_each(self, mut f: impl FnMut(u32, Ref)) {
        let mut rest = self.points;
        for &Run { bucket, len } in self.runs {
            let (points, tail) = rest.split_at(len as usize);
            points.iter().for_each(|&point| f(bucket, point));
            rest = tail;
        }
    }
}

/// [`Work`] with points and runs of its own.
#[derive(Debug, Default)]
pub(crate) struct OwnedWork {
    pub points: Vec<Ref>,
    pub runs: Vec<Run>,
}

impl OwnedWork {
    pub fn clear(&mut self) {
        self.points.clear();
        self.runs.clear();
    }

    /// Appends all of `work`.
    pub fn append_all(&mut self, work: Work<'_>) {
        self.points.extend_from_slice(work.points);
        self.runs.extend_from_slice(work.runs);
    }

    /// Appends the rest of a run, if there is a rest. The bucket already holds the first `done` points.
    #[inline(always)]
    pub fn append(&mut self, run: &Stretch, done: u32, points: &[Ref]) {
        if done < run.len {
            let summand = (done > 0).then(|| Ref::bucket(run.bucket as usize));
            self.points.extend(summand);
            self.points
                .extend_from_slice(&points[(run.start + done) as usize..][..(run.len - done) as usize]);
            self.runs.push(Run { bucket: run.bucket, len: run.len - done + summand.is_some() as u32 });
        }
    }

    /// Calls `f` with at most `limit` points at a time, at least 2, one run after the other. A run that is cut goes on
    /// with the point that its bucket holds by then.
    pub fn for_parts(&mut self, limit: usize, mut f: impl FnMut(Work<'_>)) {
        let (mut points, mut runs) = (&mut self.points[..], &mut self.runs[..]);
        while points.len() > limit {
            let (mut whole, mut end) = (0, 0);
            while end + runs[whole].len as usize <= limit {
                end += runs[whole].len as usize;
                whole += 1;
            }
            // A run that is as long as a part, or longer, is cut.
            if whole == 0 {
                let Run { bucket, len } = runs[0];
                f(Work { points: &points[..limit], runs: &[Run { bucket, len: limit as u32 }] });
                points = &mut points[limit - 1..];
                points[0] = Ref::bucket(bucket as usize);
                runs[0].len = len + 1 - limit as u32;
                continue;
            }
            f(Work { points: &points[..end], runs: &runs[..whole] });
            (points, runs) = (&mut points[end..], &mut runs[whole..]);
        }
        f(Work { points, runs });
    }
}

/// Executes a scheduler's batches and copies, in the scheduler's order.
pub trait Sink {
    /// Adds the pairs of a batch. Its additions are independent of each other: none reads another's result. See the
    /// [example](crate::schedule).
    fn add(&mut self, batch: &[Addition]);

    /// Copies `source` to `destination`. See the [example](crate::schedule).
    fn copy(&mut self, destination: Ref, source: Ref);

    /// Returns true if the rest of the schedule does not matter any more. A scheduler may then emit anything. See the
    /// [example](crate::schedule).
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Statistics of the points since the scheduler was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of times that a point could not be added to its bucket, because the bucket was in use.
    pub collisions: u64,
    /// The most points that waited at a time.
    pub waiting: usize,
    /// Number of passes over points: points that arrive, points that the scheduler put off, and so on.
    pub passes: u64,
}

/// The number of additions in a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BatchSize {
    /// The size that the adder prefers. A scheduler may make smaller batches.
    Preferred(usize),
    /// The size that the caller chose.
    Chosen(usize),
}

impl BatchSize {
    /// Returns the number of additions.
    pub fn additions(self) -> usize {
        match self {
            BatchSize::Preferred(additions) | BatchSize::Chosen(additions) => additions,
        }
    }
}

/// Turns runs into batches of independent additions.
pub trait Scheduler: Send {
    /// Returns true if points have to come sorted by bucket: one run for each bucket until [`finish`](Self::finish).
    /// Otherwise points may come in any order. The [example](crate::schedule) uses it.
    fn needs_sorted(&self) -> bool;

    /// Returns true if an adder may sum runs side by side in its lanes and leave only the rest to the scheduler. The scheduler
    /// takes sorted points then. See the [example](crate::schedule).
    fn allows_columns(&self) -> bool {
        false
    }

    /// Returns the number of temporaries that the scheduler uses, if it is given at most `points` points at a time. The
    /// [example](crate::schedule) uses it.
    fn temporaries(&self, points: usize) -> usize;

    /// Takes points for buckets that were empty when their first point came. Emits additions (and copies), but may keep
    /// points back. The [example](crate::schedule) uses it.
    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink);

    /// Emits the remaining additions. Afterwards, every bucket that occurred holds the sum of its points. Later points
    /// go into empty buckets again. The [example](crate::schedule) uses it.
    fn finish(&mut self, sink: &mut dyn Sink);

    /// Returns statistics of the points. The [example](crate::schedule) uses it.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[cfg(test)]
mod tests;
