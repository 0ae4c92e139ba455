//! Control by the caller while points are prepared or an MSM runs: threads, cancellation, progress.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::Error;

/// Asks running calls to stop. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Returns a token that nobody has used yet. The [example](crate::Progress) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all calls that hold this token to return [`Error::Cancelled`], for good.
    /// The [example](crate::Progress) uses it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if [`cancel`](Self::cancel) was called. The [example](crate::Progress) uses it.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Receives progress: the steps done and an estimate of their total. A step is an addition in an MSM; when points are
/// prepared, all steps have equal weight. Worker threads call it, a few thousand steps apart. If the work succeeds, the
/// last call reports all steps as done.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use ark_bn254::{Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{Bases, Cancel, Error, Msm, Progress};
///
/// /// The largest number of steps done, and of threads that took part.
/// #[derive(Default)]
/// struct Watch(AtomicUsize, AtomicUsize);
///
/// impl Progress for Watch {
///     fn report(&self, done: usize, total: usize) {
///         assert!(done <= total);
///         self.0.fetch_max(done, Ordering::Relaxed);
///     }
///
///     fn on_thread(&self, share: &mut dyn FnMut()) {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         share();
///     }
/// }
///
/// let (cancel, watch) = (Cancel::new(), Watch::default());
/// let bases = Bases::new(&vec![G1Affine::generator(); 1000])?;
/// let scalars: Vec<Fr> = (1000..2000u64).map(Fr::from).collect();
/// let msm = Msm::new().cancel(&cancel).progress(&watch);
/// msm.run(&bases, &scalars)?;
/// println!("{} additions", watch.0.load(Ordering::Relaxed));
///
/// // Another thread may do this while the sum is under way.
/// cancel.cancel();
/// assert!(cancel.is_cancelled());
/// assert_eq!(msm.run(&bases, &scalars), Err(Error::Cancelled));
/// # Ok::<(), Error>(())
/// ```
pub trait Progress: Sync {
    /// Reports `done` of `total` steps. See the [example](Self).
    fn report(&self, done: usize, total: usize);

    /// Wraps the work of one thread: its share of a task that threads have in common. An implementation must call
    /// `share` once. Use it to record which threads worked when. If an implementation does not call `share`, or
    /// swallows a panic in it, the call ends with [`Error::ShareLost`]. See the [example](Self).
    fn on_thread(&self, share: &mut dyn FnMut()) {
        share();
    }
}

/// True if the target has threads: otherwise, the program contains nothing of rayon.
const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Returns the threads of the current pool.
fn pool_threads() -> usize {
    if HAS_THREADS {
        rayon::current_num_threads()
    } else {
        1
    }
}

/// Takes the next index, if one is left.
type Next<'a> = dyn FnMut() -> Option<usize> + 'a;

/// Control over one call while it runs.
pub struct Control<'a> {
    /// The threads that share the work, at least 1.
    pub threads: usize,
    cancel: Option<&'a Cancel>,
    progress: Option<&'a dyn Progress>,
    done: AtomicUsize,
    total: AtomicUsize,
    /// True if a task was not done to its end, though nobody cancelled the call.
    lost: AtomicBool,
}

impl<'a> Control<'a> {
    /// Returns a control of at most `threads` threads of the current rayon pool; of one thread if the target has no
    /// other (WebAssembly).
    pub fn new(
        threads: Option<usize>,
        cancel: Option<&'a Cancel>,
        progress: Option<&'a dyn Progress>,
    ) -> Self {
        let available = pool_threads();
        Control {
            threads: threads.map_or(available, |threads| threads.clamp(1, available)),
            cancel,
            progress,
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
        }
    }

    /// Calls `run` on a thread of the current pool if threads are to share its work. Outside of the pool, each part of
    /// the work would wait for the pool to wake up, and the caller would wait for the pool.
    pub(crate) fn in_pool<T: Send>(threads: Option<usize>, run: impl FnOnce() -> T + Send) -> T {
        match threads.unwrap_or(usize::MAX).min(pool_threads()) {
            0 | 1 => run(),
            _ if !HAS_THREADS => run(),
            _ => rayon::scope(|_| run()),
        }
    }

    /// Returns the results of both functions. If a thread of the current pool has no work, it may take the second function.
    pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
        if HAS_THREADS {
            rayon::join(a, b)
        } else {
            (a(), b())
        }
    }

    /// Sorts by a key, on the threads of the current pool. The order of elements with the same key stays.
    pub fn sort_by_key<T: Send, K: Ord>(elements: &mut [T], key: impl Fn(&T) -> K + Sync) {
        if HAS_THREADS {
            elements.par_sort_by_key(key);
        } else {
            elements.sort_by_key(key);
        }
    }

    /// Appends the results of `make` for every index below `count`, in their order, on the threads of the current pool.
    pub fn extend<T: Send>(target: &mut Vec<T>, count: usize, make: impl Fn(usize) -> T + Sync + Send) {
        if HAS_THREADS {
            target.par_extend((0..count).into_par_iter().map(make));
        } else {
            target.extend((0..count).map(make));
        }
    }

    /// Returns true if the work under way is of no use any more. From then on, it always returns true.
    pub fn is_cancelled(&self) -> bool {
        self.lost.load(Ordering::Relaxed) || self.cancel.is_some_and(Cancel::is_cancelled)
    }

    /// Returns an error unless all tasks so far have been done to their end.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::ShareLost`].
    pub fn check(&self) -> Result<(), Error> {
        if self.lost.load(Ordering::Relaxed) {
            return Err(Error::ShareLost);
        }
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

    /// Reports the end. Steps that were expected but not taken count as done, since the total is an estimate.
    pub fn finish(&self) {
        let total = self.total.load(Ordering::Relaxed);
        if let Some(progress) = self.progress.filter(|_| total > 0) {
            progress.report(total, total);
        }
    }

    /// Returns the lowest index below `len` that `find` returns for one of its blocks of `block` indices.
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

    /// Calls `task` for every index below `count`, on the control's threads. Each thread makes a worker once and takes
    /// the next index until none is left. Returns the workers. Every task has been done to its end unless
    /// [`check`](Self::check) returns an error from then on. `unsafe` code may rely on this promise.
    pub fn for_each<W: Send>(
        &self,
        count: usize,
        worker: impl Fn() -> W + Sync,
        task: impl Fn(&mut W, usize) + Sync,
    ) -> Vec<W> {
        let workers = Mutex::new(Vec::with_capacity(self.threads.min(count)));
        self.share_out(count, &|next| {
            let mut worker = worker();
            while let Some(index) = next() {
                task(&mut worker, index);
            }
            workers.lock().expect("no panic while locked").push(worker);
        });
        workers.into_inner().expect("no panic while locked")
    }

    /// Returns the results of `task` for every index below `count`, in their order.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::ShareLost`].
    pub fn map<T: Send>(&self, count: usize, task: impl Fn(usize) -> T + Sync) -> Result<Vec<T>, Error> {
        let workers = self.for_each(count, Vec::new, |made, index| made.push((index, task(index))));
        self.check()?;
        let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
        workers.into_iter().flatten().for_each(|(index, made)| all[index] = Some(made));
        Ok(all.into_iter().flatten().collect())
    }

    /// Calls `task` with the index and the elements of every chunk of `len` elements, which is at least 1. The last chunk may have
    /// fewer elements.
    ///
    /// # Errors
    /// The error of the first chunk that has one; [`Error::Cancelled`], [`Error::ShareLost`].
    pub fn chunks<T: Send, E: From<Error> + Send>(
        &self,
        elements: &mut [T],
        len: usize,
        task: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let count = elements.len().div_ceil(len);
        let (chunks, first) = (Mutex::new(elements.chunks_mut(len).enumerate()), First::default());
        self.for_each(
            count,
            || (),
            |_, _| {
                let chunk = chunks.lock().expect("no panic while locked").next();
                if let Some((index, elements)) = chunk.filter(|&(index, _)| first.is_behind(index)) {
                    task(index, elements).unwrap_or_else(|error| first.found(index, error));
                }
            },
        );
        self.check()?;
        first.into_result()
    }

    /// Runs `share` on each of the control's threads. `share` takes the indices below `count`, one after the other. It
    /// is done with an index when it asks for the next one. Compiled once, for all work that threads share.
    fn share_out(&self, count: usize, share: &(dyn Fn(&mut Next<'_>) + Sync)) {
        let (taken, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let run = || {
            let mut busy = false;
            let mut next = || {
                done.fetch_add(usize::from(busy), Ordering::Relaxed);
                let index = Some(&taken).filter(|_| !self.is_cancelled());
                let index = index.map(|taken| taken.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < count);
                busy = index.is_some();
                index
            };
            match self.progress {
                Some(progress) => progress.on_thread(&mut || share(&mut next)),
                None => share(&mut next),
            }
        };
        let threads = self.threads.min(count);
        if !HAS_THREADS || threads <= 1 {
            run();
        } else {
            rayon::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|_| {
                        // A late thread may find nothing left to do.
                        if taken.load(Ordering::Relaxed) < count {
                            run();
                        }
                    });
                }
            });
        }
        if done.into_inner() < count && !self.is_cancelled() {
            self.lost.store(true, Ordering::Relaxed);
        }
    }
}

/// The error with the lowest index seen so far.
pub struct First<E>(Mutex<Option<(usize, E)>>);

impl<E> Default for First<E> {
    fn default() -> Self {
        First(Mutex::new(None))
    }
}

impl<E> First<E> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(usize, E)>> {
        self.0.lock().expect("no panic while locked")
    }

    /// Returns true if no error up to this index is known, so that the index is worth a look.
    pub fn is_behind(&self, index: usize) -> bool {
        self.lock().as_ref().is_none_or(|&(first, _)| index < first)
    }

    /// Takes note of an error, which counts if its index is the lowest so far.
    pub fn found(&self, index: usize, error: E) {
        let mut first = self.lock();
        if first.as_ref().is_none_or(|&(known, _)| index < known) {
            *first = Some((index, error));
        }
    }

    /// Returns the error, if there was one.
    pub fn into_result(self) -> Result<(), E> {
        self.0.into_inner().expect("no panic while locked").map_or(Ok(()), |(_, error)| Err(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{catch_unwind, AssertUnwindSafe};

    /// Progress whose [`Progress::on_thread`] is this function.
    struct OnThread<F>(F);

    impl<F: Fn(&mut dyn FnMut()) + Sync> Progress for OnThread<F> {
        fn report(&self, _: usize, _: usize) {}

        fn on_thread(&self, share: &mut dyn FnMut()) {
            (self.0)(share);
        }
    }

    /// Runs ten tasks and returns the outcome. If `panics` is true, the sixth task panics.
    fn outcome(
        on_thread: impl Fn(&mut dyn FnMut()) + Sync,
        threads: usize,
        panics: bool,
    ) -> Result<(), Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let progress = OnThread(on_thread);
        pool.install(|| {
            let control = Control::new(None, None, Some(&progress));
            control.for_each(10, || (), |_, index| assert!(!panics || index != 5, "the sixth task"));
            control.check()
        })
    }

    #[test]
    fn the_first_chunk_that_fails_is_told() {
        let control = Control::new(None, None, None);
        let mut elements: Vec<usize> = vec![0; 1000];
        let number = |index: usize, chunk: &mut [usize]| {
            chunk.iter_mut().zip(7 * index..).for_each(|(element, i)| *element = i);
            Ok(())
        };
        assert_eq!(control.chunks::<_, Error>(&mut elements, 7, number), Ok(()));
        assert!(elements.iter().copied().eq(0..1000));
        let from_90 = |index, _: &mut [usize]| match index {
            90.. => Err(Error::NotOnCurve { index }),
            _ => Ok(()),
        };
        assert_eq!(control.chunks(&mut elements, 7, from_90), Err(Error::NotOnCurve { index: 90 }));
        assert_eq!(
            control.chunks::<_, Error>(&mut elements[..0], 7, |_, _| unreachable!("no chunk")),
            Ok(())
        );
    }

    #[test]
    fn a_share_that_is_not_run_is_an_error() {
        for threads in [1, 2, 8] {
            assert_eq!(outcome(|share| share(), threads, false), Ok(()));
            assert_eq!(outcome(|_| (), threads, false), Err(Error::ShareLost));
            // Calls `share` twice: the second call finds nothing left.
            let twice = |share: &mut dyn FnMut()| (0..2).for_each(|_| share());
            assert_eq!(outcome(twice, threads, false), Ok(()));
            let swallow = |share: &mut dyn FnMut()| drop(catch_unwind(AssertUnwindSafe(share)));
            assert_eq!(outcome(swallow, threads, true), Err(Error::ShareLost));
            assert!(catch_unwind(|| outcome(|share| share(), threads, true)).is_err());
        }
    }
}
