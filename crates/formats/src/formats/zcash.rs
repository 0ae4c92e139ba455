//! Zcash's encoding of BLS12-381, which is also in the IETF's draft on pairing-friendly curves (appendix C):
//! big-endian, the coefficient of u first, three flags in the first byte. Points stand one after the other.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, framed, told, Body, Format, Target, Wanted};
use super::id::FormatId;
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) struct Zcash {
    pub compressed: bool,
}

/// Returns the codec, for any field that leaves three bits.
pub(super) fn codec(curve: CurveId, compressed: bool) -> Codec {
    Codec { elements: Elements::big_endian(curve.field_bytes()), flags: FlagBits::Zcash, compressed }
}

/// Returns the codec of compressed points.
pub(super) fn compressed(curve: CurveId) -> Codec {
    codec(curve, true)
}

impl Format for Zcash {
    fn id(&self) -> FormatId {
        match self.compressed {
            true => FormatId::ZcashCompressed,
            false => FormatId::Zcash,
        }
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bls12-381"
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        (curve == CurveId::Bls12_381).then(|| codec(curve, self.compressed))
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        framed(file, told(self, wanted, Some(CurveId::Bls12_381))?, 0, |_| 0)
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        self.id().sections(target.section, &[])?;
        format::codec(self, target.curve, target.group)?;
        Ok(Vec::new())
    }
}
