//! The registers of CycloneMSM, by AXI4-Lite (docs/hardware.md has their map).

use std::collections::BTreeMap;

use bucketwheel_hardware::cyclone::Counts;

use super::{Cyclone, ADDRESS, WDATA};
use crate::{Bus, Reply, Request};

// Addresses of the registers.
pub(super) const CONFIGURATION: u32 = 0x4;
pub(super) const CONTROL: u32 = 0x8;
pub(super) const STATUS: u32 = 0xc;
const FIRST_COUNTER: u32 = 0x10;
pub(super) const CONFLICTS: u32 = 0x78;

/// Names of the counters, in the order of their registers.
pub const COUNTERS: [&str; 16] = [
    "first_pass_cycles",
    "further_passes_cycles",
    "aggregation_cycles",
    "result_stall_cycles",
    "sweep_cycles",
    "link_stall_cycles",
    "point_stall_cycles",
    "core_stall_cycles",
    "windows",
    "commands",
    "zero_digits",
    "additions",
    "spilled",
    "conflicts",
    "further_passes",
    "high_water",
];

/// Name of another counter, for machines that aggregate a window while they accumulate the next one.
pub const HIDDEN_AGGREGATION: &str = "hidden_aggregation_cycles";

impl Bus for Cyclone {
    fn access(&mut self, request: Request) -> Reply {
        let flags = match request {
            Request::Idle => 0,
            // The bench has no strobes: words are written whole.
            Request::Write { address, data, .. } => {
                [self.input[ADDRESS], self.input[WDATA]] = [address, data];
                1 << 11
            }
            Request::Written => 1 << 12,
            Request::Read { address } => {
                self.input[ADDRESS] = address;
                1 << 13
            }
            Request::Data => 1 << 14,
        };
        let seen = self.cycle(flags);
        let answers = |to: Request, valid| request == to && seen.flag(valid);
        Reply {
            takes_write: seen.flag(6),
            takes_read: seen.flag(10),
            written: answers(Request::Written, 7).then_some(seen.flags >> 8 & 3),
            data: answers(Request::Data, 11).then_some((seen.rdata, seen.flags >> 12 & 3)),
        }
    }
}

impl Cyclone {
    /// Resets the core and all counters, as the host does, and waits until the buckets are swept.
    pub fn reset(&mut self) {
        self.write(CONTROL, 1).expect("the register is there");
        while self.read(STATUS).is_ok_and(|status| status & 1 == 1) {}
        self.first_window_conflicts = None;
    }

    /// Returns all counters by name.
    pub fn counters(&mut self) -> BTreeMap<&'static str, u64> {
        let overlaps = self.read(CONTROL).expect("the register is there") >> 16 & 1 == 1;
        let mut word = |address| u64::from(self.read(address).expect("the register is there"));
        let counter = |(i, name): (usize, &'static str)| {
            let address = FIRST_COUNTER + 8 * i as u32;
            (name, word(address) | word(address + 4) << 32)
        };
        let names = COUNTERS.into_iter().chain(overlaps.then_some(HIDDEN_AGGREGATION));
        names.enumerate().map(counter).collect()
    }

    /// Returns the counters in the form of the cycle model. `swept` is the number of cycles of the sweep after the
    /// reset.
    pub(super) fn counts(&mut self, swept: u64) -> Counts {
        let found = self.counters();
        Counts {
            first_pass_cycles: found["first_pass_cycles"],
            further_passes_cycles: found["further_passes_cycles"],
            aggregation_cycles: found["aggregation_cycles"],
            hidden_aggregation_cycles: found.get(HIDDEN_AGGREGATION).copied().unwrap_or(0),
            waiting_cycles: found["result_stall_cycles"] + found["sweep_cycles"] - swept,
            link_stall_cycles: found["link_stall_cycles"],
            // The benches' memory always has room.
            spilled: None,
            spill_stall_cycles: 0,
            windows: found["windows"],
            commands: found["commands"],
            zero_digits: found["zero_digits"],
            additions: found["additions"],
            conflicts: found["conflicts"],
            conflicts_first_pass: None,
            // If nothing runs between windows, it can be read there.
            conflicts_first_window: (!found.contains_key(HIDDEN_AGGREGATION))
                .then(|| self.first_window_conflicts.unwrap_or(0).into()),
            passes: found["windows"] + found["further_passes"],
            high_water: found["high_water"],
        }
    }
}
