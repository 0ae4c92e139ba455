//! Imports of circom's WebAssembly: its messages and its errors.

use std::sync::Arc;

use num_bigint::BigUint;
use wasmtime::{Caller, Error, Extern, Linker};

use super::circuit::VALUE_BYTES;
use super::limits::Room;

/// Receives the lines that a circuit logs.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// The longest message that is kept, in characters.
const MAX_MESSAGE: usize = 1 << 12;

/// Maximum length of a circuit's log, in bytes.
const MAX_LOG: usize = 1 << 20;

/// The module that circom imports from.
const MODULE: &str = "runtime";

/// State that imported functions work on.
pub struct Host {
    /// For the circuit's memory and tables.
    pub room: Room,
    /// The address of the value that the circuit and its user share.
    pub shared: usize,
    log: Option<Log>,
    /// The bytes that may still be logged.
    log_left: usize,
    /// The beginning of the next line to log.
    line: String,
    /// Places of an error in the circuit, told before the error itself.
    places: Vec<String>,
}

impl Host {
    pub fn new(room: Room, log: Option<Log>) -> Self {
        Host { room, shared: 0, log, log_left: MAX_LOG, line: String::new(), places: Vec::new() }
    }

    fn append(&mut self, item: &str) {
        if self.line.len() + item.len() < MAX_MESSAGE {
            if !self.line.is_empty() {
                self.line.push(' ');
            }
            self.line.push_str(item);
        }
    }

    /// Logs the line.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let left = self.log_left.saturating_sub(line.len() + 1);
        if let Some(log) = &self.log {
            match (self.log_left, left) {
                (0, _) => {}
                (_, 0) => log("the circuit logs more than 1 MiB: the rest is left out"),
                _ => log(&line),
            }
        }
        self.log_left = left;
    }
}

/// A circuit's own error: it ends the run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Defines what circom's WebAssembly imports.
pub fn define(linker: &mut Linker<Host>) -> Result<(), Error> {
    linker.func_wrap(MODULE, "exceptionHandler", |caller: Caller<'_, Host>, code: i32| {
        let what = match code {
            1 => "signal not found",
            2 => "too many signals set",
            3 => "signal already set",
            4 => "assertion failed",
            5 => "not enough memory",
            6 => "more values than the input signal has",
            _ => "unknown error",
        };
        let places = &caller.data().places;
        let separator = if places.is_empty() { "" } else { ": " };
        Err::<(), _>(Error::new(Refused(format!("{what}{separator}{}", places.join("; ")))))
    })?;
    linker.func_wrap(MODULE, "printErrorMessage", |mut caller: Caller<'_, Host>| {
        let place = message(&mut caller)?;
        let host = caller.data_mut();
        if host.places.len() < 16 {
            host.places.push(place.trim().replace('\n', "; "));
        }
        Ok::<(), Error>(())
    })?;
    // A message that is the end of a line alone ends the line.
    linker.func_wrap(MODULE, "writeBufferMessage", |mut caller: Caller<'_, Host>| {
        let message = message(&mut caller)?;
        let host = caller.data_mut();
        match message.as_str() {
            "\n" => host.end_line(),
            item => host.append(item),
        }
        Ok::<(), Error>(())
    })?;
    linker.func_wrap(MODULE, "showSharedRWMemory", |mut caller: Caller<'_, Host>| {
        let value = shared_value(&mut caller)?;
        caller.data_mut().append(&value.to_string());
        Ok::<(), Error>(())
    })?;
    Ok(())
}

/// Reads the message that the circuit has ready, character by character: those alone that a terminal shows.
fn message(caller: &mut Caller<'_, Host>) -> Result<String, Error> {
    let next = caller.get_export("getMessageChar").and_then(Extern::into_func);
    let next = next.ok_or_else(|| Error::msg("it exports no function getMessageChar"))?;
    let next = next.typed::<(), i32>(&caller)?;
    let mut message = String::new();
    while message.len() < MAX_MESSAGE {
        match next.call(&mut *caller, ())? {
            0 => break,
            code => {
                let character = u32::try_from(code).ok().and_then(char::from_u32);
                message.push(character.filter(|c| !c.is_control() || "\n\t".contains(*c)).unwrap_or('?'));
            }
        }
    }
    Ok(message)
}

/// The value that the circuit has ready.
fn shared_value(caller: &mut Caller<'_, Host>) -> Result<BigUint, Error> {
    let memory = caller.get_export("memory").and_then(Extern::into_memory);
    let mut bytes = [0; VALUE_BYTES];
    memory
        .and_then(|memory| memory.read(&*caller, caller.data().shared, &mut bytes).ok())
        .ok_or_else(|| Error::msg("its shared value is not in its memory"))?;
    Ok(BigUint::from_bytes_le(&bytes))
}
