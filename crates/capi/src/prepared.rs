//! Prepares points and tables, from memory and from files, and computes sums over them.

use std::path::Path;
use std::sync::Arc;

use bucketwheel::{Check, CurveId, Error as EngineError, GroupId, TableError, TableHeader};
use bucketwheel_circuit::{Access, Source};
use bucketwheel_dynamic::{group, groups, AnyPoints, AnyScalars, AnySum, DynBases, File as Bytes};
use bucketwheel_formats::{detect, Body, FormatError, FormatId, PointsFile, Wanted};
use bucketwheel_whole_file::Output;

use crate::abi::*;
use crate::error::Error;
use crate::options::{self, Format, Options};

/// Prepared points.
pub struct Prepared {
    pub curve: CurveId,
    pub group: GroupId,
    pub bases: Box<dyn DynBases>,
}

impl Prepared {
    /// Prepares the points of each group.
    pub fn new(
        curve: CurveId,
        group: GroupId,
        points: &[AnyPoints<'_>],
        options: &Options,
    ) -> Result<Self, Error> {
        let bases = groups(curve, group)?.prepare(options.bases(), points)?;
        Ok(Prepared { curve, group, bases })
    }

    /// Prepares the points in bytes.
    pub fn of_bytes(bytes: &[u8], source: bw_source, options: &Options) -> Result<Self, Error> {
        let keep = || {
            let mut copy = Vec::new();
            let memory = copy.try_reserve_exact(bytes.len());
            memory.map_err(|_| EngineError::OutOfMemory { bytes: bytes.len() })?;
            copy.extend_from_slice(bytes);
            Ok(Box::new(copy) as Box<dyn Bytes>)
        };
        Self::load(bytes, keep, source, options)
    }

    /// Prepares the points of a file. A table stays mapped.
    pub fn of_file(path: &Path, source: bw_source, options: &Options) -> Result<Self, Error> {
        let file = map(path)?;
        let keep = || Ok(Box::new(file.clone()) as Box<dyn Bytes>);
        let loaded = Self::load(file.as_ref(), keep, source, options);
        loaded.map_err(|error| Error::InFile { path: path.into(), source: error.into() })
    }

    /// Prepares the points in bytes. A table keeps the bytes that `keep` returns.
    fn load(
        bytes: &[u8],
        keep: impl FnOnce() -> Result<Box<dyn Bytes>, Error>,
        source: bw_source,
        options: &Options,
    ) -> Result<Self, Error> {
        let wanted = Wanted {
            curve: options::optional(source.curve, options::curve)?,
            group: options::optional(source.group, options::group)?,
            section: options::section(source.section)?,
        };
        match options::format(source.format)? {
            Some(Format::Table) => Self::of_table(bytes, keep, wanted, options),
            Some(Format::Points(id)) => Self::of_points(bytes, id, wanted, options),
            None if bytes.starts_with(TABLE_MAGIC) => Self::of_table(bytes, keep, wanted, options),
            None => {
                let (id, found) = detect(bytes, Wanted { group: one_group(wanted.group), ..wanted })?;
                let wanted = Wanted { group: wanted.group.or(found.group), ..found };
                Self::of_points(bytes, id, wanted, options)
            }
        }
    }

    fn of_points(bytes: &[u8], id: FormatId, wanted: Wanted, options: &Options) -> Result<Self, Error> {
        // Only this format can hold both groups in one file. If the caller wants one group, it is like all other
        // formats.
        if id == FormatId::Bucketwheel && one_group(wanted.group).is_none() {
            let file = PointsFile::parse(bytes)?;
            if file.group == GroupId::Pair {
                if let Some(expected) = wanted.curve.filter(|&curve| curve != file.curve) {
                    let (expected, found) = (expected.to_string(), file.curve.to_string());
                    return Err(FormatError::Contradiction { expected, found }.into());
                }
                let points = [AnyPoints::integers(file.g1), AnyPoints::integers(file.g2)];
                return Self::new(file.curve, file.group, &points, options);
            }
        }
        let Body { curve, group, codec, bytes } = id.format().open(bytes, wanted)?;
        if id == FormatId::Bucketwheel {
            return Self::new(curve, group, &[AnyPoints::integers(&bytes)], options);
        }
        let mut integers = Vec::new();
        let decoder = bucketwheel_dynamic::group(curve, group)?;
        for (block, bytes) in bytes.chunks(BLOCK * codec.bytes(curve, group)).enumerate() {
            options.check_cancelled()?;
            let points = decoder.decode(&codec, bytes, Check::None);
            let points = points.map_err(|failure| Error::of_points(group, block * BLOCK, failure))?;
            let memory = integers.try_reserve(points.len());
            memory.map_err(|_| EngineError::OutOfMemory { bytes: points.len() })?;
            integers.extend_from_slice(&points);
        }
        Self::new(curve, group, &[AnyPoints::integers(&integers)], options)
    }

    fn of_table(
        bytes: &[u8],
        keep: impl FnOnce() -> Result<Box<dyn Bytes>, Error>,
        wanted: Wanted,
        options: &Options,
    ) -> Result<Self, Error> {
        let header = TableHeader::parse(bytes).map_err(EngineError::from)?;
        let of_curve = |&curve: &CurveId| {
            let groups = curve.groups().iter().filter(|&&group| group != GroupId::Pair);
            groups.map(move |&group| (curve, group)).collect::<Vec<_>>()
        };
        let mut kinds = CurveId::ALL.iter().flat_map(of_curve).filter(|&(curve, group)| {
            wanted.curve.is_none_or(|wanted| wanted == curve)
                && wanted.group.is_none_or(|wanted| wanted == group)
        });
        let is_of =
            |&(curve, id): &(CurveId, GroupId)| group(curve, id).is_ok_and(|group| group.is_of(&header));
        let (curve, id) = kinds.find(is_of).ok_or(EngineError::Table(TableError::Curve))?;
        let bases = group(curve, id)?.load(options.bases(), keep()?)?;
        Ok(Prepared { curve, group: id, bases })
    }

    /// Prepares the points of one table for each group. The handle keeps using the tables.
    pub fn of_tables(
        curve: CurveId,
        group: GroupId,
        tables: Vec<Box<dyn Bytes>>,
        options: &Options,
    ) -> Result<Self, Error> {
        let bases = groups(curve, group)?.load_all(options.bases(), tables)?;
        Ok(Prepared { curve, group, bases })
    }

    /// Returns the sums of scalars in each group.
    pub fn sum(&self, scalars: AnyScalars<'_>, options: &Options) -> Result<Vec<AnySum>, Error> {
        Ok(self.bases.run(options.msm(), scalars)?.0)
    }

    /// Writes a table. Programs that have mapped an old table keep it.
    pub fn write_table(&self, path: &Path) -> Result<(), Error> {
        Ok(Output::write_durably(path, |file| self.bases.write_table(file))?)
    }
}

/// First bytes of a table.
const TABLE_MAGIC: &[u8] = b"BWTABLES";

/// Number of points to decode between two checks of the cancellation.
const BLOCK: usize = 1 << 14;

/// Returns the group, or `None` if it is the pair.
fn one_group(group: Option<GroupId>) -> Option<GroupId> {
    group.filter(|&group| group != GroupId::Pair)
}

/// Bytes of a file. The code that reads them first shares them with the table that keeps them.
#[derive(Clone)]
struct Mapped(Arc<Source>);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file.
fn map(path: &Path) -> Result<Mapped, Error> {
    open(path, Access::Map).map(|source| Mapped(Arc::new(source)))
}

/// Opens a file.
pub fn open(path: &Path, access: Access) -> Result<Source, Error> {
    Source::open(path, access).map_err(|source| Error::Read { path: path.into(), source })
}
