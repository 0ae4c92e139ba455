//! The text of Ethereum's KZG set-up, as c-kzg-4844 reads it: a list of words. The number n of G1 points, the number m
//! of G2 points, then points in hexadecimal, compressed as Zcash has them: n of G1 in Lagrange form, m of G2 in
//! monomial form, and, in newer files, n of G1 in monomial form.
//!
//! Files that are written have the points of one group only: G1 in Lagrange form, or G2.

use bucketwheel::{CurveId, GroupId};

use super::{agree, zcash, Body, Format, FormatId, Section, Target, Wanted};
use crate::codec::Codec;
use crate::error::FormatError;
use crate::memory::with_room;

pub(super) struct Kzg;

const ID: FormatId = FormatId::Kzg;
const SECTIONS: [Section; 3] = [Section::G1Lagrange, Section::G2Monomial, Section::G1Monomial];

fn group(section: Section) -> GroupId {
    match section {
        Section::G2Monomial => GroupId::G2,
        _ => GroupId::G1,
    }
}

/// The section that is wanted: named, or the first one of the group.
fn section(wanted: Option<Section>, of: Option<GroupId>) -> Result<Section, FormatError> {
    let default = if of == Some(GroupId::G2) { Section::G2Monomial } else { Section::G1Lagrange };
    let section = ID.sections(wanted, &SECTIONS)?.unwrap_or(default);
    agree(of, group(section))?;
    Ok(section)
}

/// The numbers of points that the text starts with, and the words behind them.
fn numbers(text: &str) -> Option<([usize; 2], std::str::SplitAsciiWhitespace<'_>)> {
    let mut words = text.split_ascii_whitespace();
    let digits = |word: &&str| word.len() < 10 && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut number = || words.next().filter(digits)?.parse().ok();
    Some(([number()?, number()?], words))
}

/// The value of hexadecimal digits.
fn unhex(word: &str, out: &mut Vec<u8>) -> Option<()> {
    for pair in word.as_bytes().chunks(2) {
        let digit = |i: usize| char::from(*pair.get(i)?).to_digit(16);
        out.push((digit(0)? << 4 | digit(1)?) as u8);
    }
    Some(())
}

impl Format for Kzg {
    fn claims(&self, file: &[u8]) -> bool {
        // Two lines of numbers, without a look at the rest.
        let start = &file[..file.len().min(32)];
        let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        numbers(text).is_some()
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        (curve == CurveId::Bls12_381).then(|| zcash::codec(curve, true))
    }

    /// Newer files have three sections.
    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        let newer = Wanted { section: Some(Section::G1Monomial), ..Wanted::default() };
        let sections = if self.open(file, newer).is_ok() { &SECTIONS[..] } else { &SECTIONS[..2] };
        ID.each(wanted, sections, group)
    }

    /// Without a section, Lagrange form in G1, or G2 if there is nothing else or it is asked for.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        let text = std::str::from_utf8(file).map_err(|_| ID.structure("expected a text"))?;
        let numbers = numbers(text);
        let ([n, m], words) =
            numbers.ok_or_else(|| ID.structure("expected two numbers of points to start with"))?;
        let only = wanted.group.or((n == 0).then_some(GroupId::G2));
        let section = section(wanted.section, if wanted.section.is_some() { wanted.group } else { only })?;
        let curve = agree(wanted.curve, CurveId::Bls12_381)?;
        let (group, codec) = (group(section), ID.codec(curve, group(section))?);
        let total = words.clone().count();
        if total != n + m && total != 2 * n + m {
            let (old, new) = (n + m, 2 * n + m);
            return Err(ID.structure(format!("{total} points: expected {old} or {new} for {n} and {m}")));
        }
        let (skip, take) = match section {
            Section::G1Lagrange => (0, n),
            Section::G2Monomial => (n, m),
            _ if total == n + m && n > 0 => return Err(ID.structure("expected G1 points in monomial form")),
            _ => (n + m, n),
        };
        let digits = 2 * codec.bytes(group);
        // The words may be shorter than points: no more than the text has digits for.
        let room = take.saturating_mul(codec.bytes(group)).min(file.len() / 2);
        let mut bytes = with_room(room).map_err(|bytes| FormatError::OutOfMemory { bytes })?;
        for (i, word) in words.skip(skip).take(take).enumerate() {
            let unhexed =
                Some(word).filter(|word| word.len() == digits).and_then(|word| unhex(word, &mut bytes));
            unhexed.ok_or_else(|| {
                ID.structure(format!("{group} point {i} of {section}: expected {digits} hexadecimal digits"))
            })?;
        }
        Ok(Body { curve, group, codec, bytes: bytes.into() })
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        ID.sections(target.section, &SECTIONS[..2])?;
        section(target.section, Some(target.group))?;
        ID.codec(target.curve, target.group)?;
        let (g1, g2) = if target.group == GroupId::G1 { (target.count, 0) } else { (0, target.count) };
        Ok(format!("{g1}\n{g2}\n").into())
    }

    /// A line for each point.
    fn wrap(&self, points: Vec<u8>, size: usize) -> Result<Vec<u8>, FormatError> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        if size == 0 || !points.len().is_multiple_of(size) {
            let expected = format!("a multiple of {size}, the bytes of a point");
            return Err(FormatError::Size { actual: points.len(), expected });
        }
        let room = points.len().saturating_mul(2).saturating_add(points.len() / size);
        let mut text = with_room(room).map_err(|bytes| FormatError::OutOfMemory { bytes })?;
        for point in points.chunks(size) {
            text.extend(
                point.iter().flat_map(|&byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[usize::from(digit)]),
            );
            text.push(b'\n');
        }
        Ok(text)
    }
}
