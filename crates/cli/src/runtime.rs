//! Resources of a command: threads, cancellation, progress.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bucketwheel::{Cancel, Error as EngineError, Progress};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use serde_json::json;

use crate::error::Error;
use crate::output::{tell, visible};

/// Returns the number of threads that this process may use at once.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Threads for a command's work.
pub struct Pool(rayon::ThreadPool);

/// Returns a pool of `threads` threads, by default all.
///
/// # Errors
/// If the operating system refuses them.
pub fn pool(threads: Option<usize>) -> Result<Pool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or_else(available_threads)).build();
    Ok(Pool(pool?))
}

impl Pool {
    /// Runs `work` on a thread of the pool. rayon's part of it is compiled once, for all commands.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut done) = (Some(work), None);
        let run: &mut (dyn FnMut() + Send) = &mut || done = work.take().map(|work| work());
        self.0.install(run);
        done.expect("rayon runs what it is given, or goes on with its panic")
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }
}

/// Form of progress on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressArg {
    /// A bar, if standard error is a terminal
    #[default]
    Auto,
    /// A JSON object per line, {"stage", "done", "total"}, at most ten a second
    Json,
    /// No progress
    None,
}

/// Least time between lines of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// The place where a command reports its progress.
pub struct Reporter {
    form: ProgressArg,
    /// Time of the last line.
    last: Mutex<Option<Instant>>,
}

impl Reporter {
    /// Returns a reporter of this form.
    pub fn new(form: ProgressArg) -> Self {
        let form = match form {
            ProgressArg::Auto if !std::io::stderr().is_terminal() => ProgressArg::None,
            form => form,
        };
        Reporter { form, last: Mutex::new(None) }
    }

    /// Writes a line, unless the last one is too recent.
    fn line(&self, stage: &str, done: u64, total: u64) {
        // A thread that waits for another thread's line has nothing newer to report.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        *last = Some(Instant::now());
        tell(json!({ "stage": stage, "done": done, "total": total }));
    }
}

/// Environment of all commands. Results go to a separate writer.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Set by Ctrl-C.
    pub cancel: &'a Cancel,
    /// Reports progress.
    pub reporter: &'a Arc<Reporter>,
}

impl Context<'_> {
    /// Returns an error if Ctrl-C was pressed.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`].
    pub fn check(self) -> Result<(), Error> {
        match self.cancel.is_cancelled() {
            true => Err(EngineError::Cancelled.into()),
            false => Ok(()),
        }
    }

    /// Returns the progress of a stage, with a word for machines and a text for people. It has no total yet.
    pub fn bar(self, stage: &'static str, message: &str) -> Bar {
        let shown = (self.reporter.form == ProgressArg::Auto).then(|| {
            let style = ProgressStyle::with_template("{msg} [{wide_bar}] {percent}% {eta}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(0).with_style(style).with_message(message.to_owned())
        });
        let (done, total) = (AtomicU64::new(0), AtomicU64::new(0));
        let span = tracing::info_span!("stage", stage, message);
        Bar { stage, reporter: self.reporter.clone(), shown, done, total, _span: span }
    }

    /// Returns the progress of a stage over a file.
    pub fn bar_of(self, stage: &'static str, path: &Path) -> Bar {
        self.bar(stage, &visible(path.display()))
    }
}

/// Progress of a stage.
pub struct Bar {
    stage: &'static str,
    reporter: Arc<Reporter>,
    shown: Option<ProgressBar>,
    done: AtomicU64,
    total: AtomicU64,
    /// Ends with the bar.
    _span: tracing::Span,
}

impl Bar {
    /// Sets the total number of steps.
    pub fn steps(self, total: u64) -> Self {
        self.set(0, total);
        self
    }

    /// Removes the bar, even if it is shared.
    pub fn clear(&self) {
        self.shown.iter().for_each(ProgressBar::finish_and_clear);
    }

    /// Advances by some steps.
    pub fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        self.tell(done, self.total.load(Ordering::Relaxed));
    }

    fn set(&self, done: u64, total: u64) {
        // Not the maximum so far, although threads may report out of order: for a pair, the second group starts
        // again.
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.tell(done, total);
    }

    fn tell(&self, done: u64, total: u64) {
        if let Some(shown) = &self.shown {
            shown.set_length(total);
            shown.set_position(done);
        }
        if self.reporter.form == ProgressArg::Json {
            self.reporter.line(self.stage, done.min(total), total);
        }
    }
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) {
        self.set(done as u64, total as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
