//! Runtime that feeds processing elements (MSMAC, section 4).
//!
//! The owner of a task splits it into sub-tasks and hands them to the sequencer, without waiting for them. The
//! sequencer, a thread, deals them out in turn to the queues of processing elements that have room. One sub-task is
//! computed while another one waits, as in the two buffers of a card. Each processing element is a thread that calls
//! its [`Element`]: a cycle model, a simulation of RTL, an engine on the CPU.
//!
//! Nothing is lost. If an element fails, its sub-task goes to another element. If an element exceeds the time limit,
//! it is given up, all its sub-tasks go to other elements, and its later answers are ignored. An element that fails a
//! few times is given up too. A task fails only when one of its sub-tasks has failed too often, or no element is
//! left.
//!
//! ```
//! use ark_bn254::{Fr, G1Projective};
//! use ark_ec::PrimeGroup;
//! use bucketwheel_hardware::runtime::{Element, Options, Runtime};
//!
//! // Two elements, of which the second one always fails.
//! let good: Element<G1Projective> = Box::new(|part| {
//!     Ok(part.points.iter().zip(part.scalars).map(|(point, scalar)| *point * Fr::from(scalar[0])).sum())
//! });
//! let bad: Element<G1Projective> = Box::new(|_| Err("no power".to_owned()));
//! let mut runtime = Runtime::new(vec![good, bad], Options { sub_task: 10, ..Default::default() });
//!
//! let g = G1Projective::generator();
//! let ticket = runtime.submit(vec![g; 100].into(), vec![[2, 0, 0, 0]; 100].into())?;
//! assert_eq!(ticket.wait()?, g * Fr::from(200));
//! let statistics = runtime.statistics();
//! assert_eq!((statistics.computed[0], statistics.computed[1]), (10, 0));
//! # Ok::<(), bucketwheel_hardware::runtime::RuntimeError>(())
//! ```

mod sequencer;

use std::ops::Range;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use self::sequencer::Sequencer;
use crate::digits::Scalar;
use crate::Group;

/// Sub-task for a processing element: the MSM over some points of a task.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a, G> {
    /// The task's number.
    pub task: u64,
    /// Index of the sub-task's first point in the task.
    pub first: usize,
    /// The points.
    pub points: &'a [G],
    /// A scalar for each point.
    pub scalars: &'a [Scalar],
}

/// A processing element: computes the MSM of a sub-task, or returns the reason for a failure.
pub type Element<G> = Box<dyn FnMut(Part<'_, G>) -> Result<G, String> + Send>;

/// Limits of a runtime for sub-tasks.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Points of a sub-task, at least 1.
    pub sub_task: usize,
    /// Time limit of a sub-task.
    pub time_limit: Duration,
    /// Number of failures after which an element gets no more sub-tasks, at least 1.
    pub failures: u32,
    /// Number of failures of a sub-task after which its task fails, at least 1.
    pub attempts: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { sub_task: 1 << 16, time_limit: Duration::from_secs(600), failures: 3, attempts: 10 }
    }
}

/// Reason why a task has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The numbers of points and scalars differ.
    #[error("{scalars} scalars for {points} points: expected one for each")]
    Count {
        /// Number of points.
        points: usize,
        /// Number of scalars.
        scalars: usize,
    },
    /// All processing elements are given up.
    #[error("no processing element is left: expected at least one that works")]
    NoElements,
    /// A sub-task failed too often.
    #[error("a sub-task failed {attempts} times, at last with: {reason}; expected a processing element to compute it")]
    Failed {
        /// Number of attempts.
        attempts: u32,
        /// Error of the last attempt.
        reason: String,
    },
}

/// A running task.
#[derive(Debug)]
pub struct Ticket<G> {
    /// The task's number, from 0 on.
    pub id: u64,
    result: Receiver<Result<G, RuntimeError>>,
}

impl<G> Ticket<G> {
    /// Waits for the result. The [example](crate::runtime) uses it.
    ///
    /// # Errors
    /// [`RuntimeError::NoElements`] and [`RuntimeError::Failed`].
    pub fn wait(self) -> Result<G, RuntimeError> {
        // The sequencer answers every task before it ends.
        self.result.recv().unwrap_or(Err(RuntimeError::NoElements))
    }
}

/// Counts of the sub-tasks so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Sub-tasks that each element has computed.
    pub computed: Vec<u64>,
    /// Number of failures, of all elements.
    pub failures: u64,
    /// Elements that took too long.
    pub stuck: u64,
}

/// Processing elements and their sequencer. Dropping it lets running tasks finish.
pub struct Runtime<G> {
    next_id: u64,
    messages: Sender<Message<G>>,
}

/// Some points of a task.
struct SubTask<G> {
    task: u64,
    points: Arc<[G]>,
    scalars: Arc<[Scalar]>,
    range: Range<usize>,
    attempts: u32,
    /// The element that failed this sub-task last.
    avoid: Option<usize>,
}

/// Message to the sequencer.
enum Message<G> {
    Task { id: u64, points: Arc<[G]>, scalars: Arc<[Scalar]>, result: Sender<Result<G, RuntimeError>> },
    Done { element: usize, sum: Result<G, String> },
    Statistics(Sender<Statistics>),
    Close,
}

impl<G: Group + 'static> Runtime<G> {
    /// Starts the threads. The [example](crate::runtime) uses it.
    pub fn new(elements: Vec<Element<G>>, options: Options) -> Self {
        let (messages, inbox) = channel();
        let mut sequencer = Sequencer::new(elements, options, &messages);
        // Not joined, because a stuck element does not end.
        thread::spawn(move || sequencer.run(&inbox));
        Runtime { next_id: 0, messages }
    }

    /// Hands over a task. Any number of tasks may run at a time. The [example](crate::runtime) uses it.
    ///
    /// # Errors
    /// [`RuntimeError::Count`].
    pub fn submit(&mut self, points: Arc<[G]>, scalars: Arc<[Scalar]>) -> Result<Ticket<G>, RuntimeError> {
        if points.len() != scalars.len() {
            return Err(RuntimeError::Count { points: points.len(), scalars: scalars.len() });
        }
        let (sender, result) = channel();
        let id = self.next_id;
        self.next_id += 1;
        // If the sequencer has ended, so has the sender, and the ticket reports it.
        let _ = self.messages.send(Message::Task { id, points, scalars, result: sender });
        Ok(Ticket { id, result })
    }

    /// Returns the counts of the sub-tasks so far. The [example](crate::runtime) uses it.
    pub fn statistics(&self) -> Statistics {
        let (sender, statistics) = channel();
        let _ = self.messages.send(Message::Statistics(sender));
        statistics.recv().unwrap_or_default()
    }
}

impl<G> Drop for Runtime<G> {
    fn drop(&mut self) {
        // If the sequencer has ended, there is nothing to close.
        let _ = self.messages.send(Message::Close);
    }
}
