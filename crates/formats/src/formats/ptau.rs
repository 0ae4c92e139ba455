//! The sections of points in snarkjs's powers of tau. Integers are little-endian Montgomery forms, c0 first. Infinity is zeros.
//!
//! A file is `ptau`, the version 1, the number of sections, then each section's type (4 bytes), length (8 bytes) and
//! bytes. Section 1 is the header: the bytes of a field element, the modulus, the power (the sections of powers have
//! `2^power` points, tau in G1 has `2^(power + 1) - 1`) and the ceremony's power. All integers are little-endian.
//!
//! Written files have the header and one section: the points of a set-up, not a file to continue a ceremony with.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, agree, Body, Format, Target, Wanted};
use super::id::{FormatId, Section};
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) struct Ptau;

const ID: FormatId = FormatId::Ptau;
const MAGIC: &[u8] = b"ptau";
const VERSION: u32 = 1;
const HEADER: u32 = 1;
const SECTIONS: [Section; 5] =
    [Section::TauG1, Section::TauG2, Section::AlphaTauG1, Section::BetaTauG1, Section::BetaG2];
/// Most sections that snarkjs writes, when it prepares the second phase.
const MAX_SECTIONS: u64 = 11;
/// A power with more points than files can hold.
const MAX_POWER: u32 = 40;

/// Returns the group of a section.
fn group(section: Section) -> GroupId {
    match section {
        Section::TauG2 | Section::BetaG2 => GroupId::G2,
        _ => GroupId::G1,
    }
}

/// Returns the number of points of a section.
fn count(section: Section, power: u32) -> u64 {
    match section {
        Section::TauG1 => (1 << (power + 1)) - 1,
        Section::BetaG2 => 1,
        _ => 1 << power,
    }
}

/// Returns the modulus of the coordinates, by which files name the curve, if snarkjs has the curve.
fn modulus(curve: CurveId) -> Option<&'static [u8]> {
    curve.snarkjs_name().map(|_| curve.prime())
}

/// Takes bytes from the front of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: u64, what: &str) -> Result<&'a [u8], FormatError> {
        let split = usize::try_from(len).ok().and_then(|len| self.0.split_at_checked(len));
        let missing = || ID.structure(format!("{} bytes are left: expected {len} of {what}", self.0.len()));
        let (taken, rest) = split.ok_or_else(missing)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self, what: &str) -> Result<u64, FormatError> {
        let bytes = self.take(N as u64, what)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

/// Returns the sections, by type.
fn sections(file: &[u8]) -> Result<Vec<(u32, &[u8])>, FormatError> {
    let mut reader = Reader(file);
    if reader.take(4, "the magic").ok() != Some(MAGIC) {
        return Err(ID.structure("expected it to start with \"ptau\""));
    }
    let version = reader.number::<4>("the version")?;
    if version != u64::from(VERSION) {
        return Err(ID.structure(format!("version {version}: expected {VERSION}")));
    }
    let count = reader.number::<4>("the number of sections")?;
    if count > MAX_SECTIONS {
        return Err(ID.structure(format!("{count} sections: expected at most {MAX_SECTIONS}")));
    }
    let mut sections = Vec::new();
    for _ in 0..count {
        let section = reader.number::<4>("a section's type")? as u32;
        let len = reader.number::<8>("a section's length")?;
        let bytes = reader.take(len, &format!("section {section}"))?;
        if sections.iter().any(|&(other, _)| other == section) {
            return Err(ID.structure(format!("section {section} is there twice: expected it once")));
        }
        sections.push((section, bytes));
    }
    match reader.0 {
        [] => Ok(sections),
        rest => Err(ID.structure(format!("{} bytes follow the last section: expected none", rest.len()))),
    }
}

/// Returns the bytes of the section of this type.
fn find<'a>(sections: &[(u32, &'a [u8])], section: u32) -> Result<&'a [u8], FormatError> {
    let found = sections.iter().find(|&&(found, _)| found == section);
    found.map(|&(_, bytes)| bytes).ok_or_else(|| ID.structure(format!("expected a section {section}")))
}

/// Returns curve and power.
fn header(bytes: &[u8]) -> Result<(CurveId, u32), FormatError> {
    let mut reader = Reader(bytes);
    let len = reader.number::<4>("the header")?;
    let found = reader.take(len, "the modulus")?;
    let curve = CurveId::ALL.iter().find(|&&curve| modulus(curve) == Some(found));
    let curve =
        curve.ok_or_else(|| ID.structure("another modulus: expected the modulus of bn254 or bls12-381"))?;
    let power = reader.number::<4>("the power")?;
    reader.number::<4>("the ceremony's power")?;
    match reader.0 {
        [] if power <= MAX_POWER.into() => Ok((*curve, power as u32)),
        [] => Err(ID.structure(format!("power {power}: expected at most {MAX_POWER}"))),
        _ => Err(ID.structure(format!("a header of {} bytes: expected {}", bytes.len(), 12 + len))),
    }
}

/// Returns the wanted section: a named section, or the first section of the group.
fn section(wanted: Option<Section>, of: Option<GroupId>) -> Result<Section, FormatError> {
    let default = if of == Some(GroupId::G2) { Section::TauG2 } else { Section::TauG1 };
    let section = ID.sections(wanted, &SECTIONS)?.unwrap_or(default);
    agree(of, group(section))?;
    Ok(section)
}

impl Format for Ptau {
    fn id(&self) -> FormatId {
        ID
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bn254 or bls12-381"
    }

    fn is_sectioned(&self) -> bool {
        true
    }

    fn claims(&self, file: &[u8]) -> bool {
        file.starts_with(MAGIC)
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        let elements = Elements { montgomery: true, ..Elements::little_endian(curve.field_bytes()) };
        modulus(curve).map(|_| Codec { elements, flags: FlagBits::None, compressed: false })
    }

    /// Returns the existing sections.
    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        let sections = sections(file)?;
        let there = |section: &Section| find(&sections, section.code().into()).is_ok();
        let there = SECTIONS.into_iter().filter(there);
        ID.each(wanted, &there.map(|section| (section, group(section))).collect::<Vec<_>>())
    }

    /// Opens a section. If the caller names none, opens the first section of the wanted group.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        let sections = sections(file)?;
        let parts = self.parts(file, wanted)?;
        let first = parts.first().and_then(|part| part.section);
        let section = section(wanted.section.or(first), wanted.group)?;
        let (curve, power) = header(find(&sections, HEADER)?)?;
        agree(wanted.curve, curve)?;
        let codec = format::codec(self, curve, group(section))?;
        let bytes = find(&sections, section.code().into())?;
        let count = count(section, power);
        let expected = u128::from(count) * codec.bytes(curve, group(section)) as u128;
        if bytes.len() as u128 != expected {
            let what =
                format!("section {section} has {} bytes: expected {expected} for power {power}", bytes.len());
            return Err(ID.structure(what));
        }
        Ok(Body { curve, group: group(section), codec, bytes: bytes.into() })
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        let section = section(target.section, Some(target.group))?;
        let codec = format::codec(self, target.curve, target.group)?;
        let power = (0..=MAX_POWER).find(|&power| count(section, power) == target.count);
        let power = power.ok_or(FormatError::Count {
            format: ID,
            section,
            count: target.count,
            expected: match section {
                Section::TauG1 => "a power of two less one",
                Section::BetaG2 => "one",
                _ => "a power of two",
            },
        })?;
        let modulus = modulus(target.curve).unwrap_or_default();
        let mut header = (modulus.len() as u32).to_le_bytes().to_vec();
        header.extend(modulus);
        header.extend([power.to_le_bytes(), power.to_le_bytes()].concat());
        let len = target.count * codec.bytes(target.curve, target.group) as u64;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION.to_le_bytes(), 2u32.to_le_bytes(), HEADER.to_le_bytes()].concat());
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        bytes.extend(u32::from(section.code()).to_le_bytes());
        bytes.extend(len.to_le_bytes());
        Ok(bytes)
    }
}
