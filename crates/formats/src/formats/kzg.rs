//! The text of Ethereum's KZG set-up that c-kzg-4844 reads: a list of words. It has the number n of G1 points, the
//! number m of G2 points, then points in hexadecimal, in Zcash's compressed encoding: n of G1, m of G2 in monomial
//! form, and, in newer files, n of G1 in monomial form. The first n points are in Lagrange form in newer files. In
//! older files, of two lists, the first point tells their basis.
//!
//! Written files have the points of one group only: G1 in either form, or G2.

use std::str::SplitAsciiWhitespace;

use bucketwheel::{CurveId, GroupId};

use super::format::{self, agree, Body, Format, Target, Wanted};
use super::id::{FormatId, Section};
use super::{basis, zcash};
use crate::codec::Codec;
use crate::error::FormatError;
use crate::memory::with_room;

pub(super) struct Kzg;

const ID: FormatId = FormatId::Kzg;
const CURVE: CurveId = CurveId::Bls12_381;
pub(super) const SECTIONS: [Section; 3] = [Section::G1Lagrange, Section::G2Monomial, Section::G1Monomial];
pub(super) fn group(section: Section) -> GroupId {
    match section {
        Section::G2Monomial => GroupId::G2,
        _ => GroupId::G1,
    }
}

/// A list of points in a text: its section, the number of words before it, and its length.
#[derive(Clone, Copy)]
struct List {
    section: Section,
    start: usize,
    len: usize,
}

/// A text of points.
struct Text<'a> {
    lists: Vec<List>,
    words: SplitAsciiWhitespace<'a>,
}

/// Returns the numbers of points that the text starts with, and the words behind them.
fn numbers(text: &str) -> Option<([usize; 2], SplitAsciiWhitespace<'_>)> {
    let mut words = text.split_ascii_whitespace();
    let digits = |word: &&str| word.len() < 10 && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut number = || words.next().filter(digits)?.parse().ok();
    Some(([number()?, number()?], words))
}

impl<'a> Text<'a> {
    /// Finds the lists of points in a file.
    fn parse(file: &'a [u8]) -> Result<Self, FormatError> {
        let text = std::str::from_utf8(file).map_err(|_| ID.structure("expected a text"))?;
        let numbers = numbers(text);
        let ([n, m], words) =
            numbers.ok_or_else(|| ID.structure("expected two numbers of points to start with"))?;
        let total = words.clone().count();
        let (old, new) = (n + m, 2 * n + m);
        let first =
            match unhexed(ID, Section::G1Monomial, words.clone().take(n.min(2)), (n.min(2), file.len())) {
                Ok(points) if total == old => basis::of(CURVE, &zcash::compressed(CURVE), &points)?,
                // If a word is no point, the error comes when the points are read.
                _ => Section::G1Lagrange,
            };
        let mut lists = vec![
            List { section: first, start: 0, len: n },
            List { section: Section::G2Monomial, start: n, len: m },
        ];
        match total {
            _ if total == old => {}
            _ if total == new => lists.push(List { section: Section::G1Monomial, start: old, len: n }),
            _ => return Err(ID.structure(format!("{total} points: expected {old} or {new} for {n} and {m}"))),
        }
        Ok(Text { lists, words })
    }

    /// Returns the sections of the lists, and their numbers of points.
    fn lengths(&self) -> impl Iterator<Item = (Section, usize)> + Clone + use<'_, 'a> {
        self.lists.iter().map(|list| (list.section, list.len))
    }
}

/// Reads the `count` points of a section, each a word of a text of `len` bytes.
fn unhexed<'w>(
    id: FormatId,
    section: Section,
    words: impl Iterator<Item = &'w str>,
    (count, len): (usize, usize),
) -> Result<Vec<u8>, FormatError> {
    let group = group(section);
    let size = zcash::compressed(CURVE).bytes(CURVE, group);
    // The words may be shorter than points, so the room is limited by the digits of the text.
    let room = count.saturating_mul(size).min(len / 2);
    let mut bytes = with_room(room).map_err(|bytes| FormatError::OutOfMemory { bytes })?;
    for (i, word) in words.enumerate() {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        bytes.resize((i + 1) * size, 0);
        // Another number of digits is also an error.
        hex::decode_to_slice(digits, &mut bytes[i * size..]).map_err(|_| {
            id.structure(format!("{group} point {i} of {section}: expected {} hexadecimal digits", 2 * size))
        })?;
    }
    Ok(bytes)
}

/// Reads the points of a section, and checks that they are in its basis.
pub(super) fn points<'w>(
    id: FormatId,
    section: Section,
    words: impl Iterator<Item = &'w str>,
    sizes: (usize, usize),
) -> Result<Body<'static>, FormatError> {
    let bytes = unhexed(id, section, words, sizes)?;
    let (group, codec) = (group(section), zcash::compressed(CURVE));
    basis::check(section, CURVE, &codec, &bytes)?;
    Ok(Body { curve: CURVE, group, codec, bytes: bytes.into() })
}

/// Returns the wanted section: a named section of [`SECTIONS`], or the first section with points of the wanted group.
pub(super) fn section(
    id: FormatId,
    wanted: Wanted,
    lists: impl Iterator<Item = (Section, usize)> + Clone,
) -> Result<Section, FormatError> {
    agree(wanted.curve, CURVE)?;
    if let Some(section) = wanted.section {
        agree(wanted.group, group(section))?;
        return Ok(section);
    }
    let of_group =
        |&(section, _): &(Section, usize)| wanted.group.is_none_or(|wanted| wanted == group(section));
    let mut lists = lists.filter(of_group);
    let first = lists.clone().find(|&(_, len)| len > 0).or_else(|| lists.next());
    first.map(|(section, _)| section).ok_or_else(|| id.structure("expected a section of points"))
}

/// Returns the wanted parts of these sections: sections with points, or all sections if none has points.
pub(super) fn parts(
    id: FormatId,
    wanted: Wanted,
    lists: impl Iterator<Item = (Section, usize)> + Clone,
) -> Result<Vec<Wanted>, FormatError> {
    let all_empty = lists.clone().all(|(_, len)| len == 0);
    let there = lists.filter(|&(_, len)| all_empty || len > 0);
    id.each(wanted, &there.map(|(section, _)| (section, group(section))).collect::<Vec<_>>())
}

impl Format for Kzg {
    fn id(&self) -> FormatId {
        ID
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bls12-381"
    }

    fn is_sectioned(&self) -> bool {
        true
    }

    fn claims(&self, file: &[u8]) -> bool {
        // Two lines of numbers suffice, without a look at the rest.
        let start = &file[..file.len().min(32)];
        let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        numbers(text).is_some()
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        (curve == CURVE).then(|| zcash::compressed(curve))
    }

    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        parts(ID, wanted, Text::parse(file)?.lengths())
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        ID.sections(wanted.section, &SECTIONS)?;
        let text = Text::parse(file)?;
        let section = section(ID, wanted, text.lengths())?;
        // If a basis is missing, the points of the other basis give the error.
        let named = text.lists.iter().find(|list| list.section == section);
        let list = named.or_else(|| text.lists.iter().find(|list| group(list.section) == group(section)));
        let list = list.ok_or_else(|| ID.structure(format!("expected a section {section}")))?;
        points(ID, section, text.words.skip(list.start).take(list.len), (list.len, file.len()))
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        if let Some(section) = ID.sections(target.section, &SECTIONS)? {
            agree(Some(target.group), group(section))?;
        }
        format::codec(self, target.curve, target.group)?;
        let (g1, g2) = if target.group == GroupId::G1 { (target.count, 0) } else { (0, target.count) };
        Ok(format!("{g1}\n{g2}\n").into())
    }

    /// Checks the first points, which tell the basis of a written file.
    fn admit(&self, target: Target, first: &[u8]) -> Result<(), FormatError> {
        let check = |section| basis::check(section, target.curve, &zcash::compressed(CURVE), first);
        target.section.map_or(Ok(()), check)
    }

    /// Writes a line for each point.
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
