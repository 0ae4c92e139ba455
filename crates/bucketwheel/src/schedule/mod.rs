//! Schedulers: a stream of (bucket, point) becomes batches of independent additions.
//!
//! A scheduler works on ids alone ([`Ref`]) and knows neither field nor curve: the same schedulers drive the
//! software adders and cycle models of hardware. Each is one file; all pass one suite that checks schedules,
//! not arithmetic.

mod serial;
mod tree;

pub use serial::Serial;
pub use tree::Tree;

/// The id of a point: a signed input, a bucket, or a temporary.
///
/// Two bits of kind, 29 bits of index, one sign bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Ref(u32);

/// Where a point is.
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

    /// Where the point is.
    #[inline(always)]
    pub fn place(self) -> Place {
        Self::KINDS[self.kind()]
    }

    /// The place as a number: the position in `[Input, Bucket, Temporary]`.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 >> 30) as usize
    }

    /// The index within its place.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize & (Self::MAX_INDEX - 1)
    }

    /// Whether the point counts with a minus sign: only inputs.
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
    /// Where the sum goes; never an input.
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

/// Points to be added into empty buckets, run by run. A bucket that holds a point is the first point of its own run.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The points of all runs, one after the other.
    pub points: &'a [Ref],
    /// The runs; their lengths sum up to the number of points.
    pub runs: &'a [Run],
}

/// Does what a scheduler says, in its order.
pub trait Sink {
    /// Additions that are independent of each other: none reads what another writes.
    fn add(&mut self, batch: &[Addition]);

    /// `destination = source`.
    fn copy(&mut self, destination: Ref, source: Ref);
}

/// Turns runs into batches of independent additions.
pub trait Scheduler: Send {
    /// Whether every bucket must have one run only (the points sorted by bucket).
    fn needs_sorted(&self) -> bool;

    /// Emits additions (and copies) after which every bucket that occurs in `work` holds the sum of its points.
    /// Temporaries are numbered from 0, fewer than there are points.
    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink);
}

#[cfg(test)]
mod tests;
