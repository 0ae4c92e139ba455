//! Schedulers: a stream of (bucket, point) becomes batches of independent additions.
//!
//! A scheduler works on ids alone ([`Ref`]) and knows neither field nor curve: the same schedulers drive the
//! software adders and cycle models of hardware. Each is one file; all pass one suite that checks schedules,
//! not arithmetic.

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
    /// One of the points to be summed up; never a destination.
    Input,
    /// A bucket.
    Bucket,
    /// Storage of the scheduler's own.
    Temporary,
}

impl Ref {
    /// Indices are below this.
    pub const MAX_INDEX: usize = 1 << 29;
    const KINDS: [Place; 3] = [Place::Input, Place::Bucket, Place::Temporary];
    /// No point, in the schedulers' tables.
    const NONE: Ref = Ref(u32::MAX);

    #[inline(always)]
    fn new(place: Place, index: usize) -> Ref {
        debug_assert!(index < Self::MAX_INDEX);
        Ref((place as u32) << 30 | (index as u32) << 1)
    }

    /// Input `index`, negated if `negative`.
    #[inline(always)]
    pub fn input(index: usize, negative: bool) -> Ref {
        Ref(Ref::new(Place::Input, index).0 | negative as u32)
    }

    /// Input `index`, with a plus sign.
    #[inline(always)]
    pub fn positive(index: usize) -> Ref {
        Ref::new(Place::Input, index)
    }

    /// Bucket `index`.
    #[inline(always)]
    pub fn bucket(index: usize) -> Ref {
        Ref::new(Place::Bucket, index)
    }

    /// Temporary `index`.
    #[inline(always)]
    pub fn temporary(index: usize) -> Ref {
        Ref::new(Place::Temporary, index)
    }

    /// Place of the point.
    #[inline(always)]
    pub fn place(self) -> Place {
        Self::KINDS[self.kind()]
    }

    /// The place as a number: the position in `[Input, Bucket, Temporary]`.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 >> 30) as usize
    }

    /// The id as a number: by place, then by index, then by sign.
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The id of a number that is one.
    #[inline(always)]
    pub(crate) fn of_bits(bits: u32) -> Ref {
        Ref(bits)
    }

    /// The index within its place.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.twice_index() as usize / 2
    }

    /// Twice the index, which is one instruction less.
    #[inline(always)]
    pub(crate) fn twice_index(self) -> u32 {
        self.0 & (2 * (Self::MAX_INDEX as u32 - 1))
    }

    /// Returns true if the point counts with a minus sign: only inputs.
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
    /// Place of the sum; never an input.
    pub destination: Ref,
    /// A summand.
    pub left: Ref,
    /// The other.
    pub right: Ref,
}

/// Consecutive points of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The index of the bucket.
    pub bucket: u32,
    /// The number of its points, at least 1.
    pub len: u32,
}

/// Points to be added into buckets, run by run. A bucket that holds a point is the first point of its own run.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The points of all runs, one after the other.
    pub points: &'a [Ref],
    /// The runs; their lengths sum up to the number of points.
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

    /// Appends all of this.
    pub fn append_all(&mut self, work: Work<'_>) {
        self.points.extend_from_slice(work.points);
        self.runs.extend_from_slice(work.runs);
    }

    /// Appends the rest of a run whose first `done` points its bucket holds by now, if there is a rest.
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

    /// Calls `f` with at most `limit` points at a time, 2 at least, runs one after the other. A run that is cut goes
    /// on with the point that its bucket holds by then.
    pub fn for_parts(&mut self, limit: usize, mut f: impl FnMut(Work<'_>)) {
        let (mut points, mut runs) = (&mut self.points[..], &mut self.runs[..]);
        while points.len() > limit {
            let (mut whole, mut end) = (0, 0);
            while end + runs[whole].len as usize <= limit {
                end += runs[whole].len as usize;
                whole += 1;
            }
            // A run that is as long as a part, or longer.
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

/// Executes a scheduler's batches and copies, in its order.
pub trait Sink {
    /// Adds: the additions are independent of each other, so that none reads another's result.
    fn add(&mut self, batch: &[Addition]);

    /// `destination = source`.
    fn copy(&mut self, destination: Ref, source: Ref);

    /// Returns true if the rest of the schedule does not matter any more: a scheduler may then say anything.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Statistics of the points since the scheduler was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of times that a point could not be added where it belongs, since its bucket was in use.
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
    /// Returns true if points have to come sorted by bucket: one run for each until [`finish`](Self::finish).
    /// Otherwise they may come in any order.
    fn needs_sorted(&self) -> bool;

    /// Returns true if an adder may sum runs side by side in its lanes and leave only the rest to the scheduler. The scheduler
    /// takes sorted points then.
    fn allows_columns(&self) -> bool {
        false
    }

    /// Number of temporaries that the scheduler uses, if it is given at most `points` at a time.
    fn temporaries(&self, points: usize) -> usize;

    /// Takes points for buckets that were empty when the first of them came. Emits additions (and copies), but may
    /// keep points back.
    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink);

    /// Emits the rest: every bucket that occurred holds the sum of its points afterwards. Later points go into empty
    /// buckets again.
    fn finish(&mut self, sink: &mut dyn Sink);

    /// Statistics of the points.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[cfg(test)]
mod tests;
