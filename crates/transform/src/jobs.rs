//! Work in equal pieces on the threads of the current rayon pool.

use bucketwheel::{Cancel, Control, Error, Progress};

use super::domain::TransformOptions;

/// The threads to use, and the request to stop.
#[derive(Clone, Copy)]
pub struct Jobs<'a> {
    /// At most as many; the pool's number if it has fewer.
    pub threads: usize,
    /// Looked at before every job.
    pub cancel: Option<&'a Cancel>,
    /// Told of each thread's share.
    pub progress: Option<&'a dyn Progress>,
}

impl<'a> Jobs<'a> {
    pub fn new(options: &TransformOptions<'a>) -> Self {
        let &TransformOptions { threads, cancel, progress } = options;
        Jobs { threads: threads.unwrap_or(usize::MAX), cancel, progress }
    }

    /// Calls `job` for every number below `count`, each thread with a worker of its own.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::ShareLost`], when some jobs may not have run.
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
