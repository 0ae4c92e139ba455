//! Accumulates points in the order of their scalars, a window at a time. A window is the task of one thread, or of all
//! threads, which then share its buckets.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::shared::{Locks, Shared};
use super::{Buckets, Executor, CHUNK};
use crate::control::Control;
use crate::digits::{bucket, Digits};
use crate::engine::adder::Arena;
use crate::engine::infinities::Infinities;
use crate::memory::Slots;
use crate::schedule::ThreadsBy;
use crate::schedule::{Ref, Run, Sink, Work};
use crate::Error;

impl Buckets {
    /// Adds the points of all nonzero digits to the buckets of the windows from `first` on.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: some buckets have not been written.
    pub fn accumulate_in_order(
        &mut self,
        inputs: Slots,
        (digits, sets): (&Digits<'_>, &Range<usize>),
        first: usize,
        threads_by: ThreadsBy,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let per_window = self.shape.per_window;
        self.infinity.fetch_or(infinities.are_possible(), Ordering::Relaxed);
        let parts = match threads_by {
            ThreadsBy::Auto => 1,
            ThreadsBy::Loop => control.threads,
        };
        // Schedulers assume that all buckets are empty. With locks, a point that is already in a bucket counts as
        // another thread's point.
        let windows = first..first + sets.len();
        let empty = self.empty[windows.clone()].iter().all(|&empty| empty);
        let locks = (parts > 1 || !empty).then(|| Locks::new(&self.occupied));
        let this = &*self;
        let workers = control.for_each(
            sets.len() * parts,
            || (this.worker(CHUNK), Vec::with_capacity(CHUNK)),
            |(worker, points), task| {
                let (window, part) = (task / parts, task % parts);
                let (set, first) = (sets.start + window, (first + window) * per_window);
                // SAFETY: the buckets of a window belong to one task, or each bucket is locked while a task uses it.
                let arena = unsafe {
                    let buckets = this.points.slots().part(first, per_window);
                    Arena::new(inputs, buckets, worker.temporaries.slots())
                };
                let occupied = &this.occupied[first..first + per_window];
                let mut executor = Executor::new(&mut worker.adder, arena, control);
                let (scheduler, runs) = (&mut worker.scheduler, &mut worker.runs);
                let mut sum_up = |sink: &mut dyn Sink| {
                    let mut schedule = |points: &mut Vec<Ref>, runs: &mut Vec<Run>| {
                        if !control.is_cancelled() {
                            scheduler.schedule(Work { points, runs }, sink);
                        }
                        points.clear();
                        runs.clear();
                    };
                    digits.for_each(set..set + 1, (part, parts), |_, point, digit| {
                        let bucket = bucket(digit);
                        occupied[bucket].store(true, Ordering::Relaxed);
                        points.push(Ref::input(point, digit & 1 == 1));
                        runs.push(Run { bucket: bucket as u32, len: 1 });
                        if points.len() == CHUNK {
                            schedule(points, runs);
                        }
                    });
                    schedule(points, runs);
                    scheduler.finish(sink);
                };
                match &locks {
                    None => {
                        sum_up(&mut executor);
                        executor.end();
                    }
                    Some(locks) => {
                        let mut shared = Shared::new(this, executor, locks, first);
                        sum_up(&mut shared);
                        shared.end();
                    }
                }
            },
        );
        self.retire(workers.into_iter().map(|(worker, _)| worker));
        self.empty[windows].fill(false);
        control.check()
    }
}
