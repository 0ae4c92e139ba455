//! Trace of a proof: its stages on the threads over time.

use std::sync::Mutex;
use std::time::Duration;

use bucketwheel::Moment;

/// A stage of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The rows of A and B times the witness.
    Rows,
    /// The transforms, and the quotient's values or coefficients.
    Quotient,
    /// The sum over the points A.
    A,
    /// The sums over the points B in both groups.
    B,
    /// The sum over the points C, unless it is part of the sum over H.
    C,
    /// The sum over the points H, or over the points H and C.
    H,
    /// The verification of the proof.
    Verify,
}

impl Stage {
    /// All stages.
    pub const ALL: [Stage; 7] =
        [Stage::Rows, Stage::Quotient, Stage::A, Stage::B, Stage::C, Stage::H, Stage::Verify];

    /// Returns the name. The [example](crate::Prover) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Rows => "rows",
            Stage::Quotient => "quotient",
            Stage::A => "msm A",
            Stage::B => "msm B",
            Stage::C => "msm C",
            Stage::H => "msm H",
            Stage::Verify => "verify",
        }
    }
}

/// A thread's work on a stage without a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Stage that the thread worked on.
    pub stage: Stage,
    /// The thread's number in its pool.
    pub thread: usize,
    /// Start of the work, since the proof began.
    pub start: Duration,
    /// End of the work, since the proof began.
    pub end: Duration,
}

/// The stages of a proof on the threads over time.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The work, in order of its end. Spans of a thread may lie within each other: a thread that waits for others
    /// takes work of another stage.
    pub spans: Vec<Span>,
    /// Time of the whole proof.
    pub total: Duration,
}

impl Trace {
    /// Returns the time from the stage's first work to its last: stages overlap. The [example](crate::Prover) uses it.
    pub fn elapsed(&self, stage: Stage) -> Duration {
        let spans = || self.spans.iter().filter(|span| span.stage == stage);
        let start = spans().map(|span| span.start).min().unwrap_or_default();
        spans().map(|span| span.end).max().unwrap_or_default() - start
    }
}

/// Collects spans while the proof is made.
pub(super) struct Recorder {
    start: Moment,
    spans: Mutex<Vec<Span>>,
}

impl Recorder {
    pub fn new() -> Self {
        Recorder { start: Moment::now(), spans: Mutex::default() }
    }

    /// Runs work of a stage on this thread.
    pub fn record<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = self.start.elapsed();
        let result = work();
        self.add(stage, start);
        result
    }

    fn add(&self, stage: Stage, start: Duration) {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let span = Span { stage, thread, start, end: self.start.elapsed() };
        self.spans.lock().expect("no panic while locked").push(span);
    }

    pub fn finish(self) -> Trace {
        let spans = self.spans.into_inner().expect("no panic while locked");
        Trace { spans, total: self.start.elapsed() }
    }
}
