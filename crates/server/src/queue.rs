//! Requests that wait, in their order, for threads that work.

use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use crate::refusal::Refusal;

/// Cancellation and times of a job.
pub struct Context {
    /// Set as soon as nobody wants the result any more.
    pub cancel: Cancel,
    /// Time after which nobody wants it in any case.
    pub deadline: Instant,
    /// Time that it has waited.
    pub waited: Duration,
}

/// A bounded queue, and the threads that empty it.
pub struct Queue {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// There is work, or there will be no more.
    changed: Condvar,
    capacity: usize,
    workers: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    running: usize,
    next: u64,
    closed: bool,
}

struct Job {
    id: u64,
    arrived: Instant,
    deadline: Instant,
    cancel: Cancel,
    work: Box<dyn FnOnce(&Context) + Send>,
}

/// Number of waiting and of running jobs.
pub struct Load {
    pub waiting: usize,
    pub running: usize,
}

impl Queue {
    /// A queue in which `capacity` requests may wait for `workers` threads.
    ///
    /// # Errors
    /// The system's, for want of threads.
    pub fn new(capacity: usize, workers: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), capacity, workers });
        let mut queue = Queue { shared: shared.clone(), workers: Vec::new() };
        for index in 0..workers {
            let shared = shared.clone();
            let worker = std::thread::Builder::new().name(format!("worker {index}"));
            queue.workers.push(worker.spawn(move || shared.work())?);
        }
        Ok(queue)
    }

    /// Number of requests that may wait.
    pub fn capacity(&self) -> usize {
        self.shared.capacity
    }

    /// Number of worker threads.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Number of waiting and of running jobs now.
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load { waiting: state.waiting.len(), running: state.running }
    }

    /// An error if nothing more may wait.
    pub fn check_room(&self) -> Result<(), Refusal> {
        self.shared.check_room(&self.shared.lock())
    }

    /// Lets some work wait; without a place, for a worker to be idle.
    pub fn submit<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Context) -> T + Send + 'static,
    ) -> Result<Ticket<T>, Refusal> {
        let (sender, result) = oneshot::channel();
        let (arrived, cancel) = (Instant::now(), Cancel::new());
        let deadline = arrived + time;
        let mut state = self.shared.lock();
        self.shared.check_room(&state)?;
        let id = state.next;
        state.next += 1;
        let work = Box::new(move |context: &Context| {
            // Nobody waits for it where this fails.
            let _ = sender.send(work(context));
        });
        state.waiting.push_back(Job { id, arrived, deadline, cancel: cancel.clone(), work });
        self.shared.changed.notify_one();
        Ok(Ticket { shared: self.shared.clone(), id, time, deadline, cancel, result })
    }
}

impl Drop for Queue {
    /// Waits for what runs; nobody waits for anything else then.
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        for worker in self.workers.drain(..) {
            // It catches panics.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while locked")
    }

    fn check_room(&self, state: &State) -> Result<(), Refusal> {
        let idle = self.workers.saturating_sub(state.running);
        match state.waiting.len() < self.capacity + idle {
            true => Ok(()),
            false => Err(Refusal::Full { waiting: state.waiting.len() }),
        }
    }

    /// Loop of a worker, until the queue is closed.
    fn work(&self) {
        let mut state = self.lock();
        while !state.closed {
            let Some(job) = state.waiting.pop_front() else {
                state = self.changed.wait(state).expect("no panic while locked");
                continue;
            };
            state.running += 1;
            drop(state);
            let Job { arrived, deadline, cancel, work, .. } = job;
            let context = Context { cancel, deadline, waited: arrived.elapsed() };
            // Who waits is told, since the sender is dropped; the panic is on standard error.
            let _ = catch_unwind(AssertUnwindSafe(|| work(&context)));
            state = self.lock();
            state.running -= 1;
        }
    }
}

/// The right to a result. Who drops it does not want it: it is not worked on any further.
pub struct Ticket<T> {
    shared: Arc<Shared>,
    id: u64,
    time: Duration,
    deadline: Instant,
    cancel: Cancel,
    result: oneshot::Receiver<T>,
}

impl<T> Ticket<T> {
    /// The result.
    pub async fn result(mut self) -> Result<T, Refusal> {
        match timeout_at(self.deadline.into(), &mut self.result).await {
            Err(_) => Err(Refusal::Late(self.time)),
            Ok(Err(_)) => Err(Refusal::Lost),
            Ok(Ok(result)) => Ok(result),
        }
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
        let mut state = self.shared.lock();
        if let Ok(index) = state.waiting.binary_search_by_key(&self.id, |job| job.id) {
            state.waiting.remove(index);
        }
    }
}
