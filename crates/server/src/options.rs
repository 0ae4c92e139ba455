//! The settings of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::token::Token;

/// Options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on; port 0 stands for any free port.
    pub listen: SocketAddr,
    /// Number of requests to work on at once.
    pub workers: usize,
    /// Number of requests that may wait for a worker.
    pub queue: usize,
    /// Longest time of a request, the time in the queue included.
    pub timeout: Duration,
    /// Time in which a client must finish each part of a request: send its head, send its content, take the answer, and
    /// ask again.
    pub patience: Duration,
    /// Most connections at once from one address; 0 sets no limit. `None` stands for 64, or for no limit on an address
    /// of this machine alone. A network of 64 bits counts as one address of IPv6.
    pub per_address: Option<usize>,
    /// Most bytes of a request's content.
    pub body_limit: usize,
    /// The token that requests need. An address that others reach requires a token.
    pub token: Option<Token>,
    /// Host names of the server, beside localhost and its addresses.
    pub hosts: Vec<String>,
    /// True if the server also has the addresses of rapidsnark's server.
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
