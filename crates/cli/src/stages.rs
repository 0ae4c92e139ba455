//! `--verbose`: the stages of a command and their times, on standard error.
//!
//! Stages are spans of `tracing`. This subscriber prints them in a line for people; `tracing-subscriber` would add a
//! quarter of a megabyte to the command.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::measure::milliseconds;
use crate::output::tell;

/// Prints spans when they end.
#[derive(Default)]
struct Stages {
    last: AtomicU64,
    /// The spans that have not ended: their start and their text.
    open: Mutex<HashMap<u64, (Instant, String)>>,
}

/// Shows stages from now on, in this process.
pub fn show() {
    // The call fails if the program that contains this command has its own subscriber, which then gets the spans.
    let _ = tracing::subscriber::set_global_default(Stages::default());
}

impl Subscriber for Stages {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO && metadata.target().starts_with("bucketwheel")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = Text::default();
        span.record(&mut text);
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.open.lock().expect("no panic under the lock").insert(id, (Instant::now(), text.0));
        Id::from_u64(id)
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        tell(text.0);
    }

    // Nobody clones a span of this program, so its first end is its last.
    fn try_close(&self, id: Id) -> bool {
        let closed = self.open.lock().expect("no panic under the lock").remove(&id.into_u64());
        if let Some((start, text)) = &closed {
            tell(line(milliseconds(start.elapsed()), text));
        }
        closed.is_some()
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Returns the line of a stage.
pub fn line(ms: f64, stage: &str) -> String {
    format!("{ms:>10.1} ms  {stage}")
}

/// The values of a span, separated by spaces.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, _: &Field, value: &dyn fmt::Debug) {
        let space = if self.0.is_empty() { "" } else { " " };
        // Writing into a string does not fail.
        let _ = write!(self.0, "{space}{value:?}");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}
