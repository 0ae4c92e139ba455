//! Work under way: its cancellation and its progress.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use bucketwheel::{Cancel, Progress};
use napi_derive::napi;

/// Steps done and their total.
#[derive(Default)]
pub struct Steps {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress for Steps {
    fn report(&self, done: usize, total: usize) {
        // Threads may report out of order.
        self.done.fetch_max(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }
}

/// Work that JavaScript can cancel, and whose progress it can read.
#[napi]
#[derive(Clone, Default)]
pub struct Job {
    pub(crate) cancel: Cancel,
    pub(crate) steps: Arc<Steps>,
}

#[napi]
impl Job {
    /// Makes a job for work that has not begun.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop. It stops within milliseconds.
    #[napi]
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Returns the steps done and their total. The total is 0 until it is known.
    #[napi]
    pub fn progress(&self) -> Vec<f64> {
        let (done, total) =
            (self.steps.done.load(Ordering::Relaxed), self.steps.total.load(Ordering::Relaxed));
        vec![done.min(total) as f64, total as f64]
    }
}
