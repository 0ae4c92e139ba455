//! Faults of simulated hardware.

use std::path::PathBuf;

use bucketwheel_hardware::runtime::RuntimeError;
use thiserror::Error;

/// Reason why simulated hardware returned no sum.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The hardware takes no more input, or returns no result.
    #[error("the simulated hardware is stuck: no result after {cycles} cycles")]
    Stuck {
        /// Cycles since it began to compute.
        cycles: u64,
    },
    /// The number of points differs from the number of commands or indexes.
    #[error("the simulated hardware got a wrong number of {what}: expected one for each point")]
    Misaligned {
        /// There are too many or too few of these inputs.
        what: &'static str,
    },
    /// A digit has no bucket.
    #[error("the simulated hardware got a digit that is too large: expected at most {most}")]
    Digit {
        /// The largest magnitude.
        most: u32,
    },
    /// There are more windows or tasks than the machine supports.
    #[error("the simulated hardware refuses {windows} windows of {tasks} tasks: expected 1 to 255, and 1 to {pes}")]
    Refused {
        /// Windows of a scalar.
        windows: usize,
        /// Number of parallel tasks.
        tasks: usize,
        /// Number of elements.
        pes: usize,
    },
    /// The program of MSMAC's element ended with an error.
    #[error("instruction {instruction} of the program failed with code {code}: {}", program_error(*.code))]
    Program {
        /// The code in the status register.
        code: u32,
        /// The number of the instruction, from 0 on.
        instruction: u32,
    },
    /// Parameters, points or scalars do not fit, or the caller cancelled.
    #[error(transparent)]
    Input(#[from] bucketwheel_hardware::Error),
    /// A register answered with an error, or not at all.
    #[error(
        "the simulated hardware refuses register {address:#x}: expected a register that can be accessed now"
    )]
    Register {
        /// Address of the register.
        address: u32,
    },
    /// A sum has a coordinate that is not below the prime.
    #[error("the simulated hardware gave a coordinate that is not reduced")]
    NotReduced,
    /// A sum is not on the curve.
    #[error("the simulated hardware gave a sum that is not on the curve")]
    NotOnCurve,
    /// An assertion of the RTL failed; its message is on standard error.
    #[error("an assertion of the RTL failed")]
    Assertion,
    /// A point has no twisted Edwards coordinates.
    #[error(
        "point {index} has no twisted Edwards coordinates: expected a point of the prime-order subgroup"
    )]
    Subgroup {
        /// Number of the point, from 0 on.
        index: usize,
    },
    /// No machine with these parameters has been compiled.
    #[error("no simulated {design} has {wanted}: expected one of {compiled}")]
    NoMachine {
        /// The design.
        design: &'static str,
        /// The requested parameters.
        wanted: String,
        /// The compiled machines.
        compiled: String,
    },
    /// A file of waveforms cannot be written.
    #[error("cannot write waveforms to {}: expected a writable file and space left", .0.display())]
    Trace(PathBuf),
    /// The runtime gave up.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
}

fn program_error(code: u32) -> &'static str {
    match code {
        1 => "no such instruction",
        2 => "an address outside of its RAM",
        3 => "the conflict FIFO is full",
        4 => "no point is left to come",
        5 => "a coordinate that is not reduced, or a scalar that is too long",
        6 => "the end of a stream is not with the last point",
        7 => "a batch is longer than the output FIFO",
        _ => "an unknown code",
    }
}
