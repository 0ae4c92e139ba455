//! `three-tier`: pairs of points of one bucket are added first, their sums are cached, and the cache is emptied into the buckets.
//!
//! SimdMSM, section 3 and Algorithm 1, for an engine of chi lanes. The tiers:
//!
//! - The *bucket buffer* has for each bucket the address of one point that has no partner yet (addrPA).
//! - The *point buffer* collects pairs of points of one bucket. Once there are chi pairs, they are added (SimdPADDaff:
//!   both summands are affine) and their sums become
//! - *cached points* (T), never more than 2 chi. A *conflict buffer* picks chi additions among them (SimdPADDprj). Two
//!   cached points of one bucket are added, and the sum takes the place of one of them. A point without a partner goes
//!   into its bucket. Either addition leaves one cached point less, so that chi remain of 2 chi.
//!
//! The paper's states of T, and where they are here:
//!
//! | state | cached points | next |
//! |---|---|---|
//! | 0 | none | wait for chi sums: state 1 or 2 |
//! | 1 | chi, of different buckets | all go into their buckets: state 0 |
//! | 2 | chi, some of one bucket | wait for chi more: state 3 or 4 |
//! | 3, 4 | 2 chi | the conflict buffer's chi additions: state 5 |
//! | 5 | chi, after a shift | state 1 or 2 |
//!
//! Gaps of the paper, and how this code fills them. Section 3.5 says that states 3 and 4 differ in whether conflicts
//! remain after the additions, and "if conflicts persist, after shifts the system transitions back to State-1;
//! otherwise, it moves to State-2". With the states as section 3.3 defines them, it must be the other way round. Here,
//! states 3 and 4 are one state, and the check after it is state 0's. Algorithm 1 looks for partners while it fills the
//! conflict buffer. Here, pairs come before single points, which needs a single pass. The shift moves ids, not points.
//! The addition into an empty bucket is a copy, which takes one of the chi tuples and leaves its lane idle.
//!
//! The *tail task* (section 3.4) adds the incomplete point buffer, empties the cache, and adds each point without a
//! partner into its bucket, chi at a time.
//!
//! Guarantees, for any points in any order: 2 chi temporaries suffice. Until the tail, every batch of pairs and every
//! batch of the conflict buffer has chi tuples, even if all points fall into one bucket. The tail has at most
//! `log2 chi + 4` batches, and one batch for every chi buckets. Half of the additions are of affine points ("tree-like",
//! section 4.2).
//!
//! The caller assigns threads: each takes a window (the paper's task level, the only one that its own measurements use,
//! section 6), or all share one window, whose buckets then have locks (the paper's loop level,
//! `engine/buckets/shared.rs`).

use super::{Addition, Ref, Scheduler, Sink, Statistics, Work};

/// SimdMSM's scheduler.
#[derive(Debug)]
pub struct ThreeTier {
    /// chi
    lanes: usize,
    buckets: usize,
    states: Vec<Bucket>,
    /// The point buffer: pairs, and their buckets.
    pairs: Vec<(u32, [Ref; 2])>,
    /// The cached points (T), and their buckets.
    cached: Vec<(u32, Ref)>,
    /// The temporaries that are not cached points.
    free: Vec<Ref>,
    batch: Vec<Addition>,
    /// Memory for the cached points of the next state.
    spare: Vec<(u32, Ref)>,
    statistics: Statistics,
}

/// State of a bucket.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// A point without a partner.
    point: Ref,
    /// A cached point that looks for a partner, while the scheduler goes through the cached points.
    cached: Ref,
    occupied: bool,
}

const EMPTY: Bucket = Bucket { point: Ref::NONE, cached: Ref::NONE, occupied: false };

impl ThreeTier {
    /// Returns a scheduler for `lanes` additions at a time (chi, at least 1), for buckets of indices below `buckets`.
    /// The [example](crate::Msm) uses it.
    pub fn new(lanes: usize, buckets: usize) -> Self {
        let lanes = lanes.max(1);
        ThreeTier {
            lanes,
            buckets,
            states: Vec::new(),
            pairs: Vec::new(),
            cached: Vec::new(),
            free: (0..2 * lanes).rev().map(Ref::temporary).collect(),
            batch: Vec::new(),
            spare: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Adds the pairs of the point buffer, and caches their sums.
    fn add_pairs(&mut self, sink: &mut dyn Sink) {
        for (bucket, [left, right]) in self.pairs.drain(..) {
            let destination = self.free.pop().expect("at most chi points are cached before");
            self.cached.push((bucket, destination));
            self.batch.push(Addition { destination, left, right });
        }
        self.flush(sink);
        self.statistics.waiting = self.statistics.waiting.max(self.cached.len());
    }

    /// Empties the cache as far as full lanes allow, by the states and their transitions.
    fn settle(&mut self, sink: &mut dyn Sink) {
        while self.cached.len() > self.lanes || self.cached.len() == self.lanes && self.are_distinct() {
            self.resolve(sink);
        }
    }

    /// Returns true if no two cached points belong to the same bucket.
    fn are_distinct(&mut self) -> bool {
        let mut distinct = true;
        for &(bucket, point) in &self.cached {
            let partner = &mut self.states[bucket as usize].cached;
            distinct &= *partner == Ref::NONE;
            *partner = point;
        }
        self.cached.iter().for_each(|&(bucket, _)| self.states[bucket as usize].cached = Ref::NONE);
        distinct
    }

    /// Fills the conflict buffer with chi tuples, or with all tuples if there are fewer, and adds them.
    fn resolve(&mut self, sink: &mut dyn Sink) {
        let before = std::mem::replace(&mut self.cached, std::mem::take(&mut self.spare));
        // Finds at most chi pairs of one bucket. A point without a partner is left in the bucket's state.
        for &(bucket, point) in &before {
            let partner = &mut self.states[bucket as usize].cached;
            if *partner == Ref::NONE {
                *partner = point;
                continue;
            }
            let left = std::mem::replace(partner, Ref::NONE);
            self.batch.push(Addition { destination: left, left, right: point });
            self.free.push(point);
            self.cached.push((bucket, left));
        }
        let mut tuples = self.batch.len();
        self.statistics.collisions += tuples as u64;
        for &(index, point) in &before {
            let state = &mut self.states[index as usize];
            if state.cached != point {
                continue;
            }
            state.cached = Ref::NONE;
            if tuples == self.lanes {
                self.cached.push((index, point));
                continue;
            }
            tuples += 1;
            self.free.push(point);
            let bucket = Ref::bucket(index as usize);
            if std::mem::replace(&mut state.occupied, true) {
                self.batch.push(Addition { destination: bucket, left: bucket, right: point });
            } else {
                sink.copy(bucket, point);
            }
        }
        self.spare = before;
        self.spare.clear();
        self.flush(sink);
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        if !self.batch.is_empty() {
            sink.add(&self.batch);
            self.batch.clear();
        }
    }

    /// Adds the points without a partner into their buckets.
    fn add_single_points(&mut self, sink: &mut dyn Sink) {
        for index in 0..self.states.len() {
            let Bucket { point, occupied, .. } = self.states[index];
            let bucket = Ref::bucket(index);
            match (point, occupied) {
                (Ref::NONE, _) => {}
                (_, false) => sink.copy(bucket, point),
                (_, true) => self.batch.push(Addition { destination: bucket, left: bucket, right: point }),
            }
            if self.batch.len() == self.lanes {
                self.flush(sink);
            }
        }
        self.flush(sink);
    }
}

impl Scheduler for ThreeTier {
    fn needs_sorted(&self) -> bool {
        false
    }

    fn temporaries(&self, _: usize) -> usize {
        2 * self.lanes
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        self.states.resize(self.buckets, EMPTY);
        work.for_each(|bucket, point| {
            let partner = &mut self.states[bucket as usize].point;
            if *partner == Ref::NONE {
                *partner = point;
                return;
            }
            self.pairs.push((bucket, [std::mem::replace(partner, Ref::NONE), point]));
            if self.pairs.len() == self.lanes {
                self.add_pairs(sink);
                self.settle(sink);
            }
        });
    }

    fn finish(&mut self, sink: &mut dyn Sink) {
        self.add_pairs(sink);
        while !self.cached.is_empty() {
            self.resolve(sink);
        }
        self.add_single_points(sink);
        self.states.clear();
        self.statistics.passes += 1;
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
