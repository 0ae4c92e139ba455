//! Resources of a command: threads, cancellation, progress.

use std::fmt;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bucketwheel::{Cancel, Error as EngineError, Progress};
use clap::ValueEnum;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
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
    /// Runs `work` on a thread of the pool. rayon's part of the call is compiled once, for all commands.
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
    /// A bar in a terminal, otherwise a line every ten seconds
    #[default]
    Auto,
    /// A JSON object per line, {"stage", "done", "total"}, at most ten a second and one more at the end of a stage
    Json,
    /// No progress
    None,
}

/// Least time between lines of JSON.
const INTERVAL: Duration = Duration::from_millis(100);
/// Least time between two lines in a log, and before the first line.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Time after which a bar appears. A shorter stage shows no bar.
const DELAY: Duration = Duration::from_millis(200);

/// Form of progress for this process's standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bar,
    Json,
    /// A line every ten seconds, where standard error is no terminal.
    Log,
    None,
}

/// The place where a command reports its progress.
pub struct Reporter {
    form: Form,
    /// Time of the last line, or of the start in a log.
    last: Mutex<Option<Instant>>,
}

impl Reporter {
    /// Returns a reporter of this form.
    pub fn new(form: ProgressArg) -> Self {
        let form = match form {
            ProgressArg::Auto if std::io::stderr().is_terminal() => Form::Bar,
            ProgressArg::Auto => Form::Log,
            ProgressArg::Json => Form::Json,
            ProgressArg::None => Form::None,
        };
        Reporter { form, last: Mutex::new((form == Form::Log).then(Instant::now)) }
    }

    /// Writes a line, unless the last line is too recent. Always writes the line of a stage's end.
    fn line(&self, interval: Duration, is_end: bool, text: impl fmt::Display) {
        // A thread that waits for another thread's line has nothing newer to report, except the end.
        let last = if is_end { self.last.lock().ok() } else { self.last.try_lock().ok() };
        let Some(mut last) = last else { return };
        if !is_end && last.is_some_and(|last| last.elapsed() < interval) {
            return;
        }
        *last = Some(Instant::now());
        tell(text);
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
        let shown = (self.reporter.form == Form::Bar).then(|| {
            let style = ProgressStyle::with_template("{msg} [{wide_bar:.cyan}] {percent}% {left}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", write_left);
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
            bar.with_style(style).with_message(message.to_owned())
        });
        Bar {
            stage,
            message: message.to_owned(),
            reporter: self.reporter.clone(),
            shown,
            start: Instant::now(),
            is_visible: AtomicBool::new(false),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            has_ended: AtomicBool::new(false),
            _span: tracing::info_span!("stage", stage, message),
        }
    }

    /// Returns the progress of a stage over a file.
    pub fn bar_of(self, stage: &'static str, path: &Path) -> Bar {
        self.bar(stage, &visible(path.display()))
    }
}

/// Writes the time that a stage still needs at its average speed so far, once that speed says something: after a second,
/// and a hundredth of the steps.
fn write_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let (done, total) = (state.pos() as f64, state.len().unwrap_or(0) as f64);
    if 100.0 * done >= total && total > 0.0 && state.elapsed() >= Duration::from_secs(1) {
        let left = state.elapsed().mul_f64((total - done).max(0.0) / done);
        // A bar has no place for this error.
        let _ = write!(out, "{:#}", HumanDuration(left));
    }
}

/// Progress of a stage.
pub struct Bar {
    stage: &'static str,
    message: String,
    reporter: Arc<Reporter>,
    shown: Option<ProgressBar>,
    start: Instant,
    /// True while the bar is on the screen.
    is_visible: AtomicBool,
    /// True after the end was reported, until the stage starts again.
    has_ended: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    /// The span of the stage, which ends with the bar.
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
        // Threads may report out of order; the next report corrects it.
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.tell(done, total);
    }

    fn tell(&self, done: u64, total: u64) {
        match (self.reporter.form, &self.shown) {
            (Form::Bar, Some(shown)) => {
                shown.set_length(total);
                shown.set_position(done);
                if self.start.elapsed() >= DELAY && !self.is_visible.swap(true, Ordering::Relaxed) {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                }
            }
            (Form::Json, _) => {
                let ends = total > 0 && done >= total;
                let is_end = !self.has_ended.swap(ends, Ordering::Relaxed) && ends;
                let line = json!({ "stage": self.stage, "done": done.min(total), "total": total });
                self.reporter.line(INTERVAL, is_end, line);
            }
            (Form::Log, _) => {
                let percent = 100 * done.min(total) / total.max(1);
                self.reporter.line(
                    LOG_INTERVAL,
                    false,
                    format_args!("{} {}: {percent} %", self.stage, self.message),
                );
            }
            _ => {}
        }
    }
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) {
        self.set(done as u64, total as u64);
    }
}

/// Progress of work on the points of both groups of a pair, one group after the other. Work over the extension field takes
/// twice as long.
pub struct Pair<'a> {
    bar: &'a Bar,
    /// True after the end of the first group's work, which is reported once or twice.
    is_second: AtomicBool,
    /// Steps of the group at work.
    total: AtomicUsize,
}

impl<'a> Pair<'a> {
    /// Returns the progress of a pair on a bar.
    pub fn new(bar: &'a Bar) -> Self {
        Pair { bar, is_second: AtomicBool::new(false), total: AtomicUsize::new(0) }
    }

    /// Reports the end of the work on both groups.
    pub fn end(&self) {
        let total = 3 * self.total.load(Ordering::Relaxed);
        self.bar.report(total, total);
    }
}

impl Progress for Pair<'_> {
    fn report(&self, done: usize, total: usize) {
        self.total.store(total, Ordering::Relaxed);
        match (done >= total, self.is_second.load(Ordering::Relaxed)) {
            (true, _) => self.is_second.store(true, Ordering::Relaxed),
            (false, false) => self.bar.report(done, 3 * total),
            (false, true) => self.bar.report(total + 2 * done, 3 * total),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
