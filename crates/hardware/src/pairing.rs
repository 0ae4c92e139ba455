//! Points that pair in banked buckets, register by register like `hdl/rtl/schedule/pairing_scheduler.sv`: Gypsophila's
//! bucket classification (3.2), and the reclaimer's.
//!
//! A point that finds its bucket empty stays there. A point that finds another point takes it along into a queue of
//! pairs, and the bucket is empty again. A sum that leaves the adder is a point like any other. So nothing waits for
//! the adder's latency. Accesses to a bank of buckets in one cycle may conflict. Sums go first, and an input that
//! meets a sum goes to the collision queue, whose head visits its bank when no other visitor does. Each of the three
//! kinds of visitors has its own queue of pairs: the pairs of sums are served first, then the pairs of collisions. With
//! `meet`, the RTL's MEET, a sum and a point for its bucket pair in front of the banks.

use std::collections::VecDeque;

use crate::model::buckets;
use crate::Error;

/// A bucket, and two points for it.
pub type Pair<V> = (u32, V, V);

/// Sizes of a scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Buckets.
    pub buckets: usize,
    /// Banks of buckets, a power of two up to 64.
    pub banks: u32,
    /// Places of each queue of pairs that makes its visitors wait.
    pub pairs: u32,
    /// Places of the collision queue.
    pub collisions: u32,
    /// True if a sum pairs at once with a point for its bucket that comes, or that waits first in the collision queue. Equal
    /// digits then need no more than one visit of their bank in a cycle.
    pub meet: bool,
}

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

/// Registers in front of a bucket's bank. The first register chooses the visitor.
const LOOK_UP: usize = 2;
/// Registers behind a bucket's bank.
const READ: usize = 2;
/// Cycles from reading a bucket until its content is ready.
pub const READ_LATENCY: usize = LOOK_UP + READ;
/// Places of a queue of pairs that are reserved for pairs in flight.
const ON_THE_WAY: usize = LOOK_UP + READ;

/// Buckets and their queues. The adder is the caller's.
#[derive(Clone)]
pub struct Scheduler<V> {
    pairing_depth: usize,
    collision_depth: usize,
    meet: bool,
    bank_mask: u32,
    occupied: Vec<bool>,
    values: Vec<V>,
    collisions: VecDeque<(u32, V)>,
    /// Visitors whose buckets are being read, the last cycle's visitors first.
    looking: [[Option<(u32, V)>; 3]; LOOK_UP],
    /// Pairs in flight from the banks, and the queues behind.
    found: [[Option<Pair<V>>; 3]; READ],
    pairs: [VecDeque<Pair<V>>; 3],
    /// Pairs of a sum and a point that met in front of the banks, on their way and in their queue.
    meeting: [Option<Pair<V>>; LOOK_UP],
    met: VecDeque<Pair<V>>,
    pub counts: Counts,
}

impl<V: Copy> Scheduler<V> {
    /// Returns empty buckets; `empty` fills their places.
    pub fn new(sizes: Sizes, empty: V) -> Result<Self, Error> {
        Ok(Scheduler {
            pairing_depth: sizes.pairs as usize,
            collision_depth: sizes.collisions as usize,
            meet: sizes.meet,
            bank_mask: sizes.banks - 1,
            occupied: buckets(false, sizes.buckets)?,
            values: buckets(empty, sizes.buckets)?,
            collisions: VecDeque::new(),
            looking: [[None; 3]; LOOK_UP],
            found: [[None; 3]; READ],
            pairs: Default::default(),
            meeting: [None; LOOK_UP],
            met: VecDeque::new(),
            counts: Counts::default(),
        })
    }

    /// Returns true if a point is taken in this cycle: the queues have room for everything in flight.
    #[inline]
    pub fn is_ready(&self) -> bool {
        self.collisions.len() + 1 < self.collision_depth
            && self.pairs[Visitor::Point as usize].len() + ON_THE_WAY < self.pairing_depth
    }

    /// Returns true if a pair waits for the adder.
    #[inline]
    pub fn has_pair(&self) -> bool {
        !self.met.is_empty() || self.pairs.iter().any(|pairs| !pairs.is_empty())
    }

    /// Returns true if a pair waits for the adder and one of its points is a sum.
    #[inline]
    pub fn has_pair_of_sum(&self) -> bool {
        !self.met.is_empty() || !self.pairs[Visitor::Sum as usize].is_empty()
    }

    /// Returns true if a point waits for its bank.
    #[inline]
    pub fn has_collisions(&self) -> bool {
        !self.collisions.is_empty()
    }

    /// Returns true if nothing waits and nothing is under way outside of the adder.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.collisions.is_empty()
            && !self.has_pair()
            && self.meeting.iter().all(Option::is_none)
            && self.looking.iter().flatten().all(Option::is_none)
            && self.found.iter().flatten().all(Option::is_none)
    }

    /// Returns the bit of a bucket's bank.
    #[inline]
    pub fn bank(&self, bucket: u32) -> u64 {
        1 << (bucket & self.bank_mask)
    }

    /// Runs one cycle, with a point that is taken in it, a sum from the adder, and banks that somebody reads; the sum is in
    /// none of them. Returns the pair that the adder takes, if it takes one.
    #[inline]
    pub fn step(
        &mut self,
        mut input: Option<(u32, V)>,
        mut sum: Option<(u32, V)>,
        reading: u64,
        adder_takes: bool,
    ) -> Option<Pair<V>> {
        let may_retry = self.pairs[Visitor::Collision as usize].len() + ON_THE_WAY < self.pairing_depth;
        let pair = match adder_takes {
            true => {
                let [sums, others @ ..] = &mut self.pairs;
                let first = sums.pop_front().or_else(|| self.met.pop_front());
                first.or_else(|| others.iter_mut().find_map(VecDeque::pop_front))
            }
            false => None,
        };
        self.counts.additions += u64::from(pair.is_some());

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

        let waiting = self.collisions.len();
        if self.meet {
            self.meeting.rotate_right(1);
            self.met.extend(self.meeting[0].take());
            self.meet(&mut input, &mut sum);
        }
        // Only one point leaves the collision queue in a cycle.
        let may_retry = may_retry && self.collisions.len() == waiting;

        // The banks that are taken in this cycle, one bit each.
        let bank = |bucket: u32| 1u64 << (bucket & self.bank_mask);
        let mut taken = reading | sum.map_or(0, |(bucket, _)| bank(bucket));
        let (visitor, collided) = match input {
            Some((bucket, _)) if taken & bank(bucket) != 0 => (None, input),
            _ => (input, None),
        };
        taken |= visitor.map_or(0, |(bucket, _)| bank(bucket));
        let free = |&&(bucket, _): &&(u32, V)| taken & bank(bucket) == 0;
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
        let pairs = self.met.len() + self.pairs.iter().map(VecDeque::len).sum::<usize>();
        counts.pairs_high_water = counts.pairs_high_water.max(pairs);
        pair
    }

    /// Pairs the sum with a point for its bucket, if one comes or is the first that waits.
    #[inline]
    fn meet(&mut self, input: &mut Option<(u32, V)>, sum: &mut Option<(u32, V)>) {
        let Some((bucket, value)) = *sum else { return };
        let is_for_it = |&mut (other, _): &mut (u32, V)| other == bucket;
        let of_input = input.take_if(is_for_it);
        let waits = of_input.is_none() && self.collisions.front().is_some_and(|&(other, _)| other == bucket);
        let point = of_input.or_else(|| waits.then(|| self.collisions.pop_front()).flatten());
        if let Some((_, point)) = point {
            self.meeting[0] = Some((bucket, point, value));
            *sum = None;
        }
    }

    /// Takes the content of a bucket.
    pub fn read(&mut self, bucket: usize) -> Option<V> {
        std::mem::take(&mut self.occupied[bucket]).then(|| self.values[bucket])
    }

    #[inline]
    fn visit(&mut self, visitor: Visitor, bucket: u32, point: V) {
        let index = bucket as usize;
        if std::mem::replace(&mut self.occupied[index], false) {
            self.found[0][visitor as usize] = Some((bucket, point, self.values[index]));
        } else {
            self.occupied[index] = true;
            self.values[index] = point;
        }
    }
}
