//! The machine: the channel of the points, the processing elements, the shared adders, and the counts.

use bucketwheel::Control;
use rayon::prelude::*;

use super::aggregation::{Aggregation, Running};
use super::pe::{Activity, Pe};
use super::{Counts, Parameters};
use crate::digits::{Scalar, Windows};
use crate::memory::{Streams, CROSSING};
use crate::model::check_cancelled;
use crate::{Error, Group};

/// The running design: one task per processing element in parallel, window by window from the topmost window down.
pub struct Machine<'a, G> {
    parameters: &'a Parameters,
    windows: Windows,
    points: &'a [G],
    control: &'a Control<'a>,
    /// Cycles by the activity of the slowest element, in the order of [`Activity`].
    phases: [u64; 4],
    channel_stalls: u64,
    points_sent: u64,
    aggregation_additions: u64,
    elements: Vec<Element>,
}

/// Counts of an element over all rounds.
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

/// Runs a cycle of the streams. Returns true if a point is wanted and comes.
fn arrives(streams: &mut Option<Streams>, wanted: bool) -> bool {
    let Some(streams) = streams else { return wanted };
    let takes = wanted && streams.has_words();
    streams.cycle(takes);
    takes
}

impl<'a, G: Group> Machine<'a, G> {
    pub fn new(
        parameters: &'a Parameters,
        windows: Windows,
        points: &'a [G],
        control: &'a Control<'a>,
    ) -> Self {
        Machine {
            parameters,
            windows,
            points,
            control,
            phases: [0; 4],
            channel_stalls: 0,
            points_sent: 0,
            aggregation_additions: 0,
            elements: vec![Element::default(); parameters.pes as usize],
        }
    }

    /// Runs tasks in parallel, at most one for each processing element.
    pub fn round(&mut self, tasks: &[&[Scalar]]) -> Result<Vec<G>, Error> {
        let mut pes: Vec<_> = tasks
            .iter()
            .map(|scalars| Pe::new(self.parameters, self.windows, self.points, scalars))
            .collect::<Result<_, _>>()?;
        let sums = match self.parameters.count_aggregation {
            true => self.with_shared_adders(&mut pes),
            false => self.classification(&mut pes),
        }?;
        for (element, pe) in self.elements.iter_mut().zip(&pes) {
            element.add(pe);
        }
        Ok(sums)
    }

    /// Returns the streams of indexes and coordinates of a round, when the first point is there, if the memory may wait.
    fn streams(&self) -> Option<Streams> {
        let ports = self.parameters.ports().filter(|_| !self.points.is_empty())?;
        let coordinates = self.parameters.coordinates();
        let mut streams = Streams::new(
            ports,
            &[coordinates, coordinates, coordinates, self.parameters.indexes()],
            self.points.len() as u64,
            self.windows.count().into(),
            CROSSING,
        );
        while !streams.has_words() {
            streams.cycle(false);
        }
        Some(streams)
    }

    /// Runs the classification alone. Only the channel of the points keeps the elements together. So each element is
    /// computed by itself for a block of cycles, as if no other element made the channel wait. If one did, the block
    /// is computed again, cycle by cycle.
    fn classification(&mut self, pes: &mut Vec<Pe<'_, G>>) -> Result<Vec<G>, Error> {
        /// Number of cycles of a block.
        const BLOCK: usize = 1 << 12;
        /// Largest number of blocks that run cycle by cycle before the next block is tried element by element.
        const PATIENCE: u32 = 16;
        let mut to_send = self.points.len() as u64 * u64::from(self.windows.count());
        self.points_sent += to_send;
        let mut streams = self.streams();
        // Elements do not tell when the memory has the next point.
        let apart = pes.len() > 1 && streams.is_none();
        let mut running: Vec<_> = pes.iter().map(|_| Running::new(self.windows)).collect();
        let mut activities = vec![[Activity::Idle; BLOCK]; pes.len()];
        let (mut together, mut patience) = (0, 1);
        while !running.iter().all(Running::is_done) {
            check_cancelled(self.control)?;
            let before = to_send;
            if together == 0 && apart {
                let untried = pes.clone();
                let elements = pes.par_iter_mut().zip(&mut activities);
                if elements.all(|(pe, activities)| pe.run(to_send, activities)) {
                    to_send = to_send.saturating_sub(BLOCK as u64);
                    patience = 1;
                } else {
                    *pes = untried;
                    (together, patience) = (patience, PATIENCE.min(2 * patience));
                }
            }
            if together > 0 || !apart {
                together = together.saturating_sub(1);
                for cycle in 0..BLOCK {
                    let room = pes.iter().all(Pe::has_room);
                    let sends = arrives(&mut streams, to_send > 0 && room);
                    self.channel_stalls += u64::from(to_send > 0 && !room);
                    for (pe, activities) in pes.iter_mut().zip(&mut activities) {
                        activities[cycle] = pe.step();
                        pe.waiting += usize::from(sends);
                    }
                    to_send -= u64::from(sends);
                }
            }
            self.control.advance((before - to_send) as usize);
            let mut least = [Activity::Idle; BLOCK];
            for of_one in &activities {
                least.iter_mut().zip(of_one).for_each(|(least, &activity)| *least = activity.min(*least));
            }
            for (phase, cycles) in self.phases.iter_mut().enumerate() {
                *cycles += least.iter().filter(|&&activity| activity as usize == phase).count() as u64;
            }
            let aggregate = |(pe, running): (&mut Pe<'_, G>, &mut Running<G>)| {
                pe.buckets.drain().for_each(|bucket| running.add(bucket));
            };
            pes.par_iter_mut().zip(&mut running).for_each(aggregate);
        }
        self.aggregation_additions += running.iter().map(|running| running.additions).sum::<u64>();
        Ok(running.into_iter().map(|running| running.sum).collect())
    }

    /// Runs the classification and the shared adders, for which elements wait.
    fn with_shared_adders(&mut self, pes: &mut [Pe<'_, G>]) -> Result<Vec<G>, Error> {
        /// Cycles between two checks of the cancellation.
        const BLOCK: u64 = 1 << 16;
        let mut aggregation = Aggregation::new(self.parameters, self.windows, pes.len());
        // Every window gets all points.
        let mut to_send = self.points.len() as u64 * u64::from(self.windows.count());
        self.points_sent += to_send;
        let mut streams = self.streams();
        let (mut now, mut look, mut told) = (0, 0, to_send);
        while !aggregation.is_done() {
            if now >= look {
                check_cancelled(self.control)?;
                self.control.advance((std::mem::replace(&mut told, to_send) - to_send) as usize);
                look = now + BLOCK;
            }
            // The channel sends a point if the memory has it and all buffers have room for it at the beginning of the cycle.
            let room = pes.iter().all(Pe::has_room);
            aggregation.step(now, pes);
            let activity = pes.iter_mut().map(Pe::step).min().unwrap_or(Activity::Idle);
            let wanted = to_send > 0 && room;
            let sends = arrives(&mut streams, wanted);
            if sends {
                to_send -= 1;
                pes.iter_mut().for_each(|pe| pe.waiting += 1);
            }
            // Nothing changes until an adder is ready.
            let mut cycles = 1;
            if !wanted && activity >= Activity::Waiting && pes.iter().all(Pe::is_stuck) {
                if let Some(event) = aggregation.next_event(now, pes) {
                    cycles = event - now;
                    pes.iter_mut().for_each(|pe| pe.skip(cycles - 1));
                }
            }
            for _ in 1..cycles {
                arrives(&mut streams, false);
            }
            now += cycles;
            self.channel_stalls += if to_send > 0 && !room { cycles } else { 0 };
            self.phases[(activity as usize).min(3)] += cycles;
        }
        self.control.advance((told - to_send) as usize);
        self.aggregation_additions += aggregation.additions;
        Ok(aggregation.into_sums())
    }

    /// Returns the counts so far, of all rounds together.
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
