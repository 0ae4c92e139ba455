//! Buckets: accumulation of points, aggregation into one sum per bit.

mod aggregate;
mod images;
mod in_order;
mod shared;
mod sorted;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::control::Control;
use crate::digits::sort::Arranged;
use crate::engine::adder::{AnyAdder, Arena, Formula, MAX_BATCH};
use crate::engine::at_rest::Coordinates;
use crate::engine::infinities::Infinities;
use crate::engine::strategy::Strategy;
use crate::memory::{Room, Slots};
use crate::schedule::ThreadsBy;
use crate::schedule::{Addition, OwnedWork, Ref, Run, Scheduler, Sink, Work};
use crate::Error;

/// Points that a worker takes through all levels at a time. Their sums stay in the cache.
pub(crate) const CHUNK: usize = 1 << 15;
/// Points of a chunk whose runs are added side by side, some hundred groups at a time. With more groups, the last
/// batches are fuller.
const COLUMNS_CHUNK: usize = 2 * CHUNK;
/// Runs of a chunk for columns: enough for long runs to make batches that are worth an inversion.
const COLUMNS_RUNS: usize = 1 << 11;
/// Most points of a chunk for columns. Points that are not added side by side wait in an array.
const MAX_COLUMNS_CHUNK: usize = 8 * CHUNK;
/// Fewest points of a chunk after splits for balance.
const MIN_CHUNK: usize = 1 << 12;

/// Returns the points of a chunk, at most `most`, if threads share `len` points. Each thread gets the same number of chunks.
fn chunk_len(len: usize, threads: usize, most: usize) -> usize {
    len.div_ceil(max_chunks(len, threads, most)).max(MIN_CHUNK)
}

/// Returns the largest number of chunks of `most` points that at most `len` points are cut into.
fn max_chunks(len: usize, threads: usize, most: usize) -> usize {
    let least = if threads == 1 { 1 } else { 4 };
    threads * len.div_ceil(threads * most).max(least)
}

/// Number of buckets.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of windows; with a table, number of sets of buckets that windows share.
    pub window_count: usize,
    /// Number of buckets of a window, a power of two.
    pub per_window: usize,
}

/// The sums of each window by bit. Entry `[w][0]` is the sum of all buckets of window w, and `[w][1 + k]` is the sum of the
/// buckets whose index has bit k. So the window's `sum (b + 1) B_b` is `[w][0] + sum_k 2^k [w][1 + k]`. An entry without points is
/// `None`.
pub type BitSums<W> = Vec<Vec<Option<Coordinates<W>>>>;

/// The buckets of all windows, and their points.
pub(crate) struct Buckets {
    formula: Arc<dyn Formula>,
    strategy: Strategy,
    shape: Shape,
    points: Room,
    /// True for a bucket that holds a point. The memory of other buckets is undefined.
    occupied: Vec<AtomicBool>,
    /// True for a window whose buckets are all empty.
    empty: Vec<bool>,
    /// True if a bucket may hold the point at infinity.
    infinity: AtomicBool,
    /// Workers without work.
    idle: Mutex<Vec<Worker>>,
}

/// State of a thread that adds points.
struct Worker {
    adder: Box<dyn AnyAdder>,
    /// True if the adder was told that buckets may hold infinity.
    warned: bool,
    scheduler: Box<dyn Scheduler>,
    temporaries: Room,
    points: Vec<Ref>,
    runs: Vec<Run>,
    /// Rest of runs that were added side by side.
    rest: OwnedWork,
    batch: Vec<Addition>,
}

/// Carries out a schedule.
struct Executor<'a> {
    adder: &'a mut Box<dyn AnyAdder>,
    arena: Arena<'a>,
    control: &'a Control<'a>,
    /// Additions since progress was last reported.
    unreported: usize,
    /// True if the adder was told that buckets may hold infinity.
    warned: bool,
}

impl<'a> Executor<'a> {
    fn new(adder: &'a mut Box<dyn AnyAdder>, arena: Arena<'a>, control: &'a Control<'a>) -> Self {
        Executor { adder, arena, control, unreported: 0, warned: false }
    }

    /// Tells the adder that buckets may hold infinity, if another adder met infinity.
    fn warn(&mut self, buckets: &Buckets) {
        if buckets.infinity.load(Ordering::Relaxed) && !std::mem::replace(&mut self.warned, true) {
            *self.adder = buckets.formula.adder(Infinities::Possible);
        }
    }

    /// Adds up runs. All points of a run but the first are inputs. The adder adds points side by side as far as it can.
    /// The scheduler adds the rest, `limit` points at a time.
    fn add_columns(
        &mut self,
        work: Work<'_>,
        rest: &mut OwnedWork,
        scheduler: &mut Box<dyn Scheduler>,
        limit: usize,
    ) {
        rest.clear();
        let (control, unreported) = (self.control, &mut self.unreported);
        self.adder.add_columns(work, &mut self.arena, rest, &mut |additions| {
            *unreported += additions;
            if *unreported >= MAX_BATCH {
                control.advance(std::mem::take(unreported));
            }
            !control.is_cancelled()
        });
        rest.for_parts(limit, |work| {
            scheduler.schedule(work, self);
            scheduler.finish(self);
        });
    }

    /// Reports the additions that have not been reported.
    fn end(self) {
        self.control.advance(self.unreported);
    }
}

impl Sink for Executor<'_> {
    fn add(&mut self, batch: &[Addition]) {
        for batch in batch.chunks(MAX_BATCH) {
            if self.control.is_cancelled() {
                return;
            }
            self.adder.add(batch, &mut self.arena);
            self.unreported += batch.len();
            if self.unreported >= MAX_BATCH {
                self.control.advance(std::mem::take(&mut self.unreported));
            }
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref) {
        if !self.control.is_cancelled() {
            self.adder.copy(destination, source, &mut self.arena);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }
}

impl Buckets {
    /// Returns empty buckets, with room to [accumulate](Self::accumulate) `len` points at a time on `threads` threads.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(
        formula: Arc<dyn Formula>,
        strategy: Strategy,
        shape: Shape,
        len: usize,
        threads: usize,
    ) -> Result<Self, Error> {
        let total = shape.window_count * shape.per_window;
        Ok(Buckets {
            points: Room::new(formula.bucket_bytes(), total + max_chunks(len, threads, CHUNK))?,
            formula,
            strategy,
            shape,
            occupied: std::iter::repeat_with(AtomicBool::default).take(total).collect(),
            empty: vec![true; shape.window_count],
            infinity: AtomicBool::new(false),
            idle: Mutex::default(),
        })
    }

    /// Adds the points of all nonzero digits to the buckets of the windows from `first` on.
    /// `infinities` tells whether the points may include the point at infinity.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: the buckets are of no use afterwards.
    ///
    /// # Panics
    /// If there is no room for this number of points at a time.
    pub fn accumulate(
        &mut self,
        inputs: Slots,
        points: &Arranged<'_>,
        first: usize,
        threads_by: ThreadsBy,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        match points {
            Arranged::Sorted(sorted) => self.accumulate_sorted(inputs, sorted, first, infinities, control),
            Arranged::InOrder(digits, sets) => {
                self.accumulate_in_order(inputs, (digits, sets), first, threads_by, infinities, control)
            }
        }
    }

    /// Returns true if sorted points are added side by side.
    fn in_columns(&self) -> bool {
        self.formula.has_columns() && self.strategy.allows_columns()
    }

    /// Returns the largest number of additions of the aggregation.
    pub fn aggregation(&self) -> usize {
        2 * self.occupied.len()
    }

    /// Returns a worker for schedules of at most `points` at a time.
    fn worker(&self, points: usize) -> Worker {
        let infinity = self.infinity.load(Ordering::Relaxed);
        let idle = self.idle.lock().expect("no panic while locked").pop();
        let mut worker = idle.unwrap_or_else(|| Worker {
            adder: self.formula.adder(Infinities::possible_if(infinity)),
            warned: infinity,
            scheduler: self.strategy.scheduler(self.formula.batch(), self.shape.per_window),
            temporaries: Room::empty(),
            points: Vec::new(),
            runs: Vec::new(),
            rest: OwnedWork::default(),
            batch: Vec::new(),
        });
        let temporaries = worker.scheduler.temporaries(points);
        let room = worker.temporaries.make(self.formula.bucket_bytes(), temporaries);
        room.expect("memory for the sums of a chunk");
        if infinity && !std::mem::replace(&mut worker.warned, true) {
            worker.adder = self.formula.adder(Infinities::Possible);
        }
        worker
    }

    /// Keeps workers for later work.
    fn retire(&self, workers: impl IntoIterator<Item = Worker>) {
        let mut idle = self.idle.lock().expect("no panic while locked");
        for worker in workers {
            self.note(&*worker.adder);
            idle.push(worker);
        }
    }

    /// Notes whether an adder met infinity.
    fn note(&self, adder: &dyn AnyAdder) {
        if adder.met_infinity() {
            self.infinity.store(true, Ordering::Relaxed);
        }
    }

    /// Frees the memory that workers keep for later work.
    pub fn dismiss_workers(&mut self) {
        self.idle.get_mut().expect("no panic while locked").clear();
    }

    /// Empties the buckets.
    pub fn clear(&mut self) {
        self.occupied.iter_mut().for_each(|occupied| *occupied.get_mut() = false);
        *self.infinity.get_mut() = false;
        // The adders of idle workers may have been told of an infinity that is gone.
        self.dismiss_workers();
        self.empty.fill(true);
    }
}
