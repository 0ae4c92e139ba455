//! The machine: the points' channel, the processing elements, the shared adders, and what is counted on the way.

use bucketwheel::Cancel;

use super::aggregation::Aggregation;
use super::pe::{Activity, Pe};
use super::{Counts, Parameters};
use crate::digits::{Scalar, Windows};
use crate::model::check_cancelled;
use crate::{Error, Group};

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

/// Counts of an element, in all rounds.
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
            .collect::<Result<_, _>>()?;
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

    /// Counts so far, all rounds together.
    pub fn counts(&self) -> Counts {
        let total = |count: fn(&Element) -> u64| self.elements.iter().map(count).sum();
        let most = |count: fn(&Element) -> usize| self.elements.iter().map(count).max().unwrap_or(0) as u64;
        Counts {
            phases: self.phases,
            points_sent: self.points_sent,
            channel_stall_cycles: self.channel_stalls,
            aggregation_additions: self.aggregation_additions,
            additions: total(|element| element.additions),
            collisions: total(|element| element.collisions),
            blocked_cycles: total(|element| element.blocked),
            bubble_cycles: total(|element| element.bubbles),
            starved_cycles: total(|element| element.starved),
            waiting_cycles: total(|element| element.waiting),
            high_water: [
                most(|element| element.pairs_high_water),
                most(|element| element.collisions_high_water),
                most(|element| element.points_high_water),
            ],
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
