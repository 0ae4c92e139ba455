//! `serial`: one addition after the other, as textbooks have it. The reference for all other schedulers.

use super::{Addition, Ref, Scheduler, Sink, Work};

/// The reference scheduler: batches of one addition.
#[derive(Debug, Default)]
pub struct Serial {
    /// Buckets that hold a point.
    occupied: std::collections::HashSet<u32>,
}

impl Scheduler for Serial {
    fn needs_sorted(&self) -> bool {
        false
    }

    fn temporaries(&self, _: usize) -> usize {
        0
    }

    fn schedule(&mut self, work: Work<'_>, sink: &mut dyn Sink) {
        work.for_each(|index, point| {
            let bucket = Ref::bucket(index as usize);
            if self.occupied.insert(index) {
                sink.copy(bucket, point);
            } else {
                sink.add(&[Addition { destination: bucket, left: bucket, right: point }]);
            }
        });
    }

    fn finish(&mut self, _: &mut dyn Sink) {
        self.occupied.clear();
    }
}
