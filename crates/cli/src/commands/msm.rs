//! `msm`: one set of points, any number of sets of scalars.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bucketwheel::{Backend, Cancel, Check, Error as EngineError, TableHeader};
use memmap2::Mmap;
use serde::Serialize;

use super::convert::{for_each_block, identify, open};
use super::{check_cancelled, table};
use crate::args::formats::Source;
use crate::args::{CheckArg, MsmArgs};
use crate::curve::{CurveId, GroupId};
use crate::domain::{Domain, One};
use crate::error::Error;
use crate::files;
use crate::format::{
    decode_scalars, encode_points, point_bytes, with_curve, Body, FormatError, FormatId, Kind,
};
use crate::format::{PointsFile, ScalarsFile, Wanted};
use crate::measure::{milliseconds, Memory};
use crate::output::{self, Sum};
use crate::runtime::{pool, Bar};
use crate::with_domain;

/// One MSM and how it went.
#[derive(Serialize)]
struct Outcome {
    /// The scalars file.
    scalars: PathBuf,
    curve: CurveId,
    group: GroupId,
    size: usize,
    #[serde(flatten)]
    sum: Sum,
    /// Without reading and preparing the points.
    ms: f64,
    window: u32,
    /// Sets of buckets: fewer than windows over a table.
    bucket_sets: usize,
    backend: &'static str,
    threads: usize,
    /// After --deduplicate: the points that are left, and what it took; of a pair, in G1.
    #[serde(flatten)]
    deduplication: Option<Merged>,
    /// The most memory of the MSM beyond points and scalars, as the engine bounds it.
    memory_bound_bytes: usize,
    /// And as measured.
    memory_bytes: Option<u64>,
    /// The most memory of the whole process so far.
    peak_memory_bytes: Option<u64>,
}

/// What became of equal points.
#[derive(Serialize)]
struct Merged {
    distinct: usize,
    /// Once, in preparing the points.
    hashing_ms: f64,
    merging_ms: f64,
}

/// Computes the MSMs and prints them.
///
/// # Errors
/// For files that cannot be used, or if cancelled.
pub fn run(args: &MsmArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let pool = pool(args.threads)?;
    let outcomes = pool.install(|| {
        let map = files::map(&args.points, Kind::Points)?;
        if TableHeader::is_table(&map) {
            return over_table(args, map, cancel);
        }
        let converted;
        let file = if args.encoding == Source(Some(FormatId::Bucketwheel)) {
            PointsFile::parse(&map).map_err(|source| format_error(&args.points, source))?
        } else {
            converted = Converted::new(args, &map, cancel)?;
            converted.file()
        };
        let PointsFile { curve, group, count, .. } = file;
        let known = Known::new(args, curve, group, count)?;
        with_domain!(curve, group, D => {
            let bases = prepare::<D>(args, &file, cancel)?;
            all::<D>(args, known, &bases, cancel)
        })
    })?;
    if args.json {
        return output::json(out, &outcomes);
    }
    outcomes.iter().try_for_each(|outcome| print(out, outcome))
}

/// Points of another format in ours.
struct Converted {
    curve: CurveId,
    group: GroupId,
    count: usize,
    bytes: Vec<u8>,
}

impl Converted {
    /// Reads the points file; what is to be checked is checked later.
    fn new(args: &MsmArgs, file: &[u8], cancel: &Cancel) -> Result<Self, Error> {
        let wanted = Wanted { curve: args.curve, group: args.group, section: args.section };
        let (id, wanted) = identify(&args.points, file, args.encoding, wanted)?;
        let body = open(&args.points, id, file, wanted)?;
        let Body { curve, group, .. } = body;
        let mut bytes = Vec::with_capacity(body.count() * point_bytes(curve, group));
        with_curve!(curve, group, C => {
            for_each_block::<C>(&args.points, &body, Check::None, cancel, |points| {
                encode_points(points, &mut bytes);
                Ok(())
            })
        })?;
        Ok(Converted { curve, group, count: body.count(), bytes })
    }

    fn file(&self) -> PointsFile<'_> {
        let Converted { curve, group, count, ref bytes } = *self;
        let (g1, g2) = if group == GroupId::G1 { (&bytes[..], &[][..]) } else { (&[][..], &bytes[..]) };
        PointsFile { curve, group, count, g1, g2 }
    }
}

/// What is known of the points.
#[derive(Clone, Copy)]
struct Known {
    curve: CurveId,
    group: GroupId,
    count: usize,
}

impl Known {
    /// Points of the curve and group that were asked for.
    fn new(args: &MsmArgs, curve: CurveId, group: GroupId, count: usize) -> Result<Self, Error> {
        check_curve(&args.points, args.curve, curve)?;
        match args.group.filter(|&expected| expected != group) {
            None => Ok(Known { curve, group, count }),
            Some(expected) => Err(Error::OtherGroup { path: args.points.clone(), expected, found: group }),
        }
    }
}

/// The MSMs over a table.
fn over_table(args: &MsmArgs, map: Mmap, cancel: &Cancel) -> Result<Vec<Outcome>, Error> {
    let path = &args.points;
    let options = [
        ("--check", args.check != CheckArg::None),
        ("--encoding", args.encoding != Source(Some(FormatId::Bucketwheel))),
        ("--section", args.section.is_some()),
        ("--deduplicate", args.deduplicate),
    ];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(Error::TableOption { path: path.clone(), option });
    }
    let (header, curve, group) = table::header(path, &map)?;
    let known = Known::new(args, curve, group, header.points)?;
    let bar = Bar::new(&path.display().to_string());
    let options = args.engine.bases().cancel(cancel).progress(&bar);
    with_curve!(curve, group, C => {
        let bases = options.load::<C>(map).map_err(|error| match error {
            EngineError::Table(source) => Error::Table { path: path.clone(), source },
            error => error.into(),
        })?;
        drop(bar);
        all::<One<C>>(args, known, &bases, cancel)
    })
}

fn all<D: Domain>(
    args: &MsmArgs,
    points: Known,
    bases: &D::Bases,
    cancel: &Cancel,
) -> Result<Vec<Outcome>, Error> {
    let mut memory = Memory::default();
    let one = |path: &PathBuf| one::<D>(args, points, bases, path, cancel, &mut memory);
    args.scalars.iter().map(one).collect()
}

fn prepare<D: Domain>(args: &MsmArgs, file: &PointsFile<'_>, cancel: &Cancel) -> Result<D::Bases, Error> {
    let points = D::decode(file).map_err(|source| format_error(&args.points, source))?;
    let bar = Bar::new(&args.points.display().to_string());
    let options = args.engine.bases().check(args.check.into()).deduplicate(args.deduplicate);
    let options = options.cancel(cancel).progress(&bar);
    D::prepare(&points, file.count, options).map_err(|(group, source)| match source {
        EngineError::NotOnCurve { .. } | EngineError::NotInSubgroup { .. } => {
            Error::Points { path: args.points.clone(), group, source }
        }
        source => Error::Engine(source),
    })
}

fn one<D: Domain>(
    args: &MsmArgs,
    points: Known,
    bases: &D::Bases,
    path: &Path,
    cancel: &Cancel,
    memory: &mut Memory,
) -> Result<Outcome, Error> {
    check_cancelled(cancel)?;
    let map = files::map(path, Kind::Scalars)?;
    let file = ScalarsFile::parse(&map).map_err(|source| format_error(path, source))?;
    check_curve(path, Some(points.curve), file.curve)?;
    if file.count != points.count {
        return Err(Error::Count {
            points_path: args.points.clone(),
            points: points.count,
            scalars_path: path.into(),
            scalars: file.count,
        });
    }
    let scalars = decode_scalars::<D::Scalar>(file.payload).map_err(|source| format_error(path, source))?;
    let bar = Bar::new(&path.display().to_string());
    let msm = args.engine.msm().cancel(cancel).progress(&bar);
    let msm = args.window.map_or(msm, |window| msm.window(window));
    let start = Instant::now();
    let (result, memory_bytes) = memory.of(|| D::run(msm, bases, &scalars));
    let ms = milliseconds(start.elapsed());
    let (sum, report) = result?;
    Ok(Outcome {
        scalars: path.into(),
        curve: points.curve,
        group: points.group,
        size: points.count,
        sum,
        ms,
        window: report.plan.window,
        bucket_sets: report.plan.bucket_sets,
        backend: Backend::name(D::backend(bases)),
        threads: rayon::current_num_threads(),
        deduplication: report.deduplication.map(|found| Merged {
            distinct: found.distinct,
            hashing_ms: milliseconds(found.hashing),
            merging_ms: milliseconds(found.merging),
        }),
        memory_bound_bytes: report.plan.memory_bytes,
        memory_bytes,
        peak_memory_bytes: memory.peak_bytes(),
    })
}

fn format_error(path: &Path, source: FormatError) -> Error {
    Error::Format { path: path.into(), source }
}

fn check_curve(path: &Path, expected: Option<CurveId>, found: CurveId) -> Result<(), Error> {
    match expected.filter(|&expected| expected != found) {
        None => Ok(()),
        Some(expected) => Err(Error::OtherCurve { path: path.into(), expected, found }),
    }
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

fn print(out: &mut dyn Write, outcome: &Outcome) -> Result<(), Error> {
    let Outcome { curve, group, size, ms, backend, threads, .. } = outcome;
    writeln!(out, "{}", outcome.scalars.display())?;
    write!(out, "{}", outcome.sum)?;
    write!(out, "  {curve} {group}, {size} points: {ms:.2} ms")?;
    write!(out, ", window {}, backend {backend}, threads {threads}", outcome.window)?;
    write!(out, ", memory at most {} MiB", mebibytes(outcome.memory_bound_bytes as u64))?;
    if let Some(Merged { distinct, hashing_ms, merging_ms }) = outcome.deduplication {
        write!(out, ", {distinct} of {size} points distinct (found in {hashing_ms:.2} ms")?;
        write!(out, ", scalars merged in {merging_ms:.2} ms)")?;
    }
    if let Some(bytes) = outcome.memory_bytes {
        write!(out, ", measured {} MiB", mebibytes(bytes))?;
    }
    if let Some(bytes) = outcome.peak_memory_bytes {
        write!(out, ", of the whole process {} MiB", mebibytes(bytes))?;
    }
    writeln!(out)?;
    Ok(())
}
