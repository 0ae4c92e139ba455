//! `bench table`: measures MSMs over tables, and the same MSM over the points alone and over the default bases.

use std::io::Write;
use std::time::Instant;

use bucketwheel::{BasesOptions, CurveId, GroupId, Report, TablePlan};
use bucketwheel_dynamic::{group, groups, DynBases};
use serde::Serialize;

use super::bench::Inputs;
use crate::args::table::BenchTableArgs;
use crate::error::Error;
use crate::measure::{in_turns, milliseconds, percent, timed, warn_of_noise, Times};
use crate::output;
use crate::runtime::Context;

/// One table, or none, and its MSMs.
#[derive(Serialize)]
struct Measurement {
    curve: CurveId,
    group: GroupId,
    log_size: u32,
    threads: usize,
    backend: &'static str,
    copies: usize,
    multiples: usize,
    memory_bytes: usize,
    window: u32,
    bucket_sets: usize,
    additions: usize,
    /// The median.
    ms: f64,
    /// The interquartile range in % of the median.
    spread_percent: Option<f64>,
    /// Median over the rounds of the time over default bases divided by the time over the table.
    speedup: f64,
    /// Median over the rounds of the time over the points alone, without images, divided by the time over the table.
    speedup_over_points: f64,
    build_ms: f64,
    /// Number of MSMs after which the table has paid for itself, by these times.
    break_even: Option<u64>,
}

/// Measures and prints. Each round measures all tables in turn, in an order of its own.
///
/// # Errors
/// The engine's errors; cancellation.
pub fn run(args: &BenchTableArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let measurements = args.threads.pool()?.install(|| measure(args, context))?;
    output::either(out, args.json, &measurements, |out, measurements| print(out, args, measurements))?;
    let name = |row: &Measurement| format!("copies {}, multiples {}", row.copies, row.multiples);
    warn_of_noise(measurements.iter().map(|row| (name(row), row.spread_percent)));
    Ok(())
}

fn print(out: &mut dyn Write, args: &BenchTableArgs, measurements: &[Measurement]) -> Result<(), Error> {
    let Measurement { curve, group, log_size, threads, backend, .. } = &measurements[0];
    writeln!(
        out,
        "{curve} {group}, 2^{log_size} points, {threads} threads, backend {backend}, medians of {} rounds after a warm-up; \
         spread: interquartile range in % of the median",
        args.repetitions
    )?;
    writeln!(
        out,
        "{:>6} {:>9} {:>8} {:>6} {:>4} {:>10} {:>10} {:>7} {:>8} {:>11} {:>10} {:>10}",
        "copies",
        "multiples",
        "MiB",
        "window",
        "sets",
        "additions",
        "ms",
        "spread",
        "speedup",
        "over points",
        "build ms",
        "break-even"
    )?;
    for m in measurements {
        let break_even = m.break_even.map_or("-".into(), |count| count.to_string());
        writeln!(
            out,
            "{:>6} {:>9} {:>8} {:>6} {:>4} {:>10} {:>10.3} {:>7} {:>8.3} {:>11.3} {:>10.1} {:>10}",
            m.copies,
            m.multiples,
            m.memory_bytes.div_ceil(1 << 20),
            m.window,
            m.bucket_sets,
            m.additions,
            m.ms,
            percent(m.spread_percent),
            m.speedup,
            m.speedup_over_points,
            m.build_ms,
            break_even
        )?;
    }
    Ok(())
}

/// Points with or without a table, and the times of their MSMs.
struct Contender {
    bases: Box<dyn DynBases>,
    plan: TablePlan,
    build_ms: f64,
    times: Times,
    report: Option<Report>,
}

fn measure(args: &BenchTableArgs, context: Context<'_>) -> Result<Vec<Measurement>, Error> {
    let count = 1usize << args.log_size;
    let (groups, group) = (groups(args.curve, args.group)?, group(args.curve, args.group)?);
    let inputs = Inputs::new(args.curve, &*groups, count, context)?;
    let scalars = inputs.scalars(count);
    let options = args.engine.bases();
    let points = options.endomorphism(false);
    let mut wanted = vec![points];
    // The default bases keep images if images pay; then they are a contender, too.
    if group.table_plan(options, count)?.bytes > group.table_plan(points, count)?.bytes {
        wanted.push(options);
    }
    let plain = wanted.len() - 1;
    let copies = args.copies.iter().filter(|&&copies| copies > 1);
    wanted.extend(copies.map(|&copies| options.copies(copies as usize)));
    wanted.extend(args.bucket_sets.iter().map(|&copies| options.bucket_set(copies as usize)));
    for k_points in &args.k_points {
        wanted.push(k_points.of(options)?);
    }
    let rounds = args.repetitions as usize + 1;
    let bar = context.bar("measure", "measuring").steps(((1 + rounds) * wanted.len()) as u64);
    let prepare = |options: BasesOptions<'_>| {
        let (start, plan) = (Instant::now(), group.table_plan(options, count)?);
        let bases = inputs.prepare(count, options.cancel(context.cancel))?;
        let build_ms = milliseconds(start.elapsed());
        bar.advance(1);
        Ok(Contender { bases, plan, build_ms, times: Times::default(), report: None })
    };
    let mut contenders = wanted.into_iter().map(prepare).collect::<Result<Vec<_>, Error>>()?;
    let msm = args.engine.msm().cancel(context.cancel);
    let times = in_turns(contenders.len(), args.repetitions, |index| {
        context.check()?;
        let (time, (_, report)) = timed(|| contenders[index].bases.run(msm, scalars))?;
        contenders[index].report = Some(report);
        bar.advance(1);
        Ok::<_, Error>(time)
    })?;
    contenders.iter_mut().zip(times).for_each(|(contender, times)| contender.times = times);
    drop(bar);
    Ok(contenders
        .iter()
        .map(|contender| measurement(args, contender, [&contenders[0], &contenders[plain]]))
        .collect())
}

fn measurement(
    args: &BenchTableArgs,
    contender: &Contender,
    [points, plain]: [&Contender; 2],
) -> Measurement {
    let ms = contender.times.median();
    let over = |other: &Contender| contender.times.speedup_over(&other.times);
    let saving = plain.times.median() - ms;
    let extra = contender.build_ms - plain.build_ms;
    let plan = contender.report.map(|report| report.plan).unwrap_or_default();
    Measurement {
        curve: args.curve,
        group: args.group,
        log_size: args.log_size,
        threads: rayon::current_num_threads(),
        backend: contender.bases.backend().name(),
        copies: contender.plan.copies,
        multiples: contender.plan.multiples,
        memory_bytes: contender.plan.bytes,
        window: plan.window,
        bucket_sets: plan.bucket_sets,
        additions: plan.additions,
        ms,
        spread_percent: contender.times.spread(),
        speedup: over(plain),
        speedup_over_points: over(points),
        build_ms: contender.build_ms,
        break_even: (saving > 0.0 && extra > 0.0).then(|| (extra / saving).ceil() as u64),
    }
}
