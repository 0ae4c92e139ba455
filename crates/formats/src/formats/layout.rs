//! Finds each section in files with several sections, one after the other, whose lengths are known from the file's start.

use std::ops::Range;

use bucketwheel::{CurveId, GroupId};

use super::basis;
use super::format::{self, agree, Body, Format, Target, Wanted};
use super::id::{FormatId, Section};
use crate::codec::Codec;
use crate::error::FormatError;

/// A format of files with sections. They are read only.
pub(super) trait Sectioned: Sync {
    /// Returns the format's name.
    fn format(&self) -> FormatId;

    /// Returns the result of [`Format::expected`].
    fn expected(&self, curve: CurveId) -> &'static str {
        format::expected_of_pairings(curve)
    }

    /// Returns the result of [`Format::codec`].
    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec>;

    /// Returns the curve of all files of the format, if there is only one. Files do not name it.
    fn only(&self) -> Option<CurveId> {
        None
    }

    /// Walks through a file of this curve.
    ///
    /// # Errors
    /// If the file has another structure or length.
    fn walk(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError>;
}

/// A section in a file.
#[derive(Clone, Debug)]
struct Part {
    section: Section,
    group: GroupId,
    codec: Codec,
    range: Range<usize>,
}

/// Position in a file that is read from its start to its end.
pub(super) struct Walk<'a> {
    curve: CurveId,
    file: &'a [u8],
    at: usize,
    parts: Vec<Part>,
}

impl<'a> Walk<'a> {
    /// Returns the length of the file.
    pub fn file_len(&self) -> usize {
        self.file.len()
    }

    /// Returns the bytes from here to the end.
    pub fn rest(&self) -> &'a [u8] {
        &self.file[self.at..]
    }

    /// Takes the next bytes.
    pub fn bytes(&mut self, len: u128, what: &str) -> Result<&'a [u8], FormatError> {
        let split = usize::try_from(len).ok().and_then(|len| self.rest().split_at_checked(len));
        let (taken, _) = split.ok_or_else(|| FormatError::Size {
            actual: self.file.len(),
            expected: format!("at least {}, the end of {what}", self.at as u128 + len),
        })?;
        self.at += taken.len();
        Ok(taken)
    }

    /// Takes the next bytes as an integer.
    pub fn number<const N: usize>(
        &mut self,
        from_bytes: fn([u8; N]) -> u64,
        what: &str,
    ) -> Result<u64, FormatError> {
        let bytes = self.bytes(N as u128, what)?;
        Ok(from_bytes(std::array::from_fn(|i| bytes[i])))
    }

    /// Takes the next points, which make up a section.
    pub fn points(
        &mut self,
        section: Section,
        (group, codec): (GroupId, Codec),
        count: u64,
    ) -> Result<&'a [u8], FormatError> {
        let start = self.at;
        let len = u128::from(count) * codec.bytes(self.curve, group) as u128;
        let bytes = self.bytes(len, &format!("{count} points of section {section}"))?;
        self.parts.push(Part { section, group, codec, range: start..self.at });
        Ok(bytes)
    }

    /// Records the basis of the last section's points.
    pub fn tell_basis(&mut self, curve: CurveId) -> Result<(), FormatError> {
        if let Some(part) = self.parts.last_mut() {
            part.section = basis::of(curve, &part.codec, &self.file[part.range.clone()])?;
        }
        Ok(())
    }
}

/// Returns the sections of a file, and its curve.
fn parts(format: &impl Sectioned, file: &[u8], wanted: Wanted) -> Result<(CurveId, Vec<Part>), FormatError> {
    let only = format.only().map(|only| agree(wanted.curve, only)).transpose()?;
    let id = format.format();
    let curve = wanted.curve.or(only).ok_or(FormatError::Unknown { format: id, what: "curve" })?;
    format::codec(format, curve, wanted.group.unwrap_or(GroupId::G1))?;
    let mut walk = Walk { curve, file, at: 0, parts: Vec::new() };
    format.walk(curve, &mut walk)?;
    match walk.rest().len() {
        0 => Ok((curve, walk.parts)),
        _ => {
            let expected = format!("{}, the end of a {curve} file", walk.at);
            Err(FormatError::Size { actual: file.len(), expected })
        }
    }
}

impl<S: Sectioned> Format for S {
    fn id(&self) -> FormatId {
        self.format()
    }

    fn expected(&self, curve: CurveId) -> &'static str {
        Sectioned::expected(self, curve)
    }

    fn is_sectioned(&self) -> bool {
        true
    }

    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec> {
        Sectioned::codec(self, curve, group)
    }

    /// Returns the existing sections with points, or all sections if none has points.
    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        let (curve, parts) = parts(self, file, wanted)?;
        let all_empty = parts.iter().all(|part| part.range.is_empty());
        let there = parts.iter().filter(|part| all_empty || !part.range.is_empty());
        let there: Vec<_> = there.map(|part| (part.section, part.group)).collect();
        self.format().each(Wanted { curve: Some(curve), ..wanted }, &there)
    }

    /// Opens a section. If the caller names none, opens the first section of the wanted group.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        let (curve, parts) = parts(self, file, wanted)?;
        let is_wanted = |part: &&Part| match wanted.section {
            Some(section) => part.section == section,
            None => wanted.group.is_none_or(|group| part.group == group),
        };
        let Some(part) = parts.iter().find(is_wanted) else {
            return Err(absent(self.format(), wanted, &parts));
        };
        agree(wanted.group, part.group)?;
        let (group, codec) = (part.group, part.codec);
        let bytes = &file[part.range.clone()];
        basis::check(part.section, curve, &codec, bytes)?;
        Ok(Body { curve, group, codec, bytes: bytes.into() })
    }

    fn start(&self, _target: Target) -> Result<Vec<u8>, FormatError> {
        Err(FormatError::ReadOnly { format: self.format() })
    }
}

/// Returns the error of a section that a file does not have. Points in the other basis make it an error of the basis.
fn absent(id: FormatId, wanted: Wanted, parts: &[Part]) -> FormatError {
    let bases = [Section::G1Lagrange, Section::G1Monomial];
    let other = parts.iter().find(|part| bases.contains(&part.section));
    match (wanted.section, other) {
        (Some(expected), Some(found)) if bases.contains(&expected) => {
            FormatError::Basis { expected, monomial: found.section == Section::G1Monomial }
        }
        (Some(section), _) => {
            let known = parts.iter().map(|part| part.section).collect();
            FormatError::NoSection { format: id, section, known }
        }
        (None, _) => id.structure("expected a section of points"),
    }
}
