//! The registers of Gypsophila, by AXI4-Lite (docs/hardware.md has their map), and actions on them.

use bucketwheel_hardware::gypsophila::Counts;

use super::{Gypsophila, Wire};
use crate::bus::WORD;
use crate::{Bus, Fault, Reply, Request, Watch};

/// Control if written, status if read.
pub const CONTROL: u32 = 0x000;
/// Number of points.
pub const SIZE: u32 = 0x004;
/// Number of windows.
pub const WINDOWS: u32 = 0x008;
/// Number of parallel tasks.
pub const TASKS: u32 = 0x00c;
/// Elements, shared adders, bits of a window, the curve: a byte each.
pub const SHAPE: u32 = 0x010;
/// Cycles from the start to the last sum, 64 bits.
pub const CYCLES: u32 = 0x020;
/// Cycles of four kinds.
const PHASES: u32 = 0x028;
const CHANNEL_STALLS: u32 = 0x038;
const SHARED_ADDITIONS: u32 = 0x040;
/// Counters of the first element.
const ELEMENT: u32 = 0x100;

/// Value for [`CONTROL`]: start.
pub const START: u32 = 1;
/// Value for [`CONTROL`]: discard everything in flight.
pub const RESTART: u32 = 2;
/// Status: busy.
pub const BUSY: u32 = 1;
/// Status: all sums have left.
pub const DONE: u32 = 2;
/// Status: the last start was refused.
pub const REFUSED: u32 = 4;
/// Status: a packet does not end where the size says, or an index is beyond the buckets.
pub const MISFRAMED: u32 = 8;

impl Bus for Gypsophila {
    fn access(&mut self, request: Request) -> Reply {
        self.cycle(request, Wire::Released)
    }
}

impl Gypsophila {
    /// Starts this number of tasks with this number of windows.
    ///
    /// # Errors
    /// [`Fault::Register`] if the machine does not answer.
    pub fn start(&mut self, size: usize, windows: usize, tasks: usize) -> Result<(), Fault> {
        self.write(SIZE, size as u32)?;
        self.write(WINDOWS, windows as u32)?;
        self.write(TASKS, tasks as u32)?;
        self.write(CONTROL, START)
    }

    /// Discards everything in flight, and everything queued for the streams.
    ///
    /// # Errors
    /// [`Fault::Register`] if the machine does not answer.
    pub fn restart(&mut self) -> Result<(), Fault> {
        // The hardware takes the write in the second cycle, the cycle of the reset; words that streams offer stay
        // until then.
        self.access(Request::Write { address: CONTROL, data: RESTART, strobes: WORD });
        self.load(Vec::new(), &[], 0);
        self.write(CONTROL, RESTART)
    }

    /// Waits for the sums of this number of tasks.
    ///
    /// # Errors
    /// [`Fault::Stuck`] after this number of cycles, [`Fault::Input`] if cancelled.
    pub fn finish(&mut self, tasks: usize, limit: u64) -> Result<(), Fault> {
        let mut told = 0;
        for cycle in 0..limit {
            if self.sums.len() >= tasks {
                self.watch.advance(self.points.sender.next - told)?;
                // An excess sum would arrive now.
                self.idle(5);
                return match self.sums.len() == tasks {
                    true => Ok(()),
                    false => Err(Fault::Misaligned { what: "sums" }),
                };
            }
            if cycle % Watch::PERIOD == 0 {
                self.watch.advance(self.points.sender.next - told)?;
                told = self.points.sender.next;
            }
            self.idle(1);
        }
        Err(Fault::Stuck { cycles: limit })
    }

    /// Returns a word of an element's counters.
    ///
    /// # Errors
    /// [`Fault::Register`] if the word does not exist.
    pub fn element(&mut self, pe: usize, word: u32) -> Result<u32, Fault> {
        self.read(ELEMENT + 0x40 * pe as u32 + 4 * word)
    }

    /// Returns the counters since the last start, for this number of tasks, in the form of the cycle model.
    ///
    /// # Errors
    /// [`Fault::Register`] if the registers do not answer.
    pub fn counts(&mut self, tasks: usize) -> Result<Counts, Fault> {
        let mut counts = Counts { points_sent: self.points.sender.len as u64, ..Counts::default() };
        for (i, phase) in (0..).zip(&mut counts.phases) {
            *phase = self.read(PHASES + 4 * i)?.into();
        }
        counts.channel_stall_cycles = self.read(CHANNEL_STALLS)?.into();
        counts.aggregation_additions = self.read(SHARED_ADDITIONS)?.into();
        for pe in 0..tasks {
            let mut words = [0u64; 9];
            for (i, word) in (0..).zip(&mut words) {
                *word = self.element(pe, i)?.into();
            }
            let [additions, collisions, blocked, bubbles, starved, waiting, pairs, colliding, points] = words;
            let element = Counts {
                additions,
                collisions,
                blocked_cycles: blocked,
                bubble_cycles: bubbles,
                starved_cycles: starved,
                waiting_cycles: waiting,
                high_water: [pairs, colliding, points],
                ..Counts::default()
            };
            counts.add(&element);
        }
        Ok(counts)
    }
}
