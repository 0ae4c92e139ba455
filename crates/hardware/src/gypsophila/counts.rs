//! Counts of the model or of the hardware's registers, and their report.

use std::collections::BTreeMap;

use super::balance::Balance;
use super::parameters::{Parameters, TABLE_2};
use crate::memory::Traffic;
use crate::report::milliseconds;
use crate::{Channel, Fifo, Phase, Published, Report};

/// Counts of the machine, over all rounds and all elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles by activity: an element classified; otherwise an element emptied its adder; otherwise an element read
    /// buckets; otherwise elements waited for shared adders.
    pub phases: [u64; 4],
    /// Points over the channel: all points, once a window.
    pub points_sent: u64,
    /// Cycles in which a point waited for room.
    pub channel_stall_cycles: u64,
    /// Additions of the shared adders.
    pub aggregation_additions: u64,
    /// Additions of the elements.
    pub additions: u64,
    /// Points and sums that found their bank taken.
    pub collisions: u64,
    /// Cycles in which a point waited for the scheduler.
    pub blocked_cycles: u64,
    /// Cycles with a point, but without a pair for the adder.
    pub bubble_cycles: u64,
    /// Cycles without a point.
    pub starved_cycles: u64,
    /// Cycles in which the buffer of buckets was full.
    pub waiting_cycles: u64,
    /// Largest numbers of pairs, collisions and points in an element's queues.
    pub high_water: [u64; 3],
}

impl Counts {
    /// Adds the counts of another round. The [example](crate::gypsophila) uses it.
    pub fn add(&mut self, other: &Counts) {
        let add = |to: &mut u64, count: u64| *to += count;
        self.phases.iter_mut().zip(other.phases).for_each(|(to, count)| add(to, count));
        self.high_water.iter_mut().zip(other.high_water).for_each(|(to, count)| *to = count.max(*to));
        add(&mut self.points_sent, other.points_sent);
        add(&mut self.channel_stall_cycles, other.channel_stall_cycles);
        add(&mut self.aggregation_additions, other.aggregation_additions);
        add(&mut self.additions, other.additions);
        add(&mut self.collisions, other.collisions);
        add(&mut self.blocked_cycles, other.blocked_cycles);
        add(&mut self.bubble_cycles, other.bubble_cycles);
        add(&mut self.starved_cycles, other.starved_cycles);
        add(&mut self.waiting_cycles, other.waiting_cycles);
    }
}

impl Parameters {
    /// Returns the report of these counts, for this number of tasks and points.
    /// The [example](crate::gypsophila) uses it.
    pub fn report(&self, points: usize, tasks: usize, counts: &Counts) -> Report {
        let cycles = counts.phases.iter().sum();
        let report = Report::new(self, self.clock_mhz, points, tasks, cycles);
        let ms = report.ms;
        let as_published = tasks == 1 && self.pes == 1 && self.window == 16;
        let paper = TABLE_2.iter().find(|&&(log_size, _)| as_published && points == 1 << log_size);
        let busy = counts.aggregation_additions * u64::from(self.shared_adder_cycles);
        let capacity = u64::from(self.shared_adders.min(self.pes)) * cycles;
        let load = busy as f64 / capacity.max(1) as f64;
        let mut notes = vec![format!("shared adders: {load:.2} of the time of the classification")];
        if let (false, Ok(windows)) = (self.count_aggregation, self.windows(points)) {
            let Balance { cycles, adders } = Balance::new(self, windows, tasks, cycles);
            let with = milliseconds(cycles, self.clock_mhz);
            notes.push(format!(
                "without the aggregation {ms:.2} ms, as in the paper; with it about {with:.2} ms"
            ));
            notes.push(format!("shared adders whose throughput is that of the classification: {adders}"));
        }
        let [classification, draining, readout, waiting] = counts.phases;
        let [pairs, collisions, buffered] = counts.high_water;
        let fifo = |name, high_water, depth: u32| Fifo { name, high_water, depth: Some(depth.into()) };
        let mut counters = BTreeMap::from([
            ("additions", counts.additions),
            ("adder_bubble_cycles", counts.bubble_cycles),
            ("aggregation_additions", counts.aggregation_additions),
            ("blocked_cycles", counts.blocked_cycles),
            ("channel_stall_cycles", counts.channel_stall_cycles),
            ("collisions", counts.collisions),
            ("starved_cycles", counts.starved_cycles),
            ("waiting_cycles", counts.waiting_cycles),
        ]);
        let mut point_bytes = counts.points_sent * self.point_bytes;
        // The host's scalars, or the indexes that the card reads.
        let mut scalars = ("scalars", tasks as u64 * points as u64 * 32);
        if self.memory.is_some() {
            let traffic = Traffic::new(counts.points_sent, points, [self.coordinates(), self.indexes()]);
            let [coordinates, indexes] = traffic.bytes([3, 1]);
            (point_bytes, scalars) = (coordinates, ("indexes", indexes));
            counters.extend(traffic.counters());
        }
        let separate_bytes = point_bytes * u64::from(self.pes);
        Report {
            phases: vec![
                Phase::new("classification", classification),
                Phase::new("emptying the pipelines", draining),
                Phase::new("reading buckets out", readout),
                Phase::new("waiting for shared adders", waiting),
                Phase::hidden("aggregation on shared adders", busy),
            ],
            counters,
            fifos: vec![
                fifo("pairs", pairs, 2 * self.pairing_queue + 2),
                fifo("collisions", collisions, self.collision_queue),
                fifo("points", buffered, self.point_buffer),
            ],
            channels: vec![
                Channel::new("points, shared", point_bytes, ms),
                Channel::new("points, if each element read its own", separate_bytes, ms),
                Channel::new(scalars.0, scalars.1, ms),
            ],
            paper: Published::new("Gypsophila, Table 2", paper.map(|&(_, ms)| ms), ms),
            notes,
            ..report
        }
    }
}
