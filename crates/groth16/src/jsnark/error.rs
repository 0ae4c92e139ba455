//! Errors in jsnark's files.

use std::io;

/// Reason why a circuit is not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The files have an error, or the caller cancelled.
    #[error(transparent)]
    Jsnark(#[from] JsnarkError),
    /// The output has an error.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Fault of a file, and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct JsnarkError {
    /// True if the fault is in the file of inputs, rather than in the circuit.
    pub in_inputs: bool,
    /// The line, from 1 on.
    pub line: usize,
    /// Fault of this line.
    pub problem: Problem,
}

/// Faults of jsnark's files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A line of no known form.
    #[error("{found:?} is not understood: expected {expected}")]
    Syntax {
        /// The part that is not understood.
        found: String,
        /// Text that was expected.
        expected: &'static str,
    },
    /// The wrong number of wires.
    #[error("{operation} has {found} {side} wires: expected {expected}")]
    Wires {
        /// The operation.
        operation: &'static str,
        /// `in` or `out`.
        side: &'static str,
        /// Number of wires found.
        found: usize,
        /// Number of wires that the operation takes.
        expected: &'static str,
    },
    /// A wire that is not below the total.
    #[error("there is no wire {wire}: expected one below the total, {total}")]
    NoWire {
        /// The wire.
        wire: u32,
        /// The number of wires.
        total: u32,
    },
    /// A wire that is used before it has a value.
    #[error("wire {0} has no value yet: expected an input or an operation with it before")]
    Undefined(u32),
    /// A wire that gets a second value.
    #[error("wire {0} has a value already: expected one input or operation with it")]
    Redefined(u32),
    /// An input without a value.
    #[error("input wire {0} has no value: expected a line for it in the file of inputs")]
    NoValue(u32),
    /// Two values of an input.
    #[error("wire {0} has a value already: expected one line for each input")]
    SecondValue(u32),
    /// A number that is no field element.
    #[error("{0} is not below the field's modulus: expected a canonical integer, in hexadecimal")]
    Unreduced(String),
    /// An operand that should be a bit.
    #[error("wire {0} is neither 0 nor 1: expected a bit; the inputs do not satisfy the circuit")]
    NotABit(u32),
    /// A value that is split into too few bits.
    #[error("wire {wire} has {needed} bits: expected at most {bits}; the inputs do not satisfy the circuit")]
    TooWide {
        /// The wire.
        wire: u32,
        /// The bits of its value.
        needed: u32,
        /// The bits that it is split into.
        bits: usize,
    },
    /// An assertion that fails.
    #[error("the product of wires {a} and {b} is not wire {c}: expected it to be; the inputs do not satisfy the circuit")]
    Assertion {
        /// The left factor.
        a: u32,
        /// The right factor.
        b: u32,
        /// Wire that should be the product.
        c: u32,
    },
    /// More variables than an `.r1cs` can number.
    #[error("the circuit has too many variables: expected less than 2^32")]
    TooLarge,
}
