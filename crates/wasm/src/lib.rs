//! The engine as WebAssembly, for the npm package in `js/`: sums and Groth16 proofs over BN254 or BLS12-381.
//!
//! Each curve has two modules, by the features `sums` and `proofs`. The module of proofs has no engine: the host passes it sums that
//! an instance of the other module computes. An instance has one thread; the package runs several instances.
//!
//! The feature `threads` makes one module of both parts, for the target `wasm32-wasip1-threads`. Its instances share a memory: the first
//! instance gets all calls, and the others are threads that share its work ([`start_threads`]).
//!
//! Objects that cross the border have numbers: buffers,
//! prepared points, circuits. The host writes into a buffer's memory and names the buffer in a call, so no call takes
//! an address. A call that fails returns 0 and leaves a message ([`take_error`]).
//!
//! # Where changes go
//! - A sum's or a proof's call: `sums.rs` or `proofs.rs`, and its use in `js/engine.mjs`. If an older module cannot serve the new
//!   JavaScript, raise the number of [`interface_version`] here and in `js/engine.mjs`.
//! - Objects behind numbers: `objects.rs`; imports from the host: `host.rs`.
//! - Threads in a shared memory: `threads.rs`; their workers: `js/shared.mjs` and `js/thread.mjs`.
//! - A group: its number in `sums.rs` and in `js/engine.mjs`.
//! - The split of a proof over workers: `js/circuit.mjs`; the workers: `js/pool.mjs` and `js/worker.mjs`.
//! - The module that a host can run, with or without relaxed SIMD, for a curve: `js/detect.mjs`.
//! - An error: `error.rs`.

#![warn(missing_docs)]

mod error;
mod host;
mod objects;
#[cfg(feature = "proofs")]
mod proofs;
#[cfg(feature = "sums")]
mod sums;
#[cfg(feature = "sums")]
mod threads;

use error::Error;
use objects::{Id, Object};
#[cfg(feature = "threads")]
pub use threads::start_threads;

/// Version of the calls. JavaScript refuses a module of another version.
const INTERFACE: u32 = 2;

/// Returns the version of the calls.
#[no_mangle]
pub extern "C" fn interface_version() -> u32 {
    INTERFACE
}

/// Makes a buffer of zeros.
#[no_mangle]
pub extern "C" fn new_buffer(len: usize) -> Id {
    objects::insert(|| {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Error::Memory { bytes: len })?;
        bytes.resize(len, 0);
        Ok(Object::Buffer(bytes))
    })
}

/// Returns the address of a buffer's bytes, valid until the next call. Returns 0 if the object is not a buffer.
#[no_mangle]
pub extern "C" fn buffer_address(id: Id) -> usize {
    objects::with_buffer(id, |bytes| bytes.as_ptr() as usize).unwrap_or(0)
}

/// Returns the length of a buffer, or 0 if the object is not a buffer.
#[no_mangle]
pub extern "C" fn buffer_len(id: Id) -> usize {
    objects::with_buffer(id, |bytes| bytes.len()).unwrap_or(0)
}

/// Frees an object of any kind.
#[no_mangle]
pub extern "C" fn free_object(id: Id) {
    objects::remove(id);
}

/// Returns a buffer with the message of the last call that failed, or 0 if no call has failed.
#[no_mangle]
pub extern "C" fn take_error() -> Id {
    objects::take_error()
}

#[cfg(test)]
mod tests {
    #[test]
    fn javascript_has_the_version() {
        let line = format!("const INTERFACE = {};", super::INTERFACE);
        assert!(include_str!("../js/engine.mjs").lines().any(|found| found == line));
    }
}
