//! Runtime that feeds processing elements (MSMAC, section 4).
//!
//! Whoever has a task splits it into sub-tasks and hands them to the sequencer, without waiting for them. The sequencer, a
//! thread, deals them out in turn to the processing elements' queues that have room: one sub-task is computed, another
//! one waits, as in the two buffers of a card. Each processing element is a thread that calls its [`Element`]: a cycle
//! model, a simulation of RTL, an engine on the CPU.
//!
//! Nothing is lost: a sub-task whose element fails goes to another one; so do all sub-tasks of an element that takes
//! longer than the time limit, which is given up, and whatever it still says is ignored. An element that fails a few
//! times is given up too. Only when a sub-task has failed too often, or no element is left, does its task fail.

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
    /// Index of its first point in the task.
    pub first: usize,
    /// The points.
    pub points: &'a [G],
    /// A scalar for each of them.
    pub scalars: &'a [Scalar],
}

/// A processing element: computes the MSM of a sub-task, or says why not.
pub type Element<G> = Box<dyn FnMut(Part<'_, G>) -> Result<G, String> + Send>;

/// Limits of a runtime for sub-tasks.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Points of a sub-task, at least 1.
    pub sub_task: usize,
    /// The longest time that a sub-task may be computed for.
    pub time_limit: Duration,
    /// After so many failures an element gets nothing more, at least 1.
    pub failures: u32,
    /// After so many failures of a sub-task its task fails, at least 1.
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
    /// Points and scalars do not pair up.
    #[error("{scalars} scalars for {points} points: expected one for each")]
    Count {
        /// Number of points.
        points: usize,
        /// Number of scalars.
        scalars: usize,
    },
    /// No processing element works any more.
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

/// A task on its way.
#[derive(Debug)]
pub struct Ticket<G> {
    /// The task's number, from 0 on.
    pub id: u64,
    result: Receiver<Result<G, RuntimeError>>,
}

impl<G> Ticket<G> {
    /// Waits for the result.
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
    /// Sub-tasks that were computed, for each element.
    pub computed: Vec<u64>,
    /// Number of failures, of all elements.
    pub failures: u64,
    /// Elements that took too long.
    pub stuck: u64,
}

/// Processing elements and their sequencer. Dropping it lets the tasks on their way come to their end.
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
    /// The element that failed it last.
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
    /// Starts the threads.
    pub fn new(elements: Vec<Element<G>>, options: Options) -> Self {
        let (messages, inbox) = channel();
        let mut sequencer = Sequencer::new(elements, options, &messages);
        // Not joined: an element that is stuck does not end.
        thread::spawn(move || sequencer.run(&inbox));
        Runtime { next_id: 0, messages }
    }

    /// Hands over a task; any number may be on their way.
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
        // If the sequencer is gone, so is the sender, and the ticket says so.
        let _ = self.messages.send(Message::Task { id, points, scalars, result: sender });
        Ok(Ticket { id, result })
    }

    /// Counts of the sub-tasks so far.
    pub fn statistics(&self) -> Statistics {
        let (sender, statistics) = channel();
        let _ = self.messages.send(Message::Statistics(sender));
        statistics.recv().unwrap_or_default()
    }
}

impl<G> Drop for Runtime<G> {
    fn drop(&mut self) {
        // If the sequencer is gone, there is nothing to close.
        let _ = self.messages.send(Message::Close);
    }
}
