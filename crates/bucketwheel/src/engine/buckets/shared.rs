//! Buckets that threads share: SimdMSM's loop level (section 3.3), for any scheduler that takes points in any order.
//!
//! The paper's bucket buffer has a tuple for each bucket, its sum and its point without a partner, and a lock on each
//! tuple. Here every thread has a scheduler of its own, which keeps the points that wait, and shares the sums alone. So
//! locks are taken for additions into buckets, not for every point.
//!
//! A scheduler knows which buckets it has filled, but another thread may have filled a bucket before. If the scheduler
//! copies a point into a filled bucket, the point is added there, together with all other late points up to the
//! scheduler's next batch.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::{Buckets, Executor};
use crate::schedule::{Addition, Place, Ref, Sink};

/// A lock for each bucket.
pub(super) struct Locks(Vec<AtomicU8>);

/// States of a bucket, in its lock.
const EMPTY: u8 = 0;
const OCCUPIED: u8 = 1;
const LOCKED: u8 = 2;

impl Locks {
    /// Locks for these buckets.
    pub fn new(occupied: &[AtomicBool]) -> Self {
        let state = |occupied: &AtomicBool| if occupied.load(Ordering::Relaxed) { OCCUPIED } else { EMPTY };
        Locks(occupied.iter().map(|occupied| AtomicU8::new(state(occupied))).collect())
    }

    /// Waits for a bucket and locks it. Returns true if the bucket holds a point.
    fn lock(&self, bucket: usize) -> bool {
        let state = &self.0[bucket];
        loop {
            // A thread that holds the lock is busy for the time of a batch, unless it waits for a core.
            for _ in 0..64 {
                let seen = state.load(Ordering::Relaxed);
                let free = seen != LOCKED;
                if free && state.compare_exchange(seen, LOCKED, Ordering::Acquire, Ordering::Relaxed).is_ok()
                {
                    return seen == OCCUPIED;
                }
                std::hint::spin_loop();
            }
            std::thread::yield_now();
        }
    }

    /// Unlocks a bucket, which holds a point from now on.
    fn unlock(&self, bucket: usize) {
        self.0[bucket].store(OCCUPIED, Ordering::Release);
    }
}

/// Buckets that stay locked until this value goes out of scope.
struct Held<'a> {
    locks: &'a Locks,
    buckets: &'a [usize],
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.buckets.iter().for_each(|&bucket| self.locks.unlock(bucket));
    }
}

/// Carries out a schedule on buckets that other threads also use.
pub(super) struct Shared<'a, 'e> {
    owner: &'a Buckets,
    executor: Executor<'e>,
    locks: &'a Locks,
    /// The position of the first of the executor's buckets among the locks.
    first: usize,
    /// Points for buckets that other threads have filled.
    late: Vec<Addition>,
    held: Vec<usize>,
}

impl<'a, 'e> Shared<'a, 'e> {
    /// Makes an executor. Its buckets have the locks from `first` on.
    pub fn new(owner: &'a Buckets, executor: Executor<'e>, locks: &'a Locks, first: usize) -> Self {
        Shared { owner, executor, locks, first, late: Vec::new(), held: Vec::new() }
    }

    /// Does and reports the remaining additions.
    pub fn end(mut self) {
        self.add_late();
        self.executor.end();
    }

    fn add_late(&mut self) {
        if !self.late.is_empty() {
            let mut late = std::mem::take(&mut self.late);
            self.add_locked(&late);
            late.clear();
            self.late = late;
        }
    }

    /// Adds while all buckets of the batch are locked. Buckets are locked in ascending order, so that no two threads
    /// wait for each other.
    fn add_locked(&mut self, batch: &[Addition]) {
        let buckets = batch.iter().map(|addition| addition.destination);
        let buckets = buckets.filter(|destination| destination.place() == Place::Bucket);
        self.held.clear();
        self.held.extend(buckets.map(|bucket| self.first + bucket.index()));
        self.held.sort_unstable();
        for &bucket in &self.held {
            let occupied = self.locks.lock(bucket);
            debug_assert!(occupied, "points come into empty buckets by copies");
        }
        let held = Held { locks: self.locks, buckets: &self.held };
        // Another adder may have made one of these buckets infinity, and said so before it unlocked the bucket.
        self.executor.warn(self.owner);
        self.executor.add(batch);
        self.owner.note(&**self.executor.adder);
        drop(held);
    }
}

impl Sink for Shared<'_, '_> {
    fn add(&mut self, batch: &[Addition]) {
        self.add_late();
        self.add_locked(batch);
    }

    fn copy(&mut self, destination: Ref, source: Ref) {
        if destination.place() != Place::Bucket {
            self.add_late();
            return self.executor.copy(destination, source);
        }
        let bucket = self.first + destination.index();
        let occupied = self.locks.lock(bucket);
        let _held = Held { locks: self.locks, buckets: &[bucket] };
        match occupied {
            true => self.late.push(Addition { destination, left: destination, right: source }),
            false => self.executor.copy(destination, source),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.executor.is_cancelled()
    }
}
