//! Faults of programs.

use std::fmt;

/// Fault of a program: something that the hardware cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It read what the adder has not written yet.
    Hazard {
        /// The RAM.
        ram: &'static str,
        /// The place.
        address: usize,
        /// From which cycle on it can be read.
        ready: u64,
    },
    /// An address behind the end.
    Address {
        /// The RAM.
        ram: &'static str,
        /// The place.
        address: usize,
    },
    /// It waits for a point after the last one.
    NoInput,
    /// The conflict FIFO was full.
    Overflow,
    /// It does not end.
    NoEnd,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Hazard { ram, address, ready } => {
                write!(
                    f,
                    "{ram}[{address}] is read before its sum is there: expected cycle {ready}, insert a nop"
                )
            }
            Fault::Address { ram, address } => {
                write!(f, "{ram}[{address}] does not exist: expected an address of the RAM")
            }
            Fault::NoInput => f.write_str("no point is left to come: expected a `jmp input` before"),
            Fault::Overflow => f.write_str("the conflict FIFO is full: expected a `jmp almost_full` before"),
            Fault::NoEnd => f.write_str("the program does not end: expected it to leave its loops"),
        }
    }
}
