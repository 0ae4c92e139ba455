//! The arguments of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{value_parser, ValueEnum};

use super::shared::threads;
use crate::measure::Bytes;

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// A folder of keys, NAME.zkey or NAME/circuit.zkey, with a .wasm beside each key that takes inputs; or a TOML file that lists circuits
    #[arg(value_name = "FOLDER|CIRCUITS.toml")]
    pub circuits: PathBuf,
    /// Listen on this address; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9080")]
    pub listen: SocketAddr,
    /// Number of requests to work on at once, on all threads together
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = threads())]
    pub workers: usize,
    /// Number of threads to prove with [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Keep the points of keys in the engine's form: proofs are faster, for the memory that the server prints
    #[arg(long)]
    pub retain: bool,
    /// Number of requests that may wait for a worker; the server refuses more
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(0..=1 << 16))]
    pub queue: u32,
    /// Time limit of a request in seconds, including its time in the queue
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = value_parser!(u32).range(1..=86400))]
    pub timeout: u32,
    /// Time limit of a client in seconds for each part: to send a request's head, to send its content, to take the answer, to ask again
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = value_parser!(u32).range(1..=3600))]
    pub patience: u32,
    /// Limit of connections from one address; 0 is no limit, for example behind a proxy [default: 64; 0 if it listens on this machine alone]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1 << 16))]
    pub per_address: Option<u32>,
    /// Size limit of a witness, of inputs or of a list of proofs
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub body_limit: Bytes,
    /// Require the token in this file from requests [default: BUCKETWHEEL_TOKEN, or none]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Accept this host name beside localhost and addresses, for example behind a proxy
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// Also serve the addresses of rapidsnark's server
    #[arg(long)]
    pub rapidsnark_api: bool,
    /// Write a line to standard error for each request, without inputs
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub log: LogArg,
}

/// Form of the log of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogArg {
    /// Write a JSON object per line
    Json,
    /// Write text for people
    Text,
    /// Write no log
    #[default]
    Off,
}
