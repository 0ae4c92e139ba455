//! The blocks of `hdl/` against arkworks and big integers, simulated by Verilator.

// This module comes first, because one of its tests compiles for a minute on one processor.
mod alone;
mod batch;
mod card;
mod curve;
mod cyclone;
mod cyclone_card;
mod cyclone_f1;
mod field;
mod gypsophila;
mod gypsophila_card;
mod host;
mod memory;
mod msmac;
mod msmac_card;
#[path = "../vectors/numbers.rs"]
mod numbers;
mod pipeline;
mod points;
mod reclaimer;
mod reclaimer_card;
mod schedule;
