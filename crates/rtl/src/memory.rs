//! The memory's port in C++ (`hdl/tb/axi_memory.h`), for its comparison with the model.

use std::ffi::c_void;

use bucketwheel_hardware::memory::{Inputs, Outputs, Timing};

extern "C" {
    fn bw_port_open(numbers: *const u32, core_khz: u32, phase: u8, pauses: u8) -> *mut c_void;
    fn bw_port_close(port: *mut c_void);
    fn bw_port_cycle(
        port: *mut c_void,
        inputs: u32,
        read_beat: u64,
        read_beats: u32,
        write_beat: u64,
        write_beats: u32,
    ) -> u64;
}

/// A port of the benches' memory, without its data. It behaves like [`Port`](bucketwheel_hardware::memory::Port) with the same
/// parameters.
pub struct BenchPort {
    /// Handle from `bw_port_open`: owned by this value alone.
    port: *mut c_void,
}

impl BenchPort {
    /// Opens a port.
    pub fn new(timing: Timing, core_khz: u32, phase: u8, pauses: u8) -> Self {
        let numbers = timing.numbers();
        // SAFETY: the numbers are only read during the call, and their count and order are the C++ structure's, which
        // `memory_kinds.h` is checked with.
        BenchPort { port: unsafe { bw_port_open(numbers.as_ptr(), core_khz, phase, pauses) } }
    }

    /// Ends a cycle with these inputs; returns the outputs of the next cycle.
    pub fn cycle(&mut self, inputs: Inputs) -> Outputs {
        let Inputs { read, write, data, takes_data, takes_response } = inputs;
        let flags = [read.is_some(), write.is_some(), data, takes_data, takes_response];
        let flags = flags.iter().rev().fold(0, |all, &flag| all << 1 | u32::from(flag));
        let (read, write) = (read.unwrap_or((0, 1)), write.unwrap_or((0, 1)));
        // SAFETY: `port` is open and used by this thread alone (`&mut self`).
        let outputs = unsafe { bw_port_cycle(self.port, flags, read.0, read.1, write.0, write.1) };
        let flag = |bit: u32| outputs >> bit & 1 == 1;
        Outputs {
            takes_read: flag(0),
            takes_write: flag(1),
            takes_data: flag(2),
            data: flag(3).then(|| (outputs >> 6, flag(4))),
            response: flag(5),
        }
    }
}

impl Drop for BenchPort {
    fn drop(&mut self) {
        // SAFETY: `port` is open, and this is its last use.
        unsafe { bw_port_close(self.port) }
    }
}
