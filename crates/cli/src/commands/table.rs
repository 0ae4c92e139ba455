//! `table`: makes multiples of points, once for all later MSMs.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use bucketwheel::{
    Backend, Check, CurveId, Error as EngineError, GroupId, TableError, TableHeader, TablePlan,
};
use bucketwheel_dynamic::{group, groups, AnyPoints, GroupError};
use serde::Serialize;

use super::convert::{for_each_block, identify, open};
use crate::args::table::TableArgs;
use crate::error::{in_file, Error};
use crate::files::{self, Output};
use crate::format::{Body, Kind};
use crate::inputs::room_for;
use crate::measure::milliseconds;
use crate::output::{self, visible};
use crate::runtime::Context;

/// A plan and its result.
#[derive(Serialize)]
struct Outcome {
    /// The table file, whose name need not be Unicode.
    table: String,
    curve: CurveId,
    group: GroupId,
    backend: &'static str,
    points: usize,
    copies: usize,
    step: u32,
    multiples: usize,
    digits_of: u32,
    halves: bool,
    memory_bytes: usize,
    window: u32,
    bucket_sets: usize,
    additions: usize,
    additions_without: usize,
    doublings: usize,
    break_even: Option<usize>,
    /// Time without reading and writing.
    ms: f64,
}

/// Prints the plan, makes the table and writes it.
///
/// # Errors
/// For unusable files, points that fail the check, and cancellation.
pub fn run(args: &TableArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = files::map(&args.points, Kind::Points)?;
    let (id, wanted) = identify(&args.points, &map, args.encoding, args.wanted.into())?;
    let body = open(&args.points, id, &map, wanted)?;
    // Creates the output first, so that an unwritable place fails before the work.
    let file = Output::create(&args.out)?;
    let pool = args.threads.pool()?;
    let plan = group(body.curve, body.group)?.table_plan(args.bases()?, body.count())?;
    if !args.output.json {
        writeln!(out, "{plan}")?;
        out.flush()?;
    }
    let (backend, ms) = pool.install(|| build(args, &body, file, context))?;
    report(args, &body, backend, plan, ms, out)
}

/// Makes and writes the table; returns its backend and the time to make it.
fn build(
    args: &TableArgs,
    body: &Body<'_>,
    mut file: Output,
    context: Context<'_>,
) -> Result<(Backend, f64), Error> {
    let size = body.curve.point_bytes(body.group);
    let mut points = room_for(body.count().saturating_mul(size))?;
    for_each_block(&*group(body.curve, body.group)?, &args.points, body, Check::None, context, |block| {
        points.extend_from_slice(block);
        Ok(())
    })?;
    let start = Instant::now();
    let bar = context.bar_of("prepare", &args.out);
    let options = args.bases()?.cancel(context.cancel).progress(&bar);
    let bases = groups(body.curve, body.group)?.prepare(options, &[AnyPoints::integers(&points)]);
    let bases = bases.map_err(|GroupError { group, error }| match error {
        EngineError::NotOnCurve { .. } | EngineError::NotInSubgroup { .. } => {
            Error::Points { path: args.points.clone(), group, source: error }
        }
        error => error.into(),
    })?;
    let ms = milliseconds(start.elapsed());
    file.stream(|file| bases.write_table(file))?;
    file.finish_durably()?;
    Ok((bases.backend(), ms))
}

fn report(
    args: &TableArgs,
    body: &Body<'_>,
    backend: Backend,
    plan: TablePlan,
    ms: f64,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Body { curve, group, .. } = *body;
    if !args.output.json {
        let path = visible(args.out.display());
        writeln!(out, "{path}: {curve} {group}, for backend {backend}, built in {ms:.0} ms")?;
        return Ok(());
    }
    output::json(
        out,
        &Outcome {
            table: args.out.display().to_string(),
            curve,
            group,
            backend: backend.name(),
            points: plan.points,
            copies: plan.copies,
            step: plan.step,
            multiples: plan.multiples,
            digits_of: plan.digits_of,
            halves: plan.halves,
            memory_bytes: plan.bytes,
            window: plan.window,
            bucket_sets: plan.bucket_sets,
            additions: plan.additions,
            additions_without: plan.additions_without,
            doublings: plan.doublings,
            break_even: plan.break_even,
            ms,
        },
    )
}

/// Returns the header of a table file, and its curve and group.
///
/// # Errors
/// For a damaged header, or an unknown curve.
pub fn header(path: &Path, file: &[u8]) -> Result<(TableHeader, CurveId, GroupId), Error> {
    let header = TableHeader::parse(file).map_err(in_file(path))?;
    let groups = |curve: CurveId| curve.groups().iter().filter(|&&group| group != GroupId::Pair);
    let mut kinds = CurveId::ALL.iter().flat_map(|&curve| groups(curve).map(move |&group| (curve, group)));
    let is_of = |&(curve, id): &(CurveId, GroupId)| group(curve, id).is_ok_and(|group| group.is_of(&header));
    let (curve, group) = kinds.find(is_of).ok_or_else(|| in_file(path)(TableError::Curve))?;
    Ok((header, curve, group))
}
