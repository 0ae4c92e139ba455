//! `msm`: one set of points, any number of sets of scalars.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bucketwheel::{Backend, Cancel, Check};
use serde::Serialize;

use super::check_cancelled;
use super::convert::{for_each_block, identify, open};
use crate::args::formats::Source;
use crate::args::MsmArgs;
use crate::curve::{CurveId, GroupId};
use crate::domain::Domain;
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
    backend: &'static str,
    threads: usize,
    /// The most memory of the MSM beyond points and scalars, as the engine bounds it.
    memory_bound_bytes: usize,
    /// And as measured.
    memory_bytes: Option<u64>,
    /// The most memory of the whole process so far.
    peak_memory_bytes: Option<u64>,
}

/// Computes the MSMs and prints them.
///
/// # Errors
/// For files that cannot be used, or if cancelled.
pub fn run(args: &MsmArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let pool = pool(args.threads)?;
    let outcomes = pool.install(|| {
        let map = files::map(&args.points, Kind::Points)?;
        let converted;
        let file = if args.encoding == Source(Some(FormatId::Bucketwheel)) {
            PointsFile::parse(&map).map_err(|source| format_error(&args.points, source))?
        } else {
            converted = Converted::new(args, &map, cancel)?;
            converted.file()
        };
        check_curve(&args.points, args.curve, file.curve)?;
        if let Some(expected) = args.group.filter(|&group| group != file.group) {
            return Err(Error::OtherGroup { path: args.points.clone(), expected, found: file.group });
        }
        with_domain!(file.curve, file.group, D => all::<D>(args, &file, cancel))
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

fn all<D: Domain>(args: &MsmArgs, file: &PointsFile<'_>, cancel: &Cancel) -> Result<Vec<Outcome>, Error> {
    let bases = prepare::<D>(args, file, cancel)?;
    let mut memory = Memory::default();
    let one = |path: &PathBuf| one::<D>(args, file, &bases, path, cancel, &mut memory);
    args.scalars.iter().map(one).collect()
}

fn prepare<D: Domain>(args: &MsmArgs, file: &PointsFile<'_>, cancel: &Cancel) -> Result<D::Bases, Error> {
    let points = D::decode(file).map_err(|source| format_error(&args.points, source))?;
    let bar = Bar::new(&args.points.display().to_string());
    let options = args.engine.bases().check(args.check.into()).cancel(cancel).progress(&bar);
    D::prepare(&points, file.count, options).map_err(|(group, source)| match source {
        bucketwheel::Error::NotOnCurve { .. } | bucketwheel::Error::NotInSubgroup { .. } => {
            Error::Points { path: args.points.clone(), group, source }
        }
        source => Error::Engine(source),
    })
}

fn one<D: Domain>(
    args: &MsmArgs,
    points: &PointsFile<'_>,
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
        backend: Backend::name(D::backend(bases)),
        threads: rayon::current_num_threads(),
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
    if let Some(bytes) = outcome.memory_bytes {
        write!(out, ", measured {} MiB", mebibytes(bytes))?;
    }
    if let Some(bytes) = outcome.peak_memory_bytes {
        write!(out, ", of the whole process {} MiB", mebibytes(bytes))?;
    }
    writeln!(out)?;
    Ok(())
}
