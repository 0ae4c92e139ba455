//! `bench msm`: sizes by threads.

use std::io::Write;

use bucketwheel::{BasesOptions, Cancel, CurveId, GroupId};
use serde::Serialize;

use super::check_cancelled;
use crate::args::BenchMsmArgs;
use crate::domain::{Domain, Integers};
use crate::error::Error;
use crate::inputs::{check_memory, collect, Distribution, ScalarSequence};
use crate::measure::{median, milliseconds};
use crate::output;
use crate::runtime::{available_threads, pool, Bar, Pool};
use crate::with_domain;

/// The inputs are the same on every run.
const SEED: u64 = 0;

/// One measurement.
#[derive(Serialize)]
struct Measurement {
    curve: CurveId,
    group: GroupId,
    log_size: u32,
    threads: usize,
    backend: &'static str,
    scheduler: &'static str,
    adder: &'static str,
    window: u32,
    ms: f64,
    ns_per_point: f64,
}

/// Measures and prints, a line at a time or JSON at the end.
///
/// # Errors
/// The engine's, or if cancelled.
pub fn run(args: &BenchMsmArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    with_domain!(args.curve, args.group, D => measure_all::<D>(args, cancel, out))
}

fn measure_all<D: Domain>(args: &BenchMsmArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let pools = pools::<D>(&args.threads, args.engine.bases())?;
    if !args.json {
        let (curve, group) = (args.curve, args.group);
        writeln!(
            out,
            "{curve} {group}, median of {} runs after a warm-up, points prepared",
            args.repetitions
        )?;
        writeln!(
            out,
            "{:>8} {:>7} {:>10} {:>6} {:>12} {:>9}",
            "log size", "threads", "backend", "window", "ms", "ns/point"
        )?;
    }
    let sizes = args.log_sizes.0.clone();
    let bar = Bar::with_length("measuring", (sizes.clone().count() * pools.len()) as u64);
    let count = 1 << sizes.end();
    let inputs = Inputs::<D>::new(count)?;
    let mut measurements = Vec::new();
    for log_size in sizes {
        let (bases, scalars) = inputs.prepare(1 << log_size, args.engine.bases().cancel(cancel))?;
        for pool in &pools {
            check_cancelled(cancel)?;
            let measurement = pool.install(|| measure::<D>(args, log_size, &bases, scalars, cancel))?;
            if !args.json {
                print(out, &measurement)?;
            }
            measurements.push(measurement);
            bar.advance(1);
        }
    }
    drop(bar);
    match args.json {
        true => output::json(out, &measurements),
        false => Ok(()),
    }
}

/// A pool for each number of threads, by default all; fails at once if the backend cannot be had, before any points
/// are made.
pub(super) fn pools<D: Domain>(threads: &[usize], options: BasesOptions<'_>) -> Result<Vec<Pool>, Error> {
    D::prepare(&D::walk(SEED, 0)?, 0, options).map_err(|(_, error)| error)?;
    let all = [available_threads()];
    let threads = if threads.is_empty() { &all } else { threads };
    threads.iter().map(|&threads| pool(Some(threads))).collect()
}

/// Points and scalars of the largest size; smaller ones are their beginnings.
pub(super) struct Inputs<D: Domain> {
    pool: Pool,
    points: D::Points,
    scalars: Vec<Integers<D>>,
}

impl<D: Domain> Inputs<D> {
    /// So many of them, the same on every run.
    pub fn new(count: usize) -> Result<Self, Error> {
        check_memory(count.saturating_mul(D::point_bytes() + size_of::<Integers<D>>()))?;
        let pool = pool(None)?;
        let sequence = ScalarSequence::<D::Scalar>::new(Distribution::Uniform, SEED);
        let points = pool.install(|| D::walk(SEED, count))?;
        let scalars = pool.install(|| collect(count, |index| sequence.block(index)))?;
        Ok(Inputs { pool, points, scalars })
    }

    /// The first ones, the points prepared.
    pub fn prepare(
        &self,
        count: usize,
        options: BasesOptions<'_>,
    ) -> Result<(D::Bases, &[Integers<D>]), Error> {
        let bases = self.pool.install(|| D::prepare(&self.points, count, options));
        Ok((bases.map_err(|(_, error)| error)?, &self.scalars[..count]))
    }
}

fn measure<D: Domain>(
    args: &BenchMsmArgs,
    log_size: u32,
    bases: &D::Bases,
    scalars: &[Integers<D>],
    cancel: &Cancel,
) -> Result<Measurement, Error> {
    let msm = args.engine.msm().cancel(cancel);
    let (time, (_, report)) = median(args.repetitions as usize, || D::run(msm, bases, scalars))?;
    let ms = milliseconds(time);
    Ok(Measurement {
        curve: args.curve,
        group: args.group,
        log_size,
        threads: rayon::current_num_threads(),
        backend: D::backend(bases).name(),
        scheduler: report.scheduler.name(),
        adder: report.adder.name(),
        window: report.plan.window,
        ms,
        ns_per_point: ms * 1e6 / scalars.len() as f64,
    })
}

fn print(out: &mut dyn Write, measurement: &Measurement) -> Result<(), Error> {
    let Measurement { log_size, threads, backend, ms, ns_per_point, .. } = measurement;
    let window = measurement.window.to_string();
    writeln!(out, "{log_size:>8} {threads:>7} {backend:>10} {window:>6} {ms:>12.3} {ns_per_point:>9.1}")?;
    // Lines are for those who wait.
    out.flush()?;
    Ok(())
}
