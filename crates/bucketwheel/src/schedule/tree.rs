//! `tree`: the points of each bucket are added pairwise, level by level.
//!
//! All additions of a level are independent, over all buckets, so that batches are long and lanes full whatever
//! the points' distribution: also when all points fall into one bucket. A run of n points costs n - 1
//! additions in ceil(log2 n) levels, which is the least possible for either.

use super::{Addition, Ref, Run, Scheduler, Sink, Work};

/// The pairwise scheduler. Keeps its buffers between calls.
#[derive(Debug, Default)]
pub struct Tree {
    points: Vec<Ref>,
    runs: Vec<Run>,
    batch: Vec<Addition>,
}

impl Scheduler for Tree {
    fn needs_sorted(&self) -> bool {
        true
    }

    fn temporaries(&self, points: usize) -> usize {
        points
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        let mut temporaries = 0;
        self.points.clear();
        self.runs.clear();
        self.level(work.points, work.runs, &mut temporaries, sink);
        while !self.runs.is_empty() {
            let (points, runs) = (std::mem::take(&mut self.points), std::mem::take(&mut self.runs));
            self.level(&points, &runs, &mut temporaries, sink);
        }
    }

    fn finish(&mut self, _: &mut dyn Sink) {}
}

impl Tree {
    /// Adds the points of each run in pairs; what remains is left in `self.points` and `self.runs`.
    ///
    /// Runs are short and of any length, hence few branches that depend on it.
    fn level(&mut self, points: &[Ref], runs: &[Run], temporaries: &mut usize, sink: &mut dyn Sink) {
        self.batch.clear();
        self.batch.reserve(points.len() / 2);
        self.points.reserve(points.len() / 2 + runs.len());
        let mut rest = points;
        for &Run { bucket, len } in runs {
            let (run, tail) = rest.split_at(len as usize);
            rest = tail;
            match *run {
                [point] => sink.copy(Ref::bucket(bucket as usize), point),
                [left, right] => {
                    let destination = Ref::bucket(bucket as usize);
                    self.batch.push(Addition { destination, left, right });
                }
                _ => {
                    // The odd point, or the first one until its place is taken by a sum.
                    self.points.push(run[0]);
                    self.points.truncate(self.points.len() - usize::from(len % 2 == 0));
                    for pair in run[len as usize % 2..].chunks_exact(2) {
                        let destination = Ref::temporary(*temporaries);
                        *temporaries += 1;
                        self.points.push(destination);
                        self.batch.push(Addition { destination, left: pair[0], right: pair[1] });
                    }
                    self.runs.push(Run { bucket, len: len.div_ceil(2) });
                }
            }
        }
        if !self.batch.is_empty() {
            sink.add(&self.batch);
        }
    }
}
