//! Detection of a file's format.

use bucketwheel::{Check, CurveId, GroupId};

use super::{FormatId, Wanted};
use crate::error::FormatError;
use crate::points::coder;

/// Points that are looked at: a single x has a y half of the time.
const POINTS: usize = 16;

/// The format that a file says it has, or else the only one whose frame fits the file's length and in which the first
/// points lie on their curve; with it what that tells of the points beyond what is `wanted`.
///
/// # Errors
/// If no format fits, or several do, or of a curve that this build lacks.
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
    let fits: Vec<_> = candidates.filter(|&(id, kind)| fits(file, id, kind)).collect();
    match fits[..] {
        [(id, (curve, group))] => Ok((id, Wanted { curve: Some(curve), group: Some(group), ..wanted })),
        _ => {
            let name =
                |&(id, (curve, group)): &(FormatId, (CurveId, GroupId))| format!("{id} {curve} {group}");
            Err(FormatError::Ambiguous(fits.iter().map(name).collect()))
        }
    }
}

fn fits(file: &[u8], id: FormatId, (curve, group): (CurveId, GroupId)) -> bool {
    let wanted = Wanted { curve: Some(curve), group: Some(group), section: None };
    let Ok(body) = id.format().open(file, wanted) else { return false };
    let first = &body.bytes[..body.codec.bytes(group) * body.count().min(POINTS)];
    !first.is_empty()
        && coder(curve, group).is_ok_and(|coder| coder.decode(&body.codec, first, Check::Curve).is_ok())
}
