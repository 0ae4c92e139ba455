//! What the caller controls while points are prepared or an MSM runs: threads, cancellation, progress.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use crate::Error;

/// Asks what runs to stop; clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all calls that hold this token to return [`Error::Cancelled`], for good.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Receives progress: steps done of an estimated total, which are additions in an MSM, and of equal weight where
/// points are prepared. Called from worker threads, a few thousand steps apart.
pub trait Progress: Sync {
    /// `done` of `total` steps.
    fn report(&self, done: usize, total: usize);

    /// Called by each thread with its share of a task that threads have in common; has to call `share` once. For
    /// whoever wants to know which threads worked when.
    fn on_thread(&self, share: &mut dyn FnMut()) {
        share();
    }
}

/// One call under way.
pub struct Control<'a> {
    pub threads: usize,
    cancel: Option<&'a Cancel>,
    progress: Option<&'a dyn Progress>,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl<'a> Control<'a> {
    /// `threads` of the current rayon pool at most.
    pub fn new(
        threads: Option<usize>,
        cancel: Option<&'a Cancel>,
        progress: Option<&'a dyn Progress>,
    ) -> Self {
        let available = rayon::current_num_threads();
        Control {
            threads: threads.map_or(available, |threads| threads.clamp(1, available)),
            cancel,
            progress,
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }

    pub fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// Announces steps to come.
    pub fn expect(&self, steps: usize) {
        self.total.fetch_add(steps, Ordering::Relaxed);
    }

    /// Reports steps done.
    pub fn advance(&self, steps: usize) {
        if let Some(progress) = self.progress {
            let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
            let total = self.total.load(Ordering::Relaxed);
            progress.report(done.min(total), total);
        }
    }

    /// The least index below `len` that `find` returns for one of its blocks of `block` indices.
    pub fn find_first(
        &self,
        len: usize,
        block: usize,
        find: impl Fn(std::ops::Range<usize>) -> Option<usize> + Sync,
    ) -> Option<usize> {
        let first = AtomicUsize::new(len);
        self.for_each(
            len.div_ceil(block),
            || (),
            |_, i| {
                let start = i * block;
                if start < first.load(Ordering::Relaxed) {
                    if let Some(index) = find(start..len.min(start + block)) {
                        first.fetch_min(index, Ordering::Relaxed);
                    }
                }
            },
        );
        Some(first.into_inner()).filter(|&first| first < len)
    }

    /// Calls `task` for every index below `count`, on the control's threads: each makes a worker once and takes
    /// the next index until none is left. Returns the workers.
    pub fn for_each<W: Send>(
        &self,
        count: usize,
        worker: impl Fn() -> W + Sync,
        task: impl Fn(&mut W, usize) + Sync,
    ) -> Vec<W> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut worker = worker();
            let mut share = || loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count || self.is_cancelled() {
                    return;
                }
                task(&mut worker, index);
            };
            match self.progress {
                Some(progress) => progress.on_thread(&mut share),
                None => share(),
            }
            worker
        };
        let threads = self.threads.min(count);
        if threads <= 1 {
            return vec![work()];
        }
        let workers = std::sync::Mutex::new(Vec::with_capacity(threads));
        rayon::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| {
                    // A late task may find nothing left to do.
                    if next.load(Ordering::Relaxed) < count {
                        let worker = work();
                        workers.lock().expect("no panic while locked").push(worker);
                    }
                });
            }
        });
        workers.into_inner().expect("no panic while locked")
    }
}
