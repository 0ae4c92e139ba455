//! A whole SRS of gnark-crypto's KZG, from `WriteTo` (compressed), `WriteRawTo` or `WriteDump`. It has the proving key,
//! a slice of points of G1 in either basis, and the verifying key: the generator and its multiple by tau in G2, the
//! generator of G1, and two times two lists of lines, the coefficients of Miller's loop. A dump has the verifying key
//! first, then a marker, and the proving key in its form in memory: the number of points and their Montgomery forms,
//! little-endian.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, Format};
use super::gnark;
use super::id::{FormatId, Section};
use super::layout::{Sectioned, Walk};
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) enum GnarkSrs {
    Compressed,
    Raw,
    Dump,
}

/// The number between the keys of a dump.
const MARKER: u64 = 0xdead_beef;

/// Returns the number of steps of Miller's loop. Each step has a line.
fn lines(curve: CurveId) -> u128 {
    match curve {
        CurveId::Bn254 => 66,
        _ => 63,
    }
}

impl GnarkSrs {
    /// Returns the encoding of the points of the verifying key and, except in dumps, of the proving key.
    fn points(&self, curve: CurveId, group: GroupId) -> Option<Codec> {
        gnark::Gnark { compressed: matches!(self, GnarkSrs::Compressed) }.codec(curve, group)
    }

    fn proving_key(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        const COUNT: &str = "the number of points";
        let count = match self {
            GnarkSrs::Dump => walk.number(u64::from_le_bytes, COUNT)?,
            _ => walk.number(|bytes| u32::from_be_bytes(bytes).into(), COUNT)?,
        };
        let codec = format::codec(self, curve, GroupId::G1)?;
        walk.points(Section::G1Monomial, (GroupId::G1, codec), count)?;
        walk.tell_basis(curve)
    }

    fn verifying_key(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        let codec = |group| self.points(curve, group).ok_or_else(|| self.format().structure("no such curve"));
        walk.points(Section::G2Monomial, (GroupId::G2, codec(GroupId::G2)?), 2)?;
        walk.points(Section::KeyG1, (GroupId::G1, codec(GroupId::G1)?), 1)?;
        // Each line has two coefficients, each of two field elements.
        let bytes = 4 * lines(curve) * 4 * curve.field_bytes() as u128;
        walk.bytes(bytes, "the lines").map(drop)
    }
}

impl Sectioned for GnarkSrs {
    fn format(&self) -> FormatId {
        match self {
            GnarkSrs::Compressed => FormatId::GnarkSrsCompressed,
            GnarkSrs::Raw => FormatId::GnarkSrs,
            GnarkSrs::Dump => FormatId::GnarkSrsDump,
        }
    }

    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec> {
        match (self, group) {
            (GnarkSrs::Dump, GroupId::G1) => {
                let elements = Elements { montgomery: true, ..Elements::little_endian(curve.field_bytes()) };
                curve.has_pairing().then_some(Codec { elements, flags: FlagBits::None, compressed: false })
            }
            _ => self.points(curve, group),
        }
    }

    fn walk(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        if !matches!(self, GnarkSrs::Dump) {
            self.proving_key(curve, walk)?;
            return self.verifying_key(curve, walk);
        }
        self.verifying_key(curve, walk)?;
        if walk.number(u64::from_le_bytes, "the marker")? != MARKER {
            return Err(self
                .id()
                .structure(format!("expected {MARKER:#x} behind the verifying key of {curve}")));
        }
        self.proving_key(curve, walk)
    }
}
