//! The trait of a format, and the code that all formats share.

use std::borrow::Cow;

use bucketwheel::{CurveId, GroupId};

use super::id::{FormatId, Section};
use crate::codec::Codec;
use crate::error::FormatError;

/// Curve, group and section of the points in a file, as far as the caller knows or wants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Curve of the points.
    pub curve: Option<CurveId>,
    /// Group of the points, not the pair.
    pub group: Option<GroupId>,
    /// Section of the points.
    pub section: Option<Section>,
}

/// The points in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// Curve of the points.
    pub curve: CurveId,
    /// Group of the points, not the pair.
    pub group: GroupId,
    /// Encoding of each point.
    pub codec: Codec,
    /// Bytes of all points, one after the other.
    pub bytes: Cow<'a, [u8]>,
}

impl Body<'_> {
    /// Returns the number of points.
    ///
    /// The [example](crate) uses it.
    pub fn count(&self) -> usize {
        self.bytes.len() / self.codec.bytes(self.curve, self.group)
    }
}

/// Points to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Curve of the points.
    pub curve: CurveId,
    /// Group of the points, not the pair.
    pub group: GroupId,
    /// Section of the points, for formats with sections.
    pub section: Option<Section>,
    /// Number of points.
    pub count: u64,
}

/// A format. Its functions are pure: bytes in, bytes out.
///
/// ```
/// use bucketwheel::{CurveId, GroupId};
/// use bucketwheel_formats::{coder, FormatId, Section, Target, Wanted};
///
/// // Powers of tau of snarkjs: a file with sections, which names its curve.
/// let format = FormatId::Ptau.format();
/// assert!(format.id() == FormatId::Ptau && format.is_sectioned());
/// assert_eq!((FormatId::from_code(format.id().code()), format.id().name()), (Some(FormatId::Ptau), "ptau"));
/// let (curve, group) = (CurveId::Bn254, GroupId::G1);
/// let codec = format.codec(curve, group).ok_or(format.expected(curve))?;
///
/// // A file with one point in section tauG1.
/// let point = coder(curve, group)?.generator(&codec).expect("memory for a point");
/// let target = Target { curve, group, section: Some(Section::TauG1), count: 1 };
/// format.admit(target, &point)?;
/// let mut file = format.start(target)?;
/// file.extend(format.wrap(point.clone(), codec.bytes(curve, group))?);
///
/// // The file tells format and section.
/// assert!(format.claims(&file));
/// let parts = format.parts(&file, Wanted::default())?;
/// assert_eq!((parts.len(), parts[0].section), (1, Some(Section::TauG1)));
/// assert_eq!(format.open(&file, parts[0])?.bytes, point);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Format: Sync {
    /// Returns the name of the format. The [example](Self) uses it.
    fn id(&self) -> FormatId;

    /// Returns the names of the points that the format has, for the message about other points of this curve. The
    /// [example](Self) uses it.
    fn expected(&self, curve: CurveId) -> &'static str {
        expected_of_pairings(curve)
    }

    /// Returns true if a file says that it is of this format. The [example](Self) uses it.
    fn claims(&self, _file: &[u8]) -> bool {
        false
    }

    /// Returns true if a file has sections, which tell the group of their points. The [example](Self) uses it.
    fn is_sectioned(&self) -> bool {
        false
    }

    /// Returns the encoding of a point; `None` if the format does not have points of this group. The [example](Self)
    /// uses it.
    fn codec(&self, curve: CurveId, group: GroupId) -> Option<Codec>;

    /// Returns the wanted parts of a file: both groups or all sections, unless the caller names one. The
    /// [example](Self) uses it.
    ///
    /// # Errors
    /// If the file has another structure, or no wanted points.
    fn parts(&self, _file: &[u8], wanted: Wanted) -> Result<Vec<Wanted>, FormatError> {
        Ok(vec![wanted])
    }

    /// Finds the points in a file. It does not read the points yet, but makes sure that the file contains nothing else.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// If the file has another structure or length, or does not determine its content.
    fn open<'a>(&self, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, FormatError>;

    /// Returns the bytes ahead of the points in a file. The [example](Self) uses it.
    ///
    /// # Errors
    /// If the format does not take these points.
    fn start(&self, target: Target) -> Result<Vec<u8>, FormatError>;

    /// Checks that a file that starts with these encoded points would be read as the section that it is written for.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FormatError::Basis`].
    fn admit(&self, _target: Target, _first: &[u8]) -> Result<(), FormatError> {
        Ok(())
    }

    /// Returns points in the form that they have in the file, from points encoded one after the other, each in `size`
    /// bytes. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FormatError::OutOfMemory`], or [`FormatError::Size`] if the bytes are no points of this size.
    fn wrap(&self, points: Vec<u8>, _size: usize) -> Result<Vec<u8>, FormatError> {
        Ok(points)
    }
}

/// Returns the names of the points of a format for all curves with a pairing, for the message about other points of this curve.
pub(super) fn expected_of_pairings(curve: CurveId) -> &'static str {
    match curve.has_pairing() {
        true => "g1 or g2, one file for each",
        false => "points of bls12-381, bls12-377 or bn254",
    }
}

/// Returns the codec of points that the format has.
///
/// # Errors
/// [`FormatError::NoSuchPoints`].
pub(super) fn codec(format: &dyn Format, curve: CurveId, group: GroupId) -> Result<Codec, FormatError> {
    let codec = format.codec(curve, group).filter(|_| group != GroupId::Pair);
    let (format, expected) = (format.id(), format.expected(curve));
    codec.ok_or(FormatError::NoSuchPoints { format, curve, group, expected })
}

/// Returns curve and group of a file that tells neither. The curve may be the format's only curve.
///
/// # Errors
/// If `wanted` does not name them, if it names a section, or if the format lacks the points.
pub(super) fn told(
    format: &dyn Format,
    wanted: Wanted,
    only: Option<CurveId>,
) -> Result<(CurveId, GroupId, Codec), FormatError> {
    format.id().sections(wanted.section, &[])?;
    let unknown = |what| FormatError::Unknown { format: format.id(), what };
    let curve = wanted.curve.or(only).ok_or(unknown("curve"))?;
    let group = wanted.group.ok_or(unknown("group"))?;
    Ok((curve, group, codec(format, curve, group)?))
}

impl FormatId {
    /// Returns the wanted part, once for each of these sections that fits it. At least one section must fit.
    pub(super) fn each(
        self,
        wanted: Wanted,
        sections: &[(Section, GroupId)],
    ) -> Result<Vec<Wanted>, FormatError> {
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

    /// Returns the wanted section, if it is one of these sections.
    pub(super) fn sections(
        self,
        wanted: Option<Section>,
        known: &[Section],
    ) -> Result<Option<Section>, FormatError> {
        match wanted.filter(|section| !known.contains(section)) {
            None => Ok(wanted),
            Some(section) => Err(FormatError::NoSection { format: self, section, known: known.into() }),
        }
    }

    pub(super) fn structure(self, what: impl Into<String>) -> FormatError {
        FormatError::Structure { format: self, what: what.into() }
    }
}

/// Returns the points in `file` behind `prefix` bytes, which are the number of points unless there are none.
pub(super) fn framed<'a>(
    file: &'a [u8],
    (curve, group, codec): (CurveId, GroupId, Codec),
    prefix: usize,
    count: impl FnOnce(&[u8]) -> u64,
) -> Result<Body<'a>, FormatError> {
    let size = codec.bytes(curve, group);
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

/// Compares a property in a file with the wanted one.
pub(super) fn agree<T: Copy + PartialEq + std::fmt::Display>(
    wanted: Option<T>,
    found: T,
) -> Result<T, FormatError> {
    match wanted.filter(|&wanted| wanted != found) {
        None => Ok(found),
        Some(wanted) => {
            Err(FormatError::Contradiction { expected: wanted.to_string(), found: found.to_string() })
        }
    }
}
