//! Limits of a circuit, and what stops it.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use wasmtime::{Engine, ResourceLimiter};

use super::WitnessError;

/// The time between two looks at the clock and the cancellation.
const LOOK: Duration = Duration::from_millis(10);

/// The bytes of a table's element, a function: the only kind that circuits may have.
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

/// A calculation that has begun.
#[derive(Clone)]
pub struct Run {
    limits: Limits,
    deadline: Option<Instant>,
}

impl Limits {
    /// Begins a calculation: its time runs.
    pub fn start(&self) -> Run {
        Run { limits: self.clone(), deadline: Instant::now().checked_add(self.time) }
    }
}

impl Run {
    /// An error if the calculation is to stop.
    pub fn check(&self) -> Result<(), WitnessError> {
        if self.limits.cancel.is_cancelled() {
            return Err(WitnessError::Cancelled);
        }
        match self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            true => Err(WitnessError::Time { limit: self.limits.time }),
            false => Ok(()),
        }
    }

    /// Waits for what another thread sends, none if it ends without; an error as soon as the calculation is to stop.
    pub fn wait<T>(&self, sent: &Receiver<T>) -> Result<Option<T>, WitnessError> {
        loop {
            match sent.recv_timeout(LOOK) {
                Ok(sent) => return Ok(Some(sent)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.check()?,
            }
        }
    }

    /// Makes all that `engine` runs look whether it is to stop, as soon as this calculation is; returns when `ended` is closed.
    pub fn stop(&self, engine: &Engine, ended: &Receiver<()>) {
        while self.wait(ended).is_err() {
            engine.increment_epoch();
        }
    }

    /// The limit of memory and tables together, in bytes.
    pub fn memory(&self) -> usize {
        self.limits.memory
    }

    /// The memory that there is.
    pub fn room(&self) -> Room {
        Room { left: self.limits.memory, refused: false }
    }

    /// The error of a circuit that needs more.
    pub fn memory_error(&self) -> WitnessError {
        WitnessError::Memory { limit: self.limits.memory }
    }

    /// Memory for so many values of the witness: the limit is for them anew.
    pub fn values<T>(&self, count: usize) -> Result<Vec<T>, WitnessError> {
        let mut values = Vec::new();
        let fits = count.saturating_mul(size_of::<T>()) <= self.limits.memory;
        match fits && values.try_reserve_exact(count).is_ok() {
            true => Ok(values),
            false => Err(self.memory_error()),
        }
    }
}

/// The bytes that are left of the limit, for all memories and tables of an instance.
pub struct Room {
    left: usize,
    refused: bool,
}

impl Room {
    /// Returns true if a request was too large.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// Returns true if something may grow from one size to another; it counts then, even if the system refuses it.
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
