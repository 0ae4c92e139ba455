//! A channel: banks, their rows, and the controller in front of them.

use std::collections::VecDeque;

use super::Timing;

/// Direction of an access: an index of the controller's two queues.
pub const READ: usize = 0;
/// As [`READ`].
pub const WRITE: usize = 1;

/// Accesses that wait in the controller, in each direction.
pub const QUEUE: usize = 32;
/// Accesses in one direction after which the other direction goes first, if it waits.
const BATCH: u32 = 32;
/// Clocks between data of a read and data of a write, for the bus to turn around.
const TURN: u64 = 2;

/// An access of the memory: a burst of a row.
#[derive(Clone, Copy, Debug)]
struct Access {
    group: usize,
    bank: usize,
    row: u64,
    /// The port's number of the beat or the burst.
    tag: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    row: Option<u64>,
    activate_at: u64,
    column_at: u64,
    precharge_at: u64,
}

/// A channel with its controller. A command goes to the memory in a clock.
///
/// ```text
/// each clock:
///   refresh due: close all rows, then refresh; nothing else
///   the current direction has BATCH accesses behind it, or none waits: turn around if the other direction waits
///   over the queue of the direction, oldest first, one access for each bank:
///     its row is open, and data may follow: access, and the clock is over
///     otherwise remember the first row that may be opened or closed
///   open or close that row
/// ```
#[derive(Debug)]
pub struct Channel {
    timing: Timing,
    now: u64,
    banks: Vec<Bank>,
    queues: [VecDeque<Access>; 2],
    direction: usize,
    batch: u32,
    /// For each direction and group, the first clock of the next access.
    column_at: [Vec<u64>; 2],
    /// For each group, the first clock of the next activation.
    activate_at: Vec<u64>,
    /// The four newest activations, at `newest` the oldest of them.
    activations: [u64; 4],
    newest: usize,
    refresh_at: u64,
}

/// An access that the controller has begun.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    pub direction: usize,
    pub tag: u64,
    /// Clock in which the port may offer the data, of a read.
    pub offered_at: u64,
}

impl Channel {
    /// Returns a channel whose first refresh is due at this clock.
    pub fn new(timing: Timing, refresh_at: u64) -> Self {
        let groups = timing.groups as usize;
        Channel {
            timing,
            now: 0,
            banks: vec![Bank::default(); groups * timing.banks as usize],
            queues: Default::default(),
            direction: READ,
            batch: 0,
            column_at: [vec![0; groups], vec![0; groups]],
            activate_at: vec![0; groups],
            activations: [0; 4],
            newest: 0,
            refresh_at,
        }
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns true if the queue has room for a beat.
    pub fn has_room(&self, direction: usize) -> bool {
        self.queues[direction].len() + self.timing.accesses as usize <= QUEUE
    }

    /// Queues the accesses of a beat, in a queue with room.
    pub fn push(&mut self, direction: usize, beat: u64, tag: u64) {
        let timing = self.timing;
        let [accesses, groups, banks, columns] =
            [timing.accesses, timing.groups, timing.banks, timing.columns].map(u64::from);
        for access in beat * accesses..(beat + 1) * accesses {
            // From the lowest bits on: group, column, bank, row.
            let (group, above) = (access % groups, access / groups / columns);
            let bank = group + groups * (above % banks);
            let access = Access { group: group as usize, bank: bank as usize, row: above / banks, tag };
            self.queues[direction].push_back(access);
        }
    }

    /// Runs a clock; returns the access that begins in it.
    pub fn tick(&mut self) -> Option<Begun> {
        self.now += 1;
        if self.now >= self.refresh_at {
            self.refresh();
            return None;
        }
        let waiting = self.queues.each_ref().map(|queue| !queue.is_empty());
        let other = 1 - self.direction;
        if waiting[other] && (!waiting[self.direction] || self.batch >= BATCH) {
            self.direction = other;
            self.batch = 0;
        }
        // Banks for which an older access waits.
        let mut blocked = 0_u64;
        let mut row_of = None;
        for (place, access) in self.queues[self.direction].iter().enumerate() {
            if blocked >> access.bank & 1 == 1 {
                continue;
            }
            blocked |= 1 << access.bank;
            let bank = &self.banks[access.bank];
            if bank.row == Some(access.row) {
                if self.now >= bank.column_at.max(self.column_at[self.direction][access.group]) {
                    return self.access(place);
                }
            } else if row_of.is_none() {
                let at = match bank.row {
                    Some(_) => bank.precharge_at,
                    None => bank
                        .activate_at
                        .max(self.activate_at[access.group])
                        .max(self.activations[self.newest] + u64::from(self.timing.faw)),
                };
                row_of = (self.now >= at).then_some(*access);
            }
        }
        if let Some(access) = row_of {
            self.change_row(access);
        }
        None
    }

    fn access(&mut self, place: usize) -> Option<Begun> {
        let access = self.queues[self.direction].remove(place)?;
        let timing = self.timing;
        let [burst, cl, cwl, ccd_l] = [timing.burst, timing.cl, timing.cwl, timing.ccd_l].map(u64::from);
        let now = self.now;
        let ended = now + cwl + burst;
        let read = self.direction == READ;
        for group in 0..self.activate_at.len() {
            let near = group == access.group;
            let same = now + if near { ccd_l } else { burst };
            let other = if read {
                now + cl + burst + TURN - cwl
            } else {
                ended + u64::from(if near { timing.wtr_l } else { timing.wtr_s })
            };
            for (direction, at) in [(self.direction, same), (1 - self.direction, other)] {
                let column_at = &mut self.column_at[direction][group];
                *column_at = at.max(*column_at);
            }
        }
        let closes = if read { now + u64::from(timing.rtp) } else { ended + u64::from(timing.wr) };
        let bank = &mut self.banks[access.bank];
        bank.precharge_at = bank.precharge_at.max(closes);
        self.batch += 1;
        let offered_at = now + cl + burst + u64::from(timing.latency);
        Some(Begun { direction: self.direction, tag: access.tag, offered_at })
    }

    /// Closes the row of an access's bank, or opens the access's row.
    fn change_row(&mut self, access: Access) {
        let timing = self.timing;
        let now = self.now;
        let bank = &mut self.banks[access.bank];
        if bank.row.take().is_some() {
            bank.activate_at = now + u64::from(timing.rp);
            return;
        }
        bank.row = Some(access.row);
        bank.column_at = now + u64::from(timing.rcd);
        bank.precharge_at = now + u64::from(timing.ras);
        for (group, at) in self.activate_at.iter_mut().enumerate() {
            let gap = if group == access.group { timing.rrd_l } else { timing.rrd_s };
            *at = (now + u64::from(gap)).max(*at);
        }
        self.activations[self.newest] = now;
        self.newest = (self.newest + 1) % 4;
    }

    /// Closes all rows as soon as all of them may be closed, and then refreshes all banks.
    fn refresh(&mut self) {
        let now = self.now;
        if self.banks.iter().any(|bank| bank.row.is_some()) {
            if self.banks.iter().all(|bank| bank.row.is_none() || now >= bank.precharge_at) {
                for bank in self.banks.iter_mut().filter(|bank| bank.row.is_some()) {
                    bank.row = None;
                    bank.activate_at = now + u64::from(self.timing.rp);
                }
            }
        } else if self.banks.iter().all(|bank| now >= bank.activate_at) {
            self.banks.iter_mut().for_each(|bank| bank.activate_at = now + u64::from(self.timing.rfc));
            self.refresh_at += u64::from(self.timing.refi);
        }
    }
}
