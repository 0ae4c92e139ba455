//! The sequencer and its workers.

use std::collections::{HashMap, VecDeque};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use super::{Element, Message, Options, Part, RuntimeError, Statistics, SubTask};
use crate::digits::Scalar;
use crate::Group;

/// The queue of a processing element, from the view of the sequencer.
struct Worker<G> {
    /// `None` if the element is given up.
    queue: Option<Sender<Arc<SubTask<G>>>>,
    /// The sub-task that the element computes, and the sub-tasks that wait for it.
    sub_tasks: VecDeque<Arc<SubTask<G>>>,
    /// Time at which the element began with the first sub-task.
    since: Instant,
    failures: u32,
}

impl<G: Group + 'static> Worker<G> {
    /// Number of sub-tasks in a queue: one is computed while another one waits.
    const DEPTH: usize = 2;

    fn start(number: usize, mut element: Element<G>, messages: Sender<Message<G>>) -> Self {
        let (queue, sub_tasks) = channel::<Arc<SubTask<G>>>();
        thread::spawn(move || {
            for sub_task in sub_tasks {
                let SubTask { task, points, scalars, range, .. } = &*sub_task;
                let (points, scalars) = (&points[range.clone()], &scalars[range.clone()]);
                let part = Part { task: *task, first: range.start, points, scalars };
                let sum =
                    catch_unwind(AssertUnwindSafe(|| element(part))).unwrap_or(Err("it panicked".to_owned()));
                if messages.send(Message::Done { element: number, sum }).is_err() {
                    return;
                }
            }
        });
        Worker { queue: Some(queue), sub_tasks: VecDeque::new(), since: Instant::now(), failures: 0 }
    }

    fn has_room(&self) -> bool {
        self.queue.is_some() && self.sub_tasks.len() < Self::DEPTH
    }

    fn push(&mut self, sub_task: SubTask<G>) {
        let sub_task = Arc::new(sub_task);
        if self.sub_tasks.is_empty() {
            self.since = Instant::now();
        }
        if let Some(queue) = &self.queue {
            // The element's thread ends only after its queue, so the queue takes the sub-task.
            let _ = queue.send(sub_task.clone());
        }
        self.sub_tasks.push_back(sub_task);
    }
}

/// A task with running sub-tasks.
struct Task<G> {
    sum: G,
    /// Sub-tasks that are not done.
    left: usize,
    result: Sender<Result<G, RuntimeError>>,
}

/// Deals sub-tasks out and gathers their sums.
pub struct Sequencer<G> {
    options: Options,
    workers: Vec<Worker<G>>,
    next_worker: usize,
    waiting: VecDeque<SubTask<G>>,
    tasks: HashMap<u64, Task<G>>,
    statistics: Statistics,
}

impl<G: Group + 'static> Sequencer<G> {
    /// Starts the elements' threads.
    pub fn new(elements: Vec<Element<G>>, options: Options, messages: &Sender<Message<G>>) -> Self {
        let workers = elements.into_iter().enumerate();
        let workers = workers.map(|(number, element)| Worker::start(number, element, messages.clone()));
        let workers: Vec<Worker<G>> = workers.collect();
        let statistics = Statistics { computed: vec![0; workers.len()], ..Statistics::default() };
        Sequencer {
            options,
            workers,
            next_worker: 0,
            waiting: VecDeque::new(),
            tasks: HashMap::new(),
            statistics,
        }
    }

    /// Works until the runtime has been dropped and all tasks are answered.
    pub fn run(&mut self, inbox: &Receiver<Message<G>>) {
        let mut open = true;
        while open || !self.tasks.is_empty() {
            self.dispatch();
            let message = match self.next_deadline() {
                Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match message {
                Ok(Message::Task { id, points, scalars, result }) => self.split(id, points, scalars, result),
                Ok(Message::Done { element, sum }) => self.done(element, sum),
                // If the caller no longer waits, the statistics are dropped.
                Ok(Message::Statistics(sender)) => drop(sender.send(self.statistics.clone())),
                Ok(Message::Close) | Err(RecvTimeoutError::Disconnected) => open = false,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.give_up_stuck();
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        let busy = self.workers.iter().filter(|worker| !worker.sub_tasks.is_empty());
        busy.map(|worker| worker.since + self.options.time_limit).min()
    }

    fn split(
        &mut self,
        id: u64,
        points: Arc<[G]>,
        scalars: Arc<[Scalar]>,
        result: Sender<Result<G, RuntimeError>>,
    ) {
        let ranges: Vec<_> = crate::msmac::split(points.len(), self.options.sub_task.max(1)).collect();
        self.tasks.insert(id, Task { sum: G::ZERO, left: ranges.len(), result });
        self.waiting.extend(ranges.into_iter().map(|range| SubTask {
            task: id,
            points: points.clone(),
            scalars: scalars.clone(),
            range,
            attempts: 0,
            avoid: None,
        }));
    }

    /// Deals sub-tasks out, in turn, as long as queues have room.
    fn dispatch(&mut self) {
        let count = self.workers.len();
        let alive = self.workers.iter().filter(|worker| worker.queue.is_some()).count();
        if alive == 0 {
            self.waiting.clear();
            for (_, task) in self.tasks.drain() {
                // Nobody wants the result if the ticket was dropped.
                let _ = task.result.send(Err(RuntimeError::NoElements));
            }
        }
        while let Some(sub_task) = self.waiting.pop_front() {
            // The task of the sub-task has failed meanwhile.
            if !self.tasks.contains_key(&sub_task.task) {
                continue;
            }
            let turn = (0..count).map(|i| (self.next_worker + i) % count);
            let fits = |&i: &usize| self.workers[i].has_room() && (alive == 1 || sub_task.avoid != Some(i));
            let Some(chosen) = turn.into_iter().find(fits) else {
                return self.waiting.push_front(sub_task);
            };
            self.next_worker = (chosen + 1) % count;
            self.workers[chosen].push(sub_task);
        }
    }

    fn done(&mut self, element: usize, sum: Result<G, String>) {
        let worker = &mut self.workers[element];
        // Elements that were given up have returned all their sub-tasks.
        let Some(sub_task) = worker.sub_tasks.pop_front() else { return };
        worker.since = Instant::now();
        match sum {
            Ok(sum) => {
                self.statistics.computed[element] += 1;
                let Some(task) = self.tasks.get_mut(&sub_task.task) else { return };
                task.sum = task.sum.plus(sum);
                task.left -= 1;
                if task.left == 0 {
                    self.finish(sub_task.task, None);
                }
            }
            Err(reason) => {
                self.statistics.failures += 1;
                worker.failures += 1;
                let given_up = worker.failures >= self.options.failures;
                self.again(&sub_task, element, reason);
                if given_up {
                    self.give_up(element, "its processing element failed too often");
                }
            }
        }
    }

    /// Hands a sub-task to another element.
    fn again(&mut self, sub_task: &SubTask<G>, element: usize, reason: String) {
        let attempts = sub_task.attempts + 1;
        if attempts >= self.options.attempts {
            return self.finish(sub_task.task, Some(RuntimeError::Failed { attempts, reason }));
        }
        self.waiting.push_front(SubTask {
            points: sub_task.points.clone(),
            scalars: sub_task.scalars.clone(),
            range: sub_task.range.clone(),
            attempts,
            avoid: Some(element),
            ..*sub_task
        });
    }

    fn finish(&mut self, task: u64, error: Option<RuntimeError>) {
        if let Some(task) = self.tasks.remove(&task) {
            // Nobody wants the result if the ticket was dropped.
            let _ = task.result.send(error.map_or(Ok(task.sum), Err));
        }
    }

    fn give_up_stuck(&mut self) {
        let limit = self.options.time_limit;
        for element in 0..self.workers.len() {
            let worker = &self.workers[element];
            if worker.queue.is_some() && !worker.sub_tasks.is_empty() && worker.since.elapsed() >= limit {
                self.statistics.stuck += 1;
                self.give_up(element, "its processing element took too long");
            }
        }
    }

    /// Takes all sub-tasks back from an element, for good.
    fn give_up(&mut self, element: usize, reason: &str) {
        let worker = &mut self.workers[element];
        worker.queue = None;
        for sub_task in std::mem::take(&mut worker.sub_tasks) {
            self.again(&sub_task, element, reason.to_owned());
        }
    }
}
