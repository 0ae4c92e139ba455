//! The registers of CycloneMSM, by AXI4-Lite (docs/hardware.md has their map).

use std::collections::BTreeMap;

use super::{Cyclone, Fault, Seen, ADDRESS, WDATA};

// Addresses.
pub(super) const CONFIGURATION: u32 = 0x4;
const CONTROL: u32 = 0x8;
pub(super) const STATUS: u32 = 0xc;
const FIRST_COUNTER: u32 = 0x10;

/// What the registers count, in their order.
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

impl Cyclone {
    /// Reads a register.
    ///
    /// # Errors
    /// [`Fault::Register`].
    pub fn register(&mut self, address: u32) -> Result<u32, Fault> {
        let seen = self.transfer(address, (13, 10), (14, 11))?;
        if seen.flags >> 12 & 3 == 0 {
            Ok(seen.rdata)
        } else {
            Err(Fault::Register { address })
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// [`Fault::Register`].
    pub fn set_register(&mut self, address: u32, value: u32) -> Result<(), Fault> {
        self.input[WDATA] = value;
        let seen = self.transfer(address, (11, 6), (12, 7))?;
        if seen.flags >> 8 & 3 == 0 {
            Ok(())
        } else {
            Err(Fault::Register { address })
        }
    }

    /// A request and its answer, each by the flag that the host raises and the one that it waits for.
    fn transfer(&mut self, address: u32, request: (u32, usize), answer: (u32, usize)) -> Result<Seen, Fault> {
        self.input[ADDRESS] = address;
        let mut wait = |(raised, awaited): (u32, usize)| {
            (0..16).map(|_| self.cycle(1 << raised)).find(|seen| seen.flag(awaited))
        };
        wait(request).and_then(|_| wait(answer)).ok_or(Fault::Register { address })
    }

    /// Resets the core and all counters, as the host does it, and waits until the buckets are swept.
    pub fn reset(&mut self) {
        self.set_register(CONTROL, 1).expect("the register is there");
        while self.register(STATUS).is_ok_and(|status| status & 1 == 1) {}
    }

    /// All counters by name.
    pub fn counters(&mut self) -> BTreeMap<&'static str, u64> {
        let mut word = |address| u64::from(self.register(address).expect("the register is there"));
        let counter = |(i, name): (usize, &'static str)| {
            let address = FIRST_COUNTER + 8 * i as u32;
            (name, word(address) | word(address + 4) << 32)
        };
        COUNTERS.into_iter().enumerate().map(counter).collect()
    }
}
