//! A processing element, instruction by instruction and cycle by cycle (3.2.1).
//!
//! The front end fetches and decodes an instruction a cycle. A `jmp` takes `jump_cycles` of it and sees the FIFOs in
//! the last of these cycles. A `padd` begins when the front end has decoded it and the previous `padd` has begun
//! its last addition. The `padd` then begins an addition in each cycle, while the front end continues. So a `jmp` costs
//! nothing under a batch that is longer than the `jmp`. A sum is written `latency` cycles after its addition has
//! begun, and its place is in use until then. A point of a stream that finds its bucket in use goes into the conflict
//! FIFO, in the cycle after its addition ([`JUDGEMENT`]); any other access to a place in use is a fault of the program.

use std::collections::VecDeque;

use bucketwheel::Control;

use super::isa::{Address, Condition, Instruction, Operand, Padd};
use super::{Fault, Hardware};
use crate::digits::{bucket, Scalar};
use crate::model::{buckets, check_cancelled};
use crate::{Error, Group};

/// Cycles from an addition until it is known if its bucket is in use. A `jmp` does not see additions that begin in the
/// cycles before its last one.
const JUDGEMENT: u64 = 1;

/// Cycles from an addition that finds its bucket in use until another addition can take its point from the FIFO.
const REQUEUED: u64 = 4;

/// Counts of a processing element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles from the fetch of the first instruction to the end of the last one.
    pub cycles: u64,
    /// Cycles until the first result outside of the buckets was begun: bucket accumulation.
    pub step_1_cycles: u64,
    /// Additions.
    pub additions: u64,
    /// Cycles of batches without an addition: a digit was 0, the FIFO empty, a bucket in use.
    pub bubbles: u64,
    /// Points that found their bucket in use.
    pub conflicts: u64,
    /// The part of these conflicts that came from the conflict FIFO.
    pub repeated_conflicts: u64,
    /// Largest number of entries in the conflict FIFO.
    pub conflict_high_water: u64,
    /// Cycles of waiting for a point of the input.
    pub input_stalls: u64,
    /// Instructions executed.
    pub instructions: u64,
}

/// The value of a place, and the first cycle in which it can be read.
struct Ram<G> {
    name: &'static str,
    values: Vec<G>,
    ready: Vec<u64>,
}

impl<G: Group> Ram<G> {
    fn new(name: &'static str, size: usize) -> Result<Self, Error> {
        Ok(Ram { name, values: buckets(G::ZERO, size)?, ready: buckets(0, size)? })
    }
}

/// Source of a point that a batch adds to its bucket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Input,
    ConflictFifo,
}

/// A running batch.
struct Batch {
    pc: usize,
    padd: Padd,
    /// The loop counter at the beginning of the batch.
    counter: u32,
    /// The cycle of the first addition.
    start: u64,
    /// Number of additions that have begun.
    begun: u32,
    /// The batch's point of the input, and the digits of the point's scalar.
    input: Option<(usize, Scalar)>,
}

/// A processing element with its task.
pub struct Pe<'a, G> {
    hardware: &'a Hardware,
    program: &'a [Instruction],
    points: &'a [G],
    scalars: &'a [Scalar],
    control: &'a Control<'a>,
    buckets: Ram<G>,
    temps: Ram<G>,
    /// The first cycle in which an addition can take the entry; the window, the digit and the point's number.
    conflicts: VecDeque<(u64, (u32, i32, usize))>,
    output: Vec<G>,
    next_point: usize,
    counter: u32,
    batch: Option<Batch>,
    /// First cycle in which the front end is free.
    front: u64,
    /// First cycle in which the execute stage is free.
    free: u64,
    counts: Counts,
}

impl<'a, G: Group> Pe<'a, G> {
    /// Returns a processing element before its first cycle; all buckets are empty. The [example](crate::msmac) uses it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(
        hardware: &'a Hardware,
        program: &'a [Instruction],
        points: &'a [G],
        scalars: &'a [Scalar],
        control: &'a Control<'a>,
    ) -> Result<Self, Error> {
        Ok(Pe {
            hardware,
            program,
            points,
            scalars,
            control,
            buckets: Ram::new("bucket", hardware.buckets())?,
            temps: Ram::new("temp", hardware.temps as usize)?,
            conflicts: VecDeque::new(),
            output: Vec::new(),
            next_point: 0,
            counter: 0,
            batch: None,
            front: 0,
            free: 0,
            counts: Counts::default(),
        })
    }

    /// Runs the program to its end. Returns its output. The [example](crate::msmac) uses it.
    ///
    /// # Errors
    /// [`Error::Program`] for an action that hardware cannot do, [`Error::Cancelled`].
    pub fn run(mut self) -> Result<(Vec<G>, Counts), Error> {
        let mut pc = 0;
        while let Some(&instruction) = self.program.get(pc) {
            self.counts.instructions += 1;
            self.front += 1;
            if self.front > self.hardware.cycle_limit {
                return Err(self.fault(pc, self.front, Fault::NoEnd));
            }
            let mut next = pc + 1;
            match instruction {
                Instruction::Padd(padd) => self.begin(pc, padd)?,
                Instruction::Jmp { condition, target } => {
                    self.front += u64::from(self.hardware.jump_cycles) - 1;
                    self.advance(self.front - 1 - JUDGEMENT)?;
                    if self.holds(condition) {
                        next = usize::from(target);
                    }
                }
                Instruction::Set(value) => self.counter = value,
                Instruction::Nop(cycles) => {
                    let start = self.wait()?;
                    self.free = start + u64::from(cycles);
                    self.front = start;
                }
            }
            pc = next;
        }
        let end = self.wait()?;
        self.counts.cycles = end;
        Ok((self.output, self.counts))
    }

    fn fault(&self, pc: usize, cycle: u64, fault: Fault) -> Error {
        Error::Program { pc, cycle, fault }
    }

    fn holds(&mut self, condition: Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Loop => {
                let jumps = self.counter > 0;
                self.counter -= u32::from(jumps);
                jumps
            }
            Condition::Input => self.next_point < self.points.len(),
            Condition::AlmostFull => self.conflicts.len() >= self.hardware.conflict_threshold as usize,
            Condition::Conflict => !self.conflicts.is_empty(),
        }
    }

    /// Ends the running batch. Returns the first cycle in which the next instruction can execute.
    fn wait(&mut self) -> Result<u64, Error> {
        let start = self.front.max(self.free);
        self.advance(start)?;
        self.batch = None;
        Ok(start)
    }

    fn begin(&mut self, pc: usize, padd: Padd) -> Result<(), Error> {
        let mut start = self.wait()?;
        let mut input = None;
        if padd.right == Operand::Input {
            let index = self.next_point;
            if index == self.points.len() {
                return Err(self.fault(pc, start, Fault::NoInput));
            }
            if index.is_multiple_of(1 << 16) {
                check_cancelled(self.control)?;
            }
            let arrival = index as u64 * u64::from(self.hardware.point_cycles);
            self.counts.input_stalls += arrival.saturating_sub(start);
            start = start.max(arrival);
            self.next_point += 1;
            input = Some((index, self.hardware.windows.biased(&self.scalars[index])));
        } else if matches!(padd.destination, Operand::Temp(_)) && self.counts.step_1_cycles == 0 {
            self.counts.step_1_cycles = start;
        }
        self.batch = Some(Batch { pc, padd, counter: self.counter, start, begun: 0, input });
        self.front = start;
        self.free = start + u64::from(padd.size);
        Ok(())
    }

    /// Begins all additions of the batch that are due before cycle `end`.
    fn advance(&mut self, end: u64) -> Result<(), Error> {
        let Some(mut batch) = self.batch.take() else { return Ok(()) };
        let due = end.saturating_sub(batch.start).min(batch.padd.size.into()) as u32;
        let first = std::mem::replace(&mut batch.begun, due);
        match (batch.padd.right, batch.padd.destination) {
            (Operand::Input, Operand::Bucket(address)) => {
                if let Some((point, biased)) = batch.input {
                    for i in first..due {
                        let windows = &self.hardware.windows;
                        let digit = if i < windows.count() { windows.digit(&biased, i) } else { 0 };
                        self.accumulate(&batch, address, i, (i, digit, point), Origin::Input)?;
                    }
                }
            }
            (Operand::Conflict, Operand::Bucket(address)) => {
                for i in first..due {
                    let cycle = batch.start + u64::from(i);
                    let is_there = self.conflicts.front().is_some_and(|&(from, _)| from <= cycle);
                    let entry = if is_there { self.conflicts.pop_front() } else { None };
                    let entry = entry.map_or((0, 0, 0), |(_, entry)| entry);
                    self.accumulate(&batch, address, i, entry, Origin::ConflictFifo)?;
                }
            }
            _ => {
                for i in first..due {
                    self.add(&batch, i)?;
                }
            }
        }
        self.batch = Some(batch);
        Ok(())
    }

    /// Adds a point of a stream to its bucket, or puts it into the conflict FIFO.
    #[inline(always)]
    fn accumulate(
        &mut self,
        batch: &Batch,
        address: Address,
        i: u32,
        (window, digit, point): (u32, i32, usize),
        origin: Origin,
    ) -> Result<(), Error> {
        if digit == 0 {
            self.counts.bubbles += 1;
            return Ok(());
        }
        let cycle = batch.start + u64::from(i);
        let place = address.at(window, batch.counter) + bucket(digit) as usize;
        let Some(ready) = self.buckets.ready.get_mut(place) else {
            return Err(self.fault(batch.pc, cycle, Fault::Address { ram: "bucket", address: place }));
        };
        if *ready > cycle {
            self.counts.bubbles += 1;
            self.counts.conflicts += 1;
            self.counts.repeated_conflicts += u64::from(origin == Origin::ConflictFifo);
            if self.conflicts.len() == self.hardware.conflict_depth as usize {
                return Err(self.fault(batch.pc, cycle, Fault::Overflow));
            }
            self.conflicts.push_back((cycle + REQUEUED, (window, digit, point)));
            self.counts.conflict_high_water =
                self.counts.conflict_high_water.max(self.conflicts.len() as u64);
            return Ok(());
        }
        *ready = cycle + u64::from(self.hardware.latency);
        self.counts.additions += 1;
        if size_of::<G>() > 0 {
            let value = &mut self.buckets.values[place];
            *value = value.plus(self.points[point].signed(digit < 0));
        }
        Ok(())
    }

    /// Runs an addition without hazard detection.
    fn add(&mut self, batch: &Batch, i: u32) -> Result<(), Error> {
        let Padd { left, right, destination, .. } = batch.padd;
        let cycle = batch.start + u64::from(i);
        let fault = |fault| Error::Program { pc: batch.pc, cycle, fault };
        let counter = batch.counter;
        let read = |operand: Operand| {
            let (ram, address) = match operand {
                Operand::Bucket(address) => (&self.buckets, address.at(i, counter)),
                Operand::Temp(address) => (&self.temps, address.at(i, counter)),
                _ => return Ok(G::ZERO),
            };
            match ram.ready.get(address) {
                None => Err(fault(Fault::Address { ram: ram.name, address })),
                Some(&ready) if ready > cycle => Err(fault(Fault::Hazard { ram: ram.name, address, ready })),
                Some(_) => Ok(ram.values[address]),
            }
        };
        let sum = read(left)?.plus(read(right)?);
        let (ram, address) = match destination {
            Operand::Bucket(address) => (&mut self.buckets, address.at(i, counter)),
            Operand::Temp(address) => (&mut self.temps, address.at(i, counter)),
            _ => {
                self.output.push(sum);
                self.counts.additions += 1;
                return Ok(());
            }
        };
        let Some(value) = ram.values.get_mut(address) else {
            return Err(fault(Fault::Address { ram: ram.name, address }));
        };
        *value = sum;
        ram.ready[address] = cycle + u64::from(self.hardware.latency);
        self.counts.additions += 1;
        Ok(())
    }
}
