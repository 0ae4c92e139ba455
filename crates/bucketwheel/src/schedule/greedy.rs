//! `greedy`: a point whose bucket is in use is tried again as soon as possible. Until then, it may be added to another point.
//!
//! CycloneMSM, section 3.2, calls a scheduler greedy if it reprocesses a conflicting point as soon as the point's
//! bucket is free. A greedy scheduler needs only a short queue, but is "a challenge for the future" in software
//! (section 5.3), since one has to keep track of when a bucket was last used. Batches make this easy: a bucket is in
//! use if its last batch is the current batch. The scheduler stores one number per bucket, and writes it with the
//! bucket. At the end of a batch all buckets are free, and the waiting points go first into the next batch.
//!
//! The paper's greedy scheduler degrades like the delayed scheduler if few buckets take all points. Ours does not: the
//! second point that waits for the same bucket is added to the first, into a temporary. This addition is independent of
//! everything in the batch and costs nothing more, since every addition turns two points into one. The sum waits for
//! its bucket in the next batch.
//!
//! Guarantees, for any points in any order: all batches are full, except at most log2 T + 2 of them at the end. At most
//! T points wait, in at most 2 T temporaries: x additions of a full batch go into x different buckets, for each of
//! which one point may wait unpaired, and T - x additions leave a sum that waits. Waiting points go first. A point is
//! looked at once for every addition that it takes part in, and once more if it waited.

use super::{Addition, Place, Ref, Scheduler, Sink, Statistics, Work};

/// The greedy scheduler.
#[derive(Debug)]
pub struct Greedy {
    batch_len: usize,
    buckets: usize,
    states: Vec<Bucket>,
    /// The number of the batch, from 2 on.
    number: u32,
    batch: Vec<Addition>,
    /// The sums that the batch puts into temporaries, and their buckets.
    sums: Vec<(u32, Ref)>,
    /// Buckets for which a point waits. For some of them, no point waits any more.
    waiting: Vec<u32>,
    /// Points that waited for the batch before.
    ready: Vec<(u32, Ref)>,
    /// Temporaries that are free, and temporaries that will be free after the batch.
    free: Vec<Ref>,
    read: Vec<Ref>,
    statistics: Statistics,
}

/// State of a bucket.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// The number of the last batch that used the bucket: 0 if it is empty, 1 if it holds a copy.
    last_batch: u32,
    /// A point that waits for the bucket.
    waiting: Ref,
}

const EMPTY: Bucket = Bucket { last_batch: 0, waiting: Ref::NONE };

impl Greedy {
    /// Returns a scheduler with batches of `batch_len` additions (T, at least 1), for buckets of indices below
    /// `buckets`. The [example](crate::schedule) uses it.
    pub fn new(batch_len: usize, buckets: usize) -> Self {
        let batch_len = batch_len.max(1);
        Greedy {
            batch_len,
            buckets,
            states: Vec::new(),
            number: 2,
            batch: Vec::new(),
            sums: Vec::new(),
            waiting: Vec::new(),
            ready: Vec::new(),
            // The last temporary of the list is taken first.
            free: (0..2 * batch_len).rev().map(Ref::temporary).collect(),
            read: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    fn offer(&mut self, index: u32, point: Ref, sink: &mut dyn Sink) {
        let bucket = Ref::bucket(index as usize);
        let state = &mut self.states[index as usize];
        if state.last_batch == 0 {
            state.last_batch = 1;
            return sink.copy(bucket, point);
        }
        let (destination, left) = if state.last_batch != self.number {
            state.last_batch = self.number;
            self.read(point);
            (bucket, bucket)
        } else {
            self.statistics.collisions += 1;
            if state.waiting == Ref::NONE {
                state.waiting = point;
                return self.waiting.push(index);
            }
            let other = std::mem::replace(&mut state.waiting, Ref::NONE);
            let sum = self.free.pop().expect("at most 2 T temporaries are in use");
            self.sums.push((index, sum));
            self.read(other);
            self.read(point);
            (sum, other)
        };
        self.batch.push(Addition { destination, left, right: point });
        if self.batch.len() == self.batch_len {
            self.flush(sink);
        }
    }

    /// Notes that the batch reads a summand.
    fn read(&mut self, summand: Ref) {
        if summand.place() == Place::Temporary {
            self.read.push(summand);
        }
    }

    /// Ends the batch. Points that wait for its buckets are then ready, before points that have yet to arrive.
    fn flush(&mut self, sink: &mut dyn Sink) {
        sink.add(&self.batch);
        self.batch.clear();
        self.number += 1;
        self.free.append(&mut self.read);
        self.ready.append(&mut self.sums);
        for index in self.waiting.drain(..) {
            let point = std::mem::replace(&mut self.states[index as usize].waiting, Ref::NONE);
            if point != Ref::NONE {
                self.ready.push((index, point));
            }
        }
        self.statistics.waiting = self.statistics.waiting.max(self.ready.len());
    }

    fn offer_ready(&mut self, sink: &mut dyn Sink) {
        while let Some((bucket, point)) = self.ready.pop() {
            self.offer(bucket, point, sink);
        }
    }
}

impl Scheduler for Greedy {
    fn needs_sorted(&self) -> bool {
        false
    }

    fn temporaries(&self, _: usize) -> usize {
        2 * self.batch_len
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        self.states.resize(self.buckets, EMPTY);
        work.for_each(|bucket, point| {
            self.offer(bucket, point, sink);
            if !self.ready.is_empty() {
                self.offer_ready(sink);
            }
        });
    }

    fn finish(&mut self, sink: &mut dyn Sink) {
        while !self.batch.is_empty() {
            self.flush(sink);
            self.offer_ready(sink);
        }
        self.states.clear();
        self.number = 2;
        self.statistics.passes += 1;
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
