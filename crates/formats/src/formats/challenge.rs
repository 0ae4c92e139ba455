//! The challenge and response files in which the participants of a ceremony for powers of tau hand the points on: 64
//! bytes of a hash, then the points of `tauG1` (`2^(power + 1) - 1` of them), `tauG2`, `alphaTauG1`, `betaTauG1`
//! (`2^power` each) and `betaG2`, big-endian and c1 first. A challenge has uncompressed points. A response has
//! compressed points, with the participant's public key behind: six points of G1 and three of G2, uncompressed.
//!
//! Points of BN254 have the flags of the crate `pairing`, and so do snarkjs' compressed points of BLS12-381. Points of
//! Zcash's ceremony have Zcash's flags.

use bucketwheel::{CurveId, GroupId};

use super::id::{FormatId, Section};
use super::layout::{Sectioned, Walk};
use super::zcash;
use crate::codec::{Codec, FlagBits};
use crate::error::FormatError;

pub(super) struct Challenge {
    pub response: bool,
}

const HASH_BYTES: usize = 64;
/// A power with more points than files can hold.
const MAX_POWER: u32 = 40;
/// Zcash's flag of compressed points. In other encodings, the generator does not have it.
const ZCASH_COMPRESSED: u8 = 0x80;

impl Challenge {
    /// Returns the encoding of the powers, by the first byte of the first point.
    fn powers(&self, curve: CurveId, first: u8) -> Codec {
        let codec = zcash::codec(curve, self.response);
        match curve == CurveId::Bls12_381 && (!self.response || first & ZCASH_COMPRESSED != 0) {
            true => codec,
            false => Codec { flags: FlagBits::PairingTwo, ..codec },
        }
    }
}

impl Sectioned for Challenge {
    fn format(&self) -> FormatId {
        match self.response {
            true => FormatId::Response,
            false => FormatId::Challenge,
        }
    }

    fn expected(&self, _curve: CurveId) -> &'static str {
        "g1 or g2 of bn254 or bls12-381"
    }

    fn codec(&self, curve: CurveId, _group: GroupId) -> Option<Codec> {
        curve.snarkjs_name().map(|_| self.powers(curve, 0))
    }

    fn walk(&self, curve: CurveId, walk: &mut Walk<'_>) -> Result<(), FormatError> {
        walk.bytes(HASH_BYTES as u128, "the hash")?;
        let codec = self.powers(curve, walk.rest().first().copied().unwrap_or(0));
        let (g1, g2) = (codec.bytes(curve, GroupId::G1) as u128, codec.bytes(curve, GroupId::G2) as u128);
        let key = Challenge { response: false }.powers(curve, 0);
        let behind = match self.response {
            true => 6 * key.bytes(curve, GroupId::G1) + 3 * key.bytes(curve, GroupId::G2),
            false => 0,
        };
        // tauG1 has one point less than twice this number, and betaG2 is one point more.
        let fixed = HASH_BYTES as u128 + g2 - g1 + behind as u128;
        let len = |power: u32| ((4 * g1 + g2) << power) + fixed;
        let power = (0..=MAX_POWER).find(|&power| len(power) == walk.file_len() as u128);
        let power = power.ok_or_else(|| FormatError::Size {
            actual: walk.file_len(),
            expected: format!("{fixed} and {} for each of 2^power {curve} points", 4 * g1 + g2),
        })?;
        let powers = 1 << power;
        walk.points(Section::TauG1, (GroupId::G1, codec), 2 * powers - 1)?;
        walk.points(Section::TauG2, (GroupId::G2, codec), powers)?;
        walk.points(Section::AlphaTauG1, (GroupId::G1, codec), powers)?;
        walk.points(Section::BetaTauG1, (GroupId::G1, codec), powers)?;
        walk.points(Section::BetaG2, (GroupId::G2, codec), 1)?;
        if self.response {
            walk.points(Section::KeyG1, (GroupId::G1, key), 6)?;
            walk.points(Section::KeyG2, (GroupId::G2, key), 3)?;
        }
        Ok(())
    }
}
