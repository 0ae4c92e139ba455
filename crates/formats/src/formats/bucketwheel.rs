//! Our own format, see `docs/file-format.md`.

use bucketwheel::{CurveId, GroupId};

use super::format::{self, agree, Body, Format, Target, Wanted};
use super::id::FormatId;
use crate::codec::Codec;
use crate::error::FormatError;
use crate::native::{self, Header, Kind, PointsFile};

pub(super) struct Bucketwheel;

const ID: FormatId = FormatId::Bucketwheel;

impl Format for Bucketwheel {
    fn id(&self) -> FormatId {
        ID
    }

    fn expected(&self, curve: CurveId) -> &'static str {
        match curve.has_pairing() {
            true => "g1 or g2, one file for each",
            false => "g1, its only group",
        }
    }

    fn claims(&self, file: &[u8]) -> bool {
        file.starts_with(&Kind::Points.magic()) || file.starts_with(&Kind::Scalars.magic())
    }

    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec> {
        curve.groups().contains(&group).then(|| native::codec(curve))
    }

    fn parts(&self, file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        let groups =
            wanted.group.map_or(PointsFile::parse(file)?.group.parts().to_vec(), |group| vec![group]);
        Ok(groups.into_iter().map(|group| Wanted { group: Some(group), ..wanted }).collect())
    }

    /// Opens one group of a pair, or the only group.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError> {
        ID.sections(wanted.section, &[])?;
        let file = PointsFile::parse(file)?;
        let curve = agree(wanted.curve, file.curve)?;
        let group = match file.group {
            GroupId::Pair => wanted.group.ok_or(FormatError::Unknown { format: ID, what: "group" })?,
            group => agree(wanted.group, group)?,
        };
        let codec = format::codec(self, curve, group)?;
        let bytes = if group == GroupId::G1 { file.g1 } else { file.g2 };
        Ok(Body { curve, group, codec, bytes: bytes.into() })
    }

    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError> {
        ID.sections(target.section, &[])?;
        format::codec(self, target.curve, target.group)?;
        let Target { curve, group, count, .. } = target;
        Ok(Header { curve, group: Some(group), count }.encode().into())
    }
}
