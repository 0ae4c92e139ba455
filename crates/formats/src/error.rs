//! What can be wrong with a file's bytes.

use super::{Kind, HEADER_BYTES};
use crate::curve::GroupId;

/// Bytes that are no file of ours; says what is wrong, what was expected and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Not even a header.
    #[error(
        "{actual} bytes are too few: expected a header of {HEADER_BYTES} bytes; generate the file again"
    )]
    NoHeader {
        /// The file's length.
        actual: usize,
    },
    /// The file of the other kind.
    #[error("this is a {found} file: expected a {expected} file; the points file comes first, then the scalars files")]
    WrongKind {
        /// What was wanted.
        expected: Kind,
        /// What it is.
        found: Kind,
    },
    /// Something else.
    #[error(
        "this is not a {expected} file: expected it to start with {:?}; make one with `bucketwheel generate`",
        expected.magic_text()
    )]
    Magic {
        /// What was wanted.
        expected: Kind,
    },
    /// Another version of the format.
    #[error(
        "format version {found}: expected version {expected}; generate the file again with this program"
    )]
    Version {
        /// What this program reads.
        expected: u32,
        /// What the file says.
        found: u32,
    },
    /// A code in the header that stands for nothing.
    #[error("unknown {what} code {code}: expected {expected}; generate the file again")]
    Code {
        /// What it should stand for.
        what: &'static str,
        /// The code.
        code: u8,
        /// The codes that there are.
        expected: &'static str,
    },
    /// Bytes that have to be zero are not.
    #[error("byte {offset} is {value}: expected 0, as in all unused bytes; generate the file again")]
    Reserved {
        /// Where.
        offset: usize,
        /// What it is.
        value: u8,
    },
    /// The count and the length contradict each other.
    #[error(
        "{actual} bytes: expected {expected} bytes for {count} {kind}; \
         the file is incomplete or damaged, generate or copy it again"
    )]
    Length {
        /// Points or scalars.
        kind: Kind,
        /// The header's count.
        count: u64,
        /// The length that this count takes.
        expected: u128,
        /// The file's length.
        actual: usize,
    },
    /// A coordinate is not canonical.
    #[error(
        "{group} point {index} has a coordinate that is not below the field's modulus: \
         expected canonical integers; generate or export the file again"
    )]
    Coordinate {
        /// The group of the point.
        group: GroupId,
        /// The first such point.
        index: usize,
    },
    /// A scalar is not canonical.
    #[error(
        "scalar {index} is not below the group's order: expected canonical integers; \
         reduce it modulo the order"
    )]
    Scalar {
        /// The first such scalar.
        index: usize,
    },
}
