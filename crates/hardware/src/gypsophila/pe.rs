//! A processing element: buckets of a single point, of which pairs go to the adder (3.2).
//!
//! A point that finds its bucket empty stays there; one that finds a point takes it along into the pairing queue, and
//! the bucket is empty again. A sum that leaves the adder is a point as any other. So the adder's latency never makes
//! anyone wait. What may conflict are accesses to a bank of buckets in one cycle: sums go first, and an input that finds
//! its bank taken goes to the collision queue, whose head is tried whenever its bank is free.

use std::collections::VecDeque;

use super::Parameters;
use crate::digits::bucket;
use crate::Group;

/// What a processing element counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub additions: u64,
    pub collisions: u64,
    /// Cycles in which a point was there but a queue was full.
    pub blocked: u64,
    /// Cycles in which points were to come and the adder had nothing to begin.
    pub bubbles: u64,
    pub pairing_high_water: usize,
    pub collision_high_water: usize,
}

pub struct Pe<G> {
    pairing_depth: usize,
    collision_depth: usize,
    bank_mask: u32,
    occupied: Vec<bool>,
    values: Vec<G>,
    pairs: VecDeque<(u32, G, G)>,
    collisions: VecDeque<(u32, G)>,
    /// The adder's stages, as a ring: the sum that leaves next is at `stage`.
    pipeline: Vec<Option<(u32, G)>>,
    stage: usize,
    in_pipeline: usize,
    /// The banks taken in this cycle, a bit each.
    taken: u64,
    pub counts: Counts,
}

impl<G: Group> Pe<G> {
    pub fn new(parameters: &Parameters, buckets: usize) -> Self {
        Pe {
            pairing_depth: parameters.pairing_queue as usize,
            collision_depth: parameters.collision_queue as usize,
            bank_mask: parameters.banks - 1,
            occupied: vec![false; buckets],
            values: vec![G::ZERO; buckets],
            pairs: VecDeque::new(),
            collisions: VecDeque::new(),
            pipeline: vec![None; parameters.pipeline_stages as usize],
            stage: 0,
            in_pipeline: 0,
            taken: 0,
            counts: Counts::default(),
        }
    }

    /// One cycle. Returns whether the input was taken.
    #[inline]
    pub fn step(&mut self, input: Option<(i32, G)>) -> bool {
        self.taken = 0;
        if let Some((bucket, sum)) = self.pipeline[self.stage].take() {
            self.in_pipeline -= 1;
            // The first access of the cycle: its bank is free.
            self.access(bucket, sum);
        }
        let urgent = self.collisions.len() > self.collision_depth / 2;
        if urgent {
            self.retry();
        }
        let consumed = input.is_some_and(|(digit, point)| self.offer(digit, point));
        if !urgent {
            self.retry();
        }
        match self.pairs.pop_front() {
            Some((bucket, left, right)) => {
                self.pipeline[self.stage] = Some((bucket, left.plus(right)));
                self.in_pipeline += 1;
                self.counts.additions += 1;
            }
            None => self.counts.bubbles += u64::from(input.is_some()),
        }
        self.stage += 1;
        if self.stage == self.pipeline.len() {
            self.stage = 0;
        }
        consumed
    }

    /// Whether every bucket holds its sum.
    pub fn is_idle(&self) -> bool {
        self.in_pipeline == 0 && self.pairs.is_empty() && self.collisions.is_empty()
    }

    /// Reads a bucket out, which empties it.
    pub fn read(&mut self, bucket: usize) -> G {
        match std::mem::take(&mut self.occupied[bucket]) {
            true => self.values[bucket],
            false => G::ZERO,
        }
    }

    #[inline]
    fn offer(&mut self, digit: i32, point: G) -> bool {
        if digit == 0 {
            return true;
        }
        if self.pairs.len() >= self.pairing_depth || self.collisions.len() >= self.collision_depth {
            self.counts.blocked += 1;
            return false;
        }
        let (bucket, point) = (bucket(digit), point.signed(digit < 0));
        if !self.access(bucket, point) {
            self.collisions.push_back((bucket, point));
            self.counts.collisions += 1;
            self.counts.collision_high_water = self.counts.collision_high_water.max(self.collisions.len());
        }
        true
    }

    /// The head of the collision queue.
    #[inline]
    fn retry(&mut self) {
        if self.pairs.len() < self.pairing_depth {
            if let Some(&(bucket, point)) = self.collisions.front() {
                if self.access(bucket, point) {
                    self.collisions.pop_front();
                }
            }
        }
    }

    /// Brings a point to its bucket, unless the bank is taken.
    #[inline]
    fn access(&mut self, bucket: u32, point: G) -> bool {
        let bank = 1 << (bucket & self.bank_mask);
        if self.taken & bank != 0 {
            return false;
        }
        self.taken |= bank;
        let index = bucket as usize;
        match std::mem::replace(&mut self.occupied[index], false) {
            true => {
                self.pairs.push_back((bucket, self.values[index], point));
                self.counts.pairing_high_water = self.counts.pairing_high_water.max(self.pairs.len());
            }
            false => {
                self.values[index] = point;
                self.occupied[index] = true;
            }
        }
        true
    }
}
