//! The header of both kinds of files.

use bucketwheel::{CurveId, GroupId};

use super::kind::{Kind, HEADER_BYTES};
use crate::error::FormatError;

/// The only version so far.
const VERSION: u32 = 1;
/// Canonical little-endian integers.
const ENCODING: u8 = 1;

/// Content of a file's header.
///
/// ```
/// use bucketwheel::{CurveId, GroupId};
/// use bucketwheel_formats::{padding, Header, Kind};
///
/// let header = Header { curve: CurveId::Bls12_381, group: Some(GroupId::Pair), count: 5 };
/// assert_eq!(header.kind(), Kind::Points);
/// let bytes = header.encode();
/// assert!(bytes.starts_with(&Kind::Points.magic()));
/// assert_eq!(Header::parse(&bytes, Kind::Points)?, (header, &[][..]));
///
/// // G1 behind the header, G2 at the next multiple of 64.
/// let (starts, len) = header.layout();
/// assert_eq!(padding(CurveId::Bls12_381, 5), 32);
/// assert_eq!((starts, len), (vec![64, 64 + 5 * 96 + 32], 576 + 5 * 192));
/// # Ok::<(), bucketwheel_formats::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The curve of the points, or the curve whose order bounds the scalars.
    pub curve: CurveId,
    /// The group of the points; scalars have none.
    pub group: Option<GroupId>,
    /// Number of points or scalars; for a pair, number of points in each group.
    pub count: u64,
}

impl Header {
    /// Returns the kind of the file: a header with a group is for points, a header without one for scalars. The
    /// [example](Self) uses it.
    pub fn kind(&self) -> Kind {
        self.group.map_or(Kind::Scalars, |_| Kind::Points)
    }

    /// Returns the header's bytes.
    ///
    /// The [example](crate#types-instead-of-names) uses it.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&self.kind().magic());
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12] = self.curve.code();
        bytes[13] = self.group.map_or(0, GroupId::code);
        bytes[14] = ENCODING;
        bytes[16..24].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    /// Returns the start of each group's payload (for scalars, of the only payload), and the length of the whole file.
    /// The [example](Self) uses it.
    pub fn layout(&self) -> (Vec<u64>, u128) {
        let padded = |end: u128| end.next_multiple_of(HEADER_BYTES as u128);
        let parts: &[GroupId] = self.group.map_or(&[], GroupId::parts);
        let sizes: Vec<_> = match parts {
            [] => vec![self.curve.scalar_bytes()],
            parts => parts.iter().map(|&part| self.curve.point_bytes(part)).collect(),
        };
        let mut end = 0;
        let start = |size| {
            let start = padded(end).max(HEADER_BYTES as u128);
            end = start + u128::from(self.count) * size as u128;
            start
        };
        let starts: Vec<u128> = sizes.into_iter().map(start).collect();
        // The start of a second group overflows for no file that exists. Its length then fits no file either.
        (starts.into_iter().map(|start| u64::try_from(start).unwrap_or(u64::MAX)).collect(), end)
    }

    /// Splits a file of this kind into header and payload. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FormatError`], for any fault of the header.
    pub fn parse(file: &[u8], kind: Kind) -> Result<(Header, &[u8]), FormatError> {
        let Some((bytes, payload)) = file.split_first_chunk::<HEADER_BYTES>() else {
            return Err(FormatError::NoHeader { actual: file.len() });
        };
        check_magic(bytes, kind)?;
        let version = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        if version != VERSION {
            return Err(FormatError::Version { expected: VERSION, found: version });
        }
        let unknown = |what, code, expected| FormatError::Code { what, code, expected };
        let curve =
            CurveId::from_code(bytes[12]).ok_or_else(|| unknown("curve", bytes[12], CurveId::CODES))?;
        let group = match (kind, bytes[13]) {
            (Kind::Scalars, 0) => None,
            (Kind::Scalars, code) => return Err(unknown("group", code, "0 (none) for scalars")),
            (Kind::Points, code) => {
                let group = GroupId::from_code(code).filter(|group| curve.groups().contains(group));
                let expected = match curve.has_pairing() {
                    true => "1 (g1), 2 (g2) or 3 (pair)",
                    false => "1 (g1), the only group of this curve",
                };
                Some(group.ok_or_else(|| unknown("group", code, expected))?)
            }
        };
        if bytes[14] != ENCODING {
            return Err(unknown("encoding", bytes[14], "1 (canonical little-endian integers)"));
        }
        let unused = [15].into_iter().chain(24..HEADER_BYTES);
        check_zero(bytes, unused, 0)?;
        let count = u64::from_le_bytes(std::array::from_fn(|i| bytes[16 + i]));
        Ok((Header { curve, group, count }, payload))
    }
}

fn check_magic(bytes: &[u8; HEADER_BYTES], expected: Kind) -> Result<(), FormatError> {
    let found = [Kind::Points, Kind::Scalars].into_iter().find(|kind| bytes.starts_with(&kind.magic()));
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(FormatError::WrongKind { expected, found }),
        None => Err(FormatError::Magic { expected }),
    }
}

/// Checks that the bytes at these positions are zero. `start` is the offset of `bytes` in the file.
pub(super) fn check_zero(
    bytes: &[u8],
    mut positions: impl Iterator<Item = usize>,
    start: usize,
) -> Result<(), FormatError> {
    match positions.find(|&position| bytes[position] != 0) {
        None => Ok(()),
        Some(position) => Err(FormatError::Reserved { offset: start + position, value: bytes[position] }),
    }
}
