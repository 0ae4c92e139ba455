//! `msm`: sums over one set of points, with any number of sets of scalars.

pub mod checkpoint;
mod device;
mod error;
pub mod input;
mod reader;
mod report;
mod scalars;
mod stream;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bucketwheel::{Backend, Error as EngineError, Progress, TableHeader};
use bucketwheel_dynamic::{group, groups, AnyScalars, DynBases, DynGroups};

use self::checkpoint::CheckpointError;
use self::error::MsmError;
use self::input::{blame, points_of, Input};
use self::report::{print, Merged, Outcome};
use self::scalars::{Known, ScalarsInput};
use self::stream::Stage;
use super::table;
use crate::args::formats::Source;
use crate::args::msm::MsmArgs;
use crate::args::shared::CheckArg;
use crate::error::{in_file, own, Error};
use crate::files;
use crate::format::{FormatId, Kind};
use crate::measure::{half_of_memory, milliseconds, Bytes, Memory};
use crate::output::{self, Sum};
use crate::runtime::{Context, Pair, Pool};

/// Computes the MSMs and prints them.
///
/// # Errors
/// For unusable files, and cancellation.
pub fn run(args: &MsmArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(design) = args.device.design() {
        return device::run(args, design, context, out);
    }
    let checkpoint = args.stream.checkpoint.as_ref();
    if let (Some(path), 2..) = (checkpoint, args.scalars.len()) {
        return Err(in_file(path)(CheckpointError::Several(args.scalars.len())));
    }
    let pool = args.threads.pool()?;
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

/// Removes a checkpoint after success, if there is one.
fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(own(MsmError::Remove { path: path.into(), source }))
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
    let backend = args.engine.backend.wanted.map_or_else(|| groups.parts()[0].default_backend(), Ok)?;
    let needed = pool.install(|| memory_bytes(groups, args, input, backend))?;
    let known = input.known();
    if args.stream.checkpoint.is_some() || needed > memory {
        if args.deduplicate {
            return Err(own(MsmError::Deduplicate { needed: Bytes(needed) }));
        }
        let stage = Stage { groups, args, input, pool, context, memory };
        return for_each_scalars(args, known, context, |scalars| stage.run(scalars, &measured));
    }
    let bases = pool.install(|| prepare(groups, args, input, context))?;
    for_each_scalars(args, known, context, |scalars| {
        pool.install(|| one(args, known, &*bases, scalars, context, &mut measured))
    })
}

/// Returns the memory of an MSM beyond the files, in bytes, if everything is in memory. This is the memory of decoded
/// points, of points in the lanes, of [`Msm::plan`], and of the search for equal points.
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

/// Computes the MSMs over a table.
fn over_table(
    args: &MsmArgs,
    map: bucketwheel_circuit::Source,
    context: Context<'_>,
) -> Result<Vec<Outcome>, Error> {
    let path = args.points.as_path();
    let options = [
        ("--check", args.trust.check != CheckArg::None),
        ("--encoding", args.encoding != Source(Some(FormatId::Bucketwheel))),
        ("--section", args.section.wanted.is_some()),
        ("--deduplicate", args.deduplicate),
        ("--memory", args.stream.memory.is_some()),
        ("--checkpoint", args.stream.checkpoint.is_some()),
    ];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(own(MsmError::TableOption { path: path.into(), option }));
    }
    let (header, curve, group_id) = table::header(path, &map)?;
    let known = Known { path, curve, group: group_id, count: header.points };
    known.check(args)?;
    let bar = context.bar_of("load", path);
    let options = args.engine.bases().cancel(context.cancel).progress(&bar);
    let bases = group(curve, group_id)?.load(options, Box::new(map)).map_err(|error| match error {
        EngineError::Table(source) => in_file(path)(source),
        error => error.into(),
    })?;
    drop(bar);
    let mut measured = Memory::default();
    for_each_scalars(args, known, context, |scalars| {
        one(args, known, &*bases, scalars, context, &mut measured)
    })
}

fn prepare(
    groups: &dyn DynGroups,
    args: &MsmArgs,
    input: &Input<'_>,
    context: Context<'_>,
) -> Result<Box<dyn DynBases>, Error> {
    let points = input.all(groups, context)?;
    let bar = context.bar_of("prepare", &args.points);
    let options = args.engine.bases().check(args.trust.check.into()).deduplicate(args.deduplicate);
    let pair = Pair::new(&bar);
    let is_pair = groups.parts().len() == 2;
    let progress: &dyn Progress = if is_pair { &pair } else { &bar };
    let options = options.cancel(context.cancel).progress(progress);
    let bases =
        groups.prepare(options, &points_of(&points)).map_err(|error| blame(&args.points, 0, error))?;
    if is_pair {
        pair.end();
    }
    Ok(bases)
}

/// Runs one MSM for each file of scalars.
fn for_each_scalars(
    args: &MsmArgs,
    points: Known<'_>,
    context: Context<'_>,
    mut compute: impl FnMut(&ScalarsInput<'_>) -> Result<Outcome, Error>,
) -> Result<Vec<Outcome>, Error> {
    let one = |path: &PathBuf| {
        context.check()?;
        let map = files::map(path, Kind::Scalars)?;
        compute(&points.scalars(path, &map)?)
    };
    args.scalars.iter().map(one).collect()
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
    let (sums, report) = result.map_err(|error| scalars.blame(0, error))?;
    Ok(Outcome {
        scalars: path.display().to_string(),
        curve: points.curve,
        group: points.group,
        size: points.count,
        sum: Sum::new(points.curve, &sums),
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
