//! The machine: the points' channel, the processing elements, the shared adders, and what is counted on the way.

use std::collections::BTreeMap;

use bucketwheel::Cancel;

use super::aggregation::Aggregation;
use super::pe::{Activity, Pe};
use super::{Parameters, TABLE_2};
use crate::digits::{Scalar, Windows};
use crate::model::check_cancelled;
use crate::report::milliseconds;
use crate::{Channel, Error, Fifo, Group, Model, Phase, Published, Report};

/// The design at work: as many tasks side by side as there are processing elements, window by window from the topmost
/// one down.
pub struct Machine<'a, G> {
    parameters: &'a Parameters,
    windows: Windows,
    points: &'a [G],
    cancel: &'a Cancel,
    /// Cycles by what the slowest element did, in the order of [`Activity`].
    phases: [u64; 4],
    channel_stalls: u64,
    points_sent: u64,
    aggregation_additions: u64,
    elements: Vec<Element>,
}

/// What an element counted, in all rounds.
#[derive(Clone, Copy, Debug, Default)]
struct Element {
    additions: u64,
    collisions: u64,
    blocked: u64,
    bubbles: u64,
    starved: u64,
    waiting: u64,
    pairs_high_water: usize,
    collisions_high_water: usize,
    points_high_water: usize,
}

impl<'a, G: Group> Machine<'a, G> {
    pub fn new(parameters: &'a Parameters, windows: Windows, points: &'a [G], cancel: &'a Cancel) -> Self {
        Machine {
            parameters,
            windows,
            points,
            cancel,
            phases: [0; 4],
            channel_stalls: 0,
            points_sent: 0,
            aggregation_additions: 0,
            elements: vec![Element::default(); parameters.pes as usize],
        }
    }

    /// Tasks side by side, at most one for each processing element.
    pub fn round(&mut self, tasks: &[&[Scalar]]) -> Result<Vec<G>, Error> {
        /// Cycles between looks at the caller's wish.
        const BLOCK: u64 = 1 << 16;
        let depth = self.parameters.point_buffer as usize;
        let mut pes: Vec<_> = tasks
            .iter()
            .map(|scalars| Pe::new(self.parameters, self.windows, self.points, scalars))
            .collect();
        let mut aggregation = Aggregation::new(self.parameters, self.windows, tasks.len());
        // All points for every window.
        let mut to_send = self.points.len() as u64 * u64::from(self.windows.count());
        self.points_sent += to_send;
        let (mut now, mut look) = (0, 0);
        while !aggregation.is_done() {
            if now >= look {
                check_cancelled(self.cancel)?;
                look = now + BLOCK;
            }
            // A point is sent if all buffers have room for it at the beginning of the cycle.
            let room = pes.iter().all(|pe| pe.waiting < depth);
            aggregation.step(now, &mut pes);
            let activity = pes.iter_mut().map(Pe::step).min().unwrap_or(Activity::Idle);
            let sends = to_send > 0 && room;
            if sends {
                to_send -= 1;
                pes.iter_mut().for_each(|pe| pe.waiting += 1);
            }
            // Nothing changes until an adder is ready.
            let mut cycles = 1;
            if !sends && activity >= Activity::Waiting && pes.iter().all(Pe::is_stuck) {
                if let Some(event) = aggregation.next_event(now, &pes) {
                    cycles = event - now;
                    pes.iter_mut().for_each(|pe| pe.skip(cycles - 1));
                }
            }
            now += cycles;
            self.channel_stalls += if to_send > 0 && !room { cycles } else { 0 };
            if activity != Activity::Idle || self.parameters.count_aggregation {
                self.phases[(activity as usize).min(3)] += cycles;
            }
        }
        self.aggregation_additions += aggregation.additions;
        for (element, pe) in self.elements.iter_mut().zip(&pes) {
            element.add(pe);
        }
        Ok(aggregation.into_sums())
    }

    pub fn report(&self, tasks: usize) -> Report {
        let parameters = self.parameters;
        let cycles = self.phases.iter().sum();
        let ms = milliseconds(cycles, parameters.clock_mhz);
        let points = self.points.len();
        let total = |count: fn(&Element) -> u64| self.elements.iter().map(count).sum::<u64>();
        let high = |name, count: fn(&Element) -> usize, depth: u32| {
            let high_water = self.elements.iter().map(count).max().unwrap_or(0) as u64;
            Fifo { name, high_water, depth: Some(depth.into()) }
        };
        let as_published = tasks == 1 && parameters.pes == 1 && parameters.window == 16;
        let paper = TABLE_2.iter().find(|&&(log_size, _)| as_published && points == 1 << log_size);
        let busy = self.aggregation_additions * u64::from(parameters.shared_adder_cycles);
        let capacity = u64::from(parameters.shared_adders.min(parameters.pes)) * cycles;
        let load = busy as f64 / capacity.max(1) as f64;
        let mut notes = vec![format!("shared adders: {load:.2} of the time of the classification")];
        if !parameters.count_aggregation {
            notes.push(
                "the aggregation is not counted, as in the paper; --set count_aggregation=true".to_owned(),
            );
        }
        let [classification, draining, readout, waiting] = self.phases;
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
                Phase::new("classification", classification),
                Phase::new("emptying the pipelines", draining),
                Phase::new("reading buckets out", readout),
                Phase::new("waiting for shared adders", waiting),
                Phase::hidden("aggregation on shared adders", busy),
            ],
            counters: BTreeMap::from([
                ("additions", total(|element| element.additions)),
                ("adder_bubble_cycles", total(|element| element.bubbles)),
                ("aggregation_additions", self.aggregation_additions),
                ("blocked_cycles", total(|element| element.blocked)),
                ("channel_stall_cycles", self.channel_stalls),
                ("collisions", total(|element| element.collisions)),
                ("starved_cycles", total(|element| element.starved)),
                ("waiting_cycles", total(|element| element.waiting)),
            ]),
            fifos: vec![
                high("pairs", |element| element.pairs_high_water, 2 * parameters.pairing_queue + 2),
                high("collisions", |element| element.collisions_high_water, parameters.collision_queue),
                high("points", |element| element.points_high_water, parameters.point_buffer),
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

impl Element {
    fn add<G: Group>(&mut self, pe: &Pe<G>) {
        let (counts, scheduled) = (pe.counts, pe.scheduled());
        self.additions += scheduled.additions;
        self.collisions += scheduled.collisions;
        self.blocked += counts.blocked;
        self.bubbles += counts.bubbles;
        self.starved += counts.starved;
        self.waiting += counts.waiting;
        self.pairs_high_water = self.pairs_high_water.max(scheduled.pairs_high_water);
        self.collisions_high_water = self.collisions_high_water.max(scheduled.collisions_high_water);
        self.points_high_water = self.points_high_water.max(counts.points_high_water);
    }
}
