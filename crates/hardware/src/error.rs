//! What can be wrong with a simulation.

use crate::msmac::Fault;
use crate::Curve;

/// Why a simulation was not run, or not to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter out of its range.
    #[error("parameter {name} is {value}: expected {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// A parameter that the design does not have.
    #[error("{design} has no parameter {name}; expected one of {known}")]
    UnknownParameter {
        /// The design.
        design: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A value that is no value of the parameter.
    #[error("parameter {name} of {design} cannot be {value:?}: {reason}")]
    Value {
        /// The design.
        design: &'static str,
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A curve that the design does not compute on.
    #[error("{design} does not compute on {curve}: expected {expected}")]
    Curve {
        /// The design.
        design: &'static str,
        /// The curve.
        curve: Curve,
        /// Those that it has.
        expected: &'static str,
    },
    /// More points than fit.
    #[error("{points} points are too many: expected at most {most}, {limit}")]
    Size {
        /// How many there are.
        points: usize,
        /// How many fit.
        most: u64,
        /// Into what.
        limit: &'static str,
    },
    /// As many scalars as points are needed.
    #[error("task {task} has {scalars} scalars: expected {points}, one for each point")]
    Count {
        /// The number of the task, from 0 on.
        task: usize,
        /// How many points there are.
        points: usize,
        /// How many scalars it has.
        scalars: usize,
    },
    /// A scalar of more bits than the curve's.
    #[error("scalar {index} of task {task} is too long: expected at most {bits} bits")]
    Scalar {
        /// The number of the task, from 0 on.
        task: usize,
        /// The number of the scalar, from 0 on.
        index: usize,
        /// How many bits it may have.
        bits: u32,
    },
    /// A program that did what the hardware cannot.
    #[error("instruction {pc}, cycle {cycle}: {fault}")]
    Program {
        /// The number of the instruction, from 0 on.
        pc: usize,
        /// When.
        cycle: u64,
        /// What.
        fault: Fault,
    },
    /// The system has too little memory for the buckets.
    #[error(
        "no memory for {bytes} bytes of buckets: expected a smaller window or fewer processing elements"
    )]
    OutOfMemory {
        /// The bytes that they take.
        bytes: usize,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}
