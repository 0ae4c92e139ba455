//! The surroundings of circom's WebAssembly: a log, and an end for its errors.

use std::sync::Arc;

use wasmtime::{Caller, Error, Memory};

use super::elements::Elements;
use super::limits::Room;

/// Receives the lines that a circuit logs.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Largest length of a kept message, in characters.
pub const MAX_MESSAGE: usize = 1 << 12;

/// Maximum length of a circuit's log, in bytes.
const MAX_LOG: usize = 1 << 20;

/// The module that circom imports from.
pub const MODULE: &str = "runtime";

/// State of the imported functions.
pub struct Host {
    /// Limits of the circuit's memory and tables.
    pub room: Room,
    /// The circuit's memory.
    pub memory: Option<Memory>,
    /// Address of the value that a circuit of circom 2 shares with its user.
    pub shared: usize,
    /// True if the circuit marks the end of each line that it logs, as circom does from 2.0.7 on.
    pub ends_lines: bool,
    /// True if the circuit reports the places of an error before the error, as circom does from 2.0.7 on.
    pub tells_places: bool,
    /// Places of an error in the circuit.
    pub places: Vec<String>,
    /// Code of the error that ended a run.
    pub code: Option<i32>,
    /// Form of field elements of circom 1.
    pub elements: Option<Elements>,
    /// True if a circuit of circom 1 has read a signal before its value was set.
    pub has_read_unset: bool,
    log: Option<Log>,
    /// Number of bytes that may still be logged.
    log_left: usize,
    /// The beginning of the next line to log.
    line: String,
}

impl Host {
    pub fn new(room: Room, log: Option<Log>) -> Self {
        Host {
            room,
            memory: None,
            shared: 0,
            ends_lines: false,
            tells_places: false,
            places: Vec::new(),
            code: None,
            elements: None,
            has_read_unset: false,
            log,
            log_left: MAX_LOG,
            line: String::new(),
        }
    }

    /// Appends to the line.
    pub fn append(&mut self, item: &str) {
        if self.line.len() + item.len() < MAX_MESSAGE {
            if !self.line.is_empty() {
                self.line.push(' ');
            }
            self.line.push_str(item);
        }
    }

    /// Logs the line.
    pub fn end_line(&mut self) {
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

    /// Returns the error for this code, which ends the run.
    pub fn refuse(&mut self, code: i32, message: String) -> Error {
        self.code = Some(code);
        Error::new(Refused(message))
    }
}

/// Ends the run with a circuit's own error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Reads bytes of the circuit's memory.
pub fn read<const N: usize>(caller: &Caller<'_, Host>, address: usize) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    let read = caller.data().memory.map(|memory| memory.read(caller, address, &mut bytes));
    match read {
        Some(Ok(())) => Ok(bytes),
        _ => Err(Error::msg(format!("its value at address {address} is not in its memory"))),
    }
}

/// Returns a character of a circuit's message if a terminal shows it.
pub fn visible(character: Option<char>) -> char {
    character.filter(|c| !c.is_control() || "\n\t".contains(*c)).unwrap_or('?')
}
