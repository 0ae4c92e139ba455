//! Errors in a file's content and in the work with it.

use super::{KeyFault, Kind, Section};
use crate::{snarkjs_name, CurveId};

/// Unusable content: what is wrong, where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is of another kind.
    #[error("this is a {found} file: expected a {expected} file")]
    OtherKind {
        /// Kind that was expected.
        expected: Kind,
        /// Kind of the file.
        found: Kind,
    },
    /// The file is not of any known kind.
    #[error("this is not a {expected} file: expected it to start with \"{}\"", expected.magic())]
    Magic {
        /// Kind that was expected.
        expected: Kind,
    },
    /// The file has another version of the format.
    #[error("{kind} version {found}: expected version {}", kind.version())]
    Version {
        /// The format.
        kind: Kind,
        /// Version of the file.
        found: u32,
    },
    /// The file has fewer bytes than it declares.
    #[error(
        "{what} is cut off: expected {expected} bytes, found {found}; the file is incomplete or damaged"
    )]
    Truncated {
        /// The part.
        what: String,
        /// The length it should have.
        expected: u64,
        /// The number of bytes that exist.
        found: usize,
    },
    /// The file has more bytes than it declares.
    #[error("{found} bytes behind {what}: expected none; the file is damaged")]
    Trailing {
        /// The last part.
        what: String,
        /// Number of excess bytes.
        found: usize,
    },
    /// A section occurs twice.
    #[error("section {id} is there twice: expected it once; the file is damaged")]
    Duplicate {
        /// The section's number.
        id: u32,
    },
    /// A section is missing.
    #[error("{0} is missing: expected it; the file is damaged or of a kind that is not supported")]
    Missing(Section),
    /// The length of a section contradicts the header.
    #[error("{section} has {found} bytes: expected {expected}; the file is damaged")]
    Length {
        /// The section.
        section: Section,
        /// The length according to the header.
        expected: u128,
        /// The actual length.
        found: usize,
    },
    /// The prime belongs to no curve.
    #[error(
        "the {what} belongs to no known curve: expected the {what} of {} or {}",
        snarkjs_name(CurveId::Bn254),
        snarkjs_name(CurveId::Bls12_381)
    )]
    Prime {
        /// The base field's modulus or the groups' order.
        what: &'static str,
    },
    /// The file is for another curve.
    #[error("the file is for curve {}: expected {}", snarkjs_name(*found), snarkjs_name(*expected))]
    OtherCurve {
        /// The curve that was expected.
        expected: CurveId,
        /// The file's curve.
        found: CurveId,
    },
    /// This build lacks the curve.
    #[error(transparent)]
    MissingCurve(#[from] bucketwheel::MissingCurve),
    /// A number contradicts another number.
    #[error("{what} is {found}: expected {expected}")]
    Number {
        /// Name of the number.
        what: String,
        /// Its value.
        found: u64,
        /// Value that was expected.
        expected: String,
    },
    /// An integer is not below its modulus.
    #[error("{what} is not below the field's modulus: expected canonical integers; the file is damaged")]
    Unreduced {
        /// Name of the integer.
        what: String,
    },
    /// A point is not in the group.
    #[error(
        "{what} is not {expected}: expected points of the group; the file is damaged or not to be trusted"
    )]
    Point {
        /// Name of the point.
        what: String,
        /// Property that it lacks.
        expected: &'static str,
    },
    /// The text is not the expected JSON.
    #[error("{reason}: expected {expected}, as snarkjs writes it")]
    Json {
        /// Name of the expected text or value.
        expected: &'static str,
        /// The actual content, and its place.
        reason: String,
    },
    /// A number in JSON has the wrong form.
    #[error("{what} is not a canonical number: expected a decimal integer below the field's modulus, without sign and leading zeros")]
    Decimal {
        /// Name of the number.
        what: String,
    },
    /// A line of a `.sym` file names no signal.
    #[error("line {line} names no signal: expected LABEL,WIRE,COMPONENT,NAME as circom --sym writes it")]
    Symbol {
        /// The line, from 1.
        line: usize,
    },
    /// The file uses an unsupported feature.
    #[error("{found}: expected {expected}")]
    Unsupported {
        /// Feature of the file.
        found: String,
        /// Features that are supported.
        expected: &'static str,
    },
}

/// Errors in the work with a file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Error of the engine.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// The content of the file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The key cannot come from a set-up.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// The field does not have the domain.
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
