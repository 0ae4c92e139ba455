//! CycloneMSM for its authors' host (`hdl/rtl/card/cyclone_f1.sv`): packets and registers by their numbers.

use crate::bus::Access;
use crate::{Bench, Bus, Fault, Inputs, Reply, Request};

// Places in the bench's input (hdl/tb/tb_cyclone_f1.sv), in words. The wires of the bus come first.
const INDEX: usize = 3;
const PACKET: usize = 4;
/// Bit of the flags in both directions: a packet is valid, and it is taken.
const VALID: u32 = 5;

/// Cycles after which a waiting packet counts as stuck. The longest wait is the sweep of all buckets after a reset.
const LIMIT: u32 = 1 << 20;

/// A simulated card with the interface of AWS F1 that the authors' host expects. Its registers are on the [`Bus`], at four
/// times their number.
pub struct F1 {
    bench: Bench,
    input: [u32; PACKET + 16],
    cycles: u64,
}

impl F1 {
    /// Opens a bench of `tb_cyclone_f1` by its name in `benches.rs`.
    ///
    /// # Panics
    /// Panics if the bench does not exist.
    pub fn new(bench: &str) -> Self {
        F1 { bench: Bench::new(bench), input: [0; PACKET + 16], cycles: 0 }
    }

    /// Returns the number of cycles since the bench was opened.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns true if an assertion of the RTL has failed.
    pub fn failed(&self) -> bool {
        self.bench.failed()
    }

    /// Writes a packet. The number `index` has the stream from bit 26 on, and the packet's place in it below.
    ///
    /// # Errors
    /// [`Fault::Stuck`] if the card does not take the packet.
    pub fn packet(&mut self, index: u32, packet: &[u64; 8]) -> Result<(), Fault> {
        self.input[INDEX] = index;
        for (words, word) in self.input[PACKET..].chunks_exact_mut(2).zip(packet) {
            words.copy_from_slice(&[*word as u32, (*word >> 32) as u32]);
        }
        let idle = Access::new(Request::Idle, || false);
        let taken = (0..LIMIT).any(|_| self.cycle(&idle, 1 << VALID)[1] >> VALID & 1 == 1);
        taken.then_some(()).ok_or(Fault::Stuck { cycles: LIMIT.into() })
    }

    /// Runs a cycle with these wires; returns the bench's word and flags.
    fn cycle(&mut self, access: &Access, packet: u32) -> [u32; 2] {
        self.input[..INDEX].copy_from_slice(&[access.address, access.data, access.flags | packet]);
        self.cycles += 1;
        let data = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) }).data;
        let data = data.expect("all cycles are valid");
        [data[0], data[1]]
    }
}

impl Bus for F1 {
    fn access(&mut self, request: Request) -> Reply {
        let access = Access::new(request, || true);
        let [word, flags] = self.cycle(&access, 0);
        access.reply(word, flags)
    }
}
