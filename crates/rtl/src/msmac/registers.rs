//! The registers of MSMAC's element, by AXI4-Lite (docs/hardware.md has their map), and actions on them.

use bucketwheel_hardware::msmac::{Counts, Instruction};

use super::{End, Msmac, Stream, OUTPUTS, RDATA};
use crate::bus::WORD;
use crate::{Bus, Fault, Reply, Request, Watch};

/// Control register, written by the host.
pub const CONTROL: u32 = 0x00;
/// Status register, read by the host.
pub const STATUS: u32 = 0x04;
/// Number of points of the task.
pub const SIZE: u32 = 0x08;
/// Number of instructions of the program.
pub const LENGTH: u32 = 0x0c;
/// Bits of a window, and number of windows.
pub const SHAPE: u32 = 0x10;
/// Cycles of an addition.
pub const LATENCY: u32 = 0x14;
/// Threshold and places of the conflict FIFO.
pub const CONFLICTS: u32 = 0x18;
/// Instructions that fit, and places of the output FIFO.
pub const MEMORY: u32 = 0x1c;
const COUNTERS: u32 = 0x20;
/// The program.
pub const PROGRAM: u32 = 0x10000;
/// Number of starts after a reset at which RAMs are swept; other starts empty them in one cycle.
const EPOCHS: u32 = 15;
/// Value for [`CONTROL`]: start a task.
pub const START: u32 = 1;
/// Value for [`CONTROL`]: drop everything.
pub const RESET: u32 = 2;

impl Bus for Msmac {
    fn access(&mut self, request: Request) -> Reply {
        let (control, words) = match request {
            Request::Idle => (0, [0; 3]),
            Request::Write { address, data, strobes } => (0b11 << 5 | strobes << 10, [address, data, 0]),
            Request::Written => (1 << 7, [0; 3]),
            Request::Read { address } => (1 << 8, [0, 0, address]),
            Request::Data => (1 << 9, [0; 3]),
        };
        let found = self.cycle(control, words);
        let has = |bit: u32| found[OUTPUTS] >> bit & 1 != 0;
        let answers = |to: Request, valid| request == to && has(valid);
        Reply {
            takes_write: has(4) && has(5),
            takes_read: has(9),
            written: answers(Request::Written, 6).then_some(found[OUTPUTS] >> 7 & 0b11),
            data: answers(Request::Data, 10).then_some((found[RDATA], found[OUTPUTS] >> 11 & 0b11)),
        }
    }
}

impl Msmac {
    /// Loads a program.
    ///
    /// # Errors
    /// [`Fault::Register`] if the program is too long, or a task is running.
    pub fn load(&mut self, program: &[Instruction]) -> Result<(), Fault> {
        self.load_words(&program.iter().map(|instruction| instruction.encode()).collect::<Vec<_>>())?;
        self.program = program.to_vec();
        Ok(())
    }

    /// Loads any words as a program.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_words(&mut self, program: &[u128]) -> Result<(), Fault> {
        for (i, instruction) in program.iter().enumerate() {
            for w in 0..4 {
                self.write(PROGRAM + 16 * i as u32 + 4 * w, (instruction >> (32 * w)) as u32)?;
            }
        }
        self.write(LENGTH, program.len() as u32)
    }

    /// Starts a task with this number of points.
    ///
    /// # Errors
    /// [`Fault::Register`] if a task is running.
    pub fn start(&mut self, size: usize) -> Result<(), Fault> {
        self.write(SIZE, size as u32)?;
        self.sums.clear();
        self.taken_before = self.points.sender.next;
        // The program begins when the RAMs have been swept, and points with a pace come with its first cycle.
        if self.flow.point_cycles > 0 {
            while self.now < self.swept {
                self.idle(1);
            }
        }
        self.starts += 1;
        let sweep = if self.starts.is_multiple_of(EPOCHS) { self.buckets() } else { 0 };
        // The element takes the start one cycle later; a point that it takes now can begin in the program's first
        // cycle.
        self.first_point = self.now + sweep;
        self.write(CONTROL, START)
    }

    /// Runs until the task ends, or for this number of cycles.
    ///
    /// # Errors
    /// [`Fault::Register`], [`Fault::Input`] if cancelled.
    pub fn wait(&mut self, cycles: u64) -> Result<End, Fault> {
        let until = self.now.saturating_add(cycles);
        let mut look = self.now;
        let mut told = self.points.sender.next;
        let end = loop {
            if self.now >= look {
                self.watch.advance(self.points.sender.next - told)?;
                (told, look) = (self.points.sender.next, self.now + Watch::PERIOD);
            }
            let status = self.read(STATUS)?;
            match status & 0b111 {
                0b010 => break End::Done,
                0b100 => break End::Error(status >> 4 & 0xf, status >> 16),
                _ if self.now >= until => break End::Busy,
                _ => self.idle(16),
            }
        };
        self.watch.advance(self.points.sender.next - told)?;
        Ok(end)
    }

    /// Drops everything, with the host's reset.
    ///
    /// # Errors
    /// [`Fault::Register`].
    pub fn reset(&mut self) -> Result<(), Fault> {
        // The hardware takes the write in the second cycle, the cycle of the reset; words that streams offer stay
        // until then.
        self.access(Request::Write { address: CONTROL, data: RESET, strobes: WORD });
        [self.points, self.scalars] = [Stream::default(), Stream::default()];
        self.taken_before = 0;
        self.starts = 0;
        self.write(CONTROL, RESET)?;
        self.swept = self.now + self.buckets();
        Ok(())
    }

    /// Returns the counters of the last task in the form of the cycle model, and the cycles of waiting for the
    /// output.
    ///
    /// # Errors
    /// [`Fault::Register`].
    pub fn counts(&mut self) -> Result<(Counts, u32), Fault> {
        let mut words = [0; 10];
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.read(COUNTERS + 4 * i as u32)?;
        }
        let [cycles, instructions, additions, bubbles, conflicts, repeated, input_stalls, output_stalls, high_water, step_1] =
            words;
        let counts = Counts {
            cycles: cycles.into(),
            step_1_cycles: step_1.into(),
            additions: additions.into(),
            bubbles: bubbles.into(),
            conflicts: conflicts.into(),
            repeated_conflicts: repeated.into(),
            conflict_high_water: high_water.into(),
            input_stalls: input_stalls.into(),
            instructions: instructions.into(),
        };
        Ok((counts, output_stalls))
    }
}
