//! Errors of simulations.

use crate::msmac::Fault;
use crate::Curve;

/// Reason why a simulation did not run, or did not finish.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is out of its range.
    #[error("parameter {name} is {value}: expected {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// Value of the parameter.
        value: String,
        /// The allowed values.
        expected: String,
    },
    /// The design does not have this parameter.
    #[error("{design} has no parameter {name}; expected one of {known}")]
    UnknownParameter {
        /// The design.
        design: &'static str,
        /// The name.
        name: String,
        /// The existing names.
        known: String,
    },
    /// The value does not fit the parameter.
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
    /// The design does not compute on this curve.
    #[error("{design} does not compute on {curve}: expected {expected}")]
    Curve {
        /// The design.
        design: &'static str,
        /// The curve.
        curve: Curve,
        /// Names of the design's curves.
        expected: &'static str,
    },
    /// There are more points than fit.
    #[error("{points} points are too many: expected at most {most}, {limit}")]
    Size {
        /// Number of points.
        points: usize,
        /// Number of points that fit.
        most: u64,
        /// Name of the limit.
        limit: &'static str,
    },
    /// The number of scalars differs from the number of points.
    #[error("task {task} has {scalars} scalars: expected {points}, one for each point")]
    Count {
        /// The number of the task, from 0 on.
        task: usize,
        /// Number of points.
        points: usize,
        /// Number of scalars of the task.
        scalars: usize,
    },
    /// A scalar has more bits than the curve's scalars.
    #[error("scalar {index} of task {task} is too long: expected at most {bits} bits")]
    Scalar {
        /// The number of the task, from 0 on.
        task: usize,
        /// The number of the scalar, from 0 on.
        index: usize,
        /// Number of allowed bits.
        bits: u32,
    },
    /// A program did something that the hardware cannot do.
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
        /// The bytes of the buckets.
        bytes: usize,
    },
    /// The bytes are not points, or there are more points than memory.
    #[error(transparent)]
    Points(#[from] bucketwheel::Error),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}
