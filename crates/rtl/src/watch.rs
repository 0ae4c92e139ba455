//! Cancellation and progress of a simulation.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use bucketwheel::{Cancel, Progress};
use bucketwheel_hardware::Error;

use crate::Fault;

/// Cancellation and progress of a simulation, which checks them after every few thousand cycles. All of its machines
/// share it.
#[derive(Clone, Default)]
pub struct Watch {
    cancel: Cancel,
    progress: Option<Arc<dyn Progress + Send + Sync>>,
    done: Arc<AtomicUsize>,
    total: Arc<AtomicUsize>,
}

impl Watch {
    /// Number of cycles between two checks.
    pub(crate) const PERIOD: u64 = 1 << 12;

    /// `progress` receives the number of points that have arrived, out of all points for each window or task.
    pub fn new(cancel: &Cancel, progress: Arc<dyn Progress + Send + Sync>) -> Self {
        Watch { cancel: cancel.clone(), progress: Some(progress), ..Watch::default() }
    }

    /// Returns the caller's request to stop.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Announces this number of further points.
    pub(crate) fn begin(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Reports that this number of points have arrived.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn advance(&self, points: usize) -> Result<(), Fault> {
        let done = self.done.fetch_add(points, Ordering::Relaxed) + points;
        let total = self.total.load(Ordering::Relaxed);
        if let Some(progress) = self.progress.as_ref().filter(|_| total > 0) {
            progress.report(done.min(total), total);
        }
        match self.cancel.is_cancelled() {
            true => Err(Error::Cancelled.into()),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("done", &self.done).field("total", &self.total).finish_non_exhaustive()
    }
}
