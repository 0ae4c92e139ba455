//! Checks of inputs against a circuit: names and numbers of values.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::interface::{Interface, Length};
use super::{Inputs, WitnessError};

/// Largest length of a name for which similar names are searched.
const MAX_SIMILAR: usize = 64;

/// Names of the main component's signals and the number of values of each; empty if the names are not known.
#[derive(Clone, Default)]
pub struct Names(pub Arc<BTreeMap<String, usize>>);

impl Names {
    /// Returns the number of values of an input, from the circuit or from these names.
    fn length(&self, circuit: &mut dyn Interface, signal: &str) -> Result<Length, WitnessError> {
        let told = circuit.length(signal)?;
        if told != Length::Untold || self.0.is_empty() {
            return Ok(told);
        }
        Ok(self.0.get(signal).map_or(Length::NoInput, |&values| Length::Of(values)))
    }

    /// Returns the name of an input that differs from `signal` by one or two typing errors.
    fn similar(&self, circuit: &mut dyn Interface, signal: &str) -> Result<Option<String>, WitnessError> {
        let length = signal.chars().count();
        if length > MAX_SIMILAR {
            return Ok(None);
        }
        let slips = 1 + length / 5;
        let is_near = |name: &&str| name.len().abs_diff(signal.len()) <= 4 * slips;
        let distance = |name: &str| strsim::damerau_levenshtein(name, signal);
        let near = self.0.keys().map(String::as_str).filter(is_near);
        let mut near: Vec<_> = near.map(|name| (distance(name), name)).collect();
        near.retain(|&(distance, name)| distance <= slips && distance < length.max(name.len()));
        near.sort_unstable();
        for (_, name) in near {
            if circuit.length(name)? != Length::NoInput {
                return Ok(Some(name.into()));
            }
        }
        Ok(None)
    }

    /// Returns the names of missing inputs, if the circuit distinguishes inputs from other signals.
    fn missing(&self, circuit: &mut dyn Interface, inputs: &Inputs) -> Result<Vec<String>, WitnessError> {
        let given: HashSet<&str> = inputs.0.iter().map(|(signal, _)| signal.as_str()).collect();
        let mut missing = Vec::new();
        for name in self.0.keys().filter(|name| !given.contains(name.as_str())) {
            if matches!(circuit.length(name)?, Length::Of(1..)) {
                missing.push(name.clone());
            }
        }
        Ok(missing)
    }
}

/// Checks names and lengths of all inputs before the first value is set, because the circuit cannot distinguish a
/// missing input from a later one.
pub fn check_inputs(circuit: &mut dyn Interface, inputs: &Inputs, names: &Names) -> Result<(), WitnessError> {
    for (signal, values) in &inputs.0 {
        let found = values.len();
        match names.length(circuit, signal)? {
            Length::NoInput if found > 0 => {
                let similar = names.similar(circuit, signal)?;
                return Err(WitnessError::UnknownSignal { signal: signal.clone(), similar });
            }
            Length::Of(expected) if expected != found => {
                return Err(WitnessError::Count { signal: signal.clone(), found, expected });
            }
            _ => {}
        }
    }
    let expected = circuit.needed()?;
    let found: usize = inputs.0.iter().map(|(_, values)| values.len()).sum();
    match found.cmp(&expected) {
        Ordering::Less => Err(WitnessError::Missing {
            missing: expected - found,
            expected,
            found,
            given: inputs.0.iter().map(|(signal, _)| signal.clone()).collect(),
            names: names.missing(circuit, inputs)?,
        }),
        Ordering::Greater => Err(WitnessError::TooMany { found, expected }),
        Ordering::Equal => Ok(()),
    }
}
