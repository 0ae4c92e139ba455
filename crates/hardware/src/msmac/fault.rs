//! Faults of programs.

use std::fmt;

/// Fault of a program: an action that the hardware cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The program read a value that the adder has not written yet.
    Hazard {
        /// Name of the RAM.
        ram: &'static str,
        /// Address in the RAM.
        address: usize,
        /// The first cycle in which the value can be read.
        ready: u64,
    },
    /// The address is behind the end of the RAM.
    Address {
        /// Name of the RAM.
        ram: &'static str,
        /// Address in the RAM.
        address: usize,
    },
    /// The program waits for a point after the last point.
    NoInput,
    /// The conflict FIFO was full.
    Overflow,
    /// The program does not end.
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
