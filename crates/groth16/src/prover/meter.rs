//! Progress of a proof: joins the engine's reports of all stages and passes them to the trace.

use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ff::{BigInt, BigInteger, PrimeField};
use bucketwheel::Progress;

use super::key::Counts;
use super::trace::{Recorder, Stage};
use super::ProveOptions;

/// Cost of a step: about an addition in G1. The unit of all costs is a bit of a scalar over a point in G1.
const STEP: u64 = 16;
/// Cost of preparing a point in G1.
const POINT: u64 = 50;
/// Cost of a pair of points with the same scalar, one in each group, as a multiple of the cost in G1.
pub(super) const PAIR: usize = 3;
/// Cost of a row of the matrices.
const ROW: u64 = 32;
/// Cost of a value of the quotient.
const VALUE: u64 = 72;
/// Cost of a verification.
const VERIFY: u64 = 1 << 19;

/// The part `part.0 / part.1` of stages that run together.
#[derive(Clone, Copy)]
pub(super) struct Share<'a> {
    pub stages: &'a [Stage],
    pub part: (usize, usize),
}

impl<'a> Share<'a> {
    /// Returns these stages as a whole.
    pub fn whole(stages: &'a [Stage]) -> Self {
        Share { stages, part: (1, 1) }
    }
}

/// Phase of a stage.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// Its points become the engine's.
    Prepare,
    /// All else.
    Compute,
}

/// Progress of a proof, in steps of about equal length.
pub(super) struct Meter<'a> {
    progress: Option<&'a dyn Progress>,
    /// Steps of each stage, in the order of [`Stage::ALL`], by [`Phase`].
    steps: [[usize; 2]; Stage::ALL.len()],
    total: usize,
    done: AtomicUsize,
}

impl<'a> Meter<'a> {
    /// Returns the meter of a proof of this witness. The quotient's values have all bits.
    pub fn new<F: PrimeField<BigInt = BigInt<4>>>(
        counts: Counts,
        witness: &[BigInt<4>],
        options: &ProveOptions<'a>,
        are_prepared: bool,
    ) -> Self {
        let mut meter = Meter {
            progress: options.progress,
            steps: Default::default(),
            total: 0,
            done: AtomicUsize::new(0),
        };
        if meter.progress.is_some() {
            let (public, private) = witness.split_at(counts.public + 1);
            let point = if are_prepared { 0 } else { POINT };
            let [public, private] = [public, private].map(|values| sum_cost::<F>(values, point));
            let all = [0, 1].map(|i| public[i] + private[i]);
            let (rows, quotient) = (counts.domain_size as u64, counts.quotient as u64);
            let cost = |stage| match stage {
                Stage::Rows => [0, ROW * rows],
                Stage::Quotient => [0, VALUE * rows],
                Stage::A => all,
                Stage::B => all.map(|cost| PAIR as u64 * cost),
                Stage::C => private,
                Stage::H => [point, F::MODULUS_BIT_SIZE.into()].map(|cost| cost * quotient),
                Stage::Verify => [0, VERIFY * u64::from(options.verify)],
            };
            meter.steps = Stage::ALL.map(|stage| cost(stage).map(|cost| (cost / STEP) as usize));
            meter.total = meter.steps.as_flattened().iter().sum();
        }
        meter
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

/// Watches a stage: hands its progress to the meter and each thread's share to the recorder.
pub(super) struct Watch<'a> {
    recorder: &'a Recorder,
    meter: &'a Meter<'a>,
    stage: Stage,
    /// The stage's steps that this watch reports, and how many of them it has reported.
    steps: usize,
    reported: AtomicUsize,
}

impl<'a> Watch<'a> {
    /// Watches a phase of a share. The recorder knows the share by its first stage.
    pub fn new(recorder: &'a Recorder, meter: &'a Meter<'a>, share: Share<'_>, phase: Phase) -> Self {
        let Share { stages, part: (numerator, denominator) } = share;
        let all: usize = stages.iter().map(|&stage| meter.steps[stage as usize][phase as usize]).sum();
        let steps = (all as u128 * numerator as u128 / denominator.max(1) as u128) as usize;
        Watch { recorder, meter, stage: stages[0], steps, reported: AtomicUsize::new(0) }
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

/// Returns the cost of preparing points in G1 for these scalars, zeros left out, and of their sum. As the engine does, it
/// counts a scalar above half of the order as its negative.
fn sum_cost<F: PrimeField<BigInt = BigInt<4>>>(values: &[BigInt<4>], point: u64) -> [u64; 2] {
    let bits = |value: &BigInt<4>| {
        let mut negative = F::MODULUS;
        negative.sub_with_borrow(value);
        u64::from(value.num_bits().min(negative.num_bits()))
    };
    values
        .iter()
        .filter(|value| !value.is_zero())
        .fold([0, 0], |[points, sum], value| [points + point, sum + bits(value)])
}
