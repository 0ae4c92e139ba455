//! The aggregation of a window, like `hdl/rtl/pe/cyclone_aggregate.sv`: the sums, and the cycles of the additions.
//!
//! The paper's way (Algorithm 3) is one loop of dependent additions, `R <- R + T`, `T <- T + S_b`, from the top
//! bucket on. With S segments, bucket b belongs to segment b mod S. Each segment has its own R and T, so the adder
//! works while a segment waits for its sums. At the end, the join computes the window's sum from them:
//!
//! ```text
//! sum (b + 1) S_b = S sum_j R_j + sum_j (j + 1) T_j
//! ```

use std::collections::VecDeque;

use super::Parameters;
use crate::Group;

/// Cycles from an addition to the next one: a full addition has three products for one of the multipliers (4.3).
const SPACING: u64 = 3;

/// Times at which the adder takes full additions.
struct Adder {
    /// Cycles from a full addition's first product in the shared multiplier to its third.
    third_product: u64,
    /// Cycles from an addition to an addition that takes its sum.
    latency: u64,
    /// Cycle of the last addition.
    last: Option<u64>,
    /// Additions whose third product is still to come.
    taken: VecDeque<u64>,
    count: u64,
    /// All additions, if the caller wants them.
    all: Option<Vec<u64>>,
}

impl Adder {
    /// Starts an addition in this cycle, or in the first later cycle in which it meets no other addition in the
    /// multiplier. Returns the cycle in which its sum can be used.
    fn take(&mut self, cycle: u64) -> u64 {
        let mut cycle = self.last.map_or(cycle, |last| cycle.max(last + SPACING));
        while let Some(third) = self.taken.front().map(|taken| taken + self.third_product) {
            if third < cycle {
                self.taken.pop_front();
            } else if third <= cycle + 1 {
                cycle += 1;
            } else {
                break;
            }
        }
        self.taken.push_back(cycle);
        self.last = Some(cycle);
        self.count += 1;
        self.all.iter_mut().for_each(|all| all.push(cycle));
        cycle + self.latency
    }

    /// Starts this number of additions, the first one when all earlier sums are ready.
    fn turn(&mut self, additions: u32) {
        let there = self.last.map_or(0, |last| last + self.latency);
        (0..additions).for_each(|i| {
            self.take(if i == 0 { there } else { 0 });
        });
    }
}

/// The cycles of an aggregation, and its full additions. Both numbers are the same for any points.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub cycles: u64,
    pub additions: u64,
}

impl Cost {
    /// Returns the schedule for this number of buckets.
    pub fn new(parameters: &Parameters, buckets: usize) -> Self {
        Self::with_additions(parameters, buckets, None).0
    }

    /// Returns the schedule beside accumulation. Each addition is granted ahead of time and comes to the adder this
    /// number of cycles later (`hdl/rtl/pe/cyclone_slots.sv`). Also returns the cycles of the grants, from the
    /// aggregation's second cycle on.
    pub fn overlapped(parameters: &Parameters, buckets: usize) -> (Self, Vec<u64>) {
        let (cost, grants) = Self::with_additions(parameters, buckets, Some(Vec::new()));
        (Cost { cycles: cost.cycles + parameters.grant_lead(), ..cost }, grants.unwrap_or_default())
    }

    fn with_additions(
        parameters: &Parameters,
        buckets: usize,
        all: Option<Vec<u64>>,
    ) -> (Self, Option<Vec<u64>>) {
        let segments = parameters.segments as usize;
        let mut adder = Adder {
            third_product: parameters.third_product(),
            latency: parameters.addition_cycles() - 1,
            last: None,
            taken: VecDeque::new(),
            count: 0,
            all,
        };
        if segments == 1 {
            (0..buckets).for_each(|_| adder.turn(2));
            adder.turn(1);
        } else {
            let mut there = vec![0; segments];
            for bucket in (0..buckets).rev() {
                let there = &mut there[bucket % segments];
                adder.take(*there);
                *there = adder.take(0);
            }
            (0..segments).for_each(|_| adder.turn(3));
            // The last total, and the first doubling; then the other doublings, and the last addition.
            adder.turn(2);
            (0..segments.ilog2()).for_each(|_| adder.turn(1));
        }
        // The last sum, and the cycle in which the machine sees it.
        let cycles = adder.last.map_or(0, |last| last + adder.latency + 1);
        (Cost { cycles, additions: adder.count }, adder.all)
    }
}

/// Returns `sum (b + 1) S_b` over the buckets, addition by addition.
pub fn aggregate<G: Group>(buckets: &[G], segments: usize) -> G {
    if segments == 1 {
        return serial(buckets.iter().copied());
    }
    let mut sums = vec![(G::ZERO, G::ZERO); segments];
    for (bucket, &value) in buckets.iter().enumerate().rev() {
        let (sum, total) = &mut sums[bucket % segments];
        *sum = sum.plus(*total);
        *total = total.plus(value);
    }
    let weighted = serial(sums.iter().map(|&(_, total)| total));
    let sum = sums.iter().rev().fold(G::ZERO, |all, &(sum, _)| all.plus(sum));
    let sum = (0..segments.ilog2()).fold(sum, |sum, _| sum.plus(sum));
    weighted.plus(sum)
}

/// Computes Algorithm 3. Both additions of a bucket take the previous total, so one more addition adds the last
/// total.
fn serial<G: Group>(buckets: impl DoubleEndedIterator<Item = G>) -> G {
    let (sum, total) =
        buckets.rev().fold((G::ZERO, G::ZERO), |(sum, total), value| (sum.plus(total), total.plus(value)));
    sum.plus(total)
}
