//! `schedule`: what a scheduler does with random points, counted.

use std::io::Write;

use bucketwheel::schedule::{Addition, Delayed, Overlap, Place, Ref, Run, Scheduler, Sink, Statistics, Work};
use bucketwheel::SchedulerKind;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::args::ScheduleArgs;
use crate::error::Error;
use crate::inputs::{check_memory, reserve};
use crate::output;
use crate::runtime::{Bar, Context};

/// Points that the scheduler is given at a time.
const CHUNK: usize = 1 << 15;

/// Counts of a scheduler's work.
#[derive(Serialize)]
struct Report {
    scheduler: &'static str,
    window: u32,
    buckets: usize,
    /// Buckets that points fall into.
    distinct: usize,
    points: usize,
    /// The most additions of a batch.
    batch: u32,
    pipeline: bool,
    additions: u64,
    /// Points that came to an empty bucket.
    copies: u64,
    batches: u64,
    /// Additions per batch.
    mean_batch: f64,
    lanes: u32,
    /// The share of lanes that add, where batches start with a new group of lanes.
    lane_utilisation: f64,
    /// Number of points that met their bucket in use.
    collisions: u64,
    /// Collisions per point.
    collision_rate: f64,
    /// The most points that waited at a time.
    waiting: usize,
    passes: u64,
    temporaries: usize,
}

/// Counts what it is told to do.
struct Counter<'a> {
    lanes: usize,
    context: Context<'a>,
    bar: Bar,
    additions: u64,
    copies: u64,
    batches: u64,
    /// Groups of lanes that batches take.
    groups: u64,
    temporaries: usize,
}

impl Sink for Counter<'_> {
    fn add(&mut self, batch: &[Addition]) {
        self.additions += batch.len() as u64;
        self.batches += 1;
        self.groups += batch.len().div_ceil(self.lanes) as u64;
        for &Addition { destination, .. } in batch {
            if destination.place() == Place::Temporary {
                self.temporaries = self.temporaries.max(destination.index() + 1);
            }
        }
    }

    fn copy(&mut self, _: Ref, _: Ref) {
        self.copies += 1;
    }

    fn is_cancelled(&self) -> bool {
        self.context.cancel.is_cancelled()
    }
}

/// Schedules and prints.
///
/// # Errors
/// If the scheduler knows no pipeline, or if cancelled.
pub fn run(args: &ScheduleArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    if args.pipeline && args.scheduler != SchedulerKind::Delayed {
        return Err(Error::Pipeline(args.scheduler));
    }
    let buckets = 1usize << (args.window - 1);
    let distinct = args.distinct.map_or(buckets, |distinct| buckets.min(distinct as usize));
    let batch = args.batch as usize;
    if distinct < batch {
        // Batches are not full then: it may be that nearly all points wait.
        check_memory(args.points.0.saturating_mul(size_of::<(Ref, u32)>()))?;
    }
    let mut scheduler: Box<dyn Scheduler> = match args.scheduler {
        // Also batches that are too long for these buckets.
        SchedulerKind::Delayed => {
            let overlap = if args.pipeline { Overlap::Pipeline } else { Overlap::Batch };
            Box::new(Delayed::new(batch, buckets, overlap))
        }
        scheduler => scheduler.scheduler(batch, buckets),
    };
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let bar = context.bar("schedule", args.scheduler.name()).steps(args.points.0 as u64);
    let of_points = (0..args.points.0).map(|_| ((u64::from(rng.next_u32()) * distinct as u64) >> 32) as u32);
    let lanes = args.lanes as usize;
    let mut counter =
        Counter { lanes, context, bar, additions: 0, copies: 0, batches: 0, groups: 0, temporaries: 0 };
    match scheduler.needs_sorted() {
        true => sorted(&mut *scheduler, distinct, of_points, &mut counter)?,
        false => in_order(&mut *scheduler, of_points, &mut counter)?,
    }
    context.check()?;
    let Counter { additions, copies, batches, groups, temporaries, .. } = counter;
    let Statistics { collisions, waiting, passes } = scheduler.statistics();
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
        mean_batch: ratio(additions, batches),
        lanes: args.lanes,
        lane_utilisation: ratio(additions, groups * u64::from(args.lanes)),
        collisions,
        collision_rate: ratio(collisions, args.points.0 as u64),
        waiting,
        passes,
        temporaries,
    };
    match args.json {
        true => output::json(out, &report),
        false => print(out, &report),
    }
}

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

/// Points as they come.
fn in_order(
    scheduler: &mut dyn Scheduler,
    buckets: impl Iterator<Item = u32>,
    counter: &mut Counter<'_>,
) -> Result<(), Error> {
    let (mut points, mut runs) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    let mut buckets = buckets.enumerate().peekable();
    while buckets.peek().is_some() {
        counter.context.check()?;
        points.clear();
        runs.clear();
        for (index, bucket) in buckets.by_ref().take(CHUNK) {
            points.push(Ref::input(index, false));
            runs.push(Run { bucket, len: 1 });
        }
        scheduler.schedule(Work { points: &points, runs: &runs }, counter);
        counter.bar.advance(points.len() as u64);
    }
    scheduler.finish(counter);
    Ok(())
}

/// Points by bucket: whole buckets, about a chunk of points at a time.
fn sorted(
    scheduler: &mut dyn Scheduler,
    distinct: usize,
    buckets: impl Iterator<Item = u32>,
    counter: &mut Counter<'_>,
) -> Result<(), Error> {
    let mut lengths = vec![0; distinct];
    buckets.for_each(|bucket| lengths[bucket as usize] += 1);
    let (mut points, mut runs) = (Vec::new(), Vec::new());
    let mut index = 0;
    for (bucket, len) in lengths.into_iter().enumerate().filter(|&(_, len)| len > 0) {
        runs.push(Run { bucket: bucket as u32, len });
        reserve(&mut points, len as usize)?;
        points.extend((index..index + len as usize).map(|index| Ref::input(index, false)));
        index += len as usize;
        if points.len() >= CHUNK {
            counter.context.check()?;
            scheduler.schedule(Work { points: &points, runs: &runs }, counter);
            counter.bar.advance(points.len() as u64);
            points.clear();
            runs.clear();
        }
    }
    scheduler.schedule(Work { points: &points, runs: &runs }, counter);
    scheduler.finish(counter);
    Ok(())
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
