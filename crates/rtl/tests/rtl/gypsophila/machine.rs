//! The host's side of `gypsophila_top`: its bus and its streams, with pauses or without.

use bucketwheel_rtl::{Bench, Inputs};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::pipeline::random;

/// Registers; docs/hardware.md has the map.
pub const CONTROL: u32 = 0x000;
pub const SIZE: u32 = 0x004;
pub const WINDOWS: u32 = 0x008;
pub const TASKS: u32 = 0x00c;
pub const SHAPE: u32 = 0x010;
pub const CYCLES: u32 = 0x020;

/// Bits of the control register when it is written, and of the status that it gives.
pub const START: u32 = 1;
pub const RESTART: u32 = 2;
pub const BUSY: u32 = 1;
pub const DONE: u32 = 2;
pub const REFUSED: u32 = 4;
pub const MISFRAMED: u32 = 8;

pub const OKAY: u32 = 0;
pub const SLVERR: u32 = 2;

/// Packets of a stream, each as often as there are windows.
#[derive(Default)]
struct Stream {
    words: Vec<Vec<u32>>,
    packet: usize,
    total: usize,
    next: usize,
    /// What is offered stays until it is taken.
    offered: bool,
}

impl Stream {
    fn last(&self) -> bool {
        (self.next + 1).is_multiple_of(self.packet)
    }
}

/// What the bus is asked in a cycle.
#[derive(Clone, Copy)]
enum Bus {
    Idle,
    Write { address: u32, data: u32, strobe: u32 },
    Answer,
    Read { address: u32 },
    Data,
}

/// The ready and valid bits of the outputs.
struct Answers(u32);

impl Answers {
    fn has(&self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }
}

pub struct Machine {
    bench: Bench,
    /// Words of 32 bits of a coordinate.
    limbs: usize,
    points: Stream,
    indexes: Vec<Stream>,
    /// How many indexes each ping-pong buffer holds.
    prefetch: usize,
    /// The sums that came, and whether each was the last.
    pub sums: Vec<(Vec<u32>, bool)>,
    /// The share of cycles in which the host offers, and takes, something.
    pub pace: f64,
    rng: ChaCha8Rng,
    input: Vec<u32>,
}

impl Machine {
    pub fn new(name: &str, pes: usize, limbs: usize, prefetch: usize) -> Self {
        Machine {
            bench: Bench::new(name),
            limbs,
            points: Stream::default(),
            indexes: (0..pes).map(|_| Stream::default()).collect(),
            prefetch,
            sums: Vec::new(),
            pace: 1.0,
            rng: random(),
            input: vec![0; 5 + 3 * limbs + pes],
        }
    }

    pub fn latency(&self) -> usize {
        self.bench.latency()
    }

    pub fn failed(&self) -> bool {
        self.bench.failed()
    }

    /// What the streams are to carry: points once a window, and each element's indexes of all windows.
    pub fn load(&mut self, points: Vec<Vec<u32>>, indexes: &[Vec<u32>], windows: usize) {
        let packet = points.len();
        self.points = Stream { words: points, packet, total: packet * windows, next: 0, offered: false };
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            let words: Vec<_> = indexes.get(pe).into_iter().flatten().map(|&index| vec![index]).collect();
            *stream = Stream { total: words.len(), words, packet, next: 0, offered: false };
        }
        self.sums.clear();
    }

    /// Sends what the machine takes of indexes before it starts.
    pub fn prefetch(&mut self) {
        for _ in 0..2 * self.prefetch + 4 {
            self.cycle(Bus::Idle, false);
        }
    }

    pub fn reset(&mut self) {
        self.load(Vec::new(), &[], 0);
        self.cycle(Bus::Idle, true);
    }

    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Bus::Idle, false);
        }
    }

    fn cycle(&mut self, bus: Bus, reset: bool) -> (Answers, u32) {
        let mut chance = |pace: f64| pace >= 1.0 || self.rng.gen_bool(pace);
        let (mut flags, mut address, mut data) = (0, 0, 0);
        match bus {
            Bus::Idle => {}
            Bus::Write { address: to, data: value, strobe } => {
                (address, data) = (to, value);
                flags |= 3 | strobe << 8;
            }
            Bus::Answer => flags |= u32::from(chance(self.pace)) << 2,
            Bus::Read { address: from } => {
                address = from << 16;
                flags |= 1 << 3;
            }
            Bus::Data => flags |= u32::from(chance(self.pace)) << 4,
        }
        let takes = chance(self.pace);
        flags |= u32::from(takes) << 7;
        self.input.fill(0);
        let (indexes_at, point_at) = (3 + 3 * self.limbs, 3);
        if self.points.next < self.points.total {
            self.points.offered |= chance(self.pace);
            if self.points.offered {
                flags |= 1 << 5 | u32::from(self.points.last()) << 6;
                let point = &self.points.words[self.points.next % self.points.packet];
                self.input[point_at..point_at + point.len()].copy_from_slice(point);
            }
        }
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            if stream.next < stream.total {
                stream.offered |= chance(self.pace);
                self.input[indexes_at] |= u32::from(stream.offered) << pe;
                self.input[indexes_at + 1] |= u32::from(stream.last()) << pe;
                self.input[indexes_at + 2 + pe] = stream.words[stream.next][0];
            }
        }
        self.input[..3].copy_from_slice(&[address, data, flags]);

        let outputs = self.bench.cycle(Inputs { reset, ready: true, data: Some(&self.input) });
        let outputs = outputs.data.expect("this bench always answers");
        let answers = Answers(outputs[1]);
        if self.points.offered && answers.has(5) {
            self.points.offered = false;
            self.points.next += 1;
        }
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            if stream.offered && outputs[2] >> pe & 1 == 1 {
                stream.offered = false;
                stream.next += 1;
            }
        }
        if takes && answers.has(6) && !reset {
            self.sums.push((outputs[3..].to_vec(), answers.has(7)));
        }
        (answers, outputs[0])
    }

    /// Writes some bytes of a register; the response.
    pub fn write_bytes(&mut self, address: u32, data: u32, strobe: u32) -> u32 {
        while !self.cycle(Bus::Write { address, data, strobe }, false).0.has(0) {}
        loop {
            let (answers, _) = self.cycle(Bus::Answer, false);
            if answers.has(2) && self.input[2] >> 2 & 1 == 1 {
                return answers.0 >> 8 & 3;
            }
        }
    }

    pub fn write(&mut self, address: u32, data: u32) {
        assert_eq!(self.write_bytes(address, data, 15), OKAY);
    }

    pub fn read(&mut self, address: u32) -> u32 {
        while !self.cycle(Bus::Read { address }, false).0.has(3) {}
        loop {
            let (answers, data) = self.cycle(Bus::Data, false);
            if answers.has(4) && self.input[2] >> 4 & 1 == 1 {
                return data;
            }
        }
    }

    pub fn start(&mut self, size: usize, windows: usize, tasks: usize) {
        self.write(SIZE, size as u32);
        self.write(WINDOWS, windows as u32);
        self.write(TASKS, tasks as u32);
        self.write(CONTROL, START);
    }

    /// Waits for the sums of so many tasks.
    pub fn finish(&mut self, tasks: usize, limit: usize) {
        let mut cycles = 0;
        while self.sums.len() < tasks {
            self.cycle(Bus::Idle, false);
            cycles += 1;
            assert!(cycles < limit, "{} of {tasks} sums after {cycles} cycles", self.sums.len());
        }
        self.idle(5);
        assert_eq!(self.sums.len(), tasks);
    }

    /// A word of an element's counters.
    pub fn element(&mut self, pe: usize, word: u32) -> u32 {
        self.read(0x100 + 0x40 * pe as u32 + 4 * word)
    }
}
