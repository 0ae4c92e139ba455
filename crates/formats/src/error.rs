//! Errors in a file's bytes.

use bucketwheel::{CurveId, Error as EngineError, GroupId, MissingCurve};

use crate::native::{Kind, HEADER_BYTES};
use crate::{FormatId, Section};

/// Bytes that are no file of a format: the fault, the expected value, and a next step.
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
        /// Kind that was wanted.
        expected: Kind,
        /// Kind of the file.
        found: Kind,
    },
    /// Something else.
    #[error(
        "this is not a {expected} file: expected it to start with {:?}; make one with `bucketwheel generate`",
        expected.magic_text()
    )]
    Magic {
        /// Kind that was wanted.
        expected: Kind,
    },
    /// Another version of the format.
    #[error(
        "format version {found}: expected version {expected}; generate the file again with this program"
    )]
    Version {
        /// Version that this program reads.
        expected: u32,
        /// Version of the file.
        found: u32,
    },
    /// A code in the header that stands for nothing.
    #[error("unknown {what} code {code}: expected {expected}; generate the file again")]
    Code {
        /// Name of the header's field.
        what: &'static str,
        /// The code.
        code: u8,
        /// The codes that there are.
        expected: &'static str,
    },
    /// Bytes that have to be zero are not.
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
    /// A format without points of this group.
    #[error("{format} has no {group} points of {curve}: expected {expected}")]
    NoSuchPoints {
        /// The format.
        format: FormatId,
        /// The curve that was asked for.
        curve: CurveId,
        /// The group that was asked for.
        group: GroupId,
        /// Points that the format has.
        expected: &'static str,
    },
    /// Neither the file nor the caller tells a property of the points.
    #[error("a {format} file does not tell its {what}: expected --{what}")]
    Unknown {
        /// The format.
        format: FormatId,
        /// The curve, the group or the section.
        what: &'static str,
    },
    /// A format without this section.
    #[error("a {format} file has no section {section}: expected {}", names(.known))]
    NoSection {
        /// The format.
        format: FormatId,
        /// The section that was asked for.
        section: Section,
        /// The sections that it has.
        known: Vec<Section>,
    },
    /// A file's content differs from the requested content.
    #[error("the file holds {found}: expected {expected}, as asked for")]
    Contradiction {
        /// Content that was asked for.
        expected: String,
        /// Content of the file.
        found: String,
    },
    /// A length that is no number of points, or another one than the file says.
    #[error("{actual} bytes: expected {expected}; the file is incomplete, damaged, or of another format, curve or group")]
    Size {
        /// The bytes that there are.
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
    /// A number of points that a format cannot take.
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
    /// A format that files are read of, and not written.
    #[error("{format} files are read, not written: expected one of {}", written())]
    ReadOnly {
        /// The format.
        format: FormatId,
    },
    /// Points of G1 in another basis than their section's.
    #[error(
        "the g1 points are {}: expected section {expected}; take a set-up or a section in that form",
        basis(*.monomial)
    )]
    Basis {
        /// The section that they were taken for.
        expected: Section,
        /// True if they are in monomial form.
        monomial: bool,
    },
    /// The system has too little memory for a file's content.
    #[error("no memory for {bytes} bytes: expected fewer points or scalars at once")]
    OutOfMemory {
        /// The bytes that they take.
        bytes: usize,
    },
    /// The engine's error.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nothing where there should be points.
    #[error("there are no points in the file: expected at least one")]
    Empty,
    /// A file that fits no format, or several.
    #[error("cannot tell the format: {}; expected --from, --curve and --group", fits(.0))]
    Ambiguous(Vec<String>),
    /// A curve that this build lacks.
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
        [] => "the file fits none".into(),
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
        /// The fewest for the curve.
        least: usize,
    },
    /// A coordinate is not canonical.
    #[error("has a coordinate that is not below the field's modulus: expected canonical integers")]
    Coordinate,
    /// A compressed point among uncompressed ones, or the other way round.
    #[error("is {}: expected {} points", form(!.expected), form(*.expected))]
    Compression {
        /// True if points should be compressed.
        expected: bool,
    },
    /// A combination of flags without a meaning, or a sign that is not y's.
    #[error("has flags that do not fit it: expected those of a canonical encoding")]
    Flags,
    /// The flag of the point at infinity on other points.
    #[error("is flagged as the point at infinity: expected all other bits to be 0")]
    Infinity,
    /// A point that does not satisfy the equation, or an x that no point has.
    #[error("is not on the curve: expected a solution of the curve's equation")]
    NotOnCurve,
    /// A point outside of the subgroup.
    #[error("is not in the prime-order subgroup: expected a point of order r")]
    NotInSubgroup,
}

fn form(compressed: bool) -> &'static str {
    match compressed {
        true => "compressed",
        false => "uncompressed",
    }
}
