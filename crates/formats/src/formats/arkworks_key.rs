//! Keys of Groth16 that arkworks' `CanonicalSerialize` writes, compressed or not. A verifying key is alpha in G1, beta,
//! gamma and delta in G2, and a list of points, one for the constant and each public input. A proving key is a
//! verifying key, then beta and delta in G1, and the lists of the queries a, b in G1, b in G2, h and l. Lists have
//! their number of points in 8 bytes.

use bucketwheel::{CurveId, GroupId};

use super::arkworks;
use super::format::{self, Format};
use super::id::{FormatId, Section};
use super::layout::{Sectioned, Walk};
use crate::codec::Codec;
use crate::error::FormatError;

pub(super) struct ArkworksKey {
    pub compressed: bool,
}

impl Sectioned for ArkworksKey {
    fn format(&self) -> FormatId {
        match self.compressed {
            true => FormatId::ArkworksKeyCompressed,
            false => FormatId::ArkworksKey,
        }
    }

    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec> {
        arkworks::Arkworks { compressed: self.compressed }.codec(curve, group)
    }

    fn walk(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        let (g1, g2) = (GroupId::G1, GroupId::G2);
        let of = |group| Ok::<_, FormatError>((group, format::codec(self, curve, group)?));
        walk.points(Section::AlphaG1, of(g1)?, 1)?;
        walk.points(Section::BetaGammaDeltaG2, of(g2)?, 3)?;
        let list = |walk: &mut Walk<'_>, section, group| {
            let count = walk.number(u64::from_le_bytes, "a number of points")?;
            walk.points(section, of(group)?, count).map(drop)
        };
        list(walk, Section::GammaAbcG1, g1)?;
        if walk.rest().is_empty() {
            return Ok(());
        }
        walk.points(Section::BetaDeltaG1, of(g1)?, 2)?;
        list(walk, Section::AQuery, g1)?;
        list(walk, Section::BG1Query, g1)?;
        list(walk, Section::BG2Query, g2)?;
        list(walk, Section::HQuery, g1)?;
        list(walk, Section::LQuery, g1)
    }
}
