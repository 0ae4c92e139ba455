//! Gypsophila: processing elements that share a stream of points, each with scalars of its own.
//!
//! All elements classify the same window of their own scalars at the same time; the channel sends a point when every
//! element's buffer has room for it. Buckets are read out into a buffer per element, and shared adders, small and not
//! pipelined, aggregate them while the next window is classified.

mod pe;

use std::collections::BTreeMap;

use bucketwheel::Cancel;
use serde::{Deserialize, Serialize};

use self::pe::{Counts, Pe};
use crate::digits::{Scalar, Windows};
use crate::group::combine;
use crate::model::{check_cancelled, check_inputs, in_range, windows};
use crate::report::milliseconds;
use crate::{Channel, Curve, Error, Fifo, Group, Model, Outcome, Phase, Published, Report};

/// Gypsophila's parameters. Sections and tables are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve: BLS12-377, or BN254 for the variant of 256 bits (4.1).
    pub curve: Curve,
    /// The clock in MHz: 200 (Table 1).
    pub clock_mhz: f64,
    /// Bits of a window, c: 16, but 12 for 16 processing elements (4.1).
    pub window: u32,
    /// Processing elements, each with a task of its own: 1 (Table 2).
    pub pes: u32,
    /// Stages of the adder of a processing element: 120. Inferred; it matters little.
    pub pipeline_stages: u32,
    /// Banks of buckets, a power of two up to 64: 4. Inferred; single-ported ones, which suffice.
    pub banks: u32,
    /// Entries of the pairing queue: 64. Inferred; the paper calls it spacious.
    pub pairing_queue: u32,
    /// Entries of the collision queue: 64. Inferred.
    pub collision_queue: u32,
    /// Points in the buffer of each processing element (3.1): 16. Inferred.
    pub point_buffer: u32,
    /// Bytes of a point: 142, three coordinates of 377 bits. Inferred from the throughput of Table 2.
    pub point_bytes: u64,
    /// Shared area-efficient adders: 1 (3.1).
    pub shared_adders: u32,
    /// Cycles of their addition: 120, "comparable latency" (3.3). Inferred.
    pub shared_adder_cycles: u32,
    /// Whether processing elements wait for the shared adders, and the last aggregation counts. Not by default: Tables 2
    /// and 3 are of the classification alone, and hold only as long as the adders keep up.
    pub count_aggregation: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bls12_377,
            clock_mhz: 200.0,
            window: 16,
            pes: 1,
            pipeline_stages: 120,
            banks: 4,
            pairing_queue: 64,
            collision_queue: 64,
            point_buffer: 16,
            point_bytes: 142,
            shared_adders: 1,
            shared_adder_cycles: 120,
            count_aggregation: false,
        }
    }
}

/// Table 2, one processing element.
const TABLE_2: [(u32, f64); 8] =
    [(18, 23.8), (19, 44.8), (20, 86.8), (21, 170.7), (22, 338.6), (23, 674.3), (24, 1346.0), (25, 2689.0)];

/// The most points, as the engine has it.
const MAX_POINTS: u64 = 1 << 29;

impl Parameters {
    fn check(&self, points: usize) -> Result<Windows, Error> {
        if !matches!(self.curve, Curve::Bls12_377 | Curve::Bn254) {
            let expected = "bls12-377 or bn254";
            return Err(Error::Curve { design: Self::NAME, curve: self.curve, expected });
        }
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("pes", self.pes, 1..=1024)?;
        in_range("pipeline_stages", self.pipeline_stages, 1..=10_000)?;
        in_range("banks", self.banks, 1..=64)?;
        if !self.banks.is_power_of_two() {
            let expected = "a power of two".to_owned();
            return Err(Error::Parameter { name: "banks", value: self.banks.to_string(), expected });
        }
        in_range("pairing_queue", self.pairing_queue, 1..=1 << 20)?;
        in_range("collision_queue", self.collision_queue, 1..=1 << 20)?;
        in_range("point_buffer", self.point_buffer, 1..=1 << 20)?;
        in_range("point_bytes", self.point_bytes, 1..=4096)?;
        in_range("shared_adders", self.shared_adders, 1..=1024)?;
        in_range("shared_adder_cycles", self.shared_adder_cycles, 1..=1_000_000)?;
        if points as u64 > MAX_POINTS {
            return Err(Error::Size { points, most: MAX_POINTS, limit: "the numbers that points have" });
        }
        windows(self.window, self.curve)
    }
}

impl Model for Parameters {
    const NAME: &'static str = "gypsophila";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn concurrent_tasks(&self) -> usize {
        self.pes as usize
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        cancel: &Cancel,
    ) -> Result<Outcome<G>, Error> {
        let windows = self.check(points.len())?;
        check_inputs(points, tasks, self.curve)?;
        let mut machine = Machine::new(self, windows, points, cancel);
        let mut sums = Vec::new();
        for together in tasks.chunks(self.pes as usize) {
            sums.extend(machine.round(together)?);
        }
        Ok(Outcome { sums, report: machine.report(tasks.len()) })
    }
}

struct Machine<'a, G> {
    parameters: &'a Parameters,
    windows: Windows,
    points: &'a [G],
    pes: Vec<Pe<G>>,
    post: PostProcessing,
    cancel: &'a Cancel,
    /// The time.
    now: u64,
    classification: u64,
    draining: u64,
    readout: u64,
    waiting: u64,
    channel_stalls: u64,
    points_sent: u64,
}

/// The shared adders: when each of them, and each element's buffer of buckets, is free again.
struct PostProcessing {
    adders: Vec<u64>,
    buffers: Vec<u64>,
    busy: u64,
    additions: u64,
}

impl PostProcessing {
    /// Aggregates the buckets that are in a buffer from `ready` on, on the adder that is free first. One addition after
    /// the other.
    fn aggregate<G: Group>(
        &mut self,
        pe: usize,
        ready: u64,
        buckets: &[G],
        cycles: u64,
        doublings: u64,
    ) -> G {
        let (mut sum, mut total) = (G::ZERO, G::ZERO);
        let mut additions = doublings + 1;
        for &value in buckets.iter().rev() {
            total = total.plus(value);
            sum = sum.plus(total);
            additions += 2;
        }
        let adder = (0..self.adders.len()).min_by_key(|&adder| self.adders[adder]).unwrap_or(0);
        let end = self.adders[adder].max(ready) + additions * cycles;
        self.adders[adder] = end;
        self.buffers[pe] = end;
        self.busy += additions * cycles;
        self.additions += additions;
        sum
    }
}

impl<'a, G: Group> Machine<'a, G> {
    fn new(parameters: &'a Parameters, windows: Windows, points: &'a [G], cancel: &'a Cancel) -> Self {
        let pes = parameters.pes as usize;
        Machine {
            parameters,
            windows,
            points,
            pes: (0..pes).map(|_| Pe::new(parameters, windows.buckets())).collect(),
            post: PostProcessing {
                adders: vec![0; parameters.shared_adders as usize],
                buffers: vec![0; pes],
                busy: 0,
                additions: 0,
            },
            cancel,
            now: 0,
            classification: 0,
            draining: 0,
            readout: 0,
            waiting: 0,
            channel_stalls: 0,
            points_sent: 0,
        }
    }

    /// Tasks side by side, at most one for each processing element.
    fn round(&mut self, tasks: &[&[Scalar]]) -> Result<Vec<G>, Error> {
        let mut sums = vec![Vec::new(); tasks.len()];
        for window in 0..self.windows.count() {
            self.classify(window, tasks)?;
            let drained = self.drain(tasks.len());
            self.read_out(&drained, &mut sums);
        }
        Ok(sums.iter().map(|sums| combine(sums, self.windows.width())).collect())
    }

    /// All points go to all processing elements, at most one a cycle.
    fn classify(&mut self, window: u32, tasks: &[&[Scalar]]) -> Result<(), Error> {
        /// How often a point reaches an element between looks at the caller's wish.
        const BLOCK: usize = 1 << 16;
        let n = self.points.len();
        let depth = self.parameters.point_buffer as usize;
        let mut consumed = vec![0; tasks.len()];
        let mut inputs = vec![None; tasks.len()];
        let (mut sent, mut slowest) = (0, 0);
        let mut cycles = 0usize;
        while slowest < n {
            if cycles.is_multiple_of(BLOCK) {
                check_cancelled(self.cancel)?;
            }
            if sent < n {
                // Everyone's buffer has room if that of the slowest has.
                let room = sent - slowest < depth;
                sent += usize::from(room);
                self.channel_stalls += u64::from(!room);
            }
            slowest = n;
            for (pe, scalars) in tasks.iter().enumerate() {
                let next: usize = consumed[pe];
                if inputs[pe].is_none() && next < sent {
                    let digit = self.windows.digit(&self.windows.biased(&scalars[next]), window);
                    inputs[pe] = Some((digit, self.points[next]));
                }
                if self.pes[pe].step(inputs[pe]) && inputs[pe].take().is_some() {
                    consumed[pe] += 1;
                }
                slowest = slowest.min(consumed[pe]);
            }
            cycles += 1;
        }
        self.points_sent += n as u64;
        self.now += cycles as u64;
        self.classification += cycles as u64;
        Ok(())
    }

    /// Waits until all sums are in their buckets. Returns when each element's are.
    fn drain(&mut self, tasks: usize) -> Vec<u64> {
        let drain = |pe: &mut Pe<G>| {
            let mut cycles = 0;
            while !pe.is_idle() {
                pe.step(None);
                cycles += 1;
            }
            cycles
        };
        let cycles: Vec<u64> = self.pes[..tasks].iter_mut().map(drain).collect();
        let slowest = cycles.iter().copied().max().unwrap_or(0);
        let begin = self.now;
        self.now += slowest;
        self.draining += slowest;
        cycles.into_iter().map(|cycles| begin + cycles).collect()
    }

    /// Buckets go to the buffers, one a cycle, and from there to the shared adders, in the order in which they are ready.
    /// The next window begins when all are read out.
    fn read_out(&mut self, drained: &[u64], sums: &mut [Vec<G>]) {
        let buckets = self.windows.buckets();
        let ready = |pe: usize, post: &PostProcessing| match self.parameters.count_aggregation {
            true => drained[pe].max(post.buffers[pe]),
            false => drained[pe],
        };
        let mut order: Vec<(u64, usize)> =
            (0..drained.len()).map(|pe| (ready(pe, &self.post) + buckets as u64, pe)).collect();
        order.sort();
        for &(end, pe) in &order {
            let values: Vec<G> = (0..buckets).map(|bucket| self.pes[pe].read(bucket)).collect();
            let cycles = u64::from(self.parameters.shared_adder_cycles);
            let doublings = u64::from(self.windows.width());
            sums[pe].push(self.post.aggregate(pe, end, &values, cycles, doublings));
        }
        let end = order.last().map_or(self.now, |&(end, _)| end);
        let readout = (end - self.now).min(buckets as u64);
        self.readout += readout;
        self.waiting += end - self.now - readout;
        self.now = end;
    }

    fn report(&self, tasks: usize) -> Report {
        let parameters = self.parameters;
        let done = self.post.adders.iter().copied().max().unwrap_or(0).max(self.now);
        let tail = if parameters.count_aggregation { done - self.now } else { 0 };
        let cycles = self.now + tail;
        let ms = milliseconds(cycles, parameters.clock_mhz);
        let points = self.points.len();
        let high =
            |count: fn(&Counts) -> usize| self.pes.iter().map(|pe| count(&pe.counts)).max().unwrap_or(0);
        let total = |count: fn(&Counts) -> u64| self.pes.iter().map(|pe| count(&pe.counts)).sum();
        let as_published = tasks == 1 && parameters.pes == 1 && parameters.window == 16;
        let paper = TABLE_2.iter().find(|&&(log_size, _)| as_published && points == 1 << log_size);
        let capacity = self.post.adders.len() as u64 * self.now;
        let load = self.post.busy as f64 / capacity.max(1) as f64;
        let mut notes = vec![format!("shared adders: {load:.2} of the time of the classification")];
        if !parameters.count_aggregation {
            notes.push(
                "the aggregation is not counted, as in the paper; --set count_aggregation=true".to_owned(),
            );
        }
        let scalar_bytes = tasks as u64 * points as u64 * 32;
        Report {
            design: Parameters::NAME,
            curve: parameters.curve,
            multiplier_model: "cycle",
            points,
            tasks,
            clock_mhz: parameters.clock_mhz,
            cycles,
            ms,
            phases: vec![
                Phase::new("classification", self.classification),
                Phase::new("emptying the pipelines", self.draining),
                Phase::new("reading buckets out", self.readout),
                Phase::new("waiting for shared adders", self.waiting + tail),
                Phase::hidden("aggregation on shared adders", self.post.busy),
            ],
            counters: BTreeMap::from([
                ("additions", total(|counts| counts.additions)),
                ("adder_bubble_cycles", total(|counts| counts.bubbles)),
                ("aggregation_additions", self.post.additions),
                ("blocked_cycles", total(|counts| counts.blocked)),
                ("channel_stall_cycles", self.channel_stalls),
                ("collisions", total(|counts| counts.collisions)),
            ]),
            fifos: vec![
                Fifo {
                    name: "pairs",
                    high_water: high(|counts| counts.pairing_high_water) as u64,
                    depth: Some(parameters.pairing_queue.into()),
                },
                Fifo {
                    name: "collisions",
                    high_water: high(|counts| counts.collision_high_water) as u64,
                    depth: Some(parameters.collision_queue.into()),
                },
            ],
            channels: vec![
                Channel::new("points, shared", self.points_sent * parameters.point_bytes, ms),
                Channel::new(
                    "points, were every element's its own",
                    self.points_sent * parameters.point_bytes * u64::from(parameters.pes),
                    ms,
                ),
                Channel::new("scalars", scalar_bytes, ms),
            ],
            paper: Published::new("Gypsophila, Table 2", paper.map(|&(_, ms)| ms), ms),
            notes,
            parameters: crate::model::parameters(parameters),
        }
    }
}
