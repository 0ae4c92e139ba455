//! Buckets: accumulation of points, aggregation into one sum per bit.

mod in_order;
mod shared;

use std::sync::atomic::{AtomicBool, Ordering};

use bucketwheel_lanes::LaneField;

use crate::control::Control;
use crate::curve::{Adder, Arena, Coefficients};
use crate::layout::Coordinates;
use crate::memory::Uninit;
use crate::schedule::{Addition, Ref, Run, Scheduler, Sink, Work};
use crate::sort::Sorted;
use crate::strategy::SchedulerKind;
use crate::Error;

/// Points a worker takes through all levels at a time: their sums stay in the cache.
pub(crate) const CHUNK: usize = 1 << 15;
/// Chunks are not split further for balance than this.
const MIN_CHUNK: usize = 1 << 12;
/// Additions between two looks at the cancellation: some milliseconds, a whole number of the adders' batches.
const STEP: usize = 1 << 11;
/// Buckets that are aggregated together, level by level.
const BLOCK: usize = 1 << 12;

/// The points of a chunk where threads share so many: as many chunks for each thread.
fn chunk_len(len: usize, threads: usize) -> usize {
    len.div_ceil(max_chunks(len, threads)).max(MIN_CHUNK)
}

/// The chunks that at most `len` points are cut into.
fn max_chunks(len: usize, threads: usize) -> usize {
    let least = if threads == 1 { 1 } else { 4 };
    threads * len.div_ceil(threads * CHUNK).max(least)
}

/// How many buckets there are.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Windows; with a table, sets of buckets that windows share.
    pub window_count: usize,
    /// Buckets of a window, a power of two.
    pub per_window: usize,
}

/// The sums of each window by bit ([`Buckets::aggregate`]).
pub type BitSums<W> = Vec<Vec<Option<Coordinates<W>>>>;

/// The buckets of all windows, and what they hold.
pub(crate) struct Buckets<L: LaneField, A: Adder<L>> {
    lanes: L,
    curve: Coefficients<L::Words>,
    scheduler: SchedulerKind,
    shape: Shape,
    points: Uninit<A::Bucket>,
    /// Whether a bucket holds a point: where not, its memory is undefined.
    occupied: Vec<AtomicBool>,
    /// Whether all buckets are empty.
    empty: bool,
    /// Whether a bucket may hold the point at infinity.
    infinity: AtomicBool,
}

/// What a thread needs to add points.
struct Worker<L: LaneField, A: Adder<L>> {
    adder: A,
    scheduler: Box<dyn Scheduler>,
    temporaries: Uninit<A::Bucket>,
    points: Vec<Ref>,
    runs: Vec<Run>,
    batch: Vec<Addition>,
}

/// Carries out a schedule.
struct Executor<'a, L: LaneField, A: Adder<L>> {
    adder: &'a mut A,
    arena: Arena<'a, A::Input, A::Bucket>,
    control: &'a Control<'a>,
    /// Additions since progress was last reported.
    unreported: usize,
    /// Whether the adder was told of infinity.
    warned: bool,
}

impl<'a, L: LaneField, A: Adder<L>> Executor<'a, L, A> {
    fn new(adder: &'a mut A, arena: Arena<'a, A::Input, A::Bucket>, control: &'a Control<'a>) -> Self {
        Executor { adder, arena, control, unreported: 0, warned: false }
    }

    /// Tells the adder that buckets may hold infinity, if another one found that.
    fn warn(&mut self, buckets: &Buckets<L, A>) {
        if buckets.infinity.load(Ordering::Relaxed) && !std::mem::replace(&mut self.warned, true) {
            *self.adder = A::new(buckets.lanes, buckets.curve, true);
        }
    }

    /// Reports what is left to report.
    fn end(self) {
        self.control.advance(self.unreported);
    }
}

impl<L: LaneField, A: Adder<L>> Sink for Executor<'_, L, A> {
    fn add(&mut self, batch: &[Addition]) {
        for batch in batch.chunks(STEP) {
            if self.control.is_cancelled() {
                return;
            }
            self.adder.add(batch, &mut self.arena);
            self.unreported += batch.len();
            if self.unreported >= STEP {
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

impl<L: LaneField, A: Adder<L>> Buckets<L, A> {
    /// Empty buckets, with room to [accumulate](Self::accumulate) `len` points at a time on so many threads.
    pub fn new(
        lanes: L,
        curve: Coefficients<L::Words>,
        scheduler: SchedulerKind,
        shape: Shape,
        len: usize,
        threads: usize,
    ) -> Self {
        let total = shape.window_count * shape.per_window;
        Buckets {
            lanes,
            curve,
            scheduler,
            shape,
            points: Uninit::new(total + max_chunks(len, threads)),
            occupied: std::iter::repeat_with(AtomicBool::default).take(total).collect(),
            empty: true,
            infinity: AtomicBool::new(false),
        }
    }

    /// A worker for schedules of at most so many points at a time.
    fn worker(&self, points: usize) -> Worker<L, A> {
        let scheduler = self.scheduler.scheduler(A::BATCH.min(STEP), self.shape.per_window);
        Worker {
            adder: A::new(self.lanes, self.curve, self.infinity.load(Ordering::Relaxed)),
            temporaries: Uninit::new(scheduler.temporaries(points)),
            scheduler,
            points: Vec::new(),
            runs: Vec::new(),
            batch: Vec::new(),
        }
    }

    fn retire(&self, workers: Vec<Worker<L, A>>) {
        workers.iter().for_each(|worker| self.note(&worker.adder));
    }

    /// Notes whether an adder met infinity.
    fn note(&self, adder: &A) {
        if adder.met_infinity() {
            self.infinity.store(true, Ordering::Relaxed);
        }
    }

    /// Adds the sorted points to the buckets; `infinity` says whether they may include the point at infinity. What a
    /// bucket holds already is one more summand of its run, so that k points cost k additions there and k - 1 in an
    /// empty bucket.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: the buckets are of no use then.
    ///
    /// # Panics
    /// If there is no room for so many points at a time.
    pub fn accumulate(
        &mut self,
        inputs: &[A::Input],
        sorted: &Sorted,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let (len, total) = (sorted.points.len(), self.occupied.len());
        let chunk_len = chunk_len(len, control.threads);
        let chunks = len.div_ceil(chunk_len);
        assert!(total + chunks <= self.points.len(), "no room for {chunks} chunks");
        self.infinity.fetch_or(infinity, Ordering::Relaxed);
        control.expect(len);
        let (this, empty) = (&*self, self.empty);
        let workers = control.for_each(
            chunks,
            || this.worker(if empty { chunk_len } else { 2 * chunk_len }),
            |worker, chunk| {
                let range = chunk * chunk_len..len.min((chunk + 1) * chunk_len);
                // A bucket that began in an earlier chunk: its points go to a bucket of the chunk's own first.
                this.runs_of(sorted, range.clone(), total + chunk, &mut worker.runs);
                let mut points = &sorted.points[range];
                if !empty {
                    this.join(points, &mut worker.runs, &mut worker.points);
                    points = &worker.points;
                }
                let work = Work { points, runs: &worker.runs };
                // SAFETY: every chunk writes the buckets that begin in it, and its own.
                let arena = unsafe {
                    Arena::new(
                        inputs,
                        this.points.as_mut_ptr(),
                        this.points.len(),
                        worker.temporaries.as_mut_slice(),
                    )
                };
                let mut executor = Executor::new(&mut worker.adder, arena, control);
                worker.scheduler.schedule(work, &mut executor);
                worker.scheduler.finish(&mut executor);
                executor.end();
            },
        );
        self.retire(workers);
        // What was cancelled stays so: from here on all of these buckets are written.
        control.check()?;
        self.empty = false;
        for (occupied, starts) in self.occupied.iter_mut().zip(sorted.starts.windows(2)) {
            *occupied.get_mut() |= starts[0] < starts[1];
        }
        self.merge(sorted, chunks, chunk_len, control);
        control.check()
    }

    /// The runs of the points in `range`; the first bucket is `carried` if it began before.
    fn runs_of(&self, sorted: &Sorted, range: std::ops::Range<usize>, carried: usize, runs: &mut Vec<Run>) {
        runs.clear();
        let starts = &sorted.starts;
        let mut bucket = starts.partition_point(|&start| start as usize <= range.start) - 1;
        let mut position = range.start;
        while position < range.end {
            let end = range.end.min(starts[bucket + 1] as usize);
            if end > position {
                let began_before = (starts[bucket] as usize) < range.start;
                let target = if began_before { carried } else { bucket };
                runs.push(Run { bucket: target as u32, len: (end - position) as u32 });
                position = end;
            }
            bucket += 1;
        }
    }

    /// Puts what the buckets of these runs hold before the points of each.
    fn join(&self, points: &[Ref], runs: &mut [Run], joined: &mut Vec<Ref>) {
        joined.clear();
        let mut rest = points;
        for run in runs {
            let (points, tail) = rest.split_at(run.len as usize);
            rest = tail;
            let bucket = run.bucket as usize;
            // The chunk's own bucket lies behind them all, and is empty.
            if self.occupied.get(bucket).is_some_and(|occupied| occupied.load(Ordering::Relaxed)) {
                joined.push(Ref::bucket(bucket));
                run.len += 1;
            }
            joined.extend_from_slice(points);
        }
    }

    /// Empties the buckets.
    pub fn clear(&mut self) {
        self.occupied.iter_mut().for_each(|occupied| *occupied.get_mut() = false);
        *self.infinity.get_mut() = false;
        self.empty = true;
    }

    /// Adds the chunks' own buckets to those they belong to.
    fn merge(&mut self, sorted: &Sorted, chunks: usize, chunk_len: usize, control: &Control<'_>) {
        let total = self.occupied.len();
        let mut points = Vec::new();
        let mut runs: Vec<Run> = Vec::new();
        for chunk in 1..chunks {
            let begin = chunk * chunk_len;
            let bucket = sorted.starts.partition_point(|&start| start as usize <= begin) - 1;
            if sorted.starts[bucket] as usize == begin {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.bucket == bucket as u32 => run.len += 1,
                _ => {
                    points.push(Ref::bucket(bucket));
                    runs.push(Run { bucket: bucket as u32, len: 2 });
                }
            }
            points.push(Ref::bucket(total + chunk));
        }
        let mut worker = self.worker(points.len());
        // SAFETY: nobody else is at work.
        let arena = unsafe {
            Arena::new(&[], self.points.as_mut_ptr(), self.points.len(), worker.temporaries.as_mut_slice())
        };
        let work = Work { points: &points, runs: &runs };
        let mut executor = Executor::new(&mut worker.adder, arena, control);
        worker.scheduler.schedule(work, &mut executor);
        worker.scheduler.finish(&mut executor);
        executor.end();
        self.retire(vec![worker]);
    }

    /// The sums of each window by bit: entry `[w][0]` is the sum of all buckets of window w, `[w][1 + k]` that
    /// of the buckets whose index has bit k, so that the window's `sum (b + 1) B_b` is
    /// `[w][0] + sum_k 2^k [w][1 + k]`. `None` where there are no points.
    ///
    /// A pair of neighbouring blocks of 2^k buckets becomes one block: its total is the sum of both, so is each
    /// of its sums by bit; bit k's is the right block's total. All in place: the total at the block's first
    /// bucket, bit i's sum 2^i behind. Two additions per bucket, all of a level independent.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn aggregate(&mut self, control: &Control<'_>) -> Result<BitSums<L::Words>, Error> {
        let (total, levels) = (self.occupied.len(), self.shape.per_window.trailing_zeros());
        let block = match control.threads {
            1 => BLOCK,
            threads => (total / (4 * threads)).next_power_of_two().clamp(BLOCK / 8, BLOCK / 2),
        };
        let low_levels = levels.min(block.trailing_zeros());
        control.expect(2 * total);
        // Low levels: blocks of the flat array, whole windows or parts of one.
        let this = &*self;
        let workers = control.for_each(
            total.div_ceil(block),
            || this.worker(0),
            |worker, index| {
                let range = index * block..total.min((index + 1) * block);
                (0..low_levels).for_each(|level| this.aggregate_level(worker, range.clone(), level, control));
            },
        );
        self.retire(workers);
        // High levels: few additions, all windows together.
        let this = &*self;
        let share = self.shape.window_count.div_ceil(control.threads);
        let workers = control.for_each(
            self.shape.window_count.div_ceil(share),
            || this.worker(0),
            |worker, index| {
                let windows = index * share..self.shape.window_count.min((index + 1) * share);
                let range = windows.start * self.shape.per_window..windows.end * self.shape.per_window;
                (low_levels..levels)
                    .for_each(|level| this.aggregate_level(worker, range.clone(), level, control));
            },
        );
        self.retire(workers);
        // What was cancelled stays so: from here on all occupied buckets are written.
        control.check()?;
        Ok((0..self.shape.window_count).map(|window| self.sums(window)).collect())
    }

    /// Joins the blocks of 2^level buckets in `range` in pairs.
    fn aggregate_level(
        &self,
        worker: &mut Worker<L, A>,
        range: std::ops::Range<usize>,
        level: u32,
        control: &Control<'_>,
    ) {
        // SAFETY: the range's buckets are this task's.
        let arena = unsafe { Arena::new(&[], self.points.as_mut_ptr(), self.points.len(), &mut []) };
        worker.batch.clear();
        let mut executor = Executor::new(&mut worker.adder, arena, control);
        let half = 1usize << level;
        for left in range.step_by(2 * half) {
            let offsets = std::iter::once(0).chain((0..level).map(|bit| 1 << bit));
            for left in offsets.map(|offset| left + offset) {
                let right = left + half;
                if !self.occupied[right].load(Ordering::Relaxed) {
                    continue;
                }
                let (destination, right) = (Ref::bucket(left), Ref::bucket(right));
                // No swap: the range's buckets are this task's, and a locked instruction takes as long as an addition.
                if self.occupied[left].load(Ordering::Relaxed) {
                    worker.batch.push(Addition { destination, left: destination, right });
                } else {
                    self.occupied[left].store(true, Ordering::Relaxed);
                    executor.copy(destination, right);
                }
            }
        }
        executor.add(&worker.batch);
        executor.end();
    }

    /// The sums of a window, once all levels are done.
    fn sums(&self, window: usize) -> Vec<Option<[L::Words; 2]>> {
        let first = window * self.shape.per_window;
        let offsets =
            std::iter::once(0).chain((0..self.shape.per_window.trailing_zeros()).map(|bit| 1 << bit));
        let buckets: Vec<usize> = offsets.map(|offset| first + offset).collect();
        buckets.chunks(L::LANES).flat_map(|buckets| self.decode(buckets)).collect()
    }

    /// The coordinates of at most `LANES` buckets.
    fn decode(&self, buckets: &[usize]) -> Vec<Option<[L::Words; 2]>> {
        let is_occupied = |bucket: usize| self.occupied[bucket].load(Ordering::Relaxed);
        let Some(&filler) = buckets.iter().find(|&&bucket| is_occupied(bucket)) else {
            return vec![None; buckets.len()];
        };
        let pointers = std::array::from_fn(|lane| {
            let bucket = buckets.get(lane).copied().filter(|&bucket| is_occupied(bucket)).unwrap_or(filler);
            self.points.as_mut_ptr().wrapping_add(bucket).cast_const()
        });
        // SAFETY: occupied buckets have been written.
        let [x, y] = unsafe { A::decode(self.lanes, &self.curve, &pointers) };
        let coordinates = buckets.iter().enumerate();
        coordinates.map(|(lane, &bucket)| is_occupied(bucket).then(|| [x[lane], y[lane]])).collect()
    }
}
