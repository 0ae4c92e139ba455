//! Accumulation of points in the order of their scalars: a window at a time, and each the task of one thread.

use std::sync::atomic::Ordering;

use bucketwheel_lanes::LaneField;

use super::{Buckets, Executor, Shape, CHUNK};
use crate::control::Control;
use crate::curve::{Adder, Arena};
use crate::digits::bucket;
use crate::schedule::{Ref, Run, Work};
use crate::sort::{for_each_digit, Group, Sharing};
use crate::Error;

impl<L: LaneField, A: Adder<L>> Buckets<L, A> {
    /// Sums up the points of all nonzero digits into the buckets, which are empty before.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: some buckets are not written then.
    pub fn accumulate_in_order(
        &mut self,
        inputs: &[A::Input],
        groups: &[Group],
        sharing: Sharing,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let Shape { window_count, per_window } = self.shape;
        self.infinity.fetch_or(infinity, Ordering::Relaxed);
        control.expect(groups.iter().map(|group| group.indices.len() * group.digits.window_count).sum());
        let this = &*self;
        let workers = control.for_each(
            window_count,
            || (this.worker(CHUNK), Vec::with_capacity(CHUNK)),
            |(worker, points), window| {
                let first = window * per_window;
                // SAFETY: a window's buckets are its task's own.
                let arena = unsafe {
                    Arena::new(
                        inputs,
                        this.points.as_mut_ptr().add(first),
                        per_window,
                        worker.temporaries.as_mut_slice(),
                    )
                };
                let occupied = &this.occupied[first..first + per_window];
                let mut executor = Executor::new(&mut worker.adder, arena, control);
                let (scheduler, runs) = (&mut worker.scheduler, &mut worker.runs);
                let mut schedule = |points: &mut Vec<Ref>, runs: &mut Vec<Run>| {
                    if !control.is_cancelled() {
                        scheduler.schedule(Work { points, runs }, &mut executor);
                    }
                    points.clear();
                    runs.clear();
                };
                for_each_digit(groups, sharing, window, (0, 1), |point, digit| {
                    let bucket = bucket(digit);
                    occupied[bucket].store(true, Ordering::Relaxed);
                    points.push(Ref::input(point, digit & 1 == 1));
                    runs.push(Run { bucket: bucket as u32, len: 1 });
                    if points.len() == CHUNK {
                        schedule(points, runs);
                    }
                });
                schedule(points, runs);
                scheduler.finish(&mut executor);
                executor.end();
            },
        );
        self.retire(workers.into_iter().map(|(worker, _)| worker).collect());
        control.check()
    }
}
