//! Counts of the model or of the hardware's registers, and their report.

use std::collections::BTreeMap;

use super::aggregation::Cost;
use super::parameters::{Parameters, CHANNELS, COMMAND_BYTES, TABLE_3};
use crate::{Channel, Fifo, Phase, Published, Report};

/// Counts of the machine, over all windows of all tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// From a window's first command to its last.
    pub first_pass_cycles: u64,
    /// From the end of the first pass until the last sum is back.
    pub further_passes_cycles: u64,
    /// Aggregation that no other work hides.
    pub aggregation_cycles: u64,
    /// Aggregation while the next window is accumulated.
    pub hidden_aggregation_cycles: u64,
    /// Between windows: the buckets are swept, or the host does not take a sum. The model has neither.
    pub waiting_cycles: u64,
    /// Cycles of first passes without a command.
    pub link_stall_cycles: u64,
    /// Conflicts that went to memory: no conflict of a window or all of them. `None` if the memory never waits; then all conflicts
    /// count.
    pub spilled: Option<u64>,
    /// Cycles in which the memory had more conflicts to take or to give than it can.
    pub spill_stall_cycles: u64,
    /// Windows computed.
    pub windows: u64,
    /// Commands, including zero digits.
    pub commands: u64,
    /// Commands that skip their point.
    pub zero_digits: u64,
    /// Mixed additions.
    pub additions: u64,
    /// Points that found their bucket in use, in all passes.
    pub conflicts: u64,
    /// Conflicts of first passes alone; the hardware does not count them separately.
    pub conflicts_first_pass: Option<u64>,
    /// Conflicts of the very first window, in all passes. Its digits are uniform. The hardware counts them separately
    /// if nothing runs between windows.
    pub conflicts_first_window: Option<u64>,
    /// Passes, including first ones.
    pub passes: u64,
    /// Largest number of waiting conflicts.
    pub high_water: u64,
}

impl Parameters {
    /// Returns the report of these counts, for this number of tasks and points. The [example](crate::cyclone) uses it.
    pub fn report(&self, points: usize, tasks: usize, counts: &Counts) -> Report {
        let mut phases = vec![
            Phase::new("accumulation, first pass", counts.first_pass_cycles),
            Phase::new("accumulation, further passes", counts.further_passes_cycles),
            Phase::new("aggregation", counts.aggregation_cycles),
            Phase::hidden("aggregation behind accumulation", counts.hidden_aggregation_cycles),
        ];
        if counts.waiting_cycles > 0 {
            phases.push(Phase::new("between windows", counts.waiting_cycles));
        }
        let cycles = phases.iter().filter(|phase| !phase.hidden).map(|phase| phase.cycles).sum();
        let report = Report::new(self, self.clock_mhz, points, tasks, cycles);
        let ms = report.ms;
        let aggregation = Cost::new(self, 1 << (self.window - 1));
        let mut counters = BTreeMap::from([
            ("additions", counts.additions),
            ("aggregation_additions", aggregation.additions * counts.windows),
            ("conflicts", counts.conflicts),
            ("link_stall_cycles", counts.link_stall_cycles),
            ("passes", counts.passes),
            ("spill_stall_cycles", counts.spill_stall_cycles),
            ("windows", counts.windows),
            ("zero_digits", counts.zero_digits),
        ]);
        counters.extend(counts.conflicts_first_window.map(|count| ("conflicts_first_window", count)));
        counters.extend(counts.conflicts_first_pass.map(|count| ("conflicts_first_pass", count)));
        let point_bytes = CHANNELS * self.coordinate_bytes;
        let depth = (self.greedy_queue > 0).then(|| u64::from(self.greedy_queue));
        // The queue of the delayed scheduler continues in memory.
        let spilled = if depth.is_none() { counts.spilled.unwrap_or(counts.conflicts) } else { 0 };
        let paper = TABLE_3.iter().find(|&&(log_size, _)| tasks == 1 && points == 1 << log_size);
        Report {
            phases,
            counters,
            fifos: vec![Fifo { name: "conflicts", high_water: counts.high_water, depth }],
            channels: vec![
                Channel::new("commands from the host", counts.commands * COMMAND_BYTES, ms),
                Channel::new("points, three memory channels", counts.commands * point_bytes, ms),
                Channel::new("conflicts to memory and back", 2 * spilled * self.spill_bytes(), ms),
            ],
            paper: Published::new("CycloneMSM, Table 3", paper.map(|&(_, ms)| ms), ms),
            notes: vec!["the host combines the windows' sums in no time".to_owned()],
            ..report
        }
    }
}
