//! Limits of a circuit, and the means to stop it.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use wasmtime::{Engine, ResourceLimiter};

use super::WitnessError;

/// Time between two checks of the clock and the cancellation.
const LOOK: Duration = Duration::from_millis(10);

/// Number of bytes of a table's element, a function: circuits may have no other kind of table.
const ELEMENT_BYTES: usize = size_of::<usize>();

/// Limits of a circuit's calculation.
#[derive(Clone)]
pub struct Limits {
    /// Bytes of memory and tables together.
    pub memory: usize,
    /// Time for the whole calculation.
    pub time: Duration,
    /// A request to stop.
    pub cancel: Cancel,
}

/// A calculation in progress.
#[derive(Clone)]
pub struct Run {
    limits: Limits,
    deadline: Option<Instant>,
}

impl Limits {
    /// Begins a calculation and its time.
    pub fn start(&self) -> Run {
        Run { limits: self.clone(), deadline: Instant::now().checked_add(self.time) }
    }
}

impl Run {
    /// Returns an error if the calculation must stop.
    pub fn check(&self) -> Result<(), WitnessError> {
        if self.limits.cancel.is_cancelled() {
            return Err(WitnessError::Cancelled);
        }
        match self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            true => Err(WitnessError::Time { limit: self.limits.time }),
            false => Ok(()),
        }
    }

    /// Waits for a message of another thread, and returns `None` if that thread ends without one. Returns an error as
    /// soon as the calculation must stop.
    pub fn wait<T>(&self, sent: &Receiver<T>) -> Result<Option<T>, WitnessError> {
        loop {
            match sent.recv_timeout(LOOK) {
                Ok(sent) => return Ok(Some(sent)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.check()?,
            }
        }
    }

    /// Lets everything that `engine` runs check for a stop as soon as this calculation must stop. Returns when
    /// `ended` is closed.
    pub fn stop(&self, engine: &Engine, ended: &Receiver<()>) {
        while self.wait(ended).is_err() {
            engine.increment_epoch();
        }
    }

    /// Returns the limit of memory and tables together, in bytes.
    pub fn memory(&self) -> usize {
        self.limits.memory
    }

    /// Returns the memory of the system.
    pub fn room(&self) -> Room {
        Room { left: self.limits.memory, refused: false }
    }

    /// Returns the error of a circuit that needs more memory.
    pub fn memory_error(&self) -> WitnessError {
        WitnessError::Memory { limit: self.limits.memory }
    }

    /// Allocates memory for the values of the witness, which has a limit of its own.
    pub fn values<T>(&self, count: usize) -> Result<Vec<T>, WitnessError> {
        let mut values = Vec::new();
        let fits = count.saturating_mul(size_of::<T>()) <= self.limits.memory;
        match fits && values.try_reserve_exact(count).is_ok() {
            true => Ok(values),
            false => Err(self.memory_error()),
        }
    }
}

/// Remaining bytes of the limit, for all memories and tables of an instance.
pub struct Room {
    left: usize,
    refused: bool,
}

impl Room {
    /// Returns true if a request was too large.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// Returns true if a memory or table may grow from one size to another. The growth then counts, even if the
    /// system refuses it.
    fn grow(&mut self, current: usize, desired: usize, maximum: Option<usize>, bytes: usize) -> bool {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return false;
        }
        let left = self.left.checked_sub(desired.saturating_sub(current).saturating_mul(bytes));
        self.refused |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

impl ResourceLimiter for Room {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool, wasmtime::Error> {
        Ok(self.grow(current, desired, maximum, 1))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool, wasmtime::Error> {
        Ok(self.grow(current, desired, maximum, ELEMENT_BYTES))
    }
}
