//! A port: AXI4 with 512 bits of data in front of a channel, on the clock of the core.

use std::collections::VecDeque;

use super::channel::{Channel, READ, WRITE};
use super::Timing;

/// Bursts of each direction that a port holds.
pub const BURSTS: usize = 16;
/// Beats of reads between the controller's queue and the master.
pub const BEATS: usize = 128;

/// Inputs of a port in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `arvalid`: the first beat of a burst, and the number of beats.
    pub read: Option<(u64, u32)>,
    /// `awvalid`, likewise.
    pub write: Option<(u64, u32)>,
    /// `wvalid`.
    pub data: bool,
    /// `rready`.
    pub takes_data: bool,
    /// `bready`.
    pub takes_response: bool,
}

/// Outputs of a port in a cycle. They depend on the cycles before, and never on the inputs of their own cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `arready`.
    pub takes_read: bool,
    /// `awready`.
    pub takes_write: bool,
    /// `wready`.
    pub takes_data: bool,
    /// `rvalid`: the number of the beat in memory, and `rlast`.
    pub data: Option<(u64, bool)>,
    /// `bvalid`.
    pub response: bool,
}

#[derive(Clone, Copy, Debug)]
struct Burst {
    beat: u64,
    left: u32,
}

/// A beat that is read.
#[derive(Clone, Copy, Debug)]
struct Beat {
    beat: u64,
    last: bool,
    /// Accesses that have not begun.
    left: u32,
    offered_at: u64,
}

/// A port and its channel. Answers of each direction come in the order of the requests.
#[derive(Debug)]
pub struct Port {
    channel: Channel,
    timing: Timing,
    core_khz: u64,
    /// Time that the memory's clock is behind the core's, in units that both divide.
    behind: u64,
    /// Bursts whose beats are not yet queued, or not yet written.
    bursts: [VecDeque<Burst>; 2],
    beats: VecDeque<Beat>,
    /// Accesses of each written burst that have not begun.
    written: VecDeque<u32>,
    /// Numbers of the first of `beats` and of `written`.
    first: [u64; 2],
    outputs: Outputs,
    /// Cycles with a pause, of 256 on average.
    pauses: u32,
    random: u32,
}

impl Port {
    /// Returns a port on a core with this clock. The first refresh is due after (`phase` + 1) / 256 of the
    /// interval between refreshes. In `pauses` of 256 cycles, at random, the port takes nothing or offers nothing new.
    /// The [example](super) uses it.
    pub fn new(timing: Timing, core_khz: u32, phase: u8, pauses: u8) -> Self {
        let refresh_at = u64::from(timing.refi) * (u64::from(phase) + 1) / 256;
        Port {
            channel: Channel::new(timing, refresh_at),
            timing,
            core_khz: core_khz.into(),
            behind: 0,
            bursts: Default::default(),
            beats: VecDeque::new(),
            written: VecDeque::new(),
            first: [0; 2],
            outputs: Outputs::default(),
            pauses: pauses.into(),
            random: u32::from(phase) + 1,
        }
    }

    /// Returns the outputs of the current cycle. The [example](super) uses it.
    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// Ends the current cycle with these inputs. The [example](super) uses it.
    pub fn cycle(&mut self, inputs: Inputs) {
        self.take(inputs);
        if let Some(&Burst { beat, left }) = self.bursts[READ].front() {
            if self.beats.len() < BEATS && self.channel.has_room(READ) {
                self.channel.push(READ, beat, self.first[READ] + self.beats.len() as u64);
                self.beats.push_back(Beat {
                    beat,
                    last: left == 1,
                    left: self.timing.accesses,
                    offered_at: 0,
                });
                self.step(READ);
            }
        }
        self.behind += u64::from(self.timing.clock_khz);
        while self.behind >= self.core_khz {
            self.behind -= self.core_khz;
            let Some(begun) = self.channel.tick() else { continue };
            let place = (begun.tag - self.first[begun.direction]) as usize;
            if begun.direction == WRITE {
                self.written[place] -= 1;
            } else {
                self.beats[place].left -= 1;
                self.beats[place].offered_at = begun.offered_at;
            }
        }
        self.offer(inputs);
    }

    /// Takes the requests and the data, and gives the responses, that both sides agree on in this cycle.
    fn take(&mut self, inputs: Inputs) {
        let outputs = self.outputs;
        if let (true, Some((beat, left))) = (outputs.takes_read, inputs.read) {
            self.bursts[READ].push_back(Burst { beat, left });
        }
        if outputs.takes_data && inputs.data {
            let Burst { beat, .. } = self.bursts[WRITE][0];
            let tag = self.first[WRITE] + (self.written.len() - self.bursts[WRITE].len()) as u64;
            self.channel.push(WRITE, beat, tag);
            self.step(WRITE);
        }
        if let (true, Some((beat, left))) = (outputs.takes_write, inputs.write) {
            self.bursts[WRITE].push_back(Burst { beat, left });
            self.written.push_back(left * self.timing.accesses);
        }
        if outputs.data.is_some() && inputs.takes_data {
            self.beats.pop_front();
            self.first[READ] += 1;
        }
        if outputs.response && inputs.takes_response {
            self.written.pop_front();
            self.first[WRITE] += 1;
        }
    }

    /// Goes to the next beat of the oldest burst.
    fn step(&mut self, direction: usize) {
        let burst = &mut self.bursts[direction][0];
        burst.beat += 1;
        burst.left -= 1;
        if burst.left == 0 {
            self.bursts[direction].pop_front();
        }
    }

    /// Decides the outputs of the next cycle.
    fn offer(&mut self, inputs: Inputs) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        let works = |place: u32| (self.random >> (8 * place) & 0xff) >= self.pauses;
        let stays = self.outputs.data.is_some() && !inputs.takes_data;
        let answered = self.outputs.response && !inputs.takes_response;
        let now = self.channel.now();
        let data =
            self.beats.front().filter(|beat| beat.left == 0 && beat.offered_at <= now && (stays || works(3)));
        self.outputs = Outputs {
            takes_read: self.bursts[READ].len() < BURSTS && works(0),
            takes_write: self.written.len() < BURSTS && works(1),
            takes_data: !self.bursts[WRITE].is_empty() && self.channel.has_room(WRITE) && works(2),
            data: data.map(|beat| (beat.beat, beat.last)),
            response: self.written.front() == Some(&0) && (answered || works(3)),
        };
    }
}
