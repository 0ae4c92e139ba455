//! Tests the calls through Rust: sums against arkworks and blst, and all mistakes that a caller may make.

mod blst;
mod circuits;
mod control;
mod errors;
mod files;
#[cfg(feature = "witness")]
#[path = "../programs/keys.rs"]
mod keys;
mod kit;
mod proofs;
mod quotient;
mod streams;
mod sums;
mod writing;
