//! Bucket classification (3.2), register by register like `hdl/rtl/schedule/pairing_scheduler.sv`.
//!
//! A point that finds its bucket empty stays there. A point that finds another point takes it along into a queue of
//! pairs, and the bucket is empty again. A sum that leaves the adder is a point like any other. So nothing waits for
//! the adder's latency. Accesses to a bank of buckets in one cycle may conflict. Sums go first, and an input that
//! meets a sum goes to the collision queue, whose head visits its bank when no other visitor does. Each of the three
//! kinds of visitors has its own queue of pairs: the pairs of sums are served first, then the pairs of collisions.

use std::collections::VecDeque;

use super::Parameters;
use crate::model::buckets;
use crate::{Error, Group};

/// Two points of a bucket.
type Pair<G> = (u32, G, G);

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub additions: u64,
    pub collisions: u64,
    pub pairs_high_water: usize,
    pub collisions_high_water: usize,
}

/// The visitors of buckets. Their pairs have separate queues, which are served in this order.
#[derive(Clone, Copy)]
enum Visitor {
    Sum,
    Collision,
    Point,
}

/// Registers in front of a bucket's bank, the first of which chooses the visitor, and behind it.
const LOOK_UP: usize = 2;
const READ: usize = 2;
/// Cycles from reading a bucket until its content is ready.
pub const READ_LATENCY: usize = LOOK_UP + READ;
/// Places of a queue of pairs that are reserved for pairs in flight.
const ON_THE_WAY: usize = LOOK_UP + READ;

#[derive(Clone)]
pub struct Scheduler<G> {
    pairing_depth: usize,
    collision_depth: usize,
    bank_mask: u32,
    occupied: Vec<bool>,
    values: Vec<G>,
    collisions: VecDeque<(u32, G)>,
    /// Visitors whose buckets are being read, the last cycle's visitors first.
    looking: [[Option<(u32, G)>; 3]; LOOK_UP],
    /// Pairs in flight from the banks, and the queues behind.
    found: [[Option<Pair<G>>; 3]; READ],
    pairs: [VecDeque<Pair<G>>; 3],
    /// The stages of the adder, as a ring: the sum that leaves next is at `stage`.
    pipeline: Vec<Option<(u32, G)>>,
    stage: usize,
    in_pipeline: usize,
    pub counts: Counts,
}

impl<G: Group> Scheduler<G> {
    pub fn new(parameters: &Parameters, count: usize) -> Result<Self, Error> {
        Ok(Scheduler {
            pairing_depth: parameters.pairing_queue as usize,
            collision_depth: parameters.collision_queue as usize,
            bank_mask: parameters.banks - 1,
            occupied: buckets(false, count)?,
            values: buckets(G::ZERO, count)?,
            collisions: VecDeque::new(),
            looking: [[None; 3]; LOOK_UP],
            found: [[None; 3]; READ],
            pairs: Default::default(),
            pipeline: vec![None; parameters.pipeline_stages as usize],
            stage: 0,
            in_pipeline: 0,
            counts: Counts::default(),
        })
    }

    /// Returns true if a point is taken in this cycle: the queues have room for everything in flight.
    #[inline]
    pub fn is_ready(&self) -> bool {
        self.collisions.len() + 1 < self.collision_depth
            && self.pairs[Visitor::Point as usize].len() + ON_THE_WAY < self.pairing_depth
    }

    /// Returns true if the adder begins an addition in this cycle.
    #[inline]
    pub fn has_pair(&self) -> bool {
        self.pairs.iter().any(|pairs| !pairs.is_empty())
    }

    /// Returns true if every bucket contains its sum.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.in_pipeline == 0
            && self.collisions.is_empty()
            && !self.has_pair()
            && self.looking.iter().flatten().all(Option::is_none)
            && self.found.iter().flatten().all(Option::is_none)
    }

    /// Runs one cycle, with a point that is taken in it.
    #[inline]
    pub fn step(&mut self, input: Option<(u32, G)>) {
        let may_retry = self.pairs[Visitor::Collision as usize].len() + ON_THE_WAY < self.pairing_depth;
        let sum = self.pipeline[self.stage];
        let pair = self.pairs.iter_mut().find_map(VecDeque::pop_front);
        self.pipeline[self.stage] = pair.map(|(bucket, left, right)| (bucket, left.plus(right)));
        self.in_pipeline = self.in_pipeline + usize::from(pair.is_some()) - usize::from(sum.is_some());
        self.counts.additions += u64::from(pair.is_some());
        self.stage = if self.stage + 1 == self.pipeline.len() { 0 } else { self.stage + 1 };

        self.found.rotate_right(1);
        for (found, pairs) in self.found[0].iter_mut().zip(&mut self.pairs) {
            pairs.extend(found.take());
        }
        self.looking.rotate_right(1);
        for visitor in [Visitor::Sum, Visitor::Point, Visitor::Collision] {
            if let Some((bucket, point)) = self.looking[0][visitor as usize].take() {
                self.visit(visitor, bucket, point);
            }
        }

        // The banks that are taken in this cycle, one bit each.
        let bank = |bucket: u32| 1u64 << (bucket & self.bank_mask);
        let mut taken = sum.map_or(0, |(bucket, _)| bank(bucket));
        let (visitor, collided) = match input {
            Some((bucket, _)) if taken & bank(bucket) != 0 => (None, input),
            _ => (input, None),
        };
        taken |= visitor.map_or(0, |(bucket, _)| bank(bucket));
        let free = |&&(bucket, _): &&(u32, G)| taken & bank(bucket) == 0;
        let retried = self.collisions.front().filter(free).filter(|_| may_retry).copied();
        if retried.is_some() {
            self.collisions.pop_front();
        }
        self.looking[0] = [sum, retried, visitor];
        if let Some(collided) = collided {
            self.collisions.push_back(collided);
            self.counts.collisions += 1;
        }

        let counts = &mut self.counts;
        counts.collisions_high_water = counts.collisions_high_water.max(self.collisions.len());
        let pairs = self.pairs.iter().map(VecDeque::len).sum();
        counts.pairs_high_water = counts.pairs_high_water.max(pairs);
    }

    /// Takes the content of a bucket.
    pub fn read(&mut self, bucket: usize) -> G {
        match std::mem::take(&mut self.occupied[bucket]) {
            true => self.values[bucket],
            false => G::ZERO,
        }
    }

    #[inline]
    fn visit(&mut self, visitor: Visitor, bucket: u32, point: G) {
        let index = bucket as usize;
        if std::mem::replace(&mut self.occupied[index], false) {
            self.found[0][visitor as usize] = Some((bucket, point, self.values[index]));
        } else {
            self.occupied[index] = true;
            self.values[index] = point;
        }
    }
}
