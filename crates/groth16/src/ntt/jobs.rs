//! Work in equal pieces on the threads of the current rayon pool.

use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel::{Cancel, Error, Progress};

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

impl Jobs<'_> {
    /// Calls `job` for every number below `count`, each thread with a worker of its own.
    ///
    /// # Errors
    /// [`Error::Cancelled`], when some jobs may not have run.
    pub fn run<W>(
        &self,
        count: usize,
        worker: impl Fn() -> W + Sync,
        job: impl Fn(&mut W, usize) + Sync,
    ) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let is_cancelled = || self.cancel.is_some_and(Cancel::is_cancelled);
        let work = || {
            let mut index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let mut worker = worker();
            let mut share = || {
                while index < count && !is_cancelled() {
                    job(&mut worker, index);
                    index = next.fetch_add(1, Ordering::Relaxed);
                }
            };
            match self.progress {
                Some(progress) => progress.on_thread(&mut share),
                None => share(),
            }
        };
        let threads = self.threads.min(rayon::current_num_threads()).min(count);
        if threads <= 1 {
            work();
        } else {
            rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| work())));
        }
        match is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(()),
        }
    }
}
