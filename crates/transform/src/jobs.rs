//! Runs work in equal pieces on the threads of the current rayon pool.

use bucketwheel::{Cancel, Control, Error, Progress};

use super::domain::TransformOptions;

/// Number of threads, and the request to stop.
#[derive(Clone, Copy)]
pub struct Jobs<'a> {
    /// Largest number of threads; the pool's number if the pool has fewer.
    pub threads: usize,
    /// Checked before every job.
    pub cancel: Option<&'a Cancel>,
    /// Receives the share of each thread.
    pub progress: Option<&'a dyn Progress>,
}

impl<'a> Jobs<'a> {
    pub fn new(options: &TransformOptions<'a>) -> Self {
        let &TransformOptions { threads, cancel, progress } = options;
        Jobs { threads: threads.unwrap_or(usize::MAX), cancel, progress }
    }

    /// Calls `job` for every number below `count`. Each thread has a worker of its own.
    ///
    /// # Errors
    /// [`Error::Cancelled`] and [`Error::ShareLost`]; some jobs may not have run then.
    pub fn run<W: Send>(
        &self,
        count: usize,
        worker: impl Fn() -> W + Sync,
        job: impl Fn(&mut W, usize) + Sync,
    ) -> Result<(), Error> {
        let control = Control::new(Some(self.threads), self.cancel, self.progress);
        control.for_each(count, worker, job);
        control.check()
    }
}
