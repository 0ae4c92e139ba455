//! `schedule`: counts a scheduler's work on random points.

use std::io::Write;

use bucketwheel::schedule::{Ref, Statistics};
use bucketwheel::{Control, SchedulerKind};
use bucketwheel_dynamic::schedule::{Counts, Schedule};
use serde::Serialize;

use crate::args::ScheduleArgs;
use crate::error::{own, Error};
use crate::inputs::check_memory;
use crate::output;
use crate::runtime::Context;

/// The scheduler has no pipeline.
#[derive(Debug, thiserror::Error)]
#[error("--pipeline works only with --scheduler {names}, not with {0}: leave it out", names = with_pipeline())]
struct NoPipeline(SchedulerKind);

/// Returns the names of the schedulers with a pipeline.
fn with_pipeline() -> String {
    let names = SchedulerKind::ALL.iter().filter(|kind| kind.has_pipeline()).map(|kind| kind.name());
    names.collect::<Vec<_>>().join(" or ")
}

/// Counts of a scheduler's work.
#[derive(Serialize)]
struct Report {
    scheduler: &'static str,
    window: u32,
    buckets: usize,
    /// Buckets that points fall into.
    distinct: usize,
    points: usize,
    /// Largest number of additions of a batch.
    batch: u32,
    pipeline: bool,
    additions: u64,
    /// Number of points that came to an empty bucket.
    copies: u64,
    batches: u64,
    /// Additions per batch.
    mean_batch: f64,
    lanes: u32,
    /// Share of the lanes that add, if each batch starts with a new group of lanes.
    lane_utilisation: f64,
    /// Number of points that found their bucket in use.
    collisions: u64,
    /// Collisions per point.
    collision_rate: f64,
    /// Largest number of waiting points.
    waiting: usize,
    passes: u64,
    temporaries: usize,
}

/// Schedules and prints.
///
/// # Errors
/// If the scheduler has no pipeline, and cancellation.
pub fn run(args: &ScheduleArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    if args.pipeline && !args.scheduler.has_pipeline() {
        return Err(own(NoPipeline(args.scheduler)));
    }
    let buckets = 1usize << (args.window - 1);
    let distinct = args.distinct.map_or(buckets, |distinct| buckets.min(distinct as usize));
    let batch = args.batch as usize;
    if distinct < batch {
        // Fewer buckets than a batch never fill a batch, so nearly all points may wait.
        check_memory(args.points.0.saturating_mul(size_of::<(Ref, u32)>()))?;
    }
    let bar = context.bar("schedule", args.scheduler.name()).steps(args.points.0 as u64);
    let schedule = Schedule {
        scheduler: args.scheduler,
        buckets,
        distinct,
        points: args.points.0,
        batch,
        pipeline: args.pipeline,
        lanes: args.lanes as usize,
        seed: args.seed,
    };
    let counts = schedule.count(&Control::new(None, Some(context.cancel), Some(&bar)))?;
    bar.clear();
    let Counts { additions, copies, batches, temporaries, .. } = counts;
    let Statistics { collisions, waiting, passes } = counts.statistics;
    let report = Report {
        scheduler: args.scheduler.name(),
        window: args.window,
        buckets,
        distinct,
        points: args.points.0,
        batch: args.batch,
        pipeline: args.pipeline,
        additions,
        copies,
        batches,
        mean_batch: counts.mean_batch(),
        lanes: args.lanes,
        lane_utilisation: counts.lane_utilisation(args.lanes as usize),
        collisions,
        collision_rate: collisions as f64 / args.points.0.max(1) as f64,
        waiting,
        passes,
        temporaries,
    };
    output::either(out, args.json, &report, print)
}

fn print(out: &mut dyn Write, report: &Report) -> Result<(), Error> {
    let Report { scheduler, window, buckets, distinct, points, .. } = report;
    writeln!(out, "{scheduler}, {points} points, window {window}: {distinct} of {buckets} buckets")?;
    let Report { additions, copies, batches, mean_batch, .. } = report;
    writeln!(out, "  {additions} additions, {copies} copies")?;
    writeln!(out, "  {batches} batches, of {mean_batch:.1} additions each")?;
    let Report { lanes, lane_utilisation, .. } = report;
    writeln!(out, "  {:.2} % of {lanes} lanes used", 100.0 * lane_utilisation)?;
    let Report { collisions, collision_rate, waiting, passes, temporaries, .. } = report;
    writeln!(out, "  {collisions} collisions, {:.3} % of the points", 100.0 * collision_rate)?;
    writeln!(out, "  {passes} passes, at most {waiting} points waiting, {temporaries} temporaries")?;
    Ok(())
}
