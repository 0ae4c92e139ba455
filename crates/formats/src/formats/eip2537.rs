//! Points of Ethereum's precompiles (EIP-2537), one after the other, in binary: coordinates in 64 big-endian bytes, c0
//! first, infinity as zeros.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, framed, told, Body, Format, Target, Wanted};
use super::id::FormatId;
use crate::codec::{Codec, FlagBits};
use crate::element::Elements;
use crate::error::FormatError;

pub(super) struct Eip2537;

const ID: FormatId = FormatId::Eip2537;

/// Bytes of an element of the prime field: 16 zeros, then the integer.
const ELEMENT_BYTES: usize = 64;

impl Format for Eip2537 {
    fn id(&self) -> FormatId {
        ID
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bls12-381"
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        let elements = Elements { imaginary_first: false, ..Elements::big_endian(ELEMENT_BYTES) };
        (curve == CurveId::Bls12_381).then_some(Codec { elements, flags: FlagBits::None, compressed: false })
    }

    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        framed(file, told(self, wanted, Some(CurveId::Bls12_381))?, 0, |_| 0)
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        ID.sections(target.section, &[])?;
        format::codec(self, target.curve, target.group)?;
        Ok(Vec::new())
    }
}
