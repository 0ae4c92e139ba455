//! Points and tables in files.

use std::borrow::Cow;

use bucketwheel::{
    BasesOptions, Cancel, Check, CurveId, Error as EngineError, GroupId, TableError, TableHeader,
};
use bucketwheel_dynamic::{group, groups, AnyPoints, DynBases};
use bucketwheel_formats::{detect, Body, FormatError, FormatId, PointsFile, Wanted};

use crate::error::Error;
use crate::source::{room, Source};

/// Number of points that are decoded between two looks at the cancellation.
const BLOCK: usize = 1 << 14;

/// Prepared points, and their group.
pub(super) struct Prepared {
    pub curve: CurveId,
    pub group: GroupId,
    pub bases: Box<dyn DynBases>,
}

/// Loads a table.
pub(super) fn load(source: Source, wanted: Wanted, options: BasesOptions<'_>) -> Result<Prepared, Error> {
    let header = TableHeader::parse(&source)?;
    let of = |&curve: &CurveId| curve.groups().iter().map(move |&part| (curve, part));
    let is_of =
        |&(curve, part): &(CurveId, GroupId)| group(curve, part).is_ok_and(|group| group.is_of(&header));
    let found = CurveId::ALL.iter().flat_map(of).find(is_of);
    let (curve, part) = found.ok_or(TableError::Curve)?;
    agree(wanted, curve, part)?;
    Ok(Prepared { curve, group: part, bases: group(curve, part)?.load(options, Box::new(source))? })
}

/// Checks that curve and group are the wanted ones.
fn agree(wanted: Wanted, curve: CurveId, group: GroupId) -> Result<(), FormatError> {
    let (expected_curve, expected_group) = (wanted.curve.unwrap_or(curve), wanted.group.unwrap_or(group));
    match (expected_curve, expected_group) == (curve, group) {
        true => Ok(()),
        false => Err(FormatError::Contradiction {
            expected: format!("{expected_curve} {expected_group}"),
            found: format!("{curve} {group}"),
        }),
    }
}

/// Reads points of any format.
pub(super) fn read(
    file: &[u8],
    format: Option<FormatId>,
    wanted: Wanted,
    options: BasesOptions<'_>,
    cancel: &Cancel,
) -> Result<Prepared, Error> {
    let (format, wanted) = format.map_or_else(|| detect(file, wanted), |format| Ok((format, wanted)))?;
    let bodies = if format == FormatId::Bucketwheel {
        let file_of = PointsFile::parse(file)?;
        agree(wanted, file_of.curve, file_of.group)?;
        let body = |&group: &GroupId| format.format().open(file, Wanted { group: Some(group), ..wanted });
        (file_of.group, file_of.group.parts().iter().map(body).collect::<Result<Vec<_>, _>>()?)
    } else {
        let body = format.format().open(file, wanted)?;
        (body.group, vec![body])
    };
    let (group, bodies) = bodies;
    let curve = bodies.first().map(|body| body.curve).ok_or(FormatError::Empty)?;
    let groups = groups(curve, group)?;
    let integers = |body| match format {
        // The engine takes the points of this format without decoding.
        FormatId::Bucketwheel => {
            let Body { bytes, .. } = body;
            Ok(bytes)
        }
        _ => decoded(&body, cancel).map(Cow::Owned),
    };
    let parts: Vec<Cow<'_, [u8]>> = bodies.into_iter().map(integers).collect::<Result<_, _>>()?;
    let points: Vec<_> = parts.iter().map(|bytes| AnyPoints::integers(bytes)).collect();
    Ok(Prepared { curve, group, bases: groups.prepare(options, &points)? })
}

/// Returns the points of a file as integers.
fn decoded(body: &Body<'_>, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let group = group(body.curve, body.group)?;
    let size = body.curve.point_bytes(body.group);
    let mut all = room(body.count().saturating_mul(size))?;
    for (block, bytes) in body.bytes.chunks(BLOCK * body.codec.bytes(body.curve, body.group)).enumerate() {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled.into());
        }
        let points = group.decode(&body.codec, bytes, Check::None);
        all.extend_from_slice(&points.map_err(Error::points(body.group, block * BLOCK))?);
    }
    Ok(all)
}
