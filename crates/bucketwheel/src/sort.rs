//! Sorting digits: per window, all points of a bucket side by side.
//!
//! Counting sort in two passes over the digits, in tasks of one window and one part of the points each. Schedulers
//! that take points in any order go without.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::control::Control;
use crate::digits::{Digits, NO_BUCKET};
use crate::schedule::Ref;

/// Scalars with the same number of windows, and the points they belong to.
#[derive(Debug)]
pub struct Group {
    /// The digits of each scalar.
    pub digits: Digits,
    /// The index of each scalar's point.
    pub indices: Vec<u32>,
}

/// All nonzero digits as signed points, sorted by window and bucket.
#[derive(Debug)]
pub struct Sorted {
    /// The points; bucket `b` of window `w` has `points[starts[i]..starts[i + 1]]`, `i = w * buckets + b`.
    pub points: Vec<Ref>,
    pub starts: Vec<u32>,
}

/// All nonzero digits, as schedulers want them.
#[derive(Debug)]
pub enum Arranged {
    /// By window and bucket.
    Sorted(Sorted),
    /// As the scalars came.
    InOrder(Vec<Group>),
}

/// Points of a task: enough to outweigh its histogram.
const MIN_PART: usize = 1 << 14;
/// Points of a task at most: some ten milliseconds, since a task does not look at the cancellation.
const MAX_PART: usize = 1 << 22;

impl Sorted {
    /// Sorts the digits of all groups, `buckets` per window.
    pub fn new(groups: &[Group], window_count: usize, buckets: usize, control: &Control<'_>) -> Self {
        let len = groups.iter().map(|group| group.indices.len()).sum::<usize>();
        let balanced = if control.threads == 1 { 1 } else { (2 * control.threads).div_ceil(window_count) };
        let parts = balanced.clamp(1, len.div_ceil(MIN_PART).max(1)).max(len.div_ceil(MAX_PART));
        Self::sort(groups, window_count, buckets, parts, control)
    }

    fn sort(
        groups: &[Group],
        window_count: usize,
        buckets: usize,
        parts: usize,
        control: &Control<'_>,
    ) -> Self {
        // positions[w][part][b]: first the number of points, then where the next one goes.
        let positions: Vec<AtomicU32> =
            std::iter::repeat_with(AtomicU32::default).take(window_count * parts * buckets).collect();
        let histogram = |task: usize| &positions[task * buckets..][..buckets];
        // The points of each task.
        let totals: Vec<AtomicU32> =
            std::iter::repeat_with(AtomicU32::default).take(window_count * parts).collect();
        control.for_each(
            window_count * parts,
            || (),
            |_, task| {
                let counts = histogram(task);
                let mut total = 0;
                for_each_digit(groups, task / parts, task % parts, parts, |_, digit| {
                    increment(&counts[(digit >> 1) as usize]);
                    total += 1;
                });
                totals[task].store(total, Ordering::Relaxed);
            },
        );
        // How many points are in the windows before each window, and in all.
        let mut before = vec![0; window_count + 1];
        for window in 0..window_count {
            let counts: u32 =
                totals[window * parts..][..parts].iter().map(|count| count.load(Ordering::Relaxed)).sum();
            before[window + 1] = before[window] + counts;
        }
        let total = before[window_count];
        let mut starts: Vec<u32> = Vec::with_capacity(window_count * buckets + 1);
        let output = Output(starts.as_mut_ptr());
        control.for_each(
            window_count,
            || (),
            |_, window| {
                let mut next = before[window];
                for bucket in 0..buckets {
                    // SAFETY: windows have their own starts, all below the capacity.
                    unsafe { output.write(window * buckets + bucket, next) };
                    for part in 0..parts {
                        let position = &histogram(window * parts + part)[bucket];
                        let count = position.load(Ordering::Relaxed);
                        position.store(next, Ordering::Relaxed);
                        next += count;
                    }
                }
            },
        );
        if control.is_cancelled() {
            return Sorted { points: Vec::new(), starts: vec![0; window_count * buckets + 1] };
        }
        // SAFETY: not cancelled, so every window has written its starts.
        unsafe { starts.set_len(window_count * buckets) };
        starts.push(total);
        let mut points: Vec<Ref> = Vec::with_capacity(total as usize);
        let output = Output(points.as_mut_ptr());
        control.for_each(
            window_count * parts,
            || (),
            |_, task| {
                let positions = histogram(task);
                for_each_digit(groups, task / parts, task % parts, parts, |index, digit| {
                    let position = increment(&positions[(digit >> 1) as usize]);
                    // SAFETY: the positions of all tasks are distinct and below the capacity.
                    unsafe { output.write(position as usize, Ref::input(index as usize, digit & 1 == 1)) };
                });
            },
        );
        if control.is_cancelled() {
            return Sorted { points: Vec::new(), starts: vec![0; starts.len()] };
        }
        // SAFETY: every counted digit was written.
        unsafe { points.set_len(total as usize) };
        Sorted { points, starts }
    }
}

/// Adds one without a locked instruction: only one task writes a counter at a time.
#[inline(always)]
fn increment(counter: &AtomicU32) -> u32 {
    let value = counter.load(Ordering::Relaxed);
    counter.store(value + 1, Ordering::Relaxed);
    value
}

/// Calls `f(index, digit)` for the nonzero digits of one window in one part of the points.
#[inline(always)]
pub(crate) fn for_each_digit(
    groups: &[Group],
    window: usize,
    part: usize,
    parts: usize,
    mut f: impl FnMut(u32, u32),
) {
    for group in groups.iter().filter(|group| window < group.digits.window_count) {
        let len = group.indices.len();
        let range = len * part / parts..len * (part + 1) / parts;
        let digits = &group.digits.row(window)[range.clone()];
        for (&index, &digit) in group.indices[range].iter().zip(digits) {
            if digit != NO_BUCKET {
                f(index, digit);
            }
        }
    }
}

struct Output<T>(*mut T);

// SAFETY: tasks write disjoint positions.
unsafe impl<T: Send> Sync for Output<T> {}

impl<T> Output<T> {
    /// # Safety
    /// `position` is within the allocation and written once.
    #[inline(always)]
    unsafe fn write(&self, position: usize, value: T) {
        self.0.add(position).write(value);
    }
}
