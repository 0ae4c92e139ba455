//! arkworks' encoding of a `Vec` of affine points: their number in 8 bytes, then the points, little-endian and with
//! flags in the last byte. Points of BLS12-381 have Zcash's encoding.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, framed, told, Body, Format, Target, Wanted};
use super::id::FormatId;
use super::zcash;
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) struct Arkworks {
    pub compressed: bool,
}

impl Format for Arkworks {
    fn id(&self) -> FormatId {
        match self.compressed {
            true => FormatId::ArkworksCompressed,
            false => FormatId::Arkworks,
        }
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        let Arkworks { compressed } = *self;
        match curve {
            CurveId::Bls12_381 => Some(zcash::codec(curve, compressed)),
            _ => {
                let elements = Elements::little_endian(curve.field_bytes());
                // The fields of other curves do not leave two bits for the flags, which then have a byte of their own.
                curve.has_pairing().then_some(Codec { elements, flags: FlagBits::Arkworks, compressed })
            }
        }
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        let points = told(self, wanted, None)?;
        framed(file, points, 8, |head| u64::from_le_bytes(std::array::from_fn(|i| head[i])))
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        self.id().sections(target.section, &[])?;
        format::codec(self, target.curve, target.group)?;
        Ok(target.count.to_le_bytes().into())
    }
}
