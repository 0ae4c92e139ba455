//! Servers in the test's process.

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_server::{Circuits, Loading, Options, Server};
use bucketwheel_server_kit::circuits::folder;
use bucketwheel_server_kit::client::Client;
use serde_json::Value;

/// One thread; keys stay in the form of their files.
pub const ONE: Loading = Loading { threads: 1, retain: false };

/// A server on a separate thread, until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// Options with any free port.
pub fn options() -> Options {
    Options { listen: "127.0.0.1:0".parse().unwrap(), ..Options::default() }
}

impl Running {
    pub fn new(options: Options) -> Self {
        Self::of(folder(), options)
    }

    pub fn of(circuits: &Path, options: Options) -> Self {
        Self::loaded(circuits, Loading { threads: 2, ..ONE }, options)
    }

    pub fn loaded(circuits: &Path, loading: Loading, options: Options) -> Self {
        let server = Server::bind(&Circuits::load(circuits, loading).unwrap(), options).unwrap();
        let (address, stop) = (server.address(), Cancel::new());
        let token = stop.clone();
        let thread = Some(std::thread::spawn(move || server.run(&token).unwrap()));
        Running { address, stop, thread }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Asks the server to stop, as a signal does.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until the status meets a condition.
    pub fn wait_for(&self, what: &str, condition: impl Fn(&Value) -> bool) {
        let (start, mut client) = (Instant::now(), self.client());
        loop {
            let status = client.get("/v1/status").json();
            if condition(&status) {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "{what}: {status:#}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until these numbers of requests run and wait.
    pub fn wait_for_load(&self, running: u64, waiting: u64) {
        self.wait_for(&format!("{running} running, {waiting} waiting"), |status| {
            status["queue"]["running"] == running && status["queue"]["waiting"] == waiting
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
        let ended = self.thread.take().map(JoinHandle::join);
        // A failing test has already reported its reason.
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the server panicked");
    }
}
