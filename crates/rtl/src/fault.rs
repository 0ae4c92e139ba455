//! Faults of simulated hardware.

use std::path::PathBuf;

use bucketwheel_hardware::runtime::RuntimeError;
use thiserror::Error;

/// Reason why simulated hardware gave no sum.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// It takes no more input, or gives no result.
    #[error("the simulated hardware is stuck: no result after {cycles} cycles")]
    Stuck {
        /// Cycles since it began to compute.
        cycles: u64,
    },
    /// Points came in another number than commands or indexes.
    #[error("the simulated hardware got {what} of another number than points: expected one for each point")]
    Misaligned {
        /// Inputs that are too many or too few.
        what: &'static str,
    },
    /// A digit that no bucket is for.
    #[error("the simulated hardware got a digit that is too large: expected at most {most}")]
    Digit {
        /// The largest magnitude.
        most: u32,
    },
    /// More windows or tasks than the machine has registers for.
    #[error("the simulated hardware refuses {windows} windows of {tasks} tasks: expected 1 to 255, and 1 to {pes}")]
    Refused {
        /// Windows of a scalar.
        windows: usize,
        /// Tasks side by side.
        tasks: usize,
        /// As many as it has elements.
        pes: usize,
    },
    /// An error that the program of MSMAC's element ended with.
    #[error("instruction {instruction} of the program failed with code {code}: {}", program_error(*.code))]
    Program {
        /// The code in the status register.
        code: u32,
        /// The number of the instruction, from 0 on.
        instruction: u32,
    },
    /// Parameters, points or scalars that do not fit, or the end that the caller asked for.
    #[error(transparent)]
    Input(#[from] bucketwheel_hardware::Error),
    /// A register that answered with an error, or not at all.
    #[error("the simulated hardware refuses register {address:#x}: expected one that can be accessed now")]
    Register {
        /// Its address.
        address: u32,
    },
    /// A sum that is none.
    #[error("the simulated hardware gave a coordinate that is not reduced")]
    NotReduced,
    /// The same.
    #[error("the simulated hardware gave a sum that is not on the curve")]
    NotOnCurve,
    /// An assertion of the RTL, whose message is on standard error.
    #[error("an assertion of the RTL failed")]
    Assertion,
    /// A point that has no twisted Edwards coordinates.
    #[error("point {index} has no twisted Edwards coordinates: expected one of the prime-order subgroup")]
    Subgroup {
        /// Its number, from 0 on.
        index: usize,
    },
    /// No machine with these parameters has been compiled.
    #[error("no simulated {design} has {wanted}: expected one of {compiled}")]
    NoMachine {
        /// The design.
        design: &'static str,
        /// Parameters that were asked for.
        wanted: String,
        /// Machines that there are.
        compiled: String,
    },
    /// A file of waveforms that cannot be written.
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
        _ => "a code that is none",
    }
}
