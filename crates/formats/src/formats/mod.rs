//! The formats, one a file, all of one shape: where the points are, and how one of them lies in its bytes.

mod arkworks;
mod arkworks_key;
mod basis;
mod bucketwheel;
mod challenge;
mod detect;
mod eip2537;
mod gnark;
mod gnark_srs;
mod halo2;
mod kzg;
mod kzg_json;
mod layout;
mod ptau;
mod zcash;

use std::borrow::Cow;

use ::bucketwheel::{CurveId, GroupId};

pub use detect::detect;

use crate::codec::Codec;
use crate::error::FormatError;
use crate::named::named;

named! {
    /// A format of points files.
    FormatId:
    /// Ours: a header, then little-endian integers
    Bucketwheel = 1 => "bucketwheel",
    /// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points
    Arkworks = 2 => "arkworks",
    /// The same compressed
    ArkworksCompressed = 3 => "arkworks-compressed",
    /// Zcash's and IETF's encoding of BLS12-381, point after point
    Zcash = 4 => "zcash",
    /// The same compressed
    ZcashCompressed = 5 => "zcash-compressed",
    /// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`
    Gnark = 6 => "gnark",
    /// The same compressed, its default
    GnarkCompressed = 7 => "gnark-compressed",
    /// A section of snarkjs's powers of tau
    Ptau = 8 => "ptau",
    /// A section of the text of Ethereum's KZG set-up
    Kzg = 9 => "kzg",
    /// Ethereum's precompiles, point after point
    Eip2537 = 10 => "eip2537",
    /// A section of Ethereum's KZG set-up as JSON; read only
    KzgJson = 11 => "kzg-json",
    /// A whole KZG SRS of gnark-crypto, by `WriteRawTo`; read only
    GnarkSrs = 12 => "gnark-srs",
    /// The same compressed, by `WriteTo`
    GnarkSrsCompressed = 13 => "gnark-srs-compressed",
    /// The same from memory, by `WriteDump`
    GnarkSrsDump = 14 => "gnark-srs-dump",
    /// A challenge of a ceremony for powers of tau; read only
    Challenge = 15 => "challenge",
    /// A response in a ceremony for powers of tau; read only
    Response = 16 => "response",
    /// Parameters of halo2's KZG commitments with raw bytes; read only
    Halo2 = 17 => "halo2",
    /// The same processed: compressed points
    Halo2Processed = 18 => "halo2-processed",
    /// A proving or verifying key of Groth16 by arkworks; read only
    ArkworksKey = 19 => "arkworks-key",
    /// The same compressed
    ArkworksKeyCompressed = 20 => "arkworks-key-compressed"
}

named! {
    /// A section of a file that has several.
    Section:
    /// ptau: tau^i G1
    TauG1 = 2 => "tauG1",
    /// ptau: tau^i G2
    TauG2 = 3 => "tauG2",
    /// ptau: alpha tau^i G1
    AlphaTauG1 = 4 => "alphaTauG1",
    /// ptau: beta tau^i G1
    BetaTauG1 = 5 => "betaTauG1",
    /// ptau: beta G2
    BetaG2 = 6 => "betaG2",
    /// response, gnark-srs: the points of a key in G1
    KeyG1 = 7 => "keyG1",
    /// response: the points of a key in G2
    KeyG2 = 8 => "keyG2",
    /// kzg: Lagrange polynomials at tau in G1
    G1Lagrange = 16 => "g1-lagrange",
    /// kzg: powers of tau in G2
    G2Monomial = 17 => "g2-monomial",
    /// kzg: powers of tau in G1
    G1Monomial = 18 => "g1-monomial",
    /// arkworks-key: alpha in G1
    AlphaG1 = 32 => "alpha-g1",
    /// arkworks-key: beta, gamma and delta in G2
    BetaGammaDeltaG2 = 33 => "beta-gamma-delta-g2",
    /// arkworks-key: a point for the constant and each public input
    GammaAbcG1 = 34 => "gamma-abc-g1",
    /// arkworks-key: beta and delta in G1
    BetaDeltaG1 = 35 => "beta-delta-g1",
    /// arkworks-key: the query a
    AQuery = 36 => "a-query",
    /// arkworks-key: the query b in G1
    BG1Query = 37 => "b-g1-query",
    /// arkworks-key: the query b in G2
    BG2Query = 38 => "b-g2-query",
    /// arkworks-key: the query h
    HQuery = 39 => "h-query",
    /// arkworks-key: the query l
    LQuery = 40 => "l-query"
}

/// Curve, group and section of the points in a file, as far as they are known or asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Their curve.
    pub curve: Option<CurveId>,
    /// Their group, not the pair.
    pub group: Option<GroupId>,
    /// Their section.
    pub section: Option<Section>,
}

/// The points in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// Their curve.
    pub curve: CurveId,
    /// Their group, not the pair.
    pub group: GroupId,
    /// Encoding of each.
    pub codec: Codec,
    /// All of them, one after the other.
    pub bytes: Cow<'a, [u8]>,
}

impl Body<'_> {
    /// Number of points.
    pub fn count(&self) -> usize {
        self.bytes.len() / self.codec.bytes(self.group)
    }
}

/// Points to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Their curve.
    pub curve: CurveId,
    /// Their group, not the pair.
    pub group: GroupId,
    /// The section to be, for formats that have some.
    pub section: Option<Section>,
    /// Number of points.
    pub count: u64,
}

/// A format. Its functions are pure: bytes in, bytes out.
pub trait Format: Sync {
    /// Returns true if a file says that it is of this format.
    fn claims(&self, _file: &[u8]) -> bool {
        false
    }

    /// Returns true if a file has sections, which tell the group of their points.
    fn is_sectioned(&self) -> bool {
        false
    }

    /// Encoding of a point; `None` if the format does not have such points.
    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec>;

    /// Parts of a file that are wanted: both groups, or all sections, unless one is named.
    ///
    /// # Errors
    /// For a file of another structure, or with nothing of what is wanted.
    fn parts(&self, _file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        Ok(vec![wanted])
    }

    /// Finds the points in a file. They are not looked at yet, but that nothing else is in the file is certain.
    ///
    /// # Errors
    /// For a file of another structure or length, or that leaves open what it holds.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError>;

    /// Bytes ahead of the points in a file.
    ///
    /// # Errors
    /// For points that the format does not take.
    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError>;

    /// Checks that a file which starts with these points, encoded, would be read as the section that it is written for.
    ///
    /// # Errors
    /// [`FormatError::Basis`].
    fn admit(&self, _target: Target, _first: &[u8]) -> Result<(), FormatError> {
        Ok(())
    }

    /// Points, encoded one after the other, as they stand in the file; each has `size` bytes.
    ///
    /// # Errors
    /// [`FormatError::OutOfMemory`], or [`FormatError::Size`] for bytes that are no points of this size.
    fn wrap(&self, points: Vec<u8>, _size: usize) -> Result<Vec<u8>, FormatError> {
        Ok(points)
    }
}

impl FormatId {
    /// The formats that are written. The others are read only.
    pub const WRITTEN: &'static [FormatId] = &[
        FormatId::Bucketwheel,
        FormatId::Arkworks,
        FormatId::ArkworksCompressed,
        FormatId::Zcash,
        FormatId::ZcashCompressed,
        FormatId::Gnark,
        FormatId::GnarkCompressed,
        FormatId::Ptau,
        FormatId::Kzg,
        FormatId::Eip2537,
    ];

    /// The format.
    pub fn format(self) -> &'static dyn Format {
        match self {
            FormatId::Bucketwheel => &bucketwheel::Bucketwheel,
            FormatId::Arkworks => &arkworks::Arkworks { compressed: false },
            FormatId::ArkworksCompressed => &arkworks::Arkworks { compressed: true },
            FormatId::Zcash => &zcash::Zcash { compressed: false },
            FormatId::ZcashCompressed => &zcash::Zcash { compressed: true },
            FormatId::Gnark => &gnark::Gnark { compressed: false },
            FormatId::GnarkCompressed => &gnark::Gnark { compressed: true },
            FormatId::Ptau => &ptau::Ptau,
            FormatId::Kzg => &kzg::Kzg,
            FormatId::Eip2537 => &eip2537::Eip2537,
            FormatId::KzgJson => &kzg_json::KzgJson,
            FormatId::GnarkSrs => &gnark_srs::GnarkSrs::Raw,
            FormatId::GnarkSrsCompressed => &gnark_srs::GnarkSrs::Compressed,
            FormatId::GnarkSrsDump => &gnark_srs::GnarkSrs::Dump,
            FormatId::Challenge => &challenge::Challenge { response: false },
            FormatId::Response => &challenge::Challenge { response: true },
            FormatId::Halo2 => &halo2::Halo2 { processed: false },
            FormatId::Halo2Processed => &halo2::Halo2 { processed: true },
            FormatId::ArkworksKey => &arkworks_key::ArkworksKey { compressed: false },
            FormatId::ArkworksKeyCompressed => &arkworks_key::ArkworksKey { compressed: true },
        }
    }

    /// The codec for points that the format has.
    fn codec(self, curve: CurveId, group: GroupId) -> Result<Codec, FormatError> {
        let expected = match self {
            FormatId::Ptau | FormatId::Challenge | FormatId::Response => "g1 or g2 of bn254 or bls12-381",
            FormatId::Zcash
            | FormatId::ZcashCompressed
            | FormatId::Kzg
            | FormatId::KzgJson
            | FormatId::Eip2537 => "g1 or g2 of bls12-381",
            FormatId::Halo2 | FormatId::Halo2Processed => "g1 or g2 of bn254",
            _ if curve.has_pairing() => "g1 or g2, one file for each",
            FormatId::Bucketwheel => "g1, its only group",
            _ => "points of bls12-381, bls12-377 or bn254",
        };
        let codec = self.format().codec(curve, group).filter(|_| group != GroupId::Pair);
        codec.ok_or(FormatError::NoSuchPoints { format: self, curve, group, expected })
    }

    /// Curve and group of a file that tells neither; the curve may be the only one of the format.
    fn told(self, wanted: Wanted, only: Option<CurveId>) -> Result<(CurveId, GroupId, Codec), FormatError> {
        self.sections(wanted.section, &[])?;
        let unknown = |what| FormatError::Unknown { format: self, what };
        let curve = wanted.curve.or(only).ok_or(unknown("curve"))?;
        let group = wanted.group.ok_or(unknown("group"))?;
        Ok((curve, group, self.codec(curve, group)?))
    }

    /// The part that is wanted, once for each of these sections that fits it; at least one does.
    fn each(self, wanted: Wanted, sections: &[(Section, GroupId)]) -> Result<Vec<Wanted>, FormatError> {
        if wanted.section.is_some() {
            return Ok(vec![wanted]);
        }
        let fits = |&&(_, group): &&(Section, GroupId)| wanted.group.is_none_or(|wanted| wanted == group);
        let part = |&(section, _): &(Section, GroupId)| Wanted { section: Some(section), ..wanted };
        let parts: Vec<_> = sections.iter().filter(fits).map(part).collect();
        match (parts.is_empty(), wanted.group) {
            (false, _) => Ok(parts),
            (true, None) => Err(self.structure("expected a section of points")),
            (true, Some(group)) => {
                let found = format!("no section of {group} points");
                Err(FormatError::Contradiction { expected: "one".into(), found })
            }
        }
    }

    /// The section that is wanted, if it is one of these.
    fn sections(self, wanted: Option<Section>, known: &[Section]) -> Result<Option<Section>, FormatError> {
        match wanted.filter(|section| !known.contains(section)) {
            None => Ok(wanted),
            Some(section) => Err(FormatError::NoSection { format: self, section, known: known.into() }),
        }
    }

    fn structure(self, what: impl Into<String>) -> FormatError {
        FormatError::Structure { format: self, what: what.into() }
    }
}

/// The points in `file` behind `prefix` bytes, which name their number if they are there.
fn framed<'a>(
    file: &'a [u8],
    (curve, group, codec): (CurveId, GroupId, Codec),
    prefix: usize,
    count: impl FnOnce(&[u8]) -> u64,
) -> Result<Body<'a>, FormatError> {
    let size = codec.bytes(group);
    let error = |expected| FormatError::Size { actual: file.len(), expected };
    let Some((head, points)) = file.split_at_checked(prefix) else {
        return Err(error(format!("at least {prefix}, a number of points")));
    };
    if prefix > 0 {
        let count = count(head);
        let expected = u128::from(count) * size as u128 + prefix as u128;
        if expected != file.len() as u128 {
            return Err(error(format!("{expected} for {count} {curve} {group} points")));
        }
    } else if points.len() % size != 0 {
        return Err(error(format!("a multiple of {size}, the bytes of a {curve} {group} point")));
    }
    Ok(Body { curve, group, codec, bytes: points.into() })
}

/// Checks what a file says against what was asked for.
fn agree<T: Copy + PartialEq + std::fmt::Display>(wanted: Option<T>, found: T) -> Result<T, FormatError> {
    match wanted.filter(|&wanted| wanted != found) {
        None => Ok(found),
        Some(wanted) => {
            Err(FormatError::Contradiction { expected: wanted.to_string(), found: found.to_string() })
        }
    }
}
