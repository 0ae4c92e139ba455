//! Accumulates points that are sorted by bucket, in chunks that threads share out.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::{chunk_len, Buckets, Executor, CHUNK, COLUMNS_CHUNK, COLUMNS_RUNS, MAX_COLUMNS_CHUNK};
use crate::control::Control;
use crate::digits::sort::Sorted;
use crate::engine::adder::Arena;
use crate::engine::infinities::Infinities;
use crate::memory::Slots;
use crate::schedule::{Ref, Run, Work};
use crate::Error;

/// Buckets of a task that adds chunks' own buckets to the shared ones.
const MERGED: usize = 64;

impl Buckets {
    /// Adds the sorted points to the buckets of the windows from `first` on. If a bucket already holds a point, this
    /// point is one more summand of the bucket's run. So k points take k additions in a filled bucket, and k - 1 in an
    /// empty bucket.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: the buckets are of no use afterwards.
    ///
    /// # Panics
    /// If there is no room for this number of points at a time.
    pub fn accumulate_sorted(
        &mut self,
        inputs: Slots,
        sorted: &Sorted,
        first: usize,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let (len, total) = (sorted.points.len(), self.occupied.len());
        let in_columns = self.in_columns();
        let most = match in_columns {
            true => {
                (COLUMNS_RUNS * (len / (sorted.starts.len() - 1))).clamp(COLUMNS_CHUNK, MAX_COLUMNS_CHUNK)
            }
            false => CHUNK,
        };
        let chunk_len = chunk_len(len, control.threads, most);
        let chunks = len.div_ceil(chunk_len);
        assert!(total + chunks <= self.points.slots().len, "no room for {chunks} chunks");
        self.infinity.fetch_or(infinities.are_possible(), Ordering::Relaxed);
        let windows = first..first + (sorted.starts.len() - 1) / self.shape.per_window;
        let first = first * self.shape.per_window;
        let (this, empty) = (&*self, self.empty[windows.clone()].iter().all(|&empty| empty));
        // Most points of one schedule.
        let limit = if in_columns { CHUNK } else { usize::MAX };
        let workers = control.for_each(
            chunks,
            || this.worker(if empty { chunk_len } else { 2 * chunk_len }.min(limit)),
            |worker, chunk| {
                let range = chunk * chunk_len..len.min((chunk + 1) * chunk_len);
                // If a bucket began in an earlier chunk, its points go to a bucket of the chunk's own first.
                this.runs_of(sorted, first, range.clone(), total + chunk, &mut worker.runs);
                let mut points = &sorted.points[range];
                if !empty {
                    this.join(points, &mut worker.runs, &mut worker.points);
                    points = &worker.points;
                }
                this.occupy(&worker.runs);
                let work = Work { points, runs: &worker.runs };
                // SAFETY: each chunk writes only the buckets that begin in it, and its own bucket.
                let arena = unsafe { Arena::new(inputs, this.points.slots(), worker.temporaries.slots()) };
                let mut executor = Executor::new(&mut worker.adder, arena, control);
                if in_columns {
                    executor.add_columns(work, &mut worker.rest, &mut worker.scheduler, limit);
                } else {
                    worker.scheduler.schedule(work, &mut executor);
                    worker.scheduler.finish(&mut executor);
                }
                executor.end();
            },
        );
        self.retire(workers);
        // Cancelled work stays cancelled. From here on, all of these buckets are written.
        control.check()?;
        self.empty[windows].fill(false);
        self.merge(sorted, first, chunks, chunk_len, control);
        control.check()
    }

    /// Finds the runs of the points in `range`. The buckets begin at `first`. If the first run began before the range,
    /// its bucket is `carried`.
    fn runs_of(
        &self,
        sorted: &Sorted,
        first: usize,
        range: Range<usize>,
        carried: usize,
        runs: &mut Vec<Run>,
    ) {
        runs.clear();
        let starts = &sorted.starts;
        let mut bucket = starts.partition_point(|&start| start as usize <= range.start) - 1;
        let mut position = range.start;
        while position < range.end {
            let end = range.end.min(starts[bucket + 1] as usize);
            if end > position {
                let began_before = (starts[bucket] as usize) < range.start;
                let target = if began_before { carried } else { first + bucket };
                runs.push(Run { bucket: target as u32, len: (end - position) as u32 });
                position = end;
            }
            bucket += 1;
        }
    }

    /// Puts the points that the buckets of these runs hold before the points of each run.
    fn join(&self, points: &[Ref], runs: &mut [Run], joined: &mut Vec<Ref>) {
        joined.clear();
        let mut rest = points;
        for run in runs {
            let (points, tail) = rest.split_at(run.len as usize);
            rest = tail;
            let bucket = run.bucket as usize;
            // The chunk's own bucket lies behind all shared buckets, and is empty.
            if self.occupied.get(bucket).is_some_and(|occupied| occupied.load(Ordering::Relaxed)) {
                joined.push(Ref::bucket(bucket));
                run.len += 1;
            }
            joined.extend_from_slice(points);
        }
    }

    /// Notes that the buckets of these runs, except a chunk's own, hold a point from now on.
    fn occupy(&self, runs: &[Run]) {
        let occupied = runs.iter().filter_map(|run| self.occupied.get(run.bucket as usize));
        occupied.for_each(|occupied| occupied.store(true, Ordering::Relaxed));
    }

    /// Adds the chunks' own buckets to the shared buckets.
    fn merge(
        &mut self,
        sorted: &Sorted,
        first: usize,
        chunks: usize,
        chunk_len: usize,
        control: &Control<'_>,
    ) {
        let total = self.occupied.len();
        let mut points = Vec::new();
        let mut runs: Vec<Run> = Vec::new();
        for chunk in 1..chunks {
            let begin = chunk * chunk_len;
            let bucket = sorted.starts.partition_point(|&start| start as usize <= begin) - 1;
            if sorted.starts[bucket] as usize == begin {
                continue;
            }
            let bucket = first + bucket;
            match runs.last_mut() {
                Some(run) if run.bucket == bucket as u32 => run.len += 1,
                _ => {
                    points.push(Ref::bucket(bucket));
                    runs.push(Run { bucket: bucket as u32, len: 2 });
                }
            }
            points.push(Ref::bucket(total + chunk));
        }
        let mut rest = points.as_slice();
        let parts = runs.chunks(MERGED).map(|runs| {
            let (points, tail) = rest.split_at(runs.iter().map(|run| run.len as usize).sum());
            rest = tail;
            Work { points, runs }
        });
        let parts: Vec<Work<'_>> = parts.collect();
        let (this, most) = (&*self, parts.iter().map(|part| part.points.len()).max().unwrap_or(0));
        let workers = control.for_each(
            parts.len(),
            || this.worker(most),
            |worker, part| {
                // SAFETY: every bucket is in one run only, and so is every chunk's own bucket.
                let arena =
                    unsafe { Arena::new(Slots::none(), this.points.slots(), worker.temporaries.slots()) };
                let mut executor = Executor::new(&mut worker.adder, arena, control);
                worker.scheduler.schedule(parts[part], &mut executor);
                worker.scheduler.finish(&mut executor);
                executor.end();
            },
        );
        self.retire(workers);
    }
}
