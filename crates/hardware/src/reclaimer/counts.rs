//! Counts of the machine, and their report.

use std::collections::BTreeMap;

use super::parameters::{Parameters, SCALARS, SCALAR_BYTES};
use crate::memory::Traffic;
use crate::{Channel, Fifo, Phase, Report};

/// Counts of the machine, over all tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles in which points come, in which the last sums of a pass are under way, in which a pass waits for the aggregation of
    /// the pass before and exchanges the sets of buckets, and of the last aggregation.
    pub phases: [u64; 4],
    /// Cycles of aggregation beside a pass.
    pub hidden_cycles: u64,
    /// Points over the stream: all points, once a pass.
    pub points_sent: u64,
    /// Digits that skip their point.
    pub zero_digits: u64,
    /// Windows computed.
    pub windows: u64,
    /// Additions of all adders, with the aggregation's.
    pub additions: u64,
    /// Additions of the aggregation.
    pub aggregation_additions: u64,
    /// Additions of equal points, which take an adder two cycles.
    pub doublings: u64,
    /// Modular products: an addition's, and the trees' of each batch.
    pub products: u64,
    /// Points that found their bank taken.
    pub collisions: u64,
    /// Cycles in which a point waited for a queue.
    pub blocked_cycles: u64,
    /// Cycles of adders without a pair while points came.
    pub bubble_cycles: u64,
    /// Cycles of passes without a point.
    pub starved_cycles: u64,
    /// Largest numbers of pairs and of collisions in a window's queues.
    pub high_water: [u64; 2],
}

impl Counts {
    /// Adds the counts of another task. The [example](crate::reclaimer) uses it.
    pub fn add(&mut self, other: &Counts) {
        self.phases.iter_mut().zip(other.phases).for_each(|(to, count)| *to += count);
        self.high_water.iter_mut().zip(other.high_water).for_each(|(to, count)| *to = count.max(*to));
        self.hidden_cycles += other.hidden_cycles;
        self.points_sent += other.points_sent;
        self.zero_digits += other.zero_digits;
        self.windows += other.windows;
        self.additions += other.additions;
        self.aggregation_additions += other.aggregation_additions;
        self.doublings += other.doublings;
        self.products += other.products;
        self.collisions += other.collisions;
        self.blocked_cycles += other.blocked_cycles;
        self.bubble_cycles += other.bubble_cycles;
        self.starved_cycles += other.starved_cycles;
    }
}

impl Parameters {
    /// Returns the report of these counts, for this number of tasks and points. The [example](crate::reclaimer) uses it.
    pub fn report(&self, points: usize, tasks: usize, counts: &Counts) -> Report {
        let [accumulation, emptying, waiting, aggregation] = counts.phases;
        let report = Report::new(self, self.clock_mhz, points, tasks, counts.phases.iter().sum());
        let ms = report.ms;
        let per = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        let fifo = |name, high_water, depth| Fifo { name, high_water, depth };
        let [pairs, collisions] = counts.high_water;
        let mut counters = BTreeMap::from([
            ("additions", counts.additions),
            ("adder_bubble_cycles", counts.bubble_cycles),
            ("aggregation_additions", counts.aggregation_additions),
            ("blocked_cycles", counts.blocked_cycles),
            ("collisions", counts.collisions),
            ("doublings", counts.doublings),
            ("products", counts.products),
            ("starved_cycles", counts.starved_cycles),
            ("windows", counts.windows),
            ("zero_digits", counts.zero_digits),
        ]);
        let mut bytes = [counts.points_sent * self.point_bytes, counts.points_sent * SCALAR_BYTES];
        if self.memory.is_some() {
            let traffic = Traffic::new(counts.points_sent, points, [self.coordinates(), SCALARS]);
            bytes = traffic.bytes([2, 1]);
            counters.extend(traffic.counters());
        }
        let [point_bytes, scalar_bytes] = bytes;
        Report {
            phases: vec![
                Phase::new("accumulation", accumulation),
                Phase::new("last sums of a pass", emptying),
                Phase::new("waiting for the aggregation", waiting),
                Phase::new("aggregation of the last pass", aggregation),
                Phase::hidden("aggregation beside the next pass", counts.hidden_cycles),
            ],
            counters,
            fifos: vec![
                fifo("pairs", pairs, None),
                fifo("collisions", collisions, Some(self.collision_queue.into())),
            ],
            channels: vec![
                Channel::new("points, shared by the adders", point_bytes, ms),
                Channel::new("scalars", scalar_bytes, ms),
            ],
            notes: vec![format!(
                "{:.3} cycles for each point and window of an adder, until its last sum; {:.3} products for each addition",
                per(accumulation + emptying, counts.points_sent),
                per(counts.products, counts.additions),
            )],
            ..report
        }
    }
}
