//! The calls, through Rust: sums against arkworks and blst, and all that a caller may do wrong.

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
