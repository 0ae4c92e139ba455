//! Tests of a server, in this process or as `bucketwheel serve`: a client that can send anything, and circuits to serve.
//!
//! # Where changes go
//! - Another request or another view of an answer: `client.rs`.
//! - Another circuit to serve, or other inputs: `circuits.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod circuits;
pub mod client;
