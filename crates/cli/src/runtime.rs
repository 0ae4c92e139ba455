//! Resources of a command: threads and a progress bar.

use std::io::IsTerminal;
use std::path::Path;

use bucketwheel::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;

use crate::error::Error;
use crate::output::visible;

/// The threads that this process may use at once.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Threads for a command's work.
pub struct Pool(rayon::ThreadPool);

/// A pool of `threads` threads, by default all.
///
/// # Errors
/// If the operating system refuses them.
pub fn pool(threads: Option<usize>) -> Result<Pool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or_else(available_threads)).build();
    Ok(Pool(pool?))
}

impl Pool {
    /// Runs `work` on a thread of the pool. rayon's part of it is compiled once, for all that commands do.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut done) = (Some(work), None);
        let run: &mut (dyn FnMut() + Send) = &mut || done = work.take().map(|work| work());
        self.0.install(run);
        done.expect("rayon runs what it is given, or goes on with its panic")
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }
}

/// A progress bar on standard error; nothing where that is no terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar for work on this file.
    pub fn of(path: &Path) -> Self {
        Self::new(&visible(path.display()))
    }

    /// A bar without a length yet.
    pub fn new(message: &str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{msg} [{wide_bar}] {percent}% {eta}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Bar(ProgressBar::new(0).with_style(style).with_message(message.to_owned()))
    }

    /// A bar for `length` steps.
    pub fn with_length(message: &str, length: u64) -> Self {
        Self::new(message).steps(length)
    }

    /// With so many steps.
    pub fn steps(self, length: u64) -> Self {
        self.0.set_length(length);
        self
    }

    /// Takes it away, also where it is shared.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }

    /// Goes some steps further.
    pub fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) {
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
