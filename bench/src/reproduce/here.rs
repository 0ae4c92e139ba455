//! The machine of a measured table, as a line below the table.

use crate::machine;
use anyhow::{Context, Result, bail};
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "Here: ";

/// A machine and the range of its core clock in GHz.
#[derive(Clone, Debug, PartialEq)]
pub struct Here {
    machine: String,
    low: f64,
    high: f64,
}

/// Part of a table that a run measures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    Whole,
    Part,
}

impl Here {
    /// Returns this machine.
    pub fn new(low: f64, high: f64) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { machine: format!("{}, {processors} processors", machine::processor()), low, high }
    }

    /// Returns this machine. Unless this run covers the whole table, the rest comes from an earlier run.
    pub fn joined(self, earlier: Option<Self>, run: Coverage) -> Result<Self> {
        match earlier {
            Some(earlier) if earlier.machine == self.machine && run == Coverage::Part => {
                Ok(Self { low: self.low.min(earlier.low), high: self.high.max(earlier.high), ..self })
            }
            Some(earlier) if run == Coverage::Part => {
                bail!(
                    "the rest of the table is from {}, this is {}: expected all sizes",
                    earlier.machine,
                    self.machine
                )
            }
            _ => Ok(self),
        }
    }
}

impl fmt::Display for Here {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}, {:.2} to {:.2} GHz.", self.machine, self.low, self.high)
    }
}

impl FromStr for Here {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> Result<Self> {
        let parse = || {
            let (machine, clock) = line.strip_prefix(PREFIX)?.strip_suffix(" GHz.")?.rsplit_once(", ")?;
            let (low, high) = clock.split_once(" to ")?;
            Some(Self { machine: machine.to_owned(), low: low.parse().ok()?, high: high.parse().ok()? })
        };
        parse().with_context(|| format!("no line of a machine: {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "Here: AMD EPYC, 2 processors, 3.90 to 4.40 GHz.";

    #[test]
    fn the_line_is_read_as_it_is_written() {
        let here: Here = LINE.parse().unwrap();
        assert_eq!((here.low, here.high), (3.9, 4.4));
        assert_eq!(here.to_string(), LINE);
        assert_eq!(Here::new(1.0, 2.0).to_string().parse::<Here>().unwrap(), Here::new(1.0, 2.0));
        assert!("Here: somewhere".parse::<Here>().is_err());
    }

    #[test]
    fn pieces_of_a_table_are_from_one_machine() {
        let here: Here = LINE.parse().unwrap();
        let later = Here { low: 4.0, high: 4.5, ..here.clone() };
        assert_eq!(
            later.clone().joined(Some(here.clone()), Coverage::Part).unwrap(),
            Here { low: 3.9, ..later.clone() }
        );
        assert_eq!(later.clone().joined(None, Coverage::Part).unwrap(), later);
        let other = Here { machine: "other".to_owned(), ..later };
        assert!(other.clone().joined(Some(here.clone()), Coverage::Part).is_err());
        assert_eq!(other.clone().joined(Some(here), Coverage::Whole).unwrap(), other);
    }
}
