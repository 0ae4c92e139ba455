//! Ethereum's KZG set-up in the form of the consensus specification: a JSON object with the lists `g1_monomial`,
//! `g1_lagrange` and `g2_monomial` of points. Points are texts of hexadecimal digits with 0x in front, in Zcash's
//! compressed encoding.

use std::borrow::Cow;

use bucketwheel::{CurveId, GroupId};
use serde::Deserialize;

use super::format::{Body, Format, Target, Wanted};
use super::id::{FormatId, Section};
use super::{kzg, zcash};
use crate::codec::Codec;
use crate::error::FormatError;

pub(super) struct KzgJson;

const ID: FormatId = FormatId::KzgJson;

/// The lists of a file. It may lack some.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists<'a> {
    #[serde(borrow)]
    g1_monomial: Option<Vec<Word<'a>>>,
    #[serde(borrow)]
    g1_lagrange: Option<Vec<Word<'a>>>,
    #[serde(borrow)]
    g2_monomial: Option<Vec<Word<'a>>>,
}

/// A text, borrowed unless it has escapes.
#[derive(Deserialize)]
struct Word<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Lists<'a> {
    fn parse(file: &'a [u8]) -> Result<Self, FormatError> {
        serde_json::from_slice(file).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let expected = match error.classify() {
                serde_json::error::Category::Data => {
                    "an object of the lists g1_monomial, g1_lagrange and g2_monomial, each of texts in hexadecimal"
                }
                _ => "JSON",
            };
            ID.structure(format!("line {line}, column {column}: expected {expected}"))
        })
    }

    /// Returns the existing sections, in the order of the specification's file.
    fn sections(&self) -> impl Iterator<Item = (Section, &[Word<'a>])> + Clone {
        let lists = [
            (Section::G1Monomial, &self.g1_monomial),
            (Section::G1Lagrange, &self.g1_lagrange),
            (Section::G2Monomial, &self.g2_monomial),
        ];
        lists.into_iter().filter_map(|(section, words)| words.as_deref().map(|words| (section, words)))
    }

    fn lengths(&self) -> impl Iterator<Item = (Section, usize)> + Clone + use<'_, 'a> {
        self.sections().map(|(section, words)| (section, words.len()))
    }
}

impl Format for KzgJson {
    fn id(&self) -> FormatId {
        ID
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bls12-381"
    }

    fn is_sectioned(&self) -> bool {
        true
    }

    /// Returns true for any JSON, since no other format is JSON.
    fn claims(&self, file: &[u8]) -> bool {
        file.trim_ascii_start().starts_with(b"{")
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        (curve == CurveId::Bls12_381).then(|| zcash::compressed(curve))
    }

    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        kzg::parts(ID, wanted, Lists::parse(file)?.lengths())
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        ID.sections(wanted.section, &kzg::SECTIONS)?;
        let lists = Lists::parse(file)?;
        let section = kzg::section(ID, wanted, lists.lengths())?;
        let found = lists.sections().find(|&(found, _)| found == section);
        let (_, words) = found.ok_or_else(|| ID.structure(format!("expected a list {section}")))?;
        kzg::points(ID, section, words.iter().map(|Word(word)| &**word), (words.len(), file.len()))
    }

    fn start(&self, _target: Target) -> Result<Vec<u8>, FormatError> {
        Err(FormatError::ReadOnly { format: ID })
    }
}
