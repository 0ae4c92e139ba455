//! gnark-crypto's encoding (`Encoder`) of a slice of points: their number in 4 bytes, big-endian, then the points in
//! Zcash's encoding. The field of BN254 leaves only two bits, so BN254 has flags of its own. gnark-crypto's decoder
//! takes slices that mix compressed and uncompressed points, which its encoder does not write. Such slices are not read
//! here.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, framed, told, Body, Format, Target, Wanted};
use super::id::FormatId;
use super::zcash;
use crate::codec::{Codec, FlagBits};
use crate::error::FormatError;

pub(super) struct Gnark {
    pub compressed: bool,
}

impl Format for Gnark {
    fn id(&self) -> FormatId {
        match self.compressed {
            true => FormatId::GnarkCompressed,
            false => FormatId::Gnark,
        }
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        let codec = zcash::codec(curve, self.compressed);
        match curve {
            CurveId::Bn254 => Some(Codec { flags: FlagBits::GnarkTwo, ..codec }),
            _ => curve.has_pairing().then_some(codec),
        }
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        let points = told(self, wanted, None)?;
        framed(file, points, 4, |head| u32::from_be_bytes(std::array::from_fn(|i| head[i])).into())
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        self.id().sections(target.section, &[])?;
        format::codec(self, target.curve, target.group)?;
        let count = u32::try_from(target.count).map_err(|_| {
            self.id().structure(format!("{} points: expected fewer than 2^32 in a file", target.count))
        })?;
        Ok(count.to_be_bytes().into())
    }
}
