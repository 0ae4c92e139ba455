//! For tests of a server that runs in this process or as `bucketwheel serve`: a client that can send anything, and circuits to
//! serve. It starts no server. The tests of `server` and `cli` use it.
//!
//! # Where changes go
//! - Another request, and the time that the client waits: [`client::Client`]. Another view of an answer: [`client::Reply`].
//! - Another circuit to serve: [`circuits::folder`].
//! - Other inputs, and the check of a proof: [`circuits::witness`] and [`circuits::holds`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod circuits;
pub mod client;
