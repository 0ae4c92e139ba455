//! One compiled bench of `hdl/tb`, driven cycle by cycle through the C ABI of its model.

use std::ffi::{c_char, c_void, CString};
use std::path::Path;

use crate::Fault;

extern "C" {
    fn bw_bench_open(name: *const c_char) -> *mut c_void;
    fn bw_bench_close(bench: *mut c_void);
    fn bw_bench_inputs(bench: *const c_void) -> u32;
    fn bw_bench_outputs(bench: *const c_void) -> u32;
    fn bw_bench_latency(bench: *const c_void) -> u32;
    fn bw_bench_drive(bench: *mut c_void, reset: bool, valid: bool, ready: bool, input: *const u32);
    fn bw_bench_sample(bench: *const c_void, valid: *mut bool, ready: *mut bool, output: *mut u32);
    fn bw_bench_edge(bench: *mut c_void);
    fn bw_bench_failed(bench: *const c_void) -> bool;
    fn bw_bench_trace(bench: *mut c_void, path: *const c_char, cycles: u64) -> bool;
    fn bw_bench_finish_trace(bench: *mut c_void) -> bool;
}

/// Inputs of a bench in one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    /// `rst_i`.
    pub reset: bool,
    /// `ready_i`: true if the output is taken, for benches whose output waits.
    pub ready: bool,
    /// `in_i` with `valid_i`; `None` is a bubble. The lowest word comes first; missing words are zero.
    pub data: Option<&'a [u32]>,
}

/// Outputs of a bench in the same cycle.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outputs {
    /// `ready_o`: true if the input was taken, for benches whose input waits.
    pub ready: bool,
    /// `out_o` with `valid_o`.
    pub data: Option<Vec<u32>>,
}

/// A simulated bench: one or more blocks behind the ports that all benches share.
pub struct Bench {
    /// Handle from `bw_bench_open`: not null, and owned by this value alone.
    bench: *mut c_void,
    input: Vec<u32>,
    output: Vec<u32>,
}

impl Bench {
    /// Opens a bench by its name in `benches.rs`, with a reset and empty pipelines.
    ///
    /// # Panics
    ///
    /// Panics if no bench has that name.
    pub fn new(name: &str) -> Self {
        let c_name = CString::new(name).expect("a name has no zeros");
        // SAFETY: the name ends with zero and is only read during the call.
        let bench = unsafe { bw_bench_open(c_name.as_ptr()) };
        assert!(
            !bench.is_null(),
            "no bench is called {name}: benches.rs lists the benches, the long ones with RTL_LONG=1"
        );
        // SAFETY: `bench` is open.
        let (inputs, outputs) = unsafe { (bw_bench_inputs(bench), bw_bench_outputs(bench)) };
        let mut this = Self { bench, input: vec![0; inputs as usize], output: vec![0; outputs as usize] };
        for _ in 0..2 {
            this.cycle(Inputs { reset: true, ..Inputs::default() });
        }
        this
    }

    /// Returns the cycles from an input to its output, from the bench itself (`latency_o`).
    pub fn latency(&self) -> usize {
        // SAFETY: `bench` is open.
        unsafe { bw_bench_latency(self.bench) as usize }
    }

    /// Runs one cycle: applies the inputs, reads the outputs for them and the state, then raises the clock.
    ///
    /// # Panics
    ///
    /// Panics if there are more words than the bench has.
    pub fn cycle(&mut self, inputs: Inputs<'_>) -> Outputs {
        let data = inputs.data.unwrap_or(&[]);
        assert!(data.len() <= self.input.len(), "{} words for {}", data.len(), self.input.len());
        self.input[..data.len()].copy_from_slice(data);
        self.input[data.len()..].fill(0);
        let (mut valid, mut ready) = (false, false);
        // SAFETY: `bench` is open and used by this thread alone (`&mut self`); `input` and `output` have the number
        // of words that the bench reads and writes, by `bw_bench_inputs` and `bw_bench_outputs`.
        unsafe {
            let valid_in = inputs.data.is_some();
            bw_bench_drive(self.bench, inputs.reset, valid_in, inputs.ready, self.input.as_ptr());
            bw_bench_sample(self.bench, &mut valid, &mut ready, self.output.as_mut_ptr());
            bw_bench_edge(self.bench);
        }
        Outputs { ready, data: valid.then(|| self.output.clone()) }
    }

    /// Writes the values of all signals in this number of cycles from now on, at least one, to a VCD file. The file
    /// is complete after [`finish_trace`](Self::finish_trace), or when the bench is dropped.
    ///
    /// # Errors
    /// [`Fault::Trace`] if the file cannot be opened, or if `benches.rs` does not mark the bench as traced.
    pub fn trace(&mut self, path: &Path, cycles: u64) -> Result<(), Fault> {
        let c_path = CString::new(path.as_os_str().as_encoded_bytes());
        let opens = |path: CString| {
            // SAFETY: `bench` is open and used by this thread alone; the path ends with zero and is only read during the call.
            unsafe { bw_bench_trace(self.bench, path.as_ptr(), cycles.max(1)) }
        };
        match c_path.is_ok_and(opens) {
            true => Ok(()),
            false => Err(Fault::Trace(path.into())),
        }
    }

    /// Ends the file of waveforms, if there is one. Returns true if the whole file could be written.
    pub fn finish_trace(&mut self) -> bool {
        // SAFETY: `bench` is open and used by this thread alone.
        unsafe { bw_bench_finish_trace(self.bench) }
    }

    /// Returns true if an assertion of the RTL has failed since the bench was opened.
    pub fn failed(&self) -> bool {
        // SAFETY: `bench` is open.
        unsafe { bw_bench_failed(self.bench) }
    }
}

// SAFETY: no part of a bench belongs to the thread that opened it: every call sets Verilator's thread-local state
// (`enter` in bench.cpp), and two benches share nothing.
unsafe impl Send for Bench {}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: `bench` is open, and this is its last use.
        unsafe { bw_bench_close(self.bench) }
    }
}
