//! Tests the calls through Rust: sums against arkworks and blst, and all mistakes that a caller may make.

mod blst;
mod circuits;
mod control;
mod errors;
mod files;
mod kit;
mod proofs;
mod quotient;
mod streams;
mod sums;
mod writing;
