//! Requests that wait, in an order, for worker threads.

use std::collections::{BTreeSet, HashMap};
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
    /// Time after which nobody wants the result in any case.
    pub deadline: Instant,
    /// Time that the job has waited.
    pub waited: Duration,
}

/// Order in which jobs leave a queue. It identifies jobs by their ids, which count up.
pub trait Order: Default + Send + 'static {
    /// Adds a job that has arrived.
    fn push(&mut self, id: u64);

    /// Takes out the next job, if there is one.
    fn pop(&mut self) -> Option<u64>;

    /// Takes out a job whose result nobody wants any more.
    fn remove(&mut self, id: u64);
}

/// The first job to arrive is the first to leave.
#[derive(Default)]
pub struct FirstCome(BTreeSet<u64>);

impl Order for FirstCome {
    fn push(&mut self, id: u64) {
        self.0.insert(id);
    }

    fn pop(&mut self) -> Option<u64> {
        self.0.pop_first()
    }

    fn remove(&mut self, id: u64) {
        self.0.remove(&id);
    }
}

/// A bounded queue, and the threads that empty it.
pub struct Queue<O: Order = FirstCome> {
    shared: Arc<Shared<O>>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared<O> {
    state: Mutex<State<O>>,
    /// Signals that there is work, or that there will be no more.
    changed: Condvar,
    capacity: usize,
    workers: usize,
}

#[derive(Default)]
struct State<O> {
    /// The waiting jobs, by their ids.
    waiting: HashMap<u64, Job>,
    /// The order of the same ids.
    order: O,
    running: usize,
    next: u64,
    closed: bool,
}

struct Job {
    arrived: Instant,
    deadline: Instant,
    cancel: Cancel,
    work: Box<dyn FnOnce(&Context) + Send>,
}

/// Numbers of waiting and of running jobs.
pub struct Load {
    pub waiting: usize,
    pub running: usize,
}

impl<O: Order> Queue<O> {
    /// Returns a queue in which `capacity` requests may wait for `workers` threads.
    ///
    /// # Errors
    /// The system's error, if it refuses threads.
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

    /// Returns the number of requests that may wait.
    pub fn capacity(&self) -> usize {
        self.shared.capacity
    }

    /// Returns the number of worker threads.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Returns the numbers of waiting and of running jobs now.
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load { waiting: state.waiting.len(), running: state.running }
    }

    /// Returns an error if no more requests may wait.
    pub fn check_room(&self) -> Result<(), Refusal> {
        self.shared.check_room(&self.shared.lock())
    }

    /// Enqueues work. With capacity 0, accepts it only if a worker is idle.
    pub fn submit<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Context) -> T + Send + 'static,
    ) -> Result<Ticket<T, O>, Refusal> {
        let (sender, result) = oneshot::channel();
        let (arrived, cancel) = (Instant::now(), Cancel::new());
        let deadline = arrived + time;
        let mut state = self.shared.lock();
        self.shared.check_room(&state)?;
        let id = state.next;
        state.next += 1;
        let work = Box::new(move |context: &Context| {
            // If this fails, nobody waits for the result.
            let _ = sender.send(work(context));
        });
        state.waiting.insert(id, Job { arrived, deadline, cancel: cancel.clone(), work });
        state.order.push(id);
        self.shared.changed.notify_one();
        Ok(Ticket { shared: self.shared.clone(), id, time, deadline, cancel, result })
    }
}

impl<O: Order> Drop for Queue<O> {
    /// Waits for running work; by then nobody waits for queued work.
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        for worker in self.workers.drain(..) {
            // The worker catches panics, so the join succeeds.
            let _ = worker.join();
        }
    }
}

impl<O: Order> Shared<O> {
    fn lock(&self) -> MutexGuard<'_, State<O>> {
        self.state.lock().expect("no panic while locked")
    }

    fn check_room(&self, state: &State<O>) -> Result<(), Refusal> {
        let idle = self.workers.saturating_sub(state.running);
        match state.waiting.len() < self.capacity + idle {
            true => Ok(()),
            false => Err(Refusal::Full { waiting: state.waiting.len() }),
        }
    }

    /// Runs a worker's loop, until the queue is closed.
    fn work(&self) {
        let mut state = self.lock();
        while !state.closed {
            let Some(job) = state.pop() else {
                state = self.changed.wait(state).expect("no panic while locked");
                continue;
            };
            state.running += 1;
            drop(state);
            let Job { arrived, deadline, cancel, work, .. } = job;
            let context = Context { cancel, deadline, waited: arrived.elapsed() };
            // The drop of the sender tells the waiting request; the panic is on standard error.
            let _ = catch_unwind(AssertUnwindSafe(|| work(&context)));
            state = self.lock();
            state.running -= 1;
        }
    }
}

impl<O: Order> State<O> {
    /// Takes out the next job.
    fn pop(&mut self) -> Option<Job> {
        let id = self.order.pop()?;
        self.waiting.remove(&id)
    }

    /// Takes out a job if it still waits.
    fn remove(&mut self, id: u64) {
        if self.waiting.remove(&id).is_some() {
            self.order.remove(id);
        }
    }
}

/// The right to a result. Dropping it cancels the work.
pub struct Ticket<T, O: Order> {
    shared: Arc<Shared<O>>,
    id: u64,
    time: Duration,
    deadline: Instant,
    cancel: Cancel,
    result: oneshot::Receiver<T>,
}

impl<T, O: Order> Ticket<T, O> {
    /// Returns the result.
    pub async fn result(mut self) -> Result<T, Refusal> {
        match timeout_at(self.deadline.into(), &mut self.result).await {
            Err(_) => Err(Refusal::Late(self.time)),
            Ok(Err(_)) => Err(Refusal::Lost),
            Ok(Ok(result)) => Ok(result),
        }
    }
}

impl<T, O: Order> Drop for Ticket<T, O> {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.shared.lock().remove(self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const TIME: Duration = Duration::from_secs(60);

    /// An order in which the last job to arrive is the first to leave.
    #[derive(Default)]
    struct LastCome(Vec<u64>);

    impl Order for LastCome {
        fn push(&mut self, id: u64) {
            self.0.push(id);
        }

        fn pop(&mut self) -> Option<u64> {
            self.0.pop()
        }

        fn remove(&mut self, id: u64) {
            self.0.retain(|&other| other != id);
        }
    }

    /// Returns the order in which the one worker does jobs 0 to 5; nobody waits for jobs 1 and 4.
    fn done<O: Order>() -> Vec<usize> {
        let queue = Queue::<O>::new(6, 1).unwrap();
        let (finish, wait) = channel::<()>();
        let (begin, begun) = channel();
        let first = queue.submit(TIME, move |_| (begin.send(()), wait.recv())).unwrap();
        begun.recv().unwrap();
        let (tell, told) = channel();
        let mut tickets: Vec<_> = (0..6)
            .map(|job| {
                let tell = tell.clone();
                Some(queue.submit(TIME, move |_| tell.send(job)).unwrap())
            })
            .collect();
        assert!(queue.check_room().is_err());
        for gone in [4, 1] {
            tickets[gone] = None;
        }
        assert_eq!(queue.load().waiting, 4);
        // The running request and the finished request are no longer in the order.
        drop(first);
        assert_eq!(queue.load().waiting, 4);
        finish.send(()).unwrap();
        let done = (0..4).map(|_| told.recv().unwrap()).collect();
        drop(tickets);
        assert_eq!(queue.load().waiting, 0);
        done
    }

    #[test]
    fn cancelled_jobs_leave_any_order() {
        assert_eq!(done::<FirstCome>(), [0, 2, 3, 5]);
        assert_eq!(done::<LastCome>(), [5, 3, 2, 0]);
    }
}
