//! Errors in a file's content, and of what is done with it.

use super::{KeyFault, Kind, Section};
use crate::{snarkjs_name, CurveId};

/// Content that cannot be used; says what is wrong, where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file of another kind.
    #[error("this is a {found} file: expected a {expected} file")]
    OtherKind {
        /// Kind that was wanted.
        expected: Kind,
        /// Kind of the file.
        found: Kind,
    },
    /// Something else.
    #[error("this is not a {expected} file: expected it to start with \"{}\"", expected.magic())]
    Magic {
        /// Kind that was wanted.
        expected: Kind,
    },
    /// Another version of the format.
    #[error("{kind} version {found}: expected version {}", kind.version())]
    Version {
        /// The format.
        kind: Kind,
        /// Version of the file.
        found: u32,
    },
    /// Fewer bytes than announced.
    #[error(
        "{what} is cut off: expected {expected} bytes, found {found}; the file is incomplete or damaged"
    )]
    Truncated {
        /// The part.
        what: String,
        /// The length it should have.
        expected: u64,
        /// The bytes that are there.
        found: usize,
    },
    /// More bytes than announced.
    #[error("{found} bytes behind {what}: expected none; the file is damaged")]
    Trailing {
        /// The last part.
        what: String,
        /// Number of such bytes.
        found: usize,
    },
    /// A section that is there twice.
    #[error("section {id} is there twice: expected it once; the file is damaged")]
    Duplicate {
        /// The section's number.
        id: u32,
    },
    /// A section that is not there.
    #[error("{0} is missing: expected it; the file is damaged or of a kind that is not supported")]
    Missing(Section),
    /// A section whose length contradicts the header.
    #[error("{section} has {found} bytes: expected {expected}; the file is damaged")]
    Length {
        /// The section.
        section: Section,
        /// The length that follows from the header.
        expected: u128,
        /// The length that it has.
        found: usize,
    },
    /// A prime that belongs to no curve.
    #[error(
        "the {what} is that of no known curve: expected that of {} or {}",
        snarkjs_name(CurveId::Bn254),
        snarkjs_name(CurveId::Bls12_381)
    )]
    Prime {
        /// The base field's modulus or the groups' order.
        what: &'static str,
    },
    /// A file for another curve.
    #[error("the file is for curve {}: expected {}", snarkjs_name(*found), snarkjs_name(*expected))]
    OtherCurve {
        /// The curve that was asked for.
        expected: CurveId,
        /// The file's curve.
        found: CurveId,
    },
    /// A curve that this build lacks.
    #[error(transparent)]
    MissingCurve(#[from] bucketwheel::MissingCurve),
    /// A number that contradicts another.
    #[error("{what} is {found}: expected {expected}")]
    Number {
        /// The number.
        what: String,
        /// Its value.
        found: u64,
        /// Value that was expected.
        expected: String,
    },
    /// An integer that is not below its modulus.
    #[error("{what} is not below the field's modulus: expected canonical integers; the file is damaged")]
    Unreduced {
        /// Name of the integer.
        what: String,
    },
    /// A point that is not one of the group.
    #[error(
        "{what} is not {expected}: expected points of the group; the file is damaged or not to be trusted"
    )]
    Point {
        /// Name of the point.
        what: String,
        /// Property that it lacks.
        expected: &'static str,
    },
    /// Text that is not the JSON that it should be.
    #[error("{reason}: expected {expected}, as snarkjs writes it")]
    Json {
        /// Name of the text or value that was wanted.
        expected: &'static str,
        /// What is there instead, and where.
        reason: String,
    },
    /// A number in JSON that is not as it should be.
    #[error("{what} is not a canonical number: expected a decimal integer below the field's modulus, without sign and leading zeros")]
    Decimal {
        /// Name of the number.
        what: String,
    },
    /// A line of a `.sym` file that names no signal.
    #[error("line {line} names no signal: expected LABEL,WIRE,COMPONENT,NAME as circom --sym writes it")]
    Symbol {
        /// The line, from 1.
        line: usize,
    },
    /// A feature that is not supported.
    #[error("{found}: expected {expected}")]
    Unsupported {
        /// Feature of the file.
        found: String,
        /// Features that are supported.
        expected: &'static str,
    },
}

/// Errors of what takes more than a look at a file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's errors.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// A file whose content is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key that no set-up makes.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// A domain that the field does not have.
    #[error(transparent)]
    Transform(bucketwheel_transform::Error),
    /// The system has too little memory for an array.
    #[error("no memory for {bytes} bytes: expected a smaller circuit")]
    OutOfMemory {
        /// The bytes of the array.
        bytes: usize,
    },
}

impl From<bucketwheel_transform::Error> for Error {
    fn from(error: bucketwheel_transform::Error) -> Self {
        match error {
            bucketwheel_transform::Error::Engine(error) => Error::Engine(error),
            error => Error::Transform(error),
        }
    }
}
