//! The blocks of `hdl/` against arkworks and big integers, simulated by Verilator.

mod curve;
mod cyclone;
mod field;
mod gypsophila;
mod msmac;
#[path = "../vectors/numbers.rs"]
mod numbers;
mod pipeline;
mod schedule;
mod standalone;
