//! A host of the cards' benches (`hdl/tb/tb_*_card.sv`): two clocks, the card's registers, and copies to and from memory.

use bucketwheel_rtl::{Bench, Inputs};

// Registers (docs/hardware.md).
pub const IDENTITY: u32 = 0x0;
pub const NAME: u32 = 0x4;
pub const CONTROL: u32 = 0x8;
pub const STATUS: u32 = 0xc;
pub const POINTS: u32 = 0x10;
pub const WINDOWS: u32 = 0x14;
/// The machine's number of the task, and its shape.
pub const NUMBER: u32 = 0x18;
pub const SHAPE: u32 = 0x1c;
pub const ADDRESSES: u32 = 0x20;
pub const COUNTERS: u32 = 0x50;
pub const MACHINE: u32 = 0x1000;
pub const START: u32 = 1;
pub const RESET: u32 = 2;

// Bits of the status.
pub const RUNNING: u32 = 1;
pub const DRAINING: u32 = 2;
pub const DONE: u32 = 4;
pub const ERROR: u32 = 8;
/// First bit of the causes of an error: host port, points, spill, machine, something outstanding, refused.
pub const CAUSE: u32 = 8;

/// Beats of each of a bench's memories.
pub const MEMORY: u64 = 1 << 16;
/// Number of the memory at the host's port in the benches.
pub const HOST: u32 = 0;

/// A card with its host, and both clocks.
pub struct Host {
    bench: Bench,
    input: [u32; 19],
    /// Half periods of the shell's and of the core's clock, and the times of their next edges.
    half: [u64; 2],
    next: [u64; 2],
}

impl Host {
    pub fn new(bench: &str, half: [u64; 2]) -> Self {
        let mut host = Host { bench: Bench::new(bench), input: [0; 19], half, next: half };
        host.input[0] |= 1 << 2;
        host.steps(100);
        host.input[0] &= !(1 << 2);
        // The core is reset after the shell.
        assert_eq!(host.wait(), 0);
        host
    }

    /// Advances to the next edge of a clock. Returns the bench's output before it.
    pub fn step(&mut self) -> Vec<u32> {
        let now = self.next[0].min(self.next[1]);
        for clock in 0..2 {
            if self.next[clock] == now {
                self.input[0] ^= 1 << clock;
                self.next[clock] += self.half[clock];
            }
        }
        let inputs = Inputs { reset: false, ready: true, data: Some(&self.input) };
        let output = self.bench.cycle(inputs).data.expect("all cycles are valid");
        assert!(!self.bench.failed(), "an assertion of the bench or of the RTL failed");
        output
    }

    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| drop(self.step()));
    }

    /// Accesses a register; returns the word that was read, or nothing for SLVERR.
    pub fn access(&mut self, write: bool, address: u32, word: u32) -> Option<u32> {
        self.input[0] = (self.input[0] ^ 1 << 3) & !(1 << 4) | u32::from(write) << 4;
        [self.input[1], self.input[2]] = [address, word];
        let began = self.input[0] >> 3 & 1;
        let ended = (0..10_000).map(|_| self.step()).find(|output| output[0] & 1 == began);
        let output = ended.expect("the card answers");
        match output[0] >> 1 & 3 {
            0 => Some(output[1]),
            2 => None,
            other => panic!("response {other}"),
        }
    }

    pub fn read(&mut self, address: u32) -> u32 {
        self.access(false, address, 0).expect("a register")
    }

    pub fn write(&mut self, address: u32, word: u32) {
        assert!(self.access(true, address, word).is_some(), "register {address:#x} is refused");
    }

    /// Reads a register of 64 bits.
    pub fn long(&mut self, address: u32) -> u64 {
        let [low, high] = [0, 4].map(|half| u64::from(self.read(address + half)));
        low | high << 32
    }

    pub fn counter(&mut self, number: u32) -> u64 {
        self.long(COUNTERS + 8 * number)
    }

    /// Copies words to a memory, from a beat on.
    pub fn copy_to(&mut self, memory: u32, first: u64, words: &[u32]) {
        for (beat, words) in words.chunks(16).enumerate() {
            self.input[1] = (first + beat as u64) as u32;
            self.input[3..].fill(0);
            self.input[3..3 + words.len()].copy_from_slice(words);
            let clocks = self.input[0];
            self.input[0] |= 1 << 5 | memory << 8;
            // The clocks stand still.
            self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
            self.input[0] = clocks;
        }
    }

    pub fn copy_from(&mut self, memory: u32, beat: u64) -> Vec<u32> {
        let clocks = self.input[0];
        self.input[1] = beat as u32;
        self.input[0] |= 1 << 6 | memory << 8;
        self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
        self.input[0] = clocks;
        let output = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
        output.data.expect("all cycles are valid")[2..].to_vec()
    }

    /// Writes the address of the task's stream `number`, which begins at a beat.
    pub fn place(&mut self, number: usize, beat: u64) {
        let (address, byte) = (ADDRESSES + 8 * number as u32, 64 * beat);
        self.write(address, byte as u32);
        self.write(address + 4, (byte >> 32) as u32);
    }

    /// Returns the number of bursts without the end of their answer.
    pub fn outstanding(&mut self) -> u32 {
        self.step()[0] >> 8 & 0xff
    }

    /// Runs the prepared task, which is right.
    pub fn run(&mut self) {
        self.write(CONTROL, START);
        assert_eq!(self.wait(), DONE);
    }

    /// Runs the prepared task, which ends with this cause of an error.
    pub fn fail(&mut self, cause: u32) {
        self.write(CONTROL, START);
        assert_eq!(self.wait(), ERROR | 1 << (CAUSE + cause));
    }

    /// Starts the prepared task, and resets the card after some edges of the clocks. Returns true if bursts were outstanding.
    pub fn interrupt(&mut self, edges: usize) -> bool {
        self.write(CONTROL, START);
        self.steps(edges);
        let outstanding = self.outstanding() != 0;
        self.write(CONTROL, RESET);
        assert_eq!(self.access(true, CONTROL, START), None, "a start while the card drains");
        assert_eq!(self.wait(), 0, "a reset after {edges} edges");
        outstanding
    }

    /// Starts the prepared task, which has fixed lengths until it ends.
    pub fn hold(&mut self) {
        self.write(CONTROL, START);
        assert_eq!(self.access(true, POINTS, 4), None, "a task under way has fixed lengths");
        assert_eq!(self.access(true, CONTROL, START), None);
        assert_eq!(self.wait(), DONE);
    }

    /// Checks that SLVERR answers these accesses.
    pub fn refuse(&mut self, write: bool, addresses: &[u32]) {
        for &address in addresses {
            assert_eq!(self.access(write, address, 1), None, "{address:#x}");
        }
    }

    /// Waits until the card is idle; returns the status.
    pub fn wait(&mut self) -> u32 {
        for _ in 0..20_000 {
            let status = self.read(STATUS);
            if status & (RUNNING | DRAINING) == 0 {
                assert_eq!(self.outstanding(), 0, "bursts are outstanding, but the card is idle");
                return status;
            }
            self.steps(100);
        }
        panic!("the card is stuck, status {:#x}", self.read(STATUS));
    }
}
