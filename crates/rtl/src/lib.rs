//! The hardware blocks of `hdl/`, simulated cycle by cycle.
//!
//! With the feature `rtl`, `build.rs` uses Verilator to compile the benches of `hdl/tb` that are whole machines.
//! [`Bench`] drives any of them. [`cyclone`], [`msmac`], [`gypsophila`] and [`reclaimer`] are hosts of the four machines.
//! [`Selection`] is the compiled machine with given parameters; it computes MSMs and counts like its cycle model.
//! With `blocks`, the benches of the blocks exist too; the tests of this crate compare all of them with arkworks.
//! Without a feature the crate is empty, so nothing else needs Verilator. docs/hardware.md has the blocks and the
//! contract of their ports.
//!
//! # Where changes go
//! - A bench: its line in `benches.rs`, and its module in `hdl/tb`. How Verilator compiles it: `build.rs`.
//! - The comparison of a block with arkworks: `tests/rtl`.
//! - A machine's ports: its host's folder. The benches' memory: `hdl/tb/axi_memory.h`, and `memory` of crates/hardware.
//! - The choice of a compiled machine: `selection.rs`.

// Links lead nowhere in the empty crate.
#![cfg_attr(not(feature = "rtl"), allow(rustdoc::broken_intra_doc_links))]
#![cfg(feature = "rtl")]
#![warn(missing_docs)]

mod bench;
#[path = "../benches.rs"]
mod benches;
mod bus;
mod coordinates;
pub mod cyclone;
mod edwards;
mod fault;
pub mod gypsophila;
mod memory;
pub mod msmac;
pub mod reclaimer;
mod selection;
mod stream;
mod watch;

pub use bench::{Bench, Inputs, Outputs};
pub use bus::{Bus, Reply, Request};
pub use fault::Fault;
pub use memory::BenchPort;
pub use selection::{select, Multipliers, Selection, Simulated, Simulates, Trace, Waveforms};
pub use watch::Watch;
