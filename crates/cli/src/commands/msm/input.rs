//! The points file, of any format.

use std::ops::Range;
use std::path::Path;

use ark_ec::short_weierstrass::Affine;
use bucketwheel::{Cancel, Check, Curve, CurveId, GroupId};
use memmap2::Mmap;

use super::{format_error, Known};
use crate::args::msm::MsmArgs;
use crate::commands::convert::{for_each_block, identify, open};
use crate::error::Error;
use crate::format::{
    decode, decode_points, Body, Failure, FormatError, FormatId, PointsFile, Section, Wanted,
};
use crate::inputs::room_for;

/// The points of a mapped file.
pub struct Input<'f> {
    /// The file.
    pub path: &'f Path,
    /// Its bytes.
    pub map: &'f Mmap,
    /// Its format.
    pub format: FormatId,
    /// The section, where one was asked for.
    pub section: Option<Section>,
    /// The curve.
    pub curve: CurveId,
    /// One group, or both.
    pub group: GroupId,
    /// How many points; of a pair, in each group.
    pub count: usize,
    /// The points of each group.
    pub bodies: Vec<Body<'f>>,
}

impl<'f> Input<'f> {
    /// Finds the points. They are not looked at yet.
    ///
    /// # Errors
    /// If the file is of another structure than its format, or not what the arguments say.
    pub fn open(args: &'f MsmArgs, map: &'f Mmap) -> Result<Self, Error> {
        let path = args.points.as_path();
        let wanted = Wanted { curve: args.curve, group: args.group, section: args.section };
        let (format, wanted) = identify(path, map, args.encoding, wanted)?;
        let (group, bodies) = if format == FormatId::Bucketwheel {
            let file = PointsFile::parse(map).map_err(|source| format_error(path, source))?;
            Known { path, curve: file.curve, group: file.group, count: file.count }.check(args)?;
            let body = |&group: &GroupId| open(path, format, map, Wanted { group: Some(group), ..wanted });
            (file.group, file.group.parts().iter().map(body).collect::<Result<Vec<_>, _>>()?)
        } else {
            let body = open(path, format, map, wanted)?;
            (body.group, vec![body])
        };
        let (curve, count) = (bodies[0].curve, bodies[0].count());
        Ok(Input { path, map, format, section: args.section, curve, group, count, bodies })
    }

    /// What is known of the points.
    pub(super) fn known(&self) -> Known<'f> {
        Known { path: self.path, curve: self.curve, group: self.group, count: self.count }
    }

    /// Whether the engine takes the points as they are.
    pub fn is_ours(&self) -> bool {
        self.format == FormatId::Bucketwheel
    }

    /// The bytes of some points of one group.
    pub fn bytes(&self, body: usize, range: &Range<usize>) -> &[u8] {
        let body = &self.bodies[body];
        let size = body.codec.bytes(body.group);
        &body.bytes[range.start * size..range.end * size]
    }

    /// All points of one group.
    ///
    /// # Errors
    /// For the first one that does not decode, or if cancelled.
    pub fn all<C: Curve>(&self, body: usize, cancel: &Cancel) -> Result<Vec<Affine<C>>, Error> {
        let body = &self.bodies[body];
        if self.is_ours() {
            return decode_points(body.group, &body.bytes).map_err(|source| format_error(self.path, source));
        }
        let mut all = room_for(body.count())?;
        for_each_block::<C>(self.path, body, Check::None, cancel, |points| {
            all.extend_from_slice(points);
            Ok(())
        })?;
        Ok(all)
    }

    /// Some points of one group.
    ///
    /// # Errors
    /// For the first one that does not decode.
    pub fn decode<C: Curve>(&self, body: usize, range: &Range<usize>) -> Result<Vec<Affine<C>>, Error> {
        let Body { codec, group, .. } = self.bodies[body];
        decode::<C>(&codec, self.bytes(body, range), Check::None).map_err(|failure| match failure {
            Failure::Point(index, reason) => {
                let source = FormatError::Point { group, index: range.start + index, reason };
                format_error(self.path, source)
            }
            Failure::Engine(error) => error.into(),
        })
    }
}
