//! The points file, in any format.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use bucketwheel::{Check, CurveId, Error as EngineError, GroupId};
use bucketwheel_circuit::Source;
use bucketwheel_dynamic::{AnyPoints, DynGroup, DynGroups, GroupError};

use super::scalars::Known;
use crate::args::msm::MsmArgs;
use crate::commands::convert::{failed, for_each_block, identify, open};
use crate::error::{in_file, Error};
use crate::format::{Body, FormatError, FormatId, PointsFile, Section, Wanted};
use crate::inputs::room_for;
use crate::runtime::Context;

/// The points of a mapped file.
pub struct Input<'f> {
    /// The file.
    pub path: &'f Path,
    /// The bytes of the file.
    pub map: &'f Source,
    /// The format of the file.
    pub format: FormatId,
    /// The section, if the user names one.
    pub section: Option<Section>,
    /// The curve.
    pub curve: CurveId,
    /// One group, or both.
    pub group: GroupId,
    /// Number of points; for a pair, in each group.
    pub count: usize,
    /// The points of each group.
    pub bodies: Vec<Body<'f>>,
}

impl<'f> Input<'f> {
    /// Finds the points without reading them.
    ///
    /// # Errors
    /// If the file has another structure than its format, or contradicts the arguments.
    pub fn open(args: &'f MsmArgs, map: &'f Source) -> Result<Self, Error> {
        let path = args.points.as_path();
        let wanted = Wanted { curve: args.curve, group: args.group, section: args.section.wanted };
        let (format, wanted) = identify(path, map, args.encoding, wanted)?;
        let (group, bodies) = if format == FormatId::Bucketwheel {
            let file = PointsFile::parse(map).map_err(in_file(path))?;
            Known { path, curve: file.curve, group: file.group, count: file.count }.check(args)?;
            let body = |&group: &GroupId| open(path, format, map, Wanted { group: Some(group), ..wanted });
            (file.group, file.group.parts().iter().map(body).collect::<Result<Vec<_>, _>>()?)
        } else {
            let body = open(path, format, map, wanted)?;
            (body.group, vec![body])
        };
        let (curve, count) = (bodies[0].curve, bodies[0].count());
        Ok(Input { path, map, format, section: args.section.wanted, curve, group, count, bodies })
    }

    /// Returns path, curve, group and number of the points.
    pub(super) fn known(&self) -> Known<'f> {
        Known { path: self.path, curve: self.curve, group: self.group, count: self.count }
    }

    /// Returns true if the engine can use the points without decoding.
    pub fn is_ours(&self) -> bool {
        self.format == FormatId::Bucketwheel
    }

    /// Returns the bytes of some points of one group.
    pub fn bytes(&self, body: usize, range: &Range<usize>) -> &[u8] {
        let body = &self.bodies[body];
        let size = body.codec.bytes(body.curve, body.group);
        &body.bytes[range.start * size..range.end * size]
    }

    /// Returns the number of bytes of a point as integers; for a pair, in both groups.
    pub fn point_bytes(&self) -> usize {
        self.curve.point_bytes(self.group)
    }

    /// Returns all points of each group, as integers.
    ///
    /// # Errors
    /// For the first point that does not decode, and cancellation.
    pub fn all<'s>(
        &'s self,
        groups: &dyn DynGroups,
        context: Context<'_>,
    ) -> Result<Vec<Cow<'s, [u8]>>, Error> {
        let all = |(body, group): (&'s Body<'_>, &dyn DynGroup)| {
            if self.is_ours() {
                return Ok(Cow::Borrowed(&body.bytes[..]));
            }
            let mut all = room_for(body.count() * self.curve.point_bytes(body.group))?;
            for_each_block(group, self.path, body, Check::None, context, |points| {
                all.extend_from_slice(points);
                Ok(())
            })?;
            Ok(Cow::Owned(all))
        };
        self.bodies.iter().zip(groups.parts()).map(all).collect()
    }

    /// Returns some points of each group, as integers.
    ///
    /// # Errors
    /// For the first point that does not decode.
    pub fn parts(&self, groups: &dyn DynGroups, range: &Range<usize>) -> Result<Vec<Cow<'_, [u8]>>, Error> {
        let part = |(body, group): (usize, &dyn DynGroup)| {
            let bytes = self.bytes(body, range);
            if self.is_ours() {
                return Ok(Cow::Borrowed(bytes));
            }
            let decoded = group.decode(&self.bodies[body].codec, bytes, Check::None);
            decoded.map(Cow::Owned).map_err(|failure| failed(self.path, group.group(), range.start, failure))
        };
        (0..).zip(groups.parts()).map(part).collect()
    }
}

/// Returns the points of each group for the engine.
pub fn points_of<'a>(parts: &'a [Cow<'_, [u8]>]) -> Vec<AnyPoints<'a>> {
    parts.iter().map(|bytes| AnyPoints::integers(bytes)).collect()
}

/// Returns the error of points behind the first `start` of a file.
pub fn blame(path: &Path, start: usize, GroupError { group, error }: GroupError) -> Error {
    let bad = |source| Error::Points { path: path.into(), group, source };
    match error {
        EngineError::NotOnCurve { index } => bad(EngineError::NotOnCurve { index: start + index }),
        EngineError::NotInSubgroup { index } => bad(EngineError::NotInSubgroup { index: start + index }),
        EngineError::CoordinateRange { index } => {
            in_file(path)(FormatError::Coordinate { group, index: start + index })
        }
        error => error.into(),
    }
}
