//! Detection of a file's format.

use bucketwheel::{Check, CurveId, GroupId};

use super::format::Wanted;
use super::id::FormatId;
use crate::coder::coder;
use crate::error::FormatError;

/// Number of points that are examined: a random x has a y half of the time.
const POINTS: usize = 16;

/// Returns the format that a file names. Otherwise returns the only format whose frame fits the file's length and whose
/// first points lie on their curve. Also returns the properties of the points that the format tells beyond `wanted`.
///
/// The [example](crate) uses it.
///
/// # Errors
/// If no format fits, or several do, or if this build lacks the curve.
pub fn detect(file: &[u8], wanted: Wanted) -> Result<(FormatId, Wanted), FormatError> {
    if let Some(curve) = wanted.curve {
        curve.check()?;
    }
    if let Some(&id) = FormatId::ALL.iter().find(|id| id.format().claims(file)) {
        return Ok((id, wanted));
    }
    let curves = CurveId::ALL.iter().filter(|&&curve| wanted.curve.is_none_or(|wanted| wanted == curve));
    let groups = |curve: CurveId| curve.groups().iter().filter(|&&group| group != GroupId::Pair);
    let kinds = curves.flat_map(|&curve| groups(curve).map(move |&group| (curve, group)));
    let kinds: Vec<_> =
        kinds.filter(|&(_, group)| wanted.group.is_none_or(|wanted| wanted == group)).collect();
    let candidates = FormatId::ALL.iter().flat_map(|&id| kinds.iter().map(move |&kind| (id, kind)));
    // The sections of a file have points of both groups.
    let candidates = candidates.filter_map(|(id, (curve, group))| match id.format().is_sectioned() {
        false => Some((id, Wanted { curve: Some(curve), group: Some(group), ..wanted })),
        true if group == wanted.group.unwrap_or(GroupId::G1) => {
            Some((id, Wanted { curve: Some(curve), ..wanted }))
        }
        true => None,
    });
    let fits: Vec<_> = candidates.filter(|&(id, wanted)| fits(file, id, wanted)).collect();
    match fits[..] {
        [found] => Ok(found),
        _ => Err(FormatError::Ambiguous(fits.iter().map(name).collect())),
    }
}

fn name((id, wanted): &(FormatId, Wanted)) -> String {
    let curve = wanted.curve.map_or("", CurveId::name);
    match wanted.group.filter(|_| !id.format().is_sectioned()) {
        Some(group) => format!("{id} {curve} {group}"),
        None => format!("{id} {curve}"),
    }
}

fn fits(file: &[u8], id: FormatId, wanted: Wanted) -> bool {
    // The wanted section says nothing about the format. Nor does the wanted group, if sections tell their group.
    let group = wanted.group.filter(|_| !id.format().is_sectioned());
    let Ok(body) = id.format().open(file, Wanted { section: None, group, ..wanted }) else { return false };
    let first = &body.bytes[..body.codec.bytes(body.curve, body.group) * body.count().min(POINTS)];
    let coder = coder(body.curve, body.group);
    !first.is_empty() && coder.is_ok_and(|coder| coder.decode(&body.codec, first, Check::Curve).is_ok())
}
