//! `serial`: one addition after the other, as the textbook has it. The reference of all other schedulers.

use super::{Addition, Ref, Scheduler, Sink, Work};

/// The reference scheduler: batches of one addition.
#[derive(Debug, Default)]
pub struct Serial {
    /// Whether a bucket holds a point.
    occupied: std::collections::HashSet<u32>,
}

impl Scheduler for Serial {
    fn needs_sorted(&self) -> bool {
        false
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        self.occupied.clear();
        let mut points = work.points.iter();
        for run in work.runs {
            let bucket = Ref::bucket(run.bucket as usize);
            for &point in points.by_ref().take(run.len as usize) {
                if self.occupied.insert(run.bucket) {
                    sink.copy(bucket, point);
                } else {
                    sink.add(&[Addition { destination: bucket, left: bucket, right: point }]);
                }
            }
        }
    }
}
