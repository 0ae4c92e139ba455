//! The arguments of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{value_parser, ValueEnum};

use super::shared::threads;
use crate::measure::Bytes;

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// A folder of keys, NAME.zkey or NAME/circuit.zkey, with a .wasm beside those that take inputs; or a TOML that lists circuits
    #[arg(value_name = "FOLDER|CIRCUITS.toml")]
    pub circuits: PathBuf,
    /// The address to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9080")]
    pub listen: SocketAddr,
    /// Requests that are worked on at once, on all threads together
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = threads())]
    pub workers: usize,
    /// Threads to prove with [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Keep keys' points in memory as the engine takes them: faster proofs, for as much memory as it says
    #[arg(long)]
    pub retain: bool,
    /// Requests that may wait for a worker; more are refused
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(0..=1 << 16))]
    pub queue: u32,
    /// Seconds that a request may take, the time in the queue included
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = value_parser!(u32).range(1..=86400))]
    pub timeout: u32,
    /// Seconds that a client has for each part: to send a request's head, to send its content, to take the answer, to ask again
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = value_parser!(u32).range(1..=3600))]
    pub patience: u32,
    /// Connections at once from one address, 0 for any number, as behind a proxy [default: 64; 0 if it listens on this machine alone]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1 << 16))]
    pub per_address: Option<u32>,
    /// The longest witness, inputs or list of proofs
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub body_limit: Bytes,
    /// The token that requests have to have [default: BUCKETWHEEL_TOKEN, or none]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name that the server has beside localhost and its addresses, as behind a proxy
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// Have the addresses of rapidsnark's server, too
    #[arg(long)]
    pub rapidsnark_api: bool,
    /// A line on standard error for each request; inputs are never in it
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub log: LogArg,
}

/// Form of the log of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogArg {
    /// An object a line
    Json,
    /// Words for people
    Text,
    /// No log
    #[default]
    Off,
}
