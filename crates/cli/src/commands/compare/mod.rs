//! `compare`: measures all strategies on the same inputs, interleaved.

mod picture;
mod report;

use std::io::Write;

use bucketwheel::{AdderKind, Msm, SchedulerKind};
use bucketwheel_dynamic::{groups, AnyScalars, DynBases, DynGroups};

use self::report::{print, Row};
use super::bench::{pools, weight, Inputs};
use crate::args::shared::{GridArgs, GroupArgs};
use crate::args::CompareArgs;
use crate::error::Error;
use crate::files::Output;
use crate::measure::{in_turns, timed, warn_of_noise};
use crate::output::{self, Sum};
use crate::runtime::Context;

/// The requested strategies: both auto, or neither.
#[derive(Clone, Copy)]
struct Strategy {
    scheduler: SchedulerKind,
    adder: AdderKind,
}

impl Strategy {
    const AUTO: Strategy = Strategy { scheduler: SchedulerKind::Auto, adder: AdderKind::Auto };

    /// Returns `AUTO` and all other requested strategies; by default every adder that the curve has.
    fn chosen(groups: &dyn DynGroups, args: &CompareArgs) -> Vec<Self> {
        let schedulers = if args.schedulers.is_empty() { SchedulerKind::ALL } else { &args.schedulers };
        let adders = match args.adders.is_empty() {
            true => {
                let is_for = |adder: &AdderKind| groups.parts().iter().all(|group| group.has_adder(*adder));
                AdderKind::ALL.iter().copied().filter(is_for).collect()
            }
            false => args.adders.clone(),
        };
        let schedulers = schedulers.iter().filter(|&&scheduler| scheduler != SchedulerKind::Auto);
        let named = schedulers.flat_map(|&scheduler| {
            let adders = adders.iter().filter(|&&adder| adder != AdderKind::Auto);
            adders.map(move |&adder| Strategy { scheduler, adder })
        });
        std::iter::once(Self::AUTO).chain(named).collect()
    }
}

/// Measures, compares the sums, and prints: one line at a time, or JSON at the end.
///
/// # Errors
/// The engine's errors, disagreement of two strategies, cancellation.
pub fn run(args: &CompareArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let picture =
        args.plot.as_deref().map(|path| Ok::<_, Error>((path, Output::create(path)?))).transpose()?;
    let rows = all(args, context, out)?;
    if let Some((path, mut file)) = picture {
        file.write(&picture::draw(&rows).encode(path))?;
        file.finish()?;
    }
    output::either(out, args.json, &rows, |_, _| Ok(()))?;
    let name =
        |row: &Row| format!("2^{}, threads {}, {}, {}", row.log_size, row.threads, row.scheduler, row.adder);
    warn_of_noise(rows.iter().map(|row| (name(row), row.spread_percent)));
    Ok(())
}

fn all(args: &CompareArgs, context: Context<'_>, out: &mut dyn Write) -> Result<Vec<Row>, Error> {
    let GridArgs { on: GroupArgs { curve, group }, log_sizes, threads } = &args.grid;
    let groups = groups(*curve, *group)?;
    let strategies = Strategy::chosen(&*groups, args);
    let edwards = strategies.iter().any(|strategy| strategy.adder.is_edwards());
    let options = args.backend.bases().edwards(edwards).cancel(context.cancel);
    let pools = pools(&*groups, threads, options)?;
    if !args.json {
        let runs = args.repetitions;
        writeln!(out, "{curve} {group}, medians of {runs} rounds in turns after a warm-up, points prepared; spread: interquartile range in % of the median")?;
        writeln!(
            out,
            "{:>8} {:>7} {:>10} {:>10} {:>15} {:>6} {:>12} {:>8} {:>8}",
            "log size", "threads", "backend", "scheduler", "adder", "window", "ms", "spread", "to auto"
        )?;
    }
    let sizes = log_sizes.0.clone();
    // All strategies of a size count the same.
    let weight = |log_size, pool| weight(&*groups, args.backend, pool, log_size);
    let cells = sizes.clone().flat_map(|log_size| pools.iter().map(move |pool| (log_size, pool)));
    let of_run = cells.map(|(log_size, pool)| weight(log_size, pool)).sum::<Result<u64, _>>()?;
    let runs = strategies.len() as u64 * (u64::from(args.repetitions) + 1);
    let bar = context.bar("measure", "measuring").steps(of_run * runs);
    let inputs = Inputs::new(*curve, &*groups, 1 << sizes.end(), context)?;
    let mut rows = Vec::new();
    for log_size in sizes {
        let (bases, scalars) = (inputs.prepare(1 << log_size, options)?, inputs.scalars(1 << log_size));
        for pool in &pools {
            let weight = weight(log_size, pool)?;
            let done = || bar.advance(weight);
            let cell =
                pool.install(|| cell(args, &strategies, log_size, (&*bases, scalars), context, done))?;
            if !args.json {
                cell.iter().try_for_each(|row| print(out, row, cell[0].ms))?;
                // People who wait get lines.
                out.flush()?;
            }
            rows.extend(cell);
        }
    }
    Ok(rows)
}

/// Measures all strategies at one size, on the threads of the current pool. Calls `done` after each run.
fn cell(
    args: &CompareArgs,
    strategies: &[Strategy],
    log_size: u32,
    (bases, scalars): (&dyn DynBases, AnyScalars<'_>),
    context: Context<'_>,
    done: impl Fn(),
) -> Result<Vec<Row>, Error> {
    let (mut expected, mut windows) = (None, vec![0; strategies.len()]);
    let times = in_turns(strategies.len(), args.repetitions, |index| {
        context.check()?;
        let strategy = strategies[index];
        let msm = Msm::new().scheduler(strategy.scheduler).adder(strategy.adder).cancel(context.cancel);
        let msm = args.batch.map_or(msm, |batch| msm.batch(batch.into()));
        let (time, (sums, report)) = timed(|| bases.run(msm, scalars))?;
        windows[index] = report.plan.window;
        let sum = Sum::new(args.grid.on.curve, &sums);
        agree(args, log_size, strategy, expected.get_or_insert_with(|| sum.clone()), &sum)?;
        done();
        Ok::<_, Error>(time)
    })?;
    let rows = strategies.iter().zip(times).zip(windows).map(|((strategy, times), window)| Row {
        curve: args.grid.on.curve,
        group: args.grid.on.group,
        log_size,
        threads: rayon::current_num_threads(),
        backend: bases.backend().name(),
        scheduler: strategy.scheduler.name(),
        adder: strategy.adder.name(),
        window,
        ms: times.median(),
        spread_percent: times.spread(),
    });
    Ok(rows.collect())
}

fn agree(
    args: &CompareArgs,
    log_size: u32,
    Strategy { scheduler, adder }: Strategy,
    expected: &Sum,
    sum: &Sum,
) -> Result<(), Error> {
    if sum == expected {
        return Ok(());
    }
    let GroupArgs { curve, group } = args.grid.on;
    let line = |sum: &Sum| serde_json::to_string(sum).map_err(std::io::Error::from);
    Err(Error::Disagreement {
        what: format!("{curve} {group}, 2^{log_size} points, {scheduler} and {adder}"),
        peer: "its default strategy",
        ours: line(sum)?,
        theirs: line(expected)?,
    })
}
