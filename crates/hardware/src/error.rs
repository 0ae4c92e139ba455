//! Errors of simulations.

use crate::msmac::Fault;
use crate::Curve;

/// Reason why a simulation was not run, or not to its end.
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
        /// The values that it may have.
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
        /// Fault of the value.
        reason: String,
    },
    /// A curve that the design does not compute on.
    #[error("{design} does not compute on {curve}: expected {expected}")]
    Curve {
        /// The design.
        design: &'static str,
        /// The curve.
        curve: Curve,
        /// Names of the design's curves.
        expected: &'static str,
    },
    /// More points than fit.
    #[error("{points} points are too many: expected at most {most}, {limit}")]
    Size {
        /// Number of points.
        points: usize,
        /// Number of points that fit.
        most: u64,
        /// Name of what limits them.
        limit: &'static str,
    },
    /// As many scalars as points are needed.
    #[error("task {task} has {scalars} scalars: expected {points}, one for each point")]
    Count {
        /// The number of the task, from 0 on.
        task: usize,
        /// Number of points.
        points: usize,
        /// Number of scalars of the task.
        scalars: usize,
    },
    /// A scalar of more bits than the curve's.
    #[error("scalar {index} of task {task} is too long: expected at most {bits} bits")]
    Scalar {
        /// The number of the task, from 0 on.
        task: usize,
        /// The number of the scalar, from 0 on.
        index: usize,
        /// Number of bits that it may have.
        bits: u32,
    },
    /// A program that did what the hardware cannot.
    #[error("instruction {pc}, cycle {cycle}: {fault}")]
    Program {
        /// The number of the instruction, from 0 on.
        pc: usize,
        /// The cycle.
        cycle: u64,
        /// The fault.
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
    /// Bytes that are no points, or more points than there is memory for.
    #[error(transparent)]
    Points(#[from] bucketwheel::Error),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}
