//! The machine: commands, the scheduler, buckets, their aggregation, and the counts.

use bucketwheel::schedule::{
    Addition, Delayed, Overlap, Place, Ref, Run, Scheduler as _, Sink, Statistics, Work,
};
use bucketwheel::Control;

use super::aggregation::{aggregate, Cost};
use super::greedy::Greedy;
use super::holds::Holds;
use super::{Counts, Parameters};
use crate::digits::{bucket, Scalar, Windows};
use crate::group::combine;
use crate::model::{buckets, check_cancelled};
use crate::{Error, Group};

/// The buckets, and the adder in front of them.
struct Buckets<'a, G> {
    points: &'a [G],
    values: Vec<G>,
    additions: u64,
    control: &'a Control<'a>,
}

impl<G: Group> Buckets<'_, G> {
    fn value(&self, place: Ref) -> G {
        match place.place() {
            Place::Input => self.points[place.index()].signed(place.is_negative()),
            _ => self.values[place.index()],
        }
    }
}

impl<G: Group> Sink for Buckets<'_, G> {
    fn add(&mut self, batch: &[Addition]) {
        self.additions += batch.len() as u64;
        // Without points, there is nothing to add.
        if size_of::<G>() > 0 {
            for &Addition { destination, left, right } in batch {
                self.values[destination.index()] = self.value(left).plus(self.value(right));
            }
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref) {
        self.values[destination.index()] = self.value(source);
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }
}

/// The scheduler in front of the adder.
enum Scheduler {
    Delayed(Delayed),
    Greedy(Greedy),
}

impl Scheduler {
    fn new(parameters: &Parameters, buckets: usize) -> Self {
        let slots = parameters.slots();
        match parameters.greedy_queue {
            0 => Scheduler::Delayed(Delayed::new(slots, buckets, Overlap::Pipeline).with_full_buckets()),
            queue => Scheduler::Greedy(Greedy::new(slots, buckets, queue as usize)),
        }
    }

    /// Schedules points for their buckets, in order.
    fn schedule(&mut self, work: Work<'_>, holds: &mut Holds, sink: &mut dyn Sink) {
        match self {
            Scheduler::Delayed(delayed) => delayed.schedule(work, sink),
            Scheduler::Greedy(greedy) => {
                work.runs
                    .iter()
                    .zip(work.points)
                    .for_each(|(run, &point)| greedy.input(Some((run.bucket, point)), holds, sink));
            }
        }
    }

    /// Returns true if holds stop the input `ahead` points after the next point to be scheduled. The greedy scheduler
    /// handles holds itself.
    fn is_held(&self, ahead: usize, holds: &mut Holds) -> bool {
        match self {
            Scheduler::Delayed(delayed) => holds.at(delayed.elapsed() + ahead as u64),
            Scheduler::Greedy(_) => false,
        }
    }

    /// Takes a command that skips its point.
    fn pass(&mut self, holds: &mut Holds, sink: &mut dyn Sink) {
        match self {
            Scheduler::Delayed(delayed) => delayed.idle(1, sink),
            Scheduler::Greedy(greedy) => greedy.input(None, holds, sink),
        }
    }

    fn idle(&mut self, slots: u64, holds: &mut Holds, sink: &mut dyn Sink) {
        match self {
            Scheduler::Delayed(delayed) => delayed.idle(slots, sink),
            Scheduler::Greedy(greedy) => greedy.idle(slots, holds, sink),
        }
    }

    fn finish(&mut self, holds: &mut Holds, sink: &mut dyn Sink) {
        match self {
            Scheduler::Delayed(delayed) => delayed.finish_between(|slot| holds.at(slot), sink),
            Scheduler::Greedy(greedy) => greedy.finish(holds, sink),
        }
    }

    fn elapsed(&self) -> u64 {
        match self {
            Scheduler::Delayed(delayed) => delayed.elapsed(),
            Scheduler::Greedy(greedy) => greedy.elapsed(),
        }
    }

    fn statistics(&self) -> Statistics {
        match self {
            Scheduler::Delayed(delayed) => delayed.statistics(),
            Scheduler::Greedy(greedy) => greedy.statistics,
        }
    }
}

/// The running design: one task after the other, window by window.
pub struct Machine<'a, G> {
    parameters: &'a Parameters,
    windows: Windows,
    scheduler: Scheduler,
    buckets: Buckets<'a, G>,
    work: (Vec<Ref>, Vec<Run>),
    link: Link,
    /// An aggregation, of any window.
    cost: Cost,
    /// Points of the next window that the aggregation holds back.
    holds: Holds,
    /// Remaining cycles of the running aggregation.
    aggregating: u64,
    first_pass: u64,
    further_passes: u64,
    aggregation: u64,
    aggregation_hidden: u64,
    first_conflicts: u64,
    /// Conflicts in all passes of the very first window, whose digits are uniform.
    first_window_conflicts: Option<u64>,
    zero_digits: u64,
    commands: u64,
    windows_done: u64,
    link_pauses: u64,
    /// Cycles for which a conflict occupies the memory in one direction.
    spill_cycles: f64,
    spilled: u64,
    spill_stalls: u64,
}

/// Pauses of the link and of the points' memory.
struct Link {
    /// Cycles of pause for each command.
    pause: f64,
    /// Fraction of a pause cycle that is still due.
    owed: f64,
}

impl Link {
    /// Returns the cycles of pause after this number of commands.
    fn pause_after(&mut self, commands: usize) -> u64 {
        self.owed += commands as f64 * self.pause;
        let whole = self.owed.floor();
        self.owed -= whole;
        whole as u64
    }
}

impl<'a, G: Group> Machine<'a, G> {
    pub fn new(
        parameters: &'a Parameters,
        windows: Windows,
        points: &'a [G],
        control: &'a Control<'a>,
    ) -> Result<Self, Error> {
        let values = buckets(G::ZERO, windows.buckets())?;
        let (cost, grants) = match parameters.overlap_aggregation {
            true => Cost::overlapped(parameters, windows.buckets()),
            false => (Cost::new(parameters, windows.buckets()), Vec::new()),
        };
        Ok(Machine {
            parameters,
            windows,
            scheduler: Scheduler::new(parameters, windows.buckets()),
            buckets: Buckets { points, values, additions: 0, control },
            work: Default::default(),
            cost,
            holds: Holds::new(parameters, grants),
            link: Link { pause: 1.0 / parameters.delivery() - 1.0, owed: 0.0 },
            aggregating: 0,
            first_pass: 0,
            further_passes: 0,
            aggregation: 0,
            aggregation_hidden: 0,
            first_conflicts: 0,
            first_window_conflicts: None,
            zero_digits: 0,
            commands: 0,
            windows_done: 0,
            link_pauses: 0,
            spill_cycles: parameters.spill_cycles(),
            spilled: 0,
            spill_stalls: 0,
        })
    }

    pub fn task(&mut self, scalars: &[Scalar]) -> Result<G, Error> {
        let mut sums = Vec::new();
        for window in 0..self.windows.count() {
            self.accumulate(window, scalars)?;
            sums.push(self.aggregate());
            self.windows_done += 1;
        }
        Ok(combine(&sums, self.windows.width()))
    }

    /// Runs the first pass, as commands arrive, and all further passes.
    fn accumulate(&mut self, window: u32, scalars: &[Scalar]) -> Result<(), Error> {
        self.buckets.values.fill(G::ZERO);
        let begin = self.scheduler.elapsed();
        let conflicts = self.scheduler.statistics().collisions;
        let bursts = scalars.chunks(self.parameters.link_burst as usize);
        let last = bursts.len().saturating_sub(1);
        // Cycles for which arrived commands waited; the link's pauses make up for these cycles.
        let mut behind = 0;
        for (number, burst) in bursts.enumerate() {
            check_cancelled(self.buckets.control)?;
            let before = self.scheduler.elapsed();
            self.offer(window, number * self.parameters.link_burst as usize, burst);
            // After the last command, nothing waits for the link.
            let mut pause = if number < last { self.link.pause_after(burst.len()) } else { 0 };
            if self.parameters.overlap_aggregation {
                behind += self.scheduler.elapsed() - before - burst.len() as u64;
                let made_up = pause.min(behind);
                behind -= made_up;
                pause -= made_up;
            }
            self.link_pauses += pause;
            self.scheduler.idle(pause, &mut self.holds, &mut self.buckets);
            self.hide(self.scheduler.elapsed() - before);
            self.buckets.control.advance(burst.len());
        }
        self.commands += scalars.len() as u64;
        let first = self.scheduler.statistics().collisions - conflicts;
        self.first_conflicts += first;
        // Conflicts that fit on chip need no memory, and neither does the greedy scheduler.
        let places = 2 * u64::from(self.parameters.conflict_queue);
        let spills = first > places && self.parameters.greedy_queue == 0;
        if spills {
            self.wait_for_memory(first, begin);
        }
        let end = self.scheduler.elapsed();
        self.first_pass += end - begin;
        self.scheduler.finish(&mut self.holds, &mut self.buckets);
        check_cancelled(self.buckets.control)?;
        if spills {
            // All conflicts come back, and some of them conflict again.
            let all = self.scheduler.statistics().collisions - conflicts;
            self.spilled += all;
            self.wait_for_memory(2 * all - first, end);
        }
        let further = self.scheduler.elapsed() - end;
        self.further_passes += further;
        self.hide(further);
        self.first_window_conflicts.get_or_insert(self.scheduler.statistics().collisions);
        Ok(())
    }

    /// Waits until the memory has moved this number of conflicts, in one direction each, since the cycle `begin`.
    fn wait_for_memory(&mut self, conflicts: u64, begin: u64) {
        let busy = (conflicts as f64 * self.spill_cycles).ceil() as u64;
        let stall = busy.saturating_sub(self.scheduler.elapsed() - begin);
        self.scheduler.idle(stall, &mut self.holds, &mut self.buckets);
        self.spill_stalls += stall;
    }

    /// Schedules commands for points from number `first` on, one a cycle.
    fn offer(&mut self, window: u32, first: usize, scalars: &[Scalar]) {
        let (points, runs) = &mut self.work;
        for (index, scalar) in scalars.iter().enumerate() {
            if self.scheduler.is_held(points.len(), &mut self.holds) {
                self.scheduler.schedule(Work { points, runs }, &mut self.holds, &mut self.buckets);
                points.clear();
                runs.clear();
                while self.scheduler.is_held(0, &mut self.holds) {
                    self.scheduler.idle(1, &mut self.holds, &mut self.buckets);
                }
            }
            let digit = self.windows.digit(&self.windows.biased(scalar), window);
            if digit != 0 {
                points.push(Ref::input(first + index, digit < 0));
                runs.push(Run { bucket: bucket(digit), len: 1 });
                continue;
            }
            self.scheduler.schedule(Work { points, runs }, &mut self.holds, &mut self.buckets);
            points.clear();
            runs.clear();
            self.scheduler.pass(&mut self.holds, &mut self.buckets);
            self.zero_digits += 1;
        }
        self.scheduler.schedule(Work { points, runs }, &mut self.holds, &mut self.buckets);
        points.clear();
        runs.clear();
    }

    /// Advances the time while the aggregation of the previous window continues.
    fn hide(&mut self, cycles: u64) {
        let hidden = cycles.min(self.aggregating);
        self.aggregating -= hidden;
        self.aggregation_hidden += hidden;
    }

    /// Waits for the running aggregation.
    pub fn drain(&mut self) {
        self.aggregation += std::mem::take(&mut self.aggregating);
    }

    /// Returns the buckets' sum, `sum (b + 1) S_b`.
    fn aggregate(&mut self) -> G {
        // The other half of the buckets must be free before the next window.
        self.drain();
        self.aggregating = self.cost.cycles;
        self.holds.begin(self.scheduler.elapsed());
        if !self.parameters.overlap_aggregation {
            self.drain();
        }
        aggregate(&self.buckets.values, self.parameters.segments as usize)
    }

    /// Returns the counts so far, of all tasks together.
    pub fn counts(&self) -> Counts {
        let statistics = self.scheduler.statistics();
        Counts {
            first_pass_cycles: self.first_pass,
            further_passes_cycles: self.further_passes,
            aggregation_cycles: self.aggregation,
            hidden_aggregation_cycles: self.aggregation_hidden,
            waiting_cycles: 0,
            link_stall_cycles: self.link_pauses,
            spilled: self.parameters.memory.map(|_| self.spilled),
            spill_stall_cycles: self.spill_stalls,
            windows: self.windows_done,
            commands: self.commands,
            zero_digits: self.zero_digits,
            additions: self.buckets.additions,
            conflicts: statistics.collisions,
            conflicts_first_pass: Some(self.first_conflicts),
            conflicts_first_window: Some(self.first_window_conflicts.unwrap_or(0)),
            passes: statistics.passes,
            high_water: statistics.waiting as u64,
        }
    }
}
