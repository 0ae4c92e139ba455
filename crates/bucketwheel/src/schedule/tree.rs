//! `tree`: the points of each bucket are added pairwise, level by level.
//!
//! All additions of a level are independent, over all buckets. So batches are long and lanes are full for any
//! distribution of the points, even if all points fall into one bucket. A run of n points costs n - 1 additions in
//! ceil(log2 n) levels. Both numbers are the least possible.

use super::{Addition, Ref, Run, Scheduler, Sink, Work};

/// Runs of at least this many points are not distinguished by their length.
pub(crate) const LONG: usize = 128;

/// The pairwise scheduler. Keeps its buffers between calls.
#[derive(Debug, Default)]
pub struct Tree {
    /// Points that a level takes, and points that it leaves to the next level.
    points: [Vec<Ref>; 2],
    stretches: [Vec<Stretch>; 2],
    batch: Vec<Addition>,
}

/// A run, or the rest of it after a level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    pub bucket: u32,
    /// The index of the first point of the stretch.
    pub start: u32,
    pub len: u32,
}

impl Scheduler for Tree {
    fn needs_sorted(&self) -> bool {
        true
    }

    fn allows_columns(&self) -> bool {
        true
    }

    fn temporaries(&self, points: usize) -> usize {
        points / 2
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        by_length(work.runs, &mut self.stretches[0]);
        self.points[0].clear();
        self.points[0].extend_from_slice(work.points);
        let mut temporaries = (0..).map(Ref::temporary);
        self.level(sink, |_| temporaries.next().expect("an endless iterator"));
        while !self.stretches[0].is_empty() {
            // By now, all points of a stretch except its first are sums, whose places are free for further sums.
            self.level(sink, |right| right);
        }
    }

    fn finish(&mut self, _: &mut dyn Sink) {}
}

/// Sorts the runs by their lengths. The branches of a level depend on the lengths, and are then predictable.
pub(crate) fn by_length(runs: &[Run], stretches: &mut Vec<Stretch>) {
    let class = |run: &Run| LONG.min(run.len as usize);
    let mut positions = [0; LONG + 2];
    runs.iter().for_each(|run| positions[class(run) + 1] += 1);
    for class in 0..=LONG {
        positions[class + 1] += positions[class];
    }
    stretches.clear();
    stretches.resize(runs.len(), Stretch::default());
    let mut start = 0;
    for run in runs {
        let position = &mut positions[class(run)];
        stretches[*position] = Stretch { bucket: run.bucket, start, len: run.len };
        *position += 1;
        start += run.len;
    }
}

impl Tree {
    /// Adds the points of each stretch in pairs, and leaves the rest to the next level. A sum that is not in a bucket
    /// yet goes where `place` says, given the right summand.
    #[inline(always)]
    fn level(&mut self, sink: &mut dyn Sink, mut place: impl FnMut(Ref) -> Ref) {
        let Tree { points: [points, sums], stretches: [stretches, rest], batch } = self;
        batch.clear();
        sums.clear();
        rest.clear();
        for &Stretch { bucket, start, len } in &*stretches {
            match points[start as usize..][..len as usize] {
                [point] => sink.copy(Ref::bucket(bucket as usize), point),
                [left, right] => {
                    let destination = Ref::bucket(bucket as usize);
                    batch.push(Addition { destination, left, right });
                }
                ref points => {
                    rest.push(Stretch { bucket, start: sums.len() as u32, len: len.div_ceil(2) });
                    let (odd, pairs) = points.split_at(points.len() % 2);
                    sums.extend_from_slice(odd);
                    for pair in pairs.chunks_exact(2) {
                        let [left, right] = [pair[0], pair[1]];
                        let destination = place(right);
                        sums.push(destination);
                        batch.push(Addition { destination, left, right });
                    }
                }
            }
        }
        if !batch.is_empty() {
            sink.add(batch);
        }
        self.points.swap(0, 1);
        self.stretches.swap(0, 1);
    }
}
