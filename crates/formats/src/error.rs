//! Errors in a file's bytes.

use bucketwheel::{CurveId, Error as EngineError, GroupId, MissingCurve};

use crate::native::{Kind, HEADER_BYTES};
use crate::{FormatId, Section};

/// Bytes that are no file of a format: the fault, the expected value, and a next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is shorter than a header.
    #[error(
        "{actual} bytes are too few: expected a header of {HEADER_BYTES} bytes; generate the file again"
    )]
    NoHeader {
        /// Length of the file in bytes.
        actual: usize,
    },
    /// The file is of the other kind.
    #[error("this is a {found} file: expected a {expected} file; the points file comes first, then the scalars files")]
    WrongKind {
        /// Kind that the caller wants.
        expected: Kind,
        /// Kind of the file.
        found: Kind,
    },
    /// The file starts like neither kind of file.
    #[error(
        "this is not a {expected} file: expected it to start with {:?}; make one with `bucketwheel generate`",
        expected.magic_text()
    )]
    Magic {
        /// Kind that the caller wants.
        expected: Kind,
    },
    /// The file has another version of the format.
    #[error(
        "format version {found}: expected version {expected}; generate the file again with this program"
    )]
    Version {
        /// Version that this program reads.
        expected: u32,
        /// Version of the file.
        found: u32,
    },
    /// A code in the header has no meaning.
    #[error("unknown {what} code {code}: expected {expected}; generate the file again")]
    Code {
        /// Name of the header's field.
        what: &'static str,
        /// The code.
        code: u8,
        /// Valid codes.
        expected: &'static str,
    },
    /// Bytes that must be zero are not.
    #[error("byte {offset} is {value}: expected 0, as in all unused bytes; generate the file again")]
    Reserved {
        /// Offset in the file.
        offset: usize,
        /// Value of the byte.
        value: u8,
    },
    /// The count and the length contradict each other.
    #[error(
        "{actual} bytes: expected {expected} bytes for {count} {kind}; \
         the file is incomplete or damaged, generate or copy it again"
    )]
    Length {
        /// Kind of the file: points or scalars.
        kind: Kind,
        /// Number in the header.
        count: u64,
        /// Length in bytes that this number takes.
        expected: u128,
        /// Length of the file in bytes.
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
        /// Index of the first bad point.
        index: usize,
    },
    /// A scalar is not canonical.
    #[error(
        "scalar {index} is not below the group's order: expected canonical integers; \
         reduce it modulo the order"
    )]
    Scalar {
        /// Index of the first bad scalar.
        index: usize,
    },
    /// The format has no points of this group.
    #[error("{format} has no {group} points of {curve}: expected {expected}")]
    NoSuchPoints {
        /// The format.
        format: FormatId,
        /// Curve that the caller asked for.
        curve: CurveId,
        /// Group that the caller asked for.
        group: GroupId,
        /// Points that the format has.
        expected: &'static str,
    },
    /// Neither the file nor the caller names a property of the points.
    #[error("a {format} file does not tell its {what}: expected --{what}")]
    Unknown {
        /// The format.
        format: FormatId,
        /// The curve, the group or the section.
        what: &'static str,
    },
    /// The format does not have this section.
    #[error("a {format} file has no section {section}: expected {}", names(.known))]
    NoSection {
        /// The format.
        format: FormatId,
        /// Section that the caller asked for.
        section: Section,
        /// Sections of the format.
        known: Vec<Section>,
    },
    /// A file's content differs from the requested content.
    #[error("the file holds {found}: expected {expected}, as asked for")]
    Contradiction {
        /// Content that the caller asked for.
        expected: String,
        /// Content of the file.
        found: String,
    },
    /// The length is no number of points, or not the length that the file says.
    #[error("{actual} bytes: expected {expected}; the file is incomplete, damaged, or of another format, curve or group")]
    Size {
        /// Number of bytes found.
        actual: usize,
        /// Number of bytes that was expected, and why.
        expected: String,
    },
    /// A file whose structure is wrong.
    #[error("this is not a {format} file: {what}")]
    Structure {
        /// The format.
        format: FormatId,
        /// Fault, and the expected value.
        what: String,
    },
    /// The format cannot take this number of points.
    #[error("{count} points make no {section} section of a {format} file: expected {expected}")]
    Count {
        /// The format.
        format: FormatId,
        /// The section.
        section: Section,
        /// Number of points.
        count: u64,
        /// Numbers of points that the section can have.
        expected: &'static str,
    },
    /// The format is read, but not written.
    #[error("{format} files are read, not written: expected one of {}", written())]
    ReadOnly {
        /// The format.
        format: FormatId,
    },
    /// Points of G1 are in another basis than their section's.
    #[error(
        "the g1 points are {}: expected section {expected}; take a set-up or a section in that form",
        basis(*.monomial)
    )]
    Basis {
        /// Section that the points were taken for.
        expected: Section,
        /// True if the points are in monomial form.
        monomial: bool,
    },
    /// The system has too little memory for a file's content.
    #[error("no memory for {bytes} bytes: expected fewer points or scalars at once")]
    OutOfMemory {
        /// Bytes that the content takes.
        bytes: usize,
    },
    /// The engine's error.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There are no points.
    #[error("there are no points in the file: expected at least one")]
    Empty,
    /// The file fits no format, or several.
    #[error("cannot tell the format: {}; expected --from, --curve and --group", fits(.0))]
    Ambiguous(Vec<String>),
    /// This build lacks the curve.
    #[error(transparent)]
    MissingCurve(#[from] MissingCurve),
    /// A point is wrong.
    #[error("{group} point {index} {reason}")]
    Point {
        /// The group of the point.
        group: GroupId,
        /// Index of the first bad point.
        index: usize,
        /// Fault of the point.
        reason: PointError,
    },
}

fn names(sections: &[Section]) -> String {
    match sections {
        [] => "no --section".into(),
        _ => sections.iter().map(|section| section.name()).collect::<Vec<_>>().join(", "),
    }
}

fn written() -> String {
    FormatId::WRITTEN.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ")
}

fn basis(monomial: bool) -> &'static str {
    match monomial {
        true => "in monomial form, since the first one is the generator",
        false => "not in monomial form, since the first one is not the generator",
    }
}

fn fits(candidates: &[String]) -> String {
    match candidates {
        [] => "the file fits no format".into(),
        _ => format!("the file fits {}", candidates.join(", ")),
    }
}

/// Fault of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// The codec has fewer bytes than the curve's coordinates.
    #[error("has coordinates of {bytes} bytes: expected at least {least}, by the codec that a format has for the curve")]
    Codec {
        /// The bytes of a coordinate; of an extension, the bytes of a coefficient.
        bytes: usize,
        /// Fewest bytes for the curve.
        least: usize,
    },
    /// A coordinate is not canonical.
    #[error("has a coordinate that is not below the field's modulus: expected canonical integers")]
    Coordinate,
    /// A compressed point is among uncompressed points, or an uncompressed point among compressed ones.
    #[error("is {}: expected {} points", form(!.expected), form(*.expected))]
    Compression {
        /// True if points should be compressed.
        expected: bool,
    },
    /// The flags have no meaning together, or the sign is not y's.
    #[error("has flags that do not fit it: expected those of a canonical encoding")]
    Flags,
    /// A point other than infinity has the flag of infinity.
    #[error("is flagged as the point at infinity: expected all other bits to be 0")]
    Infinity,
    /// The point does not satisfy the equation, or no point has this x.
    #[error("is not on the curve: expected a solution of the curve's equation")]
    NotOnCurve,
    /// The point is outside of the subgroup.
    #[error("is not in the prime-order subgroup: expected a point of order r")]
    NotInSubgroup,
}

fn form(compressed: bool) -> &'static str {
    match compressed {
        true => "compressed",
        false => "uncompressed",
    }
}
