//! Witnesses: circom's generated WebAssembly, run on the inputs of a circuit.
//!
//! A circuit compiled by circom calculates its own witness: by circom 2 (`circom --wasm`), or by circom 1 from 0.5.2
//! on (`circom -w`). This module compiles and runs it in bounded memory and time, because the circuit may come from
//! strangers. The circuit can only compute.
//!
//! ```no_run
//! use bucketwheel_snarkjs::witness::{Calculator, Inputs};
//!
//! let wasm = std::fs::read("circuit.wasm")?;
//! let inputs = Inputs::from_json(br#"{ "a": "3", "b": [1, "0x2", -1] }"#)?;
//! let witness = Calculator::new().calculate(&wasm, &inputs)?;
//! println!("{} values on {}", witness.values.len(), witness.curve);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calculator;
mod circom1;
mod circom2;
mod circuit;
mod elements;
mod error;
mod host;
mod inputs;
mod interface;
mod limits;
mod names;
mod version;

pub use calculator::{Calculator, Compiled, Witness};
pub use error::WitnessError;
pub use inputs::Inputs;
