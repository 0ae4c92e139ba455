//! `msm`: one set of points, any number of sets of scalars.

pub mod checkpoint;
mod device;
pub mod input;
mod reader;
mod stream;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bucketwheel::{Backend, CurveId, Error as EngineError, GroupId, TableHeader};
use bucketwheel_dynamic::{group, groups, AnyScalars, DynBases, DynGroups, GroupError};
use memmap2::Mmap;
use serde::Serialize;

use self::checkpoint::CheckpointError;
use self::input::{points_of, Input};
use self::reader::ScalarsInput;
use self::stream::Stage;
use super::table;
use crate::args::formats::Source;
use crate::args::msm::{Bytes, MsmArgs};
use crate::args::CheckArg;
use crate::error::Error;
use crate::files;
use crate::format::{FormatError, FormatId, Kind, ScalarsFile};
use crate::measure::{half_of_memory, milliseconds, Memory};
use crate::output::{self, visible, Sum};
use crate::runtime::{pool, Context, Pool};

/// One MSM and how it went.
#[derive(Serialize)]
struct Outcome {
    /// The scalars file, whose name need not be Unicode.
    scalars: String,
    curve: CurveId,
    group: GroupId,
    size: usize,
    #[serde(flatten)]
    sum: Sum,
    /// Without reading and preparing the points, but with both if it was streamed.
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
    /// And as measured, unless it was streamed.
    memory_bytes: Option<u64>,
    /// The most memory of the whole process so far.
    peak_memory_bytes: Option<u64>,
    streamed: Option<Streamed>,
}

/// Result of the search for equal points, and its times.
#[derive(Serialize)]
struct Merged {
    distinct: usize,
    /// Once, in preparing the points.
    hashing_ms: f64,
    /// In this MSM; none if too few points repeat for that.
    merging_ms: Option<f64>,
}

/// Blocks and checkpoints of a streamed MSM.
#[derive(Serialize)]
struct Streamed {
    /// Points at a time.
    block: usize,
    /// The points that a checkpoint had consumed.
    resumed_at: Option<usize>,
    /// The checkpoints written.
    checkpoints: usize,
}

/// Computes the MSMs and prints them.
///
/// # Errors
/// For files that cannot be used, or if cancelled.
pub fn run(args: &MsmArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(design) = args.device.design() {
        return device::run(args, design, context, out);
    }
    let checkpoint = args.stream.checkpoint.as_ref();
    if let (Some(path), 2..) = (checkpoint, args.scalars.len()) {
        let source = CheckpointError::Several(args.scalars.len());
        return Err(Error::Checkpoint { path: path.clone(), source });
    }
    let pool = pool(args.threads)?;
    let map = files::map(&args.points, Kind::Points)?;
    let outcomes = if TableHeader::is_table(&map) {
        pool.install(|| over_table(args, map, context))?
    } else {
        let input = Input::open(args, &map)?;
        all(&*groups(input.curve, input.group)?, args, &input, &pool, context)?
    };
    if args.json {
        output::json(out, &outcomes)?;
    } else {
        outcomes.iter().try_for_each(|outcome| print(out, outcome))?;
    }
    match checkpoint {
        Some(path) => remove(path),
        None => Ok(()),
    }
}

/// Removes a checkpoint that has served, if there is one.
fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::Remove { path: path.into(), source })
        }
        _ => Ok(()),
    }
}

fn all(
    groups: &dyn DynGroups,
    args: &MsmArgs,
    input: &Input<'_>,
    pool: &Pool,
    context: Context<'_>,
) -> Result<Vec<Outcome>, Error> {
    let mut measured = Memory::default();
    let memory = args.stream.memory.map_or_else(half_of_memory, |bytes| bytes.0);
    let backend = args.engine.backend.map_or_else(|| groups.parts()[0].default_backend(), Ok)?;
    let needed = pool.install(|| memory_bytes(groups, args, input, backend))?;
    let known = input.known();
    if args.stream.checkpoint.is_some() || needed > memory {
        if args.deduplicate {
            return Err(Error::Deduplicate { needed: Bytes(needed) });
        }
        let stage = Stage { groups, args, input, pool, context, memory };
        return for_each_scalars(args, known, context, |scalars| stage.run(scalars, &measured));
    }
    let bases = pool.install(|| prepare(groups, args, input, context))?;
    for_each_scalars(args, known, context, |scalars| {
        pool.install(|| one(args, known, &*bases, scalars, context, &mut measured))
    })
}

/// Memory of an MSM beyond the files if all is in memory, in bytes: points, decoded and in the lanes, that of
/// [`Msm::plan`], and that of the search for equal points.
///
/// [`Msm::plan`]: bucketwheel::Msm::plan
fn memory_bytes(
    groups: &dyn DynGroups,
    args: &MsmArgs,
    input: &Input<'_>,
    backend: Backend,
) -> Result<usize, EngineError> {
    let mut bytes = if input.is_ours() { 0 } else { input.count * input.point_bytes() };
    for group in groups.parts() {
        bytes += group.table_plan(args.engine.bases(), input.count)?.bytes;
        bytes += group.plan(args.msm(), backend, input.count)?.memory_bytes;
        bytes += if args.deduplicate { group.deduplication_bytes(input.count) } else { 0 };
    }
    Ok(bytes)
}

/// The MSMs over a table.
fn over_table(args: &MsmArgs, map: Mmap, context: Context<'_>) -> Result<Vec<Outcome>, Error> {
    let path = args.points.as_path();
    let options = [
        ("--check", args.check != CheckArg::None),
        ("--encoding", args.encoding != Source(Some(FormatId::Bucketwheel))),
        ("--section", args.section.is_some()),
        ("--deduplicate", args.deduplicate),
        ("--memory", args.stream.memory.is_some()),
        ("--checkpoint", args.stream.checkpoint.is_some()),
    ];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(Error::TableOption { path: path.into(), option });
    }
    let (header, curve, group_id) = table::header(path, &map)?;
    let known = Known { path, curve, group: group_id, count: header.points };
    known.check(args)?;
    let bar = context.bar_of("load", path);
    let options = args.engine.bases().cancel(context.cancel).progress(&bar);
    let bases = group(curve, group_id)?.load(options, Box::new(map)).map_err(|error| match error {
        EngineError::Table(source) => Error::Table { path: path.into(), source },
        error => error.into(),
    })?;
    drop(bar);
    let mut measured = Memory::default();
    for_each_scalars(args, known, context, |scalars| {
        one(args, known, &*bases, scalars, context, &mut measured)
    })
}

/// Properties of the points that are known without decoding them.
#[derive(Clone, Copy)]
struct Known<'f> {
    /// Their file.
    path: &'f Path,
    curve: CurveId,
    group: GroupId,
    count: usize,
}

impl Known<'_> {
    /// An error unless they are of the curve and group that was asked for.
    fn check(&self, args: &MsmArgs) -> Result<(), Error> {
        check_curve(self.path, args.curve, self.curve)?;
        match args.group.filter(|&expected| expected != self.group) {
            None => Ok(()),
            Some(expected) => Err(Error::OtherGroup { path: self.path.into(), expected, found: self.group }),
        }
    }
}

fn prepare(
    groups: &dyn DynGroups,
    args: &MsmArgs,
    input: &Input<'_>,
    context: Context<'_>,
) -> Result<Box<dyn DynBases>, Error> {
    let points = input.all(groups, context)?;
    let bar = context.bar_of("prepare", &args.points);
    let options = args.engine.bases().check(args.check.into()).deduplicate(args.deduplicate);
    let options = options.cancel(context.cancel).progress(&bar);
    groups.prepare(options, &points_of(&points)).map_err(|error| blame(&args.points, 0, error))
}

/// The error of points behind the first `start` of a file.
fn blame(path: &Path, start: usize, GroupError { group, error }: GroupError) -> Error {
    let bad = |source| Error::Points { path: path.into(), group, source };
    match error {
        EngineError::NotOnCurve { index } => bad(EngineError::NotOnCurve { index: start + index }),
        EngineError::NotInSubgroup { index } => bad(EngineError::NotInSubgroup { index: start + index }),
        EngineError::CoordinateRange { index } => {
            format_error(path, FormatError::Coordinate { group, index: start + index })
        }
        error => error.into(),
    }
}

/// One outcome for each file of scalars.
fn for_each_scalars(
    args: &MsmArgs,
    points: Known<'_>,
    context: Context<'_>,
    mut compute: impl FnMut(&ScalarsInput<'_>) -> Result<Outcome, Error>,
) -> Result<Vec<Outcome>, Error> {
    let one = |path: &PathBuf| {
        context.check()?;
        let map = files::map(path, Kind::Scalars)?;
        compute(&scalars_of(points, path, &map)?)
    };
    args.scalars.iter().map(one).collect()
}

/// Finds the scalars in a file, one for each point.
fn scalars_of<'f>(points: Known<'_>, path: &'f Path, map: &'f Mmap) -> Result<ScalarsInput<'f>, Error> {
    let file = ScalarsFile::parse(map).map_err(|source| format_error(path, source))?;
    check_curve(path, Some(points.curve), file.curve)?;
    if file.count != points.count {
        return Err(Error::Count {
            points_path: points.path.into(),
            points: points.count,
            scalars_path: path.into(),
            scalars: file.count,
        });
    }
    Ok(ScalarsInput { path, map, file })
}

fn one(
    args: &MsmArgs,
    points: Known<'_>,
    bases: &dyn DynBases,
    scalars: &ScalarsInput<'_>,
    context: Context<'_>,
    memory: &mut Memory,
) -> Result<Outcome, Error> {
    let ScalarsInput { path, file, .. } = scalars;
    let bar = context.bar_of("sum", path);
    let msm = args.msm().cancel(context.cancel).progress(&bar);
    let start = Instant::now();
    let (result, memory_bytes) = memory.of(|| bases.run(msm, AnyScalars::integers(file.payload)));
    let ms = milliseconds(start.elapsed());
    let (sums, report) = result.map_err(|error| in_scalars(path, 0, error))?;
    Ok(Outcome {
        scalars: path.display().to_string(),
        curve: points.curve,
        group: points.group,
        size: points.count,
        sum: Sum::new(&sums),
        ms,
        window: report.plan.window,
        bucket_sets: report.plan.bucket_sets,
        backend: bases.backend().name(),
        threads: rayon::current_num_threads(),
        deduplication: report.deduplication.map(|found| Merged {
            distinct: found.distinct,
            hashing_ms: milliseconds(found.hashing),
            merging_ms: found.pays.then(|| milliseconds(found.merging)),
        }),
        memory_bound_bytes: report.plan.memory_bytes,
        memory_bytes,
        peak_memory_bytes: memory.peak_bytes(),
        streamed: None,
    })
}

/// The error of scalars behind the first `start` of a file.
fn in_scalars(path: &Path, start: usize, error: EngineError) -> Error {
    match error {
        EngineError::ScalarRange { index } => {
            format_error(path, FormatError::Scalar { index: start + index })
        }
        error => error.into(),
    }
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
    writeln!(out, "{}", visible(&outcome.scalars))?;
    write!(out, "{}", outcome.sum)?;
    write!(out, "  {curve} {group}, {size} points: {ms:.2} ms")?;
    write!(out, ", window {}, backend {backend}, threads {threads}", outcome.window)?;
    write!(out, ", memory at most {} MiB", mebibytes(outcome.memory_bound_bytes as u64))?;
    if let Some(Merged { distinct, hashing_ms, merging_ms }) = &outcome.deduplication {
        write!(out, ", {distinct} of {size} points distinct (found in {hashing_ms:.2} ms")?;
        match merging_ms {
            Some(ms) => write!(out, ", scalars merged in {ms:.2} ms)")?,
            None => write!(out, ", too many to merge scalars)")?,
        }
    }
    if let Some(bytes) = outcome.memory_bytes {
        write!(out, ", measured {} MiB", mebibytes(bytes))?;
    }
    if let Some(bytes) = outcome.peak_memory_bytes {
        write!(out, ", of the whole process {} MiB", mebibytes(bytes))?;
    }
    if let Some(Streamed { block, resumed_at, checkpoints }) = &outcome.streamed {
        write!(out, ", streamed {block} points at a time")?;
        if let Some(position) = resumed_at {
            write!(out, ", resumed at point {position}")?;
        }
        if *checkpoints > 0 {
            write!(out, ", {checkpoints} checkpoints")?;
        }
    }
    writeln!(out)?;
    Ok(())
}
