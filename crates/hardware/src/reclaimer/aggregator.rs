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

use std::collections::VecDeque;

use super::store::{Parts, Values};
use crate::pairing::{Pair, Scheduler, READ_LATENCY};

/// Pairs of neighbours and points that may wait, with all that are being read.
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
    /// Points that are to visit a bucket.
    visits: VecDeque<(u32, u32)>,
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
    /// The next place to give to the host, once all sums are there.
    Output {
        next: u32,
    },
}

/// The contents of two neighbours; the places of the first, of O, and of their sum.
#[derive(Clone, Copy)]
struct Neighbours {
    first: u32,
    odd: u32,
    half: u32,
    contents: [Option<u32>; 2],
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
        let read = self.read(sum);
        let banks =
            read.map_or(0, |read| self.scheduler.bank(read.first) | self.scheduler.bank(read.first + 1));
        let input = if self.scheduler.is_ready() { self.visits.pop_front() } else { None };
        let mut pair = self.scheduler.step(input, sum, banks, adder_takes);
        if pair.is_none() && adder_takes {
            pair = self.neighbours.pop_front();
        }
        self.in_flight = self.in_flight + u32::from(pair.is_some()) - u32::from(sum.is_some());
        self.advance(sum);
        self.reading.rotate_right(1);
        if let Some(arrived) = std::mem::replace(&mut self.reading[0], read) {
            self.arrive(arrived, values);
        }
        pair
    }

    /// Reads two neighbours, if their banks are free and the queues have room for a pair and two points.
    fn read(&mut self, sum: Option<(u32, u32)>) -> Option<Neighbours> {
        let State::Level { level, ref mut next, .. } = self.state else { return None };
        let first = level + 2 * *next;
        let banks = self.scheduler.bank(first) | self.scheduler.bank(first + 1);
        let under_way = self.reading.iter().flatten().count();
        let full = self.neighbours.len() + under_way >= PLACES || self.visits.len() + 2 * under_way >= PLACES;
        let meets = sum.is_some_and(|(bucket, _)| self.scheduler.bank(bucket) & banks != 0);
        if *next == 1 << (self.width - 1 - level) || full || meets {
            return None;
        }
        let half = level + 1 + *next;
        *next += 1;
        let contents = [first, first + 1].map(|place| self.scheduler.read(place as usize));
        Some(Neighbours { first, odd: level, half, contents })
    }

    /// Sends two neighbours on their way: a pair to the adder, the odd point to O, a lone point to its half.
    fn arrive(&mut self, arrived: Neighbours, values: &mut dyn Values) {
        let Neighbours { odd, half, contents: [even, right], .. } = arrived;
        if let Some(right) = right {
            self.visits.push_back((odd, values.copy(right)));
        }
        match (even, right) {
            (Some(left), Some(right)) => {
                self.neighbours.push_back((half, left, right));
                self.halves_out += 1;
            }
            (Some(lone), None) | (None, Some(lone)) => self.visits.push_back((half, lone)),
            (None, None) => {}
        }
    }

    /// Goes to the next level when every half is in its bucket, and to the output when every sum is.
    fn advance(&mut self, sum: Option<(u32, u32)>) {
        let visiting = !self.visits.is_empty() || self.scheduler.has_collisions();
        let reading = self.reading.iter().any(Option::is_some);
        match &mut self.state {
            State::Idle => {}
            State::Level { level, next, quiet } => {
                // O and the sums of the levels before are in the places up to this level's.
                self.halves_out -= u32::from(sum.is_some_and(|(bucket, _)| bucket > *level));
                let under_way = self.halves_out > 0 || visiting || reading;
                let unread = *next < 1 << (self.width - 1 - *level);
                *quiet = if under_way || unread { 0 } else { *quiet + 1 };
                if *quiet > SETTLED {
                    self.state = match *level + 1 == self.width {
                        true => State::Output { next: 0 },
                        false => State::Level { level: *level + 1, next: 0, quiet: 0 },
                    };
                }
            }
            State::Output { next } => {
                if self.in_flight > 0 || visiting || !self.scheduler.is_idle() {
                    return;
                }
                if *next <= self.width {
                    self.parts.push(self.scheduler.read(*next as usize));
                }
                *next += 1;
                if *next as usize == self.width as usize + 1 + READ_LATENCY {
                    self.state = State::Idle;
                }
            }
        }
    }
}
