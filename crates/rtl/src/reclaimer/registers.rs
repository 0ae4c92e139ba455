//! The registers of the reclaimer, by AXI4-Lite (docs/hardware.md has their map), and actions on them.

use bucketwheel_hardware::reclaimer::Counts;

use super::{Reclaimer, Wire};
use crate::bus::WORD;
use crate::{Bus, Fault, Reply, Request, Watch};

/// Control if written, status if read.
pub const CONTROL: u32 = 0x000;
/// Number of points.
pub const SIZE: u32 = 0x004;
/// Number of windows.
pub const WINDOWS: u32 = 0x008;
/// Adders, logarithm of the banks, bits of a window, the curve: a byte each.
pub const SHAPE: u32 = 0x00c;
/// Logarithms of a batch and of its chains, stages of a multiplier: a byte each.
pub const BATCHES: u32 = 0x010;
/// The first counter. Each has 64 bits.
const COUNTERS: u32 = 0x100;

/// Value for [`CONTROL`]: start.
pub const START: u32 = 1;
/// Value for [`CONTROL`]: discard everything in flight.
pub const RESTART: u32 = 2;
/// Status: busy.
pub const BUSY: u32 = 1;
/// Status: all parts have left.
pub const DONE: u32 = 2;
/// Status: the last start was refused.
pub const REFUSED: u32 = 4;
/// Status: a packet does not end where the size says, or a digit is beyond the buckets.
pub const MISFRAMED: u32 = 8;

impl Bus for Reclaimer {
    fn access(&mut self, request: Request) -> Reply {
        self.cycle(request, Wire::Released)
    }
}

impl Reclaimer {
    /// Starts this number of windows over this number of points.
    ///
    /// # Errors
    /// [`Fault::Register`] if the machine does not answer.
    pub fn start(&mut self, size: usize, windows: usize) -> Result<(), Fault> {
        self.write(SIZE, size as u32)?;
        self.write(WINDOWS, windows as u32)?;
        self.write(CONTROL, START)
    }

    /// Discards everything in flight, and everything queued for the stream.
    ///
    /// # Errors
    /// [`Fault::Register`] if the machine does not answer.
    pub fn restart(&mut self) -> Result<(), Fault> {
        // The hardware takes the write in the second cycle, the cycle of the reset; a word that the stream offers stays
        // until then.
        self.access(Request::Write { address: CONTROL, data: RESTART, strobes: WORD });
        self.load(Vec::new(), 0);
        self.write(CONTROL, RESTART)
    }

    /// Waits for this number of parts.
    ///
    /// # Errors
    /// [`Fault::Stuck`] after this number of cycles, [`Fault::Input`] if cancelled.
    pub fn finish(&mut self, parts: usize, limit: u64) -> Result<(), Fault> {
        let mut told = 0;
        for cycle in 0..limit {
            if self.parts.len() >= parts {
                self.watch.advance(self.points.next - told)?;
                // An excess part would arrive now.
                self.idle(5);
                return match self.parts.len() == parts {
                    true => Ok(()),
                    false => Err(Fault::Misaligned { what: "parts" }),
                };
            }
            if cycle % Watch::PERIOD == 0 {
                self.watch.advance(self.points.next - told)?;
                told = self.points.next;
            }
            self.idle(1);
        }
        Err(Fault::Stuck { cycles: limit })
    }

    /// Returns a counter since the last start.
    ///
    /// # Errors
    /// [`Fault::Register`] if it does not exist.
    pub fn counter(&mut self, number: u32) -> Result<u64, Fault> {
        let address = COUNTERS + 8 * number;
        Ok(u64::from(self.read(address)?) | u64::from(self.read(address + 4)?) << 32)
    }

    /// Returns the counters since the last start in the form of the cycle model.
    ///
    /// # Errors
    /// [`Fault::Register`] if the registers do not answer.
    pub fn counts(&mut self) -> Result<Counts, Fault> {
        let mut words = [0; COUNTS];
        for (number, word) in (0..).zip(&mut words) {
            *word = self.counter(number)?;
        }
        Ok(named(words))
    }
}

/// Number of counters.
pub const COUNTS: usize = 18;

/// Returns the counters, in the order of the registers, in the form of the cycle model.
pub fn named(words: [u64; COUNTS]) -> Counts {
    let [accumulating, emptying, waiting, aggregating, hidden_cycles, points_sent, zero_digits, windows, additions, aggregation_additions, doublings, products, blocked_cycles, bubble_cycles, starved_cycles, collisions, pairs, colliding] =
        words;
    Counts {
        phases: [accumulating, emptying, waiting, aggregating],
        hidden_cycles,
        points_sent,
        zero_digits,
        windows,
        additions,
        aggregation_additions,
        doublings,
        products,
        collisions,
        blocked_cycles,
        bubble_cycles,
        starved_cycles,
        high_water: [pairs, colliding],
    }
}
