//! Progress of a proof: joins the engine's reports of all stages and passes them to the trace.

use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel::Progress;

use super::key::Counts;
use super::trace::{Recorder, Stage};

/// Progress of a proof, in steps of about equal length.
pub(super) struct Meter<'a> {
    progress: Option<&'a dyn Progress>,
    counts: Counts,
    total: usize,
    done: AtomicUsize,
}

impl<'a> Meter<'a> {
    pub fn new(counts: Counts, progress: Option<&'a dyn Progress>) -> Self {
        let mut meter = Meter { progress, counts, total: 0, done: AtomicUsize::new(0) };
        meter.total = Stage::ALL.into_iter().map(|stage| meter.steps(stage)).sum();
        meter
    }

    /// Returns the cost of a stage, in units of a point in G1 and a dense scalar.
    fn steps(&self, stage: Stage) -> usize {
        let Counts { signals, public, domain_size, quotient } = self.counts;
        match stage {
            Stage::Rows | Stage::Quotient => domain_size / 8,
            Stage::A => signals,
            Stage::B => 4 * signals,
            Stage::C => signals - public - 1,
            Stage::H => quotient,
            Stage::Verify => 0,
        }
    }

    /// Reports the end. Stages that are too short to report leave steps over.
    pub fn finish(&self) {
        self.advance(self.total);
    }

    fn advance(&self, steps: usize) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        if let Some(progress) = self.progress {
            progress.report(done.min(self.total), self.total);
        }
    }
}

/// Watches one stage: hands its progress to the meter and each thread's share to the recorder.
pub(super) struct Watch<'a> {
    recorder: &'a Recorder,
    meter: &'a Meter<'a>,
    stage: Stage,
    /// The stage's steps that this watch reports, and how many of them it has reported.
    steps: usize,
    reported: AtomicUsize,
}

impl<'a> Watch<'a> {
    /// Watches the part `numerator / denominator` of a stage.
    pub fn new(recorder: &'a Recorder, meter: &'a Meter<'a>, stage: Stage, part: (usize, usize)) -> Self {
        let steps = (meter.steps(stage) as u128 * part.0 as u128 / part.1.max(1) as u128) as usize;
        Watch { recorder, meter, stage, steps, reported: AtomicUsize::new(0) }
    }
}

impl Progress for Watch<'_> {
    fn report(&self, done: usize, total: usize) {
        let reached = (self.steps as u128 * done as u128 / total.max(1) as u128) as usize;
        // Another thread may have reported more.
        let before = self.reported.fetch_max(reached, Ordering::Relaxed);
        if reached > before {
            self.meter.advance(reached - before);
        }
    }

    fn on_thread(&self, share: &mut dyn FnMut()) {
        self.recorder.record(self.stage, share);
    }
}
