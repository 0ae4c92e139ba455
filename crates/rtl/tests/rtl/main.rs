//! The blocks of `hdl/` against arkworks and big integers, simulated by Verilator.

mod curve;
mod field;
mod msmac;
mod pe;
mod pipeline;
mod schedule;
