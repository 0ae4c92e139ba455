//! Runs cases, one after the other, until the time is over or a case fails.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::{Duration, Instant};

use rand_chacha::rand_core::SeedableRng;

use crate::shared::Random;

thread_local! {
    /// The last panic of this thread, with its place.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the messages of panics, most of which are intended, instead of printing them.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| PANIC.with_borrow_mut(|last| *last = Some(info.to_string()))));
}

/// Cases to run: all cases from a seed, or one case.
pub struct Session {
    pub seed: u64,
    pub case: Option<u64>,
}

impl Session {
    /// Runs cases for this time. A case panics if something is wrong, and takes less than `limit`. Returns the number
    /// of cases, or the failure and the command that repeats it, with `more` arguments.
    ///
    /// # Errors
    /// The failure.
    pub fn run(
        &self,
        runner: &'static str,
        more: &str,
        time: Duration,
        limit: Duration,
        mut case: impl FnMut(&mut Random),
    ) -> Result<String, String> {
        let start = Instant::now();
        let (mut number, mut count) = (self.case.unwrap_or(0), 0);
        while count == 0 || (self.case.is_none() && start.elapsed() < time) {
            let repeat = format!("torture {runner} --seed {} --case {number}{more}", self.seed);
            let mut random = Random::seed_from_u64(self.seed);
            random.set_stream(number);
            watched(limit, &repeat, || catch_unwind(AssertUnwindSafe(|| case(&mut random))))
                .map_err(|panic| format!("{}\nfailed; to repeat it: {repeat}", message(panic.as_ref())))?;
            (number, count) = (number + 1, count + 1);
        }
        Ok(format!("{runner} {count} cases in {:.0} s", start.elapsed().as_secs_f64()))
    }
}

/// Runs `work`; ends the program if that takes longer than `limit`.
fn watched<T>(limit: Duration, repeat: &str, work: impl FnOnce() -> T) -> T {
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                eprintln!("not done after {limit:?}\nfailed; to repeat it: {repeat}");
                std::process::exit(1);
            }
        });
        let outcome = work();
        drop(done);
        outcome
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let here = PANIC.with_borrow_mut(Option::take);
    let text = || {
        panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|&text| text.into()))
    };
    here.or_else(text).unwrap_or_else(|| "a panic without words".into())
}
