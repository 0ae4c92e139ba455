//! The machine: the points' channel, the processing elements, the shared adders, and what is counted on the way.

use std::collections::BTreeMap;

use bucketwheel::Cancel;

use super::pe::{Counts, Pe};
use super::{Parameters, TABLE_2};
use crate::digits::{Scalar, Windows};
use crate::group::combine;
use crate::model::check_cancelled;
use crate::report::milliseconds;
use crate::{Channel, Error, Fifo, Group, Model, Phase, Published, Report};

/// The design at work: as many tasks side by side as there are processing elements, window by window.
pub struct Machine<'a, G> {
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
    pub fn new(parameters: &'a Parameters, windows: Windows, points: &'a [G], cancel: &'a Cancel) -> Self {
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
    pub fn round(&mut self, tasks: &[&[Scalar]]) -> Result<Vec<G>, Error> {
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

    pub fn report(&self, tasks: usize) -> Report {
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
