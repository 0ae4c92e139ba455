//! `bench msm`: measures MSMs for each size and number of threads.

use std::io::Write;

use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm};
use bucketwheel_dynamic::inputs::{self, Blocks, Distribution};
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars, DynBases, DynGroups};
use serde::Serialize;

use crate::args::shared::{BackendArgs, GridArgs, GroupArgs};
use crate::args::BenchMsmArgs;
use crate::error::Error;
use crate::inputs::check_memory;
use crate::measure::{in_turns, percent, timed, warn_of_noise};
use crate::output;
use crate::runtime::{available_threads, pool, Context, Pool};

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
    /// The median.
    ms: f64,
    /// The interquartile range in % of the median.
    spread_percent: Option<f64>,
    ns_per_point: f64,
}

/// Measures and prints: one line at a time, or JSON at the end.
///
/// # Errors
/// The engine's errors; cancellation.
pub fn run(args: &BenchMsmArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let GridArgs { on: GroupArgs { curve, group }, log_sizes, threads } = &args.grid;
    let groups = groups(*curve, *group)?;
    let pools = pools(&*groups, threads, args.engine.bases())?;
    if !args.json {
        writeln!(
            out,
            "{curve} {group}, medians of {} rounds after a warm-up, points prepared; spread: interquartile range in % of the median",
            args.repetitions
        )?;
        writeln!(
            out,
            "{:>8} {:>7} {:>10} {:>6} {:>12} {:>8} {:>9}",
            "log size", "threads", "backend", "window", "ms", "spread", "ns/point"
        )?;
    }
    let sizes = log_sizes.0.clone();
    let weights = |log_size| -> Result<Vec<u64>, Error> {
        pools.iter().map(|pool| weight(&*groups, args.engine.backend, pool, log_size)).collect()
    };
    let of_round = sizes.clone().map(weights).collect::<Result<Vec<_>, _>>()?.concat().iter().sum::<u64>();
    let bar = context.bar("measure", "measuring").steps(of_round * (u64::from(args.repetitions) + 1));
    let count = 1 << sizes.end();
    let inputs = Inputs::new(*curve, &*groups, count, context)?;
    let mut measurements = Vec::new();
    for log_size in sizes {
        let bases = inputs.prepare(1 << log_size, args.engine.bases().cancel(context.cancel))?;
        let scalars = inputs.scalars(1 << log_size);
        let weights = weights(log_size)?;
        let of_size = measure(args, log_size, (&*bases, scalars), &pools, context, |index| {
            bar.advance(weights[index]);
        })?;
        if !args.json {
            of_size.iter().try_for_each(|measurement| print(out, measurement))?;
        }
        measurements.extend(of_size);
    }
    drop(bar);
    output::either(out, args.json, &measurements, |_, _| Ok(()))?;
    let name = |row: &Measurement| format!("2^{}, threads {}", row.log_size, row.threads);
    warn_of_noise(measurements.iter().map(|row| (name(row), row.spread_percent)));
    Ok(())
}

/// Returns a pool for each number of threads, by default for all threads. Fails before it makes any points if the
/// backend is not available.
pub(super) fn pools(
    groups: &dyn DynGroups,
    threads: &[usize],
    options: BasesOptions<'_>,
) -> Result<Vec<Pool>, Error> {
    let none = groups.parts().iter().map(|_| AnyPoints::integers(&[])).collect::<Vec<_>>();
    groups.prepare(options, &none)?;
    let all = [available_threads()];
    let threads = if threads.is_empty() { &all } else { threads };
    threads.iter().map(|&threads| pool(Some(threads))).collect()
}

/// Returns the weight of an MSM in a bar: the additions that the engine plans, shared by the threads.
///
/// # Errors
/// The plans' errors.
pub(super) fn weight(
    groups: &dyn DynGroups,
    backend: BackendArgs,
    pool: &Pool,
    log_size: u32,
) -> Result<u64, Error> {
    let additions = groups.parts().into_iter().map(|part| {
        let backend = backend.wanted.map_or_else(|| part.default_backend(), Ok)?;
        let plan = pool.install(|| part.plan(Msm::new(), backend, 1 << log_size))?;
        Ok::<_, Error>((plan.additions / pool.threads()) as u64)
    });
    // One point takes no addition.
    Ok(additions.sum::<Result<u64, _>>()?.max(1))
}

/// Points and scalars of the largest size; smaller sizes use their beginnings.
pub(super) struct Inputs<'a> {
    groups: &'a dyn DynGroups,
    pool: Pool,
    /// The points of each group, and the number of bytes of a point.
    points: Vec<(Vec<u8>, usize)>,
    scalars: (Vec<u8>, usize),
}

impl<'a> Inputs<'a> {
    /// Makes this number of points and scalars, the same on every run.
    pub fn new(
        curve: CurveId,
        groups: &'a dyn DynGroups,
        count: usize,
        context: Context<'_>,
    ) -> Result<Self, Error> {
        let size = |group: GroupId| curve.point_bytes(group);
        let parts: Vec<GroupId> = groups.parts().iter().map(|part| part.group()).collect();
        let bytes = parts.iter().map(|&group| size(group)).sum::<usize>() + curve.scalar_bytes();
        check_memory(count.saturating_mul(bytes))?;
        let pool = pool(None)?;
        let collect = |size, blocks: &Blocks| {
            pool.install(|| {
                inputs::collect(count, size, blocks, &Control::new(None, Some(context.cancel), None))
            })
        };
        let points = parts.into_iter().map(|group| {
            let blocks = inputs::points(curve, group, SEED)?;
            let points = collect(size(group), &blocks)?;
            Ok((points, size(group)))
        });
        let points = points.collect::<Result<_, Error>>()?;
        let blocks = inputs::scalars(curve, Distribution::Uniform, SEED)?;
        let scalars = collect(curve.scalar_bytes(), &blocks)?;
        Ok(Inputs { groups, pool, points, scalars: (scalars, curve.scalar_bytes()) })
    }

    /// Returns the first points, prepared.
    pub fn prepare(&self, count: usize, options: BasesOptions<'_>) -> Result<Box<dyn DynBases>, Error> {
        let points = self.points.iter().map(|(points, size)| AnyPoints::integers(&points[..count * size]));
        let points: Vec<_> = points.collect();
        Ok(self.pool.install(|| self.groups.prepare(options, &points))?)
    }

    /// Returns the first scalars.
    pub fn scalars(&self, count: usize) -> AnyScalars<'_> {
        let (scalars, size) = &self.scalars;
        AnyScalars::integers(&scalars[..count * size])
    }
}

/// Measures one size on each number of threads in turn. Calls `done` with a pool's index after each run on it.
fn measure(
    args: &BenchMsmArgs,
    log_size: u32,
    (bases, scalars): (&dyn DynBases, AnyScalars<'_>),
    pools: &[Pool],
    context: Context<'_>,
    done: impl Fn(usize),
) -> Result<Vec<Measurement>, Error> {
    let msm = args.engine.msm().cancel(context.cancel);
    let mut reports = vec![None; pools.len()];
    let times = in_turns(pools.len(), args.repetitions, |index| {
        context.check()?;
        let (time, (_, report)) = pools[index].install(|| timed(|| bases.run(msm, scalars)))?;
        reports[index] = Some(report);
        done(index);
        Ok::<_, Error>(time)
    })?;
    let rows = pools.iter().zip(reports.into_iter().flatten()).zip(times).map(|((pool, report), times)| {
        let ms = times.median();
        Measurement {
            curve: args.grid.on.curve,
            group: args.grid.on.group,
            log_size,
            threads: pool.threads(),
            backend: bases.backend().name(),
            scheduler: report.scheduler.name(),
            adder: report.adder.name(),
            window: report.plan.window,
            ms,
            spread_percent: times.spread(),
            ns_per_point: ms * 1e6 / bases.len() as f64,
        }
    });
    Ok(rows.collect())
}

fn print(out: &mut dyn Write, measurement: &Measurement) -> Result<(), Error> {
    let Measurement { log_size, threads, backend, ms, ns_per_point, .. } = measurement;
    let (window, spread) = (measurement.window, percent(measurement.spread_percent));
    writeln!(
        out,
        "{log_size:>8} {threads:>7} {backend:>10} {window:>6} {ms:>12.3} {spread:>8} {ns_per_point:>9.1}"
    )?;
    // People who wait get lines.
    out.flush()?;
    Ok(())
}
