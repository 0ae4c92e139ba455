//! The report of the sub-tasks of all tasks.

use std::collections::BTreeMap;

use super::parameters::{Parameters, TABLE_3};
use super::{cards, Counts};
use crate::report::milliseconds;
use crate::{Channel, Fifo, Phase, Published, Report};

impl Parameters {
    /// Returns the report of tasks in sub-tasks of `size` points, from the counts of each sub-task, task by task. A
    /// timeline of the cards, the links and the host determines the times of transfers and computations.
    /// The [example](crate::msmac) uses it.
    pub fn report(&self, points: usize, tasks: usize, size: usize, counts: Vec<Counts>) -> Report {
        let one: Vec<usize> = cards::split(points, size).map(|range| range.len()).collect();
        let compute = |i: usize| milliseconds(counts[i].cycles, self.clock_mhz);
        let (total, times) = cards::timeline(self, &one.repeat(tasks), compute);
        Summary { parameters: self, points, tasks, size, counts, times }.report(total)
    }
}

/// Counts and times of the sub-tasks.
struct Summary<'a> {
    parameters: &'a Parameters,
    points: usize,
    tasks: usize,
    size: usize,
    counts: Vec<Counts>,
    times: Vec<cards::Times>,
}

impl Summary<'_> {
    fn report(&self, total_ms: f64) -> Report {
        let parameters = self.parameters;
        let in_cycles = |ms: f64| (ms * parameters.clock_mhz * 1e3).round() as u64;
        let cycles = in_cycles(total_ms);
        let elements = (parameters.cards * parameters.pes) as usize;
        // The processing element that ends last determines the phases.
        let last = (0..self.times.len()).max_by(|&a, &b| self.times[a].done.total_cmp(&self.times[b].done));
        let own = |i: &usize| last.is_some_and(|last| i % elements == last % elements);
        let own: Vec<usize> = (0..self.times.len()).filter(own).collect();
        let waiting = own.iter().map(|&i| self.times[i].begun - self.times[i].idle_from).sum::<f64>();
        let step_1 = own.iter().map(|&i| self.counts[i].step_1_cycles).sum::<u64>();
        let step_2 = own.iter().map(|&i| self.counts[i].cycles - self.counts[i].step_1_cycles).sum::<u64>();
        let waiting = in_cycles(waiting);
        let host = cycles.saturating_sub(waiting + step_1 + step_2);
        let sum = |count: fn(&Counts) -> u64| self.counts.iter().map(count).sum();
        let bytes = (self.points * self.tasks) as u64 * parameters.point_bytes;
        let high_water = self.counts.iter().map(|counts| counts.conflict_high_water).max().unwrap_or(0);
        let column = match (parameters.cards, parameters.pes, self.tasks) {
            (1, 4, 1) => Some(0),
            (4, 4, 1) => Some(1),
            _ => None,
        };
        let row = TABLE_3.iter().find(|&&(log_size, _)| self.points == 1 << log_size);
        let paper = column.and_then(|column| row.map(|&(_, ms)| ms[column]));
        Report {
            ms: total_ms,
            phases: vec![
                Phase::new("waiting for transfers", waiting),
                Phase::new("bucket accumulation", step_1),
                Phase::new("bucket aggregation", step_2),
                Phase::new("host", host),
            ],
            counters: BTreeMap::from([
                ("additions", sum(|counts| counts.additions)),
                ("bubble_cycles", sum(|counts| counts.bubbles)),
                ("conflicts", sum(|counts| counts.conflicts)),
                ("conflicts_repeated", sum(|counts| counts.repeated_conflicts)),
                ("input_stall_cycles", sum(|counts| counts.input_stalls)),
                ("instructions", sum(|counts| counts.instructions)),
                ("sub_tasks", self.counts.len() as u64),
            ]),
            fifos: vec![Fifo {
                name: "conflicts",
                high_water,
                depth: Some(parameters.conflict_depth.into()),
            }],
            channels: vec![Channel::new("points and scalars from the host", bytes, total_ms)],
            paper: Published::new("MSMAC, Table 3", paper, total_ms),
            notes: vec![
                "phases are those of the processing element that is done last".to_owned(),
                format!("sub-tasks of {} points", self.size),
            ],
            ..Report::new(parameters, parameters.clock_mhz, self.points, self.tasks, cycles)
        }
    }
}
