//! Tests of a server, in this process or as `bucketwheel serve`: a client that can send anything, and circuits to serve.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod circuits;
pub mod client;
