//! Errors in the calculation of a witness.

use std::time::Duration;

use crate::CURVE_NAMES;

/// Inputs or a circuit without a witness: what is wrong, where, and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WitnessError {
    /// The inputs are no JSON object.
    #[error("the inputs are not readable: {0}; expected a JSON object with the values of each input signal")]
    Json(#[from] serde_json::Error),
    /// A value is no integer.
    #[error("input {signal} has {found}: expected integers, as strings where they are not below 2^53")]
    Value {
        /// The signal, and the value's index if there are several.
        signal: String,
        /// The actual value.
        found: String,
    },
    /// The circuit does not have this input.
    #[error("no input `{signal}`{}", meant(.similar.as_deref()))]
    UnknownSignal {
        /// The name.
        signal: String,
        /// The most similar name of an input, if the names are known.
        similar: Option<String>,
    },
    /// The number of values differs from the signal's.
    #[error("input {signal} has {found} values: expected {expected}")]
    Count {
        /// The signal.
        signal: String,
        /// Number of given values.
        found: usize,
        /// Number of values that the circuit takes.
        expected: usize,
    },
    /// There are more values than all inputs together have.
    #[error("the inputs have {found} values: expected {expected}")]
    TooMany {
        /// Number of given values.
        found: usize,
        /// Number of values that the circuit takes.
        expected: usize,
    },
    /// Input signals are missing. Circuits do not know the names of their signals.
    #[error("{missing} input values are missing{}: expected {expected}, found {found} in {}", of(.names), list(.given))]
    Missing {
        /// Number of missing values.
        missing: usize,
        /// Number of values that the circuit takes.
        expected: usize,
        /// Number of given values.
        found: usize,
        /// The given signals.
        given: Vec<String>,
        /// The missing inputs, if the names are known.
        names: Vec<String>,
    },
    /// The circuit's own error: an assertion failed, which is a constraint that the inputs do not satisfy.
    #[error("the circuit refuses the inputs: {0}")]
    Refused(String),
    /// The bytes are no WebAssembly, or have other imports than circom's.
    #[error("this is not a circuit: {0}; expected WebAssembly made by circom")]
    Module(String),
    /// A function of circom's WebAssembly is missing.
    #[error("this is not a circuit: it exports no {0} as circom does; expected WebAssembly made by circom")]
    Export(&'static str),
    /// The circuit is for another version of the interface.
    #[error("the circuit was made by circom {0}: expected circom 1 or 2")]
    Version(i32),
    /// The circuit is over another field.
    #[error("the circuit's prime is the order of no known curve: expected the order of {CURVE_NAMES}")]
    Prime,
    /// The circuit behaves as no circuit of circom does.
    #[error("the circuit is damaged: {0}; compile it again")]
    Damaged(String),
    /// The circuit needs too much memory.
    #[error("the circuit needs more than {} MiB of memory and tables: expected less, raise the limit if you trust it", limit >> 20)]
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// The calculation takes too much time.
    #[error("the circuit has no result after {} s: expected one, raise the limit if you trust it", limit.as_secs_f64())]
    Time {
        /// The limit.
        limit: Duration,
    },
    /// The system refuses a thread for the circuit.
    #[error("no thread for the circuit: {0}")]
    Thread(String),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl WitnessError {
    /// Returns true if the inputs are wrong, and not the circuit or the limits.
    /// The [example](crate::witness::Calculator) uses it.
    pub fn is_about_inputs(&self) -> bool {
        use WitnessError::{Count, Json, Missing, Refused, TooMany, UnknownSignal, Value};
        matches!(
            self,
            Json(_)
                | Value { .. }
                | UnknownSignal { .. }
                | Count { .. }
                | TooMany { .. }
                | Missing { .. }
                | Refused(_)
        )
    }

    /// Returns the error of an input that the circuit does not have.
    pub(super) fn unknown(signal: &str) -> Self {
        WitnessError::UnknownSignal { signal: signal.into(), similar: None }
    }
}

/// Largest number of names in an error.
const LISTED: usize = 20;

fn list(names: &[String]) -> String {
    match names {
        [] => "no signals".into(),
        names if names.len() > LISTED => {
            format!("{} and {} more", names[..LISTED].join(", "), names.len() - LISTED)
        }
        names => names.join(", "),
    }
}

fn of(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(", of {}", list(names)),
    }
}

fn meant(similar: Option<&str>) -> String {
    match similar {
        Some(similar) => format!("; did you mean `{similar}`?"),
        None => ": expected the names of the circuit's input signals".into(),
    }
}
