//! The aggregation of a window's buckets, in their own places, by halving.
//!
//! Let S_b be the buckets of a level, numbered from 0. The next level has half of them:
//!
//! ```text
//! S'_k = S_2k + S_(2k+1)        O = sum of all S_(2k+1)        sum b S_b = 2 sum k S'_k + O
//! ```
//!
//! Neighbours are a pair as they are. The odd points visit the bucket of O, where they pair like points of the input. So
//! nothing waits for the adder's latency, except a level for the sums of the level before. The buckets of level l begin at
//! place l: its pairs are read from the lowest on, S'_k goes to place l + 1 + k, which has been read by then, and O to
//! place l. After the last level, place l has the sum of the buckets whose number has bit l, and the place behind them the sum
//! of all buckets. The host adds these few points up.
//!
//! Register by register like `hdl/rtl/pe/reclaimer_halving.sv`.

use std::collections::VecDeque;

use super::store::{Parts, Values};
use crate::pairing::{Pair, Scheduler, READ_LATENCY};

/// Places of the queues of pairs of neighbours and of points that wait, with all that are being read.
const PLACES: usize = 16;
/// Cycles after which everything that went to a bucket is there.
const SETTLED: u32 = 3;

/// A set of buckets that is aggregated, or idle.
pub struct Aggregator {
    pub scheduler: Scheduler<u32>,
    width: u32,
    state: State,
    /// Neighbours in flight from the banks.
    reading: [Option<Neighbours>; READ_LATENCY],
    /// Pairs of neighbours for the adder, and their sums that are not back yet.
    neighbours: VecDeque<Pair<u32>>,
    halves_out: u32,
    visits: VecDeque<Visit>,
    in_flight: u32,
    parts: Parts,
}

#[derive(Clone, Copy)]
enum State {
    Idle,
    /// The next pair of neighbours of a level; and the cycles for which no bucket of the next level has been under way.
    Level {
        level: u32,
        next: u32,
        quiet: u32,
    },
    /// All levels are done. The last sums of odd points are still under way.
    Wait,
    /// The next place to give to the host.
    Output {
        next: u32,
    },
}

/// The contents of two neighbours; the place of O, and of their sum.
#[derive(Clone, Copy)]
struct Neighbours {
    odd: u32,
    half: u32,
    contents: [Option<u32>; 2],
}

/// A point that is to visit O, then its half, or one of both.
#[derive(Clone, Copy)]
struct Visit {
    odd: Option<u32>,
    half: Option<u32>,
    point: u32,
}

impl Aggregator {
    /// Returns an idle aggregator of 2^`width` buckets.
    pub fn new(scheduler: Scheduler<u32>, width: u32) -> Self {
        Aggregator {
            scheduler,
            width,
            state: State::Idle,
            reading: [None; READ_LATENCY],
            neighbours: VecDeque::new(),
            halves_out: 0,
            visits: VecDeque::new(),
            in_flight: 0,
            parts: Vec::new(),
        }
    }

    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// Begins to aggregate the set of buckets that is in `scheduler`.
    pub fn start(&mut self) {
        self.state = State::Level { level: 0, next: 0, quiet: 0 };
    }

    /// Takes the parts of the last window's sum, if there was one.
    pub fn take_parts(&mut self) -> Parts {
        std::mem::take(&mut self.parts)
    }

    pub fn has_pair_of_sum(&self) -> bool {
        self.scheduler.has_pair_of_sum()
    }

    pub fn has_pair(&self) -> bool {
        self.scheduler.has_pair() || !self.neighbours.is_empty()
    }

    /// Runs one cycle, with a sum from the adder. Returns the pair that the adder takes, if it takes one.
    pub fn step(
        &mut self,
        sum: Option<(u32, u32)>,
        adder_takes: bool,
        values: &mut dyn Values,
    ) -> Option<Pair<u32>> {
        let next = self.next_state();
        let arrived = self.reading[READ_LATENCY - 1];
        let (read, banks) = self.read(sum);
        if let (State::Level { level, .. }, Some((bucket, _))) = (self.state, sum) {
            // O and the sums of the levels before are in the places up to this level's.
            self.halves_out -= u32::from(bucket > level);
        }
        let input = if self.scheduler.is_ready() { self.visit(values) } else { None };
        let mut pair = self.scheduler.step(input, sum, banks, adder_takes);
        if pair.is_none() && adder_takes {
            pair = self.neighbours.pop_front();
        }
        self.in_flight = self.in_flight + u32::from(pair.is_some()) - u32::from(sum.is_some());
        self.reading.rotate_right(1);
        self.reading[0] = read;
        if let Some(arrived) = arrived {
            self.arrive(arrived, values);
        }
        self.state = match (next, read) {
            (State::Level { level, next, quiet }, Some(_)) => State::Level { level, next: next + 1, quiet },
            _ => next,
        };
        pair
    }

    /// Reads two neighbours, if their banks are free and the queues have room for a pair and a point. Returns them, and their
    /// banks.
    fn read(&mut self, sum: Option<(u32, u32)>) -> (Option<Neighbours>, u64) {
        let State::Level { level, next, .. } = self.state else { return (None, 0) };
        let first = level + 2 * next;
        let banks = self.scheduler.bank(first) | self.scheduler.bank(first + 1);
        let under_way = self.reading.iter().flatten().count();
        let full = self.neighbours.len().max(self.visits.len()) + under_way >= PLACES;
        let meets = sum.is_some_and(|(bucket, _)| self.scheduler.bank(bucket) & banks != 0);
        if next == self.pairs(level) || full || meets {
            return (None, 0);
        }
        let contents = [first, first + 1].map(|place| self.scheduler.read(place as usize));
        (Some(Neighbours { odd: level, half: level + 1 + next, contents }), banks)
    }

    /// Returns the number of pairs of a level.
    fn pairs(&self, level: u32) -> u32 {
        1 << (self.width - 1 - level)
    }

    /// Returns the next bucket to visit, with its point.
    fn visit(&mut self, values: &mut dyn Values) -> Option<(u32, u32)> {
        let visit = self.visits.front_mut()?;
        let point = visit.point;
        if let (Some(odd), Some(_)) = (visit.odd, visit.half) {
            visit.odd = None;
            return Some((odd, values.copy(point)));
        }
        let bucket = visit.odd.or(visit.half)?;
        self.visits.pop_front();
        Some((bucket, point))
    }

    /// Sends two neighbours on their way: a pair to the adder, the odd point to O, a lone point to its half.
    fn arrive(&mut self, Neighbours { odd, half, contents }: Neighbours, values: &mut dyn Values) {
        match contents {
            [Some(left), Some(right)] => {
                self.neighbours.push_back((half, left, right));
                self.halves_out += 1;
                self.visits.push_back(Visit { odd: Some(odd), half: None, point: values.copy(right) });
            }
            [Some(lone), None] => self.visits.push_back(Visit { odd: None, half: Some(half), point: lone }),
            [None, Some(lone)] => {
                self.visits.push_back(Visit { odd: Some(odd), half: Some(half), point: lone })
            }
            [None, None] => {}
        }
    }

    /// Returns the state of the next cycle, without the pair that is read in this cycle. A level ends when every half is in its
    /// bucket, and the output begins when every sum is.
    fn next_state(&mut self) -> State {
        let visiting = !self.visits.is_empty() || self.scheduler.has_collisions();
        let reading = self.reading.iter().any(Option::is_some);
        match self.state {
            State::Idle => State::Idle,
            State::Level { level, next, quiet } => {
                let busy = self.halves_out > 0 || visiting || reading || next != self.pairs(level);
                match (busy, quiet) {
                    (true, _) => State::Level { level, next, quiet: 0 },
                    (false, SETTLED) if level + 1 == self.width => State::Wait,
                    (false, SETTLED) => State::Level { level: level + 1, next: 0, quiet: 0 },
                    (false, _) => State::Level { level, next, quiet: quiet + 1 },
                }
            }
            State::Wait => match self.in_flight == 0 && self.scheduler.is_idle() {
                true => State::Output { next: 0 },
                false => State::Wait,
            },
            State::Output { next } => {
                if next <= self.width {
                    self.parts.push(self.scheduler.read(next as usize));
                }
                match next as usize == self.width as usize + READ_LATENCY {
                    true => State::Idle,
                    false => State::Output { next: next + 1 },
                }
            }
        }
    }
}
