//! Sorting digits: per set of buckets, all points of a bucket side by side.
//!
//! A counting sort takes two passes over the scalars. Each task has some sets and one part of the scalars. Schedulers
//! that take points in any order skip the sort.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::packed::bucket;
use super::recode::Digits;
use crate::control::Control;
use crate::memory::{Array, Output, Uninit};
use crate::schedule::Ref;
use crate::vectorize::{vectorize, Task};
use crate::Error;

/// All nonzero digits of some sets as signed points, sorted by set and bucket.
#[derive(Debug)]
pub struct Sorted {
    /// The points. Bucket `b` of set `s`, counted from the first of the sorted sets, has the points
    /// `points[starts[i]..starts[i + 1]]`, `i = s * buckets + b`.
    pub points: Array<Ref>,
    pub starts: Array<u32>,
}

/// All nonzero digits of some sets, in the order that a scheduler wants.
#[derive(Debug)]
pub enum Arranged<'a> {
    /// Sorted by set and bucket.
    Sorted(Sorted),
    /// Unsorted, in the order of the scalars.
    InOrder(Digits<'a>, Range<usize>),
}

impl Sorted {
    /// Returns points that are all in the first bucket of the first of `sets` sets of buckets.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn first_bucket(points: Array<Ref>, sets: usize, buckets: usize) -> Result<Self, Error> {
        let len = points.len() as u32;
        let starts = Array::from_fn(sets * buckets + 1, |index| if index == 0 { 0 } else { len })?;
        Ok(Sorted { points, starts })
    }
}

impl Arranged<'_> {
    /// Returns true if the points of a bucket are neighbours. See the [example](crate::provider::Provider).
    pub fn is_sorted(&self) -> bool {
        matches!(self, Arranged::Sorted(_))
    }

    /// Returns the number of sorted points.
    pub(crate) fn sorted_len(&self) -> usize {
        match self {
            Arranged::Sorted(sorted) => sorted.points.len(),
            Arranged::InOrder(..) => 0,
        }
    }

    /// Calls `f(set, bucket, point)` with each point, an [input](Ref::input) with its sign. `set` counts from the first
    /// of these sets. See the [example](crate::provider::Provider).
    pub fn for_each(&self, buckets: usize, f: &mut dyn FnMut(usize, usize, Ref)) {
        match self {
            Arranged::Sorted(Sorted { points, starts }) => {
                for (index, bounds) in starts.windows(2).enumerate() {
                    let run = &points[bounds[0] as usize..bounds[1] as usize];
                    run.iter().for_each(|&point| f(index / buckets, index % buckets, point));
                }
            }
            Arranged::InOrder(digits, sets) => digits.for_each(sets.clone(), (0, 1), |set, point, digit| {
                f(set - sets.start, bucket(digit), Ref::input(point, digit & 1 == 1));
            }),
        }
    }
}

/// Fewest digits of a task: enough to outweigh its histogram.
const MIN_PART: usize = 1 << 14;
/// Most digits of a task: some ten milliseconds, since a task does not look at the cancellation.
const MAX_PART: usize = 1 << 22;
/// Buckets of the sets that a task goes through at a time: the cache lines where their next points go, half a megabyte, stay
/// in the second-level cache.
const PASS: usize = 1 << 14;
/// Most buckets whose starts are one task.
const BLOCK: usize = 1 << 13;
/// Fewest buckets whose starts are one task, if there are many threads.
const MIN_BLOCK: usize = 1 << 10;

impl Sorted {
    /// Sorts the digits of these sets.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`] for more digits than a start can number, [`Error::OutOfMemory`], [`Error::Cancelled`].
    pub fn new(digits: &Digits<'_>, sets: Range<usize>, control: &Control<'_>) -> Result<Self, Error> {
        let count = digits.count(&sets);
        if count > u32::MAX as usize {
            let points = digits.classes.iter().map(|class| class.len).sum::<usize>();
            return Err(Error::TooManyPoints { points, max: u32::MAX as usize / count.div_ceil(points) });
        }
        let pass = (PASS / digits.sharing.buckets).clamp(1, sets.len());
        let passes = sets.len().div_ceil(pass);
        let balanced = if control.threads == 1 { 1 } else { (2 * control.threads).div_ceil(passes) };
        let len = count.div_ceil(passes);
        let parts = balanced.clamp(1, len.div_ceil(MIN_PART).max(1)).max(len.div_ceil(MAX_PART));
        Sort { digits, sets, pass, parts }.run(control)
    }
}

/// A sort under way.
struct Sort<'a> {
    digits: &'a Digits<'a>,
    sets: Range<usize>,
    /// Number of sets of a task.
    pass: usize,
    /// Number of parts of the scalars.
    parts: usize,
}

impl Sort<'_> {
    fn run(self, control: &Control<'_>) -> Result<Sorted, Error> {
        let Sort { digits, parts, .. } = self;
        let tasks = self.sets.len().div_ceil(self.pass) * parts;
        let buckets = digits.sharing.buckets;
        // counters[task][set][bucket]: first the number of points, then where the next one goes.
        let counters: Uninit<AtomicU32> = Uninit::new(self.sets.len() * parts * buckets)?;
        let output = counters.output();
        control.for_each(
            tasks,
            || (),
            |_, task| {
                let (sets, row) = self.task(task);
                let range = row * buckets..(row + sets.len()) * buckets;
                // SAFETY: these rows belong to this task alone, which writes them first.
                let counters = unsafe {
                    range.clone().for_each(|i| output.write(i, AtomicU32::new(0)));
                    output.part(range)
                };
                vectorize(digits.backend, Count { digits, sets, part: (task % parts, parts), counters });
            },
        );
        control.check()?;
        // SAFETY: without an error, all tasks have written their counters.
        let starts = self.starts(unsafe { counters.as_slice() }, control)?;
        let points: Uninit<Ref> = Uninit::new(starts[starts.len() - 1] as usize)?;
        let sorted = points.output();
        control.for_each(
            tasks,
            || (),
            |_, task| {
                let (sets, row) = self.task(task);
                // SAFETY: these rows belong to this task alone, and have been written.
                let next = unsafe { output.part(row * buckets..(row + sets.len()) * buckets) };
                let part = (task % parts, parts);
                vectorize(digits.backend, Scatter { digits, sets, part, next, sorted: &sorted });
            },
        );
        control.check()?;
        // SAFETY: every counted digit was written.
        Ok(Sorted { points: unsafe { points.written() }, starts })
    }

    /// Returns the sets of a task, and the first of its rows of counters, one row for each set.
    fn task(&self, task: usize) -> (Range<usize>, usize) {
        let (pass, part) = (task / self.parts * self.pass, task % self.parts);
        let sets = self.sets.start + pass..self.sets.end.min(self.sets.start + pass + self.pass);
        let row = pass * self.parts + part * sets.len();
        (sets, row)
    }

    /// Turns the numbers of points of each task, set and bucket into the positions of the first ones. Returns the
    /// positions of each set and bucket, and of the end.
    fn starts(&self, counters: &[AtomicU32], control: &Control<'_>) -> Result<Array<u32>, Error> {
        let (buckets, parts) = (self.digits.sharing.buckets, self.parts);
        let share = (self.sets.len() * buckets / (2 * control.threads)).next_power_of_two();
        let block = share.clamp(MIN_BLOCK, BLOCK).min(buckets);
        let blocks = self.sets.len() * buckets / block;
        // Returns the counters of a block, one row for each part.
        let rows = |index: usize| {
            let (set, first) = (index * block / buckets, index * block % buckets);
            let pass = set / self.pass * parts;
            (pass..pass + parts).map(move |task| {
                let (_, row) = self.task(task);
                &counters[(row + set % self.pass) * buckets + first..][..block]
            })
        };
        let counts = control.map(blocks, |index| {
            rows(index).flatten().map(|count| count.load(Ordering::Relaxed)).sum::<u32>()
        })?;
        let mut end = 0;
        let mut before = counts;
        for count in &mut before {
            end += std::mem::replace(count, end);
        }
        let starts: Uninit<u32> = Uninit::new(blocks * block + 1)?;
        let output = starts.output();
        control.for_each(
            blocks,
            || Vec::with_capacity(parts),
            |block_rows, index| {
                let mut next = before[index];
                block_rows.clear();
                block_rows.extend(rows(index));
                for i in 0..block {
                    // SAFETY: blocks have their own starts, all below the capacity.
                    unsafe { output.write(index * block + i, next) };
                    for row in &*block_rows {
                        let count = row[i].load(Ordering::Relaxed);
                        row[i].store(next, Ordering::Relaxed);
                        next += count;
                    }
                }
            },
        );
        control.check()?;
        // SAFETY: without an error, every block has written its starts; there is room for the end of the last one.
        Ok(unsafe {
            output.write(blocks * block, end);
            starts.written()
        })
    }
}

/// Counts the points of one part of the scalars by set and bucket.
struct Count<'a> {
    digits: &'a Digits<'a>,
    sets: Range<usize>,
    part: (usize, usize),
    counters: &'a mut [AtomicU32],
}

impl Task for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Count { digits, sets, part, counters } = self;
        let (first, buckets) = (sets.start, digits.sharing.buckets);
        digits.for_each(sets, part, |set, _, digit| {
            *counters[(set - first) * buckets + bucket(digit)].get_mut() += 1;
        });
    }
}

/// Writes the same points to their places.
struct Scatter<'a> {
    digits: &'a Digits<'a>,
    sets: Range<usize>,
    part: (usize, usize),
    /// The place of each bucket's next point. All of them, and the places of other tasks, are distinct and below the
    /// capacity.
    next: &'a mut [AtomicU32],
    sorted: &'a Output<Ref>,
}

impl Task for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Scatter { digits, sets, part, next, sorted } = self;
        let (first, buckets) = (sets.start, digits.sharing.buckets);
        digits.for_each(sets, part, |set, point, digit| {
            let next = next[(set - first) * buckets + bucket(digit)].get_mut();
            // SAFETY: every point has its own place, which is below the capacity.
            unsafe { sorted.write(*next as usize, Ref::input(point, digit & 1 == 1)) };
            *next += 1;
        });
    }
}
