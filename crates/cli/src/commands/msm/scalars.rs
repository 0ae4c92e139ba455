//! Scalars files, and the check that they fit the points.

use std::path::Path;

use bucketwheel::{CurveId, Error as EngineError, GroupId};
use bucketwheel_circuit::Source;

use super::error::MsmError;
use crate::args::msm::MsmArgs;
use crate::error::{in_file, own, Error};
use crate::format::{FormatError, ScalarsFile};

/// Properties of the points that are known without decoding.
#[derive(Clone, Copy)]
pub struct Known<'f> {
    /// The points file.
    pub path: &'f Path,
    pub curve: CurveId,
    pub group: GroupId,
    pub count: usize,
}

impl Known<'_> {
    /// Returns an error unless the points have the requested curve and group.
    pub fn check(&self, args: &MsmArgs) -> Result<(), Error> {
        check_curve(self.path, args.curve, self.curve)?;
        match args.group.filter(|&expected| expected != self.group) {
            None => Ok(()),
            Some(expected) => {
                Err(own(MsmError::OtherGroup { path: self.path.into(), expected, found: self.group }))
            }
        }
    }

    /// Finds the scalars in a file, one for each point.
    pub fn scalars<'s>(&self, path: &'s Path, map: &'s Source) -> Result<ScalarsInput<'s>, Error> {
        let file = ScalarsFile::parse(map).map_err(in_file(path))?;
        check_curve(path, Some(self.curve), file.curve)?;
        if file.count != self.count {
            return Err(own(MsmError::Count {
                points_path: self.path.into(),
                points: self.count,
                scalars_path: path.into(),
                scalars: file.count,
            }));
        }
        Ok(ScalarsInput { path, map, file })
    }
}

fn check_curve(path: &Path, expected: Option<CurveId>, found: CurveId) -> Result<(), Error> {
    match expected.filter(|&expected| expected != found) {
        None => Ok(()),
        Some(expected) => Err(own(MsmError::OtherCurve { path: path.into(), expected, found })),
    }
}

/// A mapped file of scalars.
pub struct ScalarsInput<'f> {
    pub path: &'f Path,
    pub map: &'f Source,
    pub file: ScalarsFile<'f>,
}

impl ScalarsInput<'_> {
    /// Returns the error of the scalars behind the first `start` scalars.
    pub fn blame(&self, start: usize, error: EngineError) -> Error {
        match error {
            EngineError::ScalarRange { index } => {
                in_file(self.path)(FormatError::Scalar { index: start + index })
            }
            error => error.into(),
        }
    }
}
