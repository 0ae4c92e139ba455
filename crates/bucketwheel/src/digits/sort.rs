//! Sorting digits: per set of buckets, all points of a bucket side by side.
//!
//! Counting sort in two passes over the digits, in tasks of one set and one part of the points each. Schedulers that take
//! points in any order go without.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::control::Control;
use crate::digits::{bucket, multiple, Digits, NO_BUCKET};
use crate::memory::{Array, Uninit};
use crate::plan::table::Table;
use crate::schedule::Ref;
use crate::windows::Windows;
use crate::Error;

/// Scalars with the same number of windows, and the points they belong to.
#[derive(Debug)]
pub struct Group {
    /// The digits of each scalar.
    pub digits: Digits,
    /// The index of each scalar's point.
    pub indices: Vec<u32>,
}

/// Assignment of digits to sets of buckets, and to the points of a table.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Sets of buckets: window w goes to set `w % sets`, with the points of copy `w / sets`.
    pub sets: usize,
    /// Buckets of a set.
    pub buckets: usize,
    /// Multiples of each copy, by the digit.
    pub multiples: usize,
    /// Points of a copy.
    pub stride: usize,
}

impl Sharing {
    /// Sharing of sets of buckets by these windows over a table.
    pub(crate) fn new(windows: Windows, table: &Table) -> Self {
        let (multiples, stride) = (table.multiples.count(), table.stride);
        Sharing { sets: windows.sets(), buckets: windows.buckets(), multiples, stride }
    }
}

/// All nonzero digits as signed points, sorted by set and bucket.
#[derive(Debug)]
pub struct Sorted {
    /// The points; bucket `b` of set `s` has `points[starts[i]..starts[i + 1]]`, `i = s * buckets + b`.
    pub points: Array<Ref>,
    pub starts: Array<u32>,
}

/// All nonzero digits, as schedulers want them.
#[derive(Debug)]
pub enum Arranged {
    /// By set and bucket.
    Sorted(Sorted),
    /// As the scalars came.
    InOrder(Vec<Group>, Sharing),
}

/// Digits of a task: enough to outweigh its histogram.
const MIN_PART: usize = 1 << 14;
/// Digits of a task at most: some ten milliseconds, since a task does not look at the cancellation.
const MAX_PART: usize = 1 << 22;

impl Sorted {
    /// Sorts the digits of all groups.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`] for more digits than a start can number, [`Error::OutOfMemory`], [`Error::Cancelled`].
    pub fn new(groups: &[Group], sharing: Sharing, control: &Control<'_>) -> Result<Self, Error> {
        let digits: usize = groups.iter().map(|group| group.indices.len() * group.digits.window_count).sum();
        if digits > u32::MAX as usize {
            let points = groups.iter().map(|group| group.indices.len()).sum();
            let windows = groups.iter().map(|group| group.digits.window_count).max().unwrap_or(1);
            return Err(Error::TooManyPoints { points, max: u32::MAX as usize / windows });
        }
        // Digits of a set, at most.
        let rows = |group: &Group| group.digits.window_count.div_ceil(sharing.sets);
        let len = groups.iter().map(|group| group.indices.len() * rows(group)).sum::<usize>();
        let balanced = if control.threads == 1 { 1 } else { (2 * control.threads).div_ceil(sharing.sets) };
        let parts = balanced.clamp(1, len.div_ceil(MIN_PART).max(1)).max(len.div_ceil(MAX_PART));
        Self::sort(groups, sharing, parts, control)
    }

    fn sort(groups: &[Group], sharing: Sharing, parts: usize, control: &Control<'_>) -> Result<Self, Error> {
        let Sharing { sets, buckets, .. } = sharing;
        // positions[s][part][b]: first the number of points, then where the next one goes.
        let positions = Array::from_fn(sets * parts * buckets, |_| AtomicU32::new(0))?;
        let histogram = |task: usize| &positions[task * buckets..][..buckets];
        // The points of each task.
        let totals: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(sets * parts).collect();
        control.for_each(
            sets * parts,
            || (),
            |_, task| {
                let counts = histogram(task);
                let mut total = 0;
                for_each_digit(groups, sharing, task / parts, (task % parts, parts), |_, digit| {
                    increment(&counts[bucket(digit)]);
                    total += 1;
                });
                totals[task].store(total, Ordering::Relaxed);
            },
        );
        // How many points are in the sets before each set, and in all.
        let mut before = vec![0; sets + 1];
        for set in 0..sets {
            let counts: u32 =
                totals[set * parts..][..parts].iter().map(|count| count.load(Ordering::Relaxed)).sum();
            before[set + 1] = before[set] + counts;
        }
        let total = before[sets];
        let starts: Uninit<u32> = Uninit::new(sets * buckets + 1)?;
        let output = starts.output();
        control.for_each(
            sets,
            || (),
            |_, set| {
                let mut next = before[set];
                for bucket in 0..buckets {
                    // SAFETY: sets have their own starts, all below the capacity.
                    unsafe { output.write(set * buckets + bucket, next) };
                    for part in 0..parts {
                        let position = &histogram(set * parts + part)[bucket];
                        let count = position.load(Ordering::Relaxed);
                        position.store(next, Ordering::Relaxed);
                        next += count;
                    }
                }
            },
        );
        control.check()?;
        // SAFETY: without an error, every set has written its starts; there is room for the end of the last one.
        let starts = unsafe {
            output.write(sets * buckets, total);
            starts.written()
        };
        let points: Uninit<Ref> = Uninit::new(total as usize)?;
        let output = points.output();
        control.for_each(
            sets * parts,
            || (),
            |_, task| {
                let positions = histogram(task);
                for_each_digit(groups, sharing, task / parts, (task % parts, parts), |index, digit| {
                    let position = increment(&positions[bucket(digit)]);
                    // SAFETY: the positions of all tasks are distinct and below the capacity.
                    unsafe { output.write(position as usize, Ref::input(index, digit & 1 == 1)) };
                });
            },
        );
        control.check()?;
        // SAFETY: every counted digit was written.
        Ok(Sorted { points: unsafe { points.written() }, starts })
    }
}

/// Adds one without a locked instruction: only one task writes a counter at a time.
#[inline(always)]
fn increment(counter: &AtomicU32) -> u32 {
    let value = counter.load(Ordering::Relaxed);
    counter.store(value + 1, Ordering::Relaxed);
    value
}

/// Calls `f(point, digit)` for the nonzero digits of one set in one of several parts of the points.
#[inline(always)]
pub(crate) fn for_each_digit(
    groups: &[Group],
    sharing: Sharing,
    set: usize,
    (part, parts): (usize, usize),
    mut f: impl FnMut(usize, u32),
) {
    for group in groups {
        let len = group.indices.len();
        let range = len * part / parts..len * (part + 1) / parts;
        let windows = (set..group.digits.window_count).step_by(sharing.sets);
        for (copy, window) in windows.enumerate() {
            let first = copy * sharing.multiples;
            let digits = &group.digits.row(window)[range.clone()];
            for (&index, &digit) in group.indices[range.clone()].iter().zip(digits) {
                if digit != NO_BUCKET {
                    f((first + multiple(digit)) * sharing.stride + index as usize, digit);
                }
            }
        }
    }
}
