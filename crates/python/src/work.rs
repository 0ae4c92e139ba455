//! Work without the interpreter's lock: one thread computes; the calling thread waits, checks signals and reports
//! progress.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::check_fork;
use pyo3::prelude::*;

use crate::error::Error;

/// Longest time that a signal waits.
const STEP: Duration = Duration::from_millis(50);

/// A callable of steps done and their total; `None` without one.
pub type Callback<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Progress so far.
#[derive(Default)]
struct Steps {
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

impl Steps {
    /// Reports progress to the caller.
    fn tell(&self, callback: Callback<'_, '_>) -> PyResult<()> {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        match callback.filter(|_| total > 0) {
            Some(callback) => callback.call1((done.min(total), total)).map(drop),
            None => Ok(()),
        }
    }
}

/// Runs `work` on a separate thread, without the interpreter's lock. An exception of a signal handler or of the
/// callback cancels it.
///
/// # Errors
/// This exception, or the error of the work; [`Error::Forked`], [`Error::Internal`].
pub fn run<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    callback: Callback<'_, '_>,
    work: impl FnOnce(&dyn Progress) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    if check_fork().is_err() {
        return Err(Error::Forked);
    }
    let steps = Steps::default();
    let (sender, mut receiver) = channel();
    thread::scope(|scope| {
        let work = || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&steps))).unwrap_or(Err(Error::Internal));
            // If the call was interrupted, nobody receives the result.
            sender.send(done).unwrap_or_default();
        };
        let spawned = thread::Builder::new().spawn_scoped(scope, work);
        spawned.map_err(|source| Error::Argument(format!("cannot start a thread: {source}")))?;
        let mut interrupted = None;
        let done = loop {
            let (back, waited) = py.detach(move || {
                let waited = receiver.recv_timeout(STEP);
                (receiver, waited)
            });
            receiver = back;
            match waited {
                Ok(done) => break done,
                Err(RecvTimeoutError::Disconnected) => break Err(Error::Internal),
                Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                    let look = py.check_signals().and_then(|()| steps.tell(callback));
                    interrupted = look.err();
                    if interrupted.is_some() {
                        cancel.cancel();
                    }
                }
                Err(RecvTimeoutError::Timeout) => (),
            }
        };
        match interrupted {
            Some(error) => Err(error.into()),
            None => done.and_then(|done| steps.tell(callback).map(|()| done).map_err(Error::from)),
        }
    })
}
