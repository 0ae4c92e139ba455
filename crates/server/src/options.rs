//! The settings of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::token::Token;

/// Options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Requests that are worked on at once.
    pub workers: usize,
    /// Requests that may wait for a worker.
    pub queue: usize,
    /// The longest that a request may take, the time in the queue included.
    pub timeout: Duration,
    /// The time that a client has for each part of a request: to send its head, to send its content, to take the answer, and
    /// to ask again.
    pub patience: Duration,
    /// The most connections at once from one address, 0 for any number; without a number, 64, or any number on an address of
    /// this machine alone. A network of 64 bits counts as one address of IPv6.
    pub per_address: Option<usize>,
    /// The longest content of a request, in bytes.
    pub body_limit: usize,
    /// The token that requests have to have; an address that others reach takes one.
    pub token: Option<Token>,
    /// Names that the server has, beside localhost and its addresses.
    pub hosts: Vec<String>,
    /// True if there are the addresses of rapidsnark's server, too.
    pub rapidsnark_api: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: (Ipv4Addr::LOCALHOST, 9080).into(),
            workers: 2,
            queue: 64,
            timeout: Duration::from_secs(300),
            patience: Duration::from_secs(10),
            per_address: None,
            body_limit: 64 << 20,
            token: None,
            hosts: Vec::new(),
            rapidsnark_api: false,
        }
    }
}
