//! The machine: the stream of the points, an adder and two sets of buckets for each window of a pass, and the adder that
//! aggregates.

use bucketwheel::Control;

use super::adder::Adder;
use super::aggregator::Aggregator;
use super::parameters::SCALARS;
use super::schedule::Schedule;
use super::store::{Parts, Values};
use super::{Counts, Parameters};
use crate::digits::{bucket, Scalar, Windows};
use crate::memory::{Streams, CROSSING};
use crate::model::check_cancelled;
use crate::pairing::{Scheduler, Sizes};
use crate::Error;

/// Activity of the machine in a cycle, in the order of [`Counts::phases`].
#[derive(Clone, Copy)]
enum Phase {
    Accumulating,
    /// Sums of the pass are under way.
    Emptying,
    /// The last pass is still aggregated, or the sets of buckets are exchanged.
    Waiting,
    /// No pass is left; each adder aggregates its own buckets.
    Aggregating,
}

/// The buckets and the adder of a window.
struct Lane {
    adder: Adder,
    accumulator: Scheduler<u32>,
    in_flight: u32,
    aggregator: Aggregator,
    /// The point that is taken in this cycle.
    input: Option<(u32, u32)>,
}

/// Points in front of the lanes, after their digits are made: the RTL's.
const INPUT: u64 = 13;

pub struct Machine<'a> {
    parameters: &'a Parameters,
    windows: Windows,
    schedule: &'a Schedule,
    values: &'a mut dyn Values,
    control: &'a Control<'a>,
    cycle: u64,
    lanes: Vec<Lane>,
    /// The adder of all aggregations beside a pass.
    shared: Adder,
    /// The lane that the shared adder prefers.
    preferred: usize,
    /// Streams of the coordinates and the scalars, if the memory may wait.
    streams: Option<Streams>,
    /// True if a point is taken in this cycle.
    takes: bool,
    /// Products until the last batch ended.
    products: u64,
    pub counts: Counts,
}

impl<'a> Machine<'a> {
    pub fn new(
        parameters: &'a Parameters,
        windows: Windows,
        schedule: &'a Schedule,
        values: &'a mut dyn Values,
        control: &'a Control<'a>,
    ) -> Result<Self, Error> {
        let sizes = Sizes {
            buckets: windows.buckets(),
            banks: parameters.banks,
            pairs: parameters.pairing_queue,
            collisions: parameters.collision_queue,
            meet: true,
        };
        let width = windows.width() - 1;
        let lane = |_| {
            Ok(Lane {
                adder: Adder::new(schedule),
                accumulator: Scheduler::new(sizes, 0)?,
                in_flight: 0,
                aggregator: Aggregator::new(Scheduler::new(sizes, 0)?, width),
                input: None,
            })
        };
        let lanes = (0..parameters.adders.min(windows.count())).map(lane).collect::<Result<_, Error>>()?;
        let shared = Adder::new(schedule);
        let counts = Counts::default();
        Ok(Machine {
            parameters,
            windows,
            schedule,
            values,
            control,
            cycle: 0,
            lanes,
            shared,
            preferred: 0,
            streams: None,
            takes: false,
            products: 0,
            counts,
        })
    }

    /// Computes the parts of the sums of all windows, from the lowest window on.
    pub fn run(&mut self, scalars: &[Scalar]) -> Result<Vec<Parts>, Error> {
        let windows: Vec<u32> = (0..self.windows.count()).collect();
        let mut parts = Vec::new();
        self.open_streams(scalars.len());
        for pass in windows.chunks(self.lanes.len()) {
            self.accumulate(pass, scalars)?;
            while self.lanes.iter().any(|lane| lane.in_flight > 0 || !lane.accumulator.is_idle()) {
                self.step(Phase::Emptying);
            }
            self.finish_aggregation(Phase::Waiting, &mut parts)?;
            // The sets of buckets are exchanged in a cycle.
            self.step(Phase::Waiting);
            for lane in &mut self.lanes[..pass.len()] {
                std::mem::swap(&mut lane.accumulator, &mut lane.aggregator.scheduler);
                lane.aggregator.start();
            }
            self.counts.windows += pass.len() as u64;
        }
        self.finish_aggregation(Phase::Aggregating, &mut parts)?;
        for lane in &self.lanes {
            for scheduled in [lane.accumulator.counts, lane.aggregator.scheduler.counts] {
                self.counts.collisions += scheduled.collisions;
                let [pairs, collisions] = &mut self.counts.high_water;
                *pairs = (*pairs).max(scheduled.pairs_high_water as u64);
                *collisions = (*collisions).max(scheduled.collisions_high_water as u64);
            }
        }
        Ok(parts)
    }

    /// Begins to read, and lets the first point come: the machine starts with it.
    fn open_streams(&mut self, points: usize) {
        let Some(ports) = self.parameters.ports().filter(|_| points > 0) else { return };
        let coordinates = self.parameters.coordinates();
        let passes = (self.windows.count() as usize).div_ceil(self.lanes.len());
        let mut streams = Streams::new(
            ports,
            &[coordinates, coordinates, SCALARS],
            points as u64,
            passes as u64,
            CROSSING + INPUT,
        );
        while !streams.has_words() {
            streams.cycle(false);
        }
        self.streams = Some(streams);
    }

    fn accumulate(&mut self, pass: &[u32], scalars: &[Scalar]) -> Result<(), Error> {
        /// Points between two checks of the cancellation.
        const BLOCK: usize = 1 << 14;
        let mut digits = vec![0; pass.len()];
        for (point, scalar) in scalars.iter().enumerate() {
            if point % BLOCK == 0 {
                check_cancelled(self.control)?;
                self.control.advance(BLOCK.min(scalars.len() - point) * pass.len());
            }
            let biased = self.windows.biased(scalar);
            for (digit, &window) in digits.iter_mut().zip(pass) {
                *digit = self.windows.digit(&biased, window);
                self.counts.zero_digits += u64::from(*digit == 0);
            }
            while self.streams.as_ref().is_some_and(|streams| !streams.has_words()) {
                self.counts.starved_cycles += 1;
                self.step(Phase::Accumulating);
            }
            let ready = |(lane, &digit): (&Lane, &i32)| digit == 0 || lane.accumulator.is_ready();
            while !self.lanes.iter().zip(&digits).all(ready) {
                self.counts.blocked_cycles += 1;
                self.step(Phase::Accumulating);
            }
            for (lane, &digit) in self.lanes.iter_mut().zip(&digits) {
                if digit != 0 {
                    lane.input = Some((bucket(digit), self.values.input(point, digit < 0)));
                }
            }
            self.counts.points_sent += 1;
            self.takes = true;
            self.step(Phase::Accumulating);
        }
        Ok(())
    }

    /// Waits until nothing is aggregated, and takes the parts.
    fn finish_aggregation(&mut self, phase: Phase, parts: &mut Vec<Parts>) -> Result<(), Error> {
        check_cancelled(self.control)?;
        while !self.lanes.iter().all(|lane| lane.aggregator.is_idle()) {
            self.step(phase);
        }
        let found = self.lanes.iter_mut().map(|lane| lane.aggregator.take_parts());
        parts.extend(found.filter(|parts| !parts.is_empty()));
        Ok(())
    }

    /// Runs one cycle.
    fn step(&mut self, phase: Phase) {
        let takes = std::mem::take(&mut self.takes);
        if let Some(streams) = &mut self.streams {
            streams.cycle(takes);
        }
        let (cycle, schedule, counts) = (self.cycle, self.schedule, &mut self.counts);
        let values = &mut *self.values;
        let aggregates = matches!(phase, Phase::Aggregating);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let (sum, busy) = lane.adder.leave(cycle, schedule, values, counts);
            let sum = sum.map(|(_, bucket, sum)| (bucket, sum));
            let pair = match aggregates {
                true => lane.aggregator.step(sum, !busy, values),
                false => {
                    let pair = lane.accumulator.step(lane.input.take(), sum, 0, !busy);
                    lane.in_flight = lane.in_flight + u32::from(pair.is_some()) - u32::from(sum.is_some());
                    counts.bubble_cycles += u64::from(pair.is_none() && matches!(phase, Phase::Accumulating));
                    pair
                }
            };
            if let Some(pair) = pair {
                counts.aggregation_additions += u64::from(aggregates);
                lane.adder.take(cycle, schedule, number, pair, values, counts);
            }
        }
        if !aggregates && self.lanes.iter().any(|lane| !lane.aggregator.is_idle()) {
            self.share();
        }
        let counts = &mut self.counts;
        counts.phases[phase as usize] += 1;
        if schedule.is_last(schedule.place(cycle)) && counts.products > self.products {
            counts.products += schedule.root_products;
            self.products = counts.products;
        }
        self.cycle += 1;
    }

    /// Runs one cycle of the aggregations beside a pass. The shared adder prefers pairs with a sum, because sums cannot wait;
    /// otherwise lanes take turns.
    fn share(&mut self) {
        let (cycle, schedule, counts) = (self.cycle, self.schedule, &mut self.counts);
        let values = &mut *self.values;
        counts.hidden_cycles += 1;
        let (sum, busy) = self.shared.leave(cycle, schedule, values, counts);
        let lanes = self.lanes.len();
        let turn = (0..lanes).map(|lane| (lane + self.preferred) % lanes);
        let of_sums = turn.clone().find(|&lane| self.lanes[lane].aggregator.has_pair_of_sum());
        let any = || turn.clone().find(|&lane| self.lanes[lane].aggregator.has_pair());
        let served = of_sums.or_else(any).filter(|_| !busy);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let own = sum.filter(|&(lane, ..)| lane == number).map(|(_, bucket, sum)| (bucket, sum));
            if let Some(pair) = lane.aggregator.step(own, served == Some(number), values) {
                counts.aggregation_additions += 1;
                self.shared.take(cycle, schedule, number, pair, values, counts);
                self.preferred = (number + 1) % lanes;
            }
        }
    }
}
