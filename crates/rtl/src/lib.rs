//! The hardware blocks of `hdl/`, simulated cycle by cycle.
//!
//! With the feature `rtl`, `build.rs` compiles the benches of `hdl/tb` with Verilator, and [`Bench`] drives them; the
//! tests of this crate compare them with arkworks. Without it the crate is empty, so that nothing else needs Verilator.
//! docs/hardware.md has the blocks and the contract of their ports.

#[cfg(feature = "rtl")]
mod bench;
#[cfg(feature = "rtl")]
pub mod cyclone;
#[cfg(feature = "rtl")]
pub use bench::{Bench, Inputs, Outputs};
