//! A proof server over HTTP. It loads keys and witness calculators once; a bounded number of threads makes the proofs.
//!
//! ```no_run
//! use bucketwheel::Cancel;
//! use bucketwheel_server::{Circuits, Loading, Options, Server};
//!
//! let circuits = Circuits::load("circuits".as_ref(), Loading { threads: 2, retain: true })?;
//! let server = Server::bind(&circuits, Options::default())?;
//! println!("http://{}", server.address());
//! server.run(&Cancel::new())?;
//! # Ok::<(), bucketwheel_server::Error>(())
//! ```
//!
//! docs/server.md lists the addresses. A request passes the guard, waits in the queue, and one of the queue's threads
//! works on it; a separate thread runs all asynchronous code.
//!
//! # Where changes go
//! - An address: its line and its function in `routes.rs`, and its description in `openapi.json`.
//! - A setting: `options.rs`, and its argument in `crates/cli/src/args/serve.rs`. The circuits of a folder or a list:
//!   `config.rs`.
//! - Access, the token included: `guard.rs` and `token.rs`; a count or a time: `metrics.rs`.
//! - The addresses of rapidsnark's server: `rapidsnark.rs`; the page for browsers: `page.html`.
//! - A reason to refuse a request, or its status: `refusal.rs`.
//! - The order of waiting requests: `queue.rs`; deadlines of connections: `connections/visit.rs`; their number:
//!   `connections/mod.rs` and `connections/places.rs`.

#![warn(missing_docs)]

mod app;
mod bounded;
mod circuit;
mod config;
mod connections;
mod error;
mod guard;
mod metrics;
mod options;
mod queue;
mod rapidsnark;
mod refusal;
mod routes;
mod stages;
mod token;

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use bucketwheel::Cancel;
use rayon::ThreadPoolBuilder;

use app::App;
use circuit::Circuit;
use connections::{Limits, Places, CONNECTIONS, KEPT, PER_ADDRESS};
use guard::Guard;
use queue::Queue;

pub use circuit::Info;
pub use error::{Error, TOKEN_VARIABLE};
pub use options::Options;
pub use token::Token;

/// Options for loading circuits.
#[derive(Clone, Copy, Debug)]
pub struct Loading {
    /// Number of threads that prove.
    pub threads: usize,
    /// True if the points of keys stay in memory in the engine's form (`Prover::retaining`), which makes proofs faster.
    /// Otherwise each proof reads the points from a copy of the file.
    pub retain: bool,
}

/// Loaded circuits.
pub struct Circuits(Vec<Arc<Circuit>>);

impl Circuits {
    /// Loads the circuits of a folder or of a TOML file. The [example](crate) uses it.
    ///
    /// # Errors
    /// For the first file that cannot be used.
    pub fn load(path: &Path, loading: Loading) -> Result<Self, Error> {
        let name = |index| format!("prover {index}");
        let pool = ThreadPoolBuilder::new().num_threads(loading.threads).thread_name(name).build();
        let pool = Arc::new(pool.map_err(|error| Error::Start(error.to_string()))?);
        let circuits = config::sources(path)?
            .iter()
            .map(|source| Circuit::load(source, &pool, loading.retain).map(Arc::new))
            .collect::<Result<_, _>>();
        circuits.map(Circuits)
    }

    /// Returns the properties of each circuit. See the [example](crate).
    pub fn infos(&self) -> impl Iterator<Item = &Info> {
        self.0.iter().map(|circuit| circuit.info())
    }
}

/// A server that is already listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    app: Arc<App>,
    timeout: Duration,
}

impl Server {
    /// Listens, and starts the workers. The [example](crate) uses it.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Listen`], [`Error::Start`].
    pub fn bind(circuits: &Circuits, options: Options) -> Result<Self, Error> {
        let Options { listen, timeout, body_limit, .. } = options;
        let limits = Limits {
            all: CONNECTIONS,
            kept: if options.token.is_some() { KEPT } else { 0 },
            per_address: options.per_address.unwrap_or(if listen.ip().is_loopback() {
                0
            } else {
                PER_ADDRESS
            }),
        };
        guard::check_address(listen, options.token.as_ref())?;
        let listening =
            connections::listen(listen).and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = listening.map_err(|source| Error::Listen { address: listen, source })?;
        let queue =
            Queue::new(options.queue, options.workers).map_err(|error| Error::Start(error.to_string()))?;
        let app = Arc::new(App::new(&circuits.0, queue, Places::new(limits), &options));
        let more = if options.rapidsnark_api { rapidsnark::routes() } else { Vec::new() };
        let guard = Guard { token: options.token, hosts: options.hosts };
        let router = routes::router(&app, guard, body_limit, more);
        Ok(Server { listener, address, router, app, timeout })
    }

    /// Returns the address, with the actual port. The [example](crate) uses it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is set, and then finishes the requests that have arrived by that time. The [example](crate)
    /// uses it.
    ///
    /// # Errors
    /// [`Error::Start`].
    pub fn run(self, stop: &Cancel) -> Result<(), Error> {
        let Server { listener, router, app, timeout, .. } = self;
        let start = |error: std::io::Error| Error::Start(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        runtime.map_err(start)?.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).map_err(start)?;
            connections::serve(listener, router, app, stop, timeout).await;
            Ok(())
        })
    }
}
