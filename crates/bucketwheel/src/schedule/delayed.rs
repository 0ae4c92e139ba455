//! `delayed`: a point whose bucket is in use is put off to the next pass over the points.
//!
//! CycloneMSM, section 3.2. Points take slots in the order of their arrival. After an addition, the bucket of the point
//! is in use for a while ([`Overlap`]): until the end of its batch of T slots, where T additions share an inversion, or
//! for T slots in a pipeline of T stages, which is the paper's condition (3). A point that meets its bucket in use
//! leaves its slot empty. It comes again after all other points, in a second pass, a third pass, and so on. Nobody
//! needs to know which bucket becomes free when. The first point of a bucket is copied and takes no slot.
//!
//! For n uniform points and B buckets, about n T / B points of the first pass collide in a pipeline (the paper's
//! estimate), and half of this number collide in batches. The next pass has only these points, so three passes are the
//! rule.
//! Guarantees: a pass over m points adds at least m / T of them, so n points need less than T (1 + ln n) passes and n T
//! slots in all. This bound is also the worst case: with all points in one bucket, every batch holds a single addition,
//! which takes T times the inversions of full batches. At most n - n / T points wait at a time.

use super::{Addition, BatchSize, Ref, Scheduler, Sink, Statistics, Work};

/// Time that a bucket is in use after an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Until the end of the batch: additions share an inversion.
    Batch,
    /// For T slots from its own slot on: additions follow each other in a pipeline of T stages.
    Pipeline,
}

/// CycloneMSM's delayed scheduler.
#[derive(Debug)]
pub struct Delayed {
    slots: u64,
    overlap: Overlap,
    buckets: usize,
    /// Initial value in `free_from`: 0 if buckets begin empty.
    fresh: u64,
    /// For each bucket, the slot from which on it can be used again; 0 if the bucket is empty.
    free_from: Vec<u64>,
    /// The next slot.
    now: u64,
    /// The first slot behind the batch.
    batch_end: u64,
    batch: Vec<Addition>,
    /// Points that were put off, and their buckets.
    delayed: Vec<(u32, Ref)>,
    statistics: Statistics,
}

impl Delayed {
    /// Returns a scheduler with batches, or a pipeline, of `slots` additions (T, at least 1), for buckets of indices
    /// below `buckets`. The [example](crate::schedule) uses it.
    pub fn new(slots: usize, buckets: usize, overlap: Overlap) -> Self {
        let slots = slots.max(1) as u64;
        Delayed {
            slots,
            overlap,
            buckets,
            fresh: 0,
            free_from: Vec::new(),
            now: 1,
            batch_end: 1 + slots,
            batch: Vec::new(),
            delayed: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Returns a scheduler with batches. If the adder prefers a size, it is cut to an eighth of the buckets, but no
    /// less than 16, so that few points collide. A size that the caller chose is taken as it is, however many points
    /// collide.
    pub(crate) fn sized(batch: BatchSize, buckets: usize) -> Self {
        let slots = match batch {
            BatchSize::Preferred(additions) => additions.min((buckets / 8).max(16)),
            BatchSize::Chosen(additions) => additions,
        };
        Delayed::new(slots, buckets, Overlap::Batch)
    }

    /// Returns the same scheduler with buckets that hold a point from the start. Hardware's buckets do, since they are
    /// reset to infinity. The first point of a bucket is then added like any other, and nothing is copied. See the
    /// [example](crate::schedule).
    pub fn with_full_buckets(self) -> Self {
        Delayed { fresh: 1, ..self }
    }

    /// Returns the number of slots passed, including slots without an addition and the slots that the pipeline took
    /// to empty. See the [example](crate::schedule).
    pub fn elapsed(&self) -> u64 {
        self.now - 1
    }

    /// Lets slots pass without a point. For [`Overlap::Pipeline`]. See the [example](crate::schedule).
    pub fn idle(&mut self, slots: u64, sink: &mut dyn Sink) {
        self.now += slots;
        if self.now >= self.batch_end {
            self.flush(sink);
        }
    }

    /// Finishes as [`finish`](Scheduler::finish) does, if some slots are not for points. `held` returns true for these
    /// slots, given the number of slots [before](Self::elapsed) a slot. For [`Overlap::Pipeline`]. See the
    /// [example](crate::schedule).
    pub fn finish_between(&mut self, mut held: impl FnMut(u64) -> bool, sink: &mut dyn Sink) {
        self.end_pass(sink);
        let mut points = Vec::new();
        while !self.delayed.is_empty() && !sink.is_cancelled() {
            std::mem::swap(&mut points, &mut self.delayed);
            for (bucket, point) in points.drain(..) {
                while held(self.elapsed()) {
                    self.idle(1, sink);
                }
                self.offer(bucket, point, sink);
            }
            self.end_pass(sink);
        }
        self.delayed.clear();
        self.free_from.clear();
    }

    fn offer(&mut self, index: u32, point: Ref, sink: &mut dyn Sink) {
        let bucket = Ref::bucket(index as usize);
        let free_from = &mut self.free_from[index as usize];
        if *free_from == 0 {
            *free_from = self.now;
            return sink.copy(bucket, point);
        }
        if *free_from > self.now {
            self.delayed.push((index, point));
            self.statistics.collisions += 1;
        } else {
            *free_from = match self.overlap {
                Overlap::Batch => self.batch_end,
                Overlap::Pipeline => self.now + 1 + self.slots,
            };
            self.batch.push(Addition { destination: bucket, left: bucket, right: point });
        }
        self.now += 1;
        if self.now == self.batch_end {
            self.flush(sink);
        }
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        if !self.batch.is_empty() {
            sink.add(&self.batch);
            self.batch.clear();
        }
        self.batch_end = self.now + self.slots;
    }

    /// Waits until no bucket is in use.
    fn end_pass(&mut self, sink: &mut dyn Sink) {
        self.now += self.slots;
        self.flush(sink);
        self.statistics.passes += 1;
        self.statistics.waiting = self.statistics.waiting.max(self.delayed.len());
    }
}

impl Scheduler for Delayed {
    fn needs_sorted(&self) -> bool {
        false
    }

    fn temporaries(&self, _: usize) -> usize {
        0
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        self.free_from.resize(self.buckets, self.fresh);
        work.for_each(|bucket, point| self.offer(bucket, point, sink));
    }

    fn finish(&mut self, sink: &mut dyn Sink) {
        self.finish_between(|_| false, sink);
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
