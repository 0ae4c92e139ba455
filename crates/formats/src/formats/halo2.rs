//! The parameters of halo2's KZG commitments that `ParamsKZG::write_custom` writes for BN254: k (4 bytes), `2^k` points
//! of G1 in monomial form, `2^k` points in Lagrange form, and the generator and its multiple by tau in G2,
//! little-endian. `RawBytes` has both coordinates as Montgomery forms, `Processed` has x and two flags.

use bucketwheel::{CurveId, GroupId};

use super::format;
use super::id::{FormatId, Section};
use super::layout::{Sectioned, Walk};
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) struct Halo2 {
    pub processed: bool,
}

/// A k with more points than files can hold.
const MAX_K: u64 = 40;

impl Sectioned for Halo2 {
    fn format(&self) -> FormatId {
        match self.processed {
            true => FormatId::Halo2Processed,
            false => FormatId::Halo2,
        }
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bn254"
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        let Halo2 { processed } = *self;
        let elements = Elements { montgomery: !processed, ..Elements::little_endian(curve.field_bytes()) };
        (curve == CurveId::Bn254).then_some(Codec { elements, flags: FlagBits::Halo2, compressed: processed })
    }

    fn only(&self) -> Option<CurveId> {
        Some(CurveId::Bn254)
    }

    fn walk(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        let k = walk.number(|bytes| u32::from_le_bytes(bytes).into(), "k")?;
        if k > MAX_K {
            return Err(self.format().structure(format!("k is {k}: expected at most {MAX_K}")));
        }
        let codec = format::codec(self, curve, GroupId::G1)?;
        walk.points(Section::G1Monomial, (GroupId::G1, codec), 1 << k)?;
        walk.points(Section::G1Lagrange, (GroupId::G1, codec), 1 << k)?;
        walk.points(Section::G2Monomial, (GroupId::G2, codec), 2).map(drop)
    }
}
