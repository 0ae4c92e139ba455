//! `simulate`: counts an accelerator's cycles for an MSM over random scalars.

mod picture;

use std::io::Write;

use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm};
use bucketwheel_dynamic::inputs::{self, collect, Blocks, BLOCK};
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars};
use bucketwheel_hardware::{Outcome, Report, Scalar};
use serde::Serialize;

use super::simulator::{simulator, Simulator, Wanted, Waves};
use crate::args::hardware::SimulateArgs;
use crate::error::Error;
use crate::files::Output;
use crate::inputs::{check_memory, room_for};
use crate::output::{self, Point};
use crate::runtime::Context;

/// A report, and the result of `--verify`.
#[derive(Serialize)]
struct Simulated {
    #[serde(flatten)]
    report: Report,
    /// True if the sums were computed too and equal the engine's.
    verified: bool,
}

/// Simulates and prints.
///
/// # Errors
/// The model's errors, too much memory, [`Error::Disagreement`] if the sums are wrong, cancellation.
pub fn run(args: &SimulateArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let picture =
        args.plot.as_deref().map(|path| Ok::<_, Error>((path, Output::create(path)?))).transpose()?;
    let waves = args.vcd.as_ref().map(|path| Output::create(path)).transpose()?;
    let vcd = args.vcd.as_deref().zip(waves.as_ref()).map(|(path, file)| {
        let meanwhile = file.temporary_path();
        Waves { path, meanwhile, cycles: args.vcd_cycles }
    });
    let wanted = Wanted { design: args.design, model: args.model, settings: args.settings(), vcd };
    let pool = args.threads.pool()?;
    let report = pool.install(|| simulate(args, &*simulator(&wanted)?, context))?;
    if let Some((path, mut file)) = picture {
        file.write(&picture::draw(&report).encode(path))?;
        file.finish()?;
    }
    waves.map_or(Ok(()), Output::finish)?;
    let simulated = Simulated { report, verified: args.verify };
    output::either(out, args.json, &simulated, print)
}

/// Simulates MSMs over random scalars. If the points do not all fit, it simulates parts, one after the other.
fn simulate(args: &SimulateArgs, simulator: &dyn Simulator, context: Context<'_>) -> Result<Report, Error> {
    let points = 1u64 << args.log_size;
    let most = simulator.most_points();
    // Takes whole blocks of inputs. A machine that cannot hold one block reports its limit.
    let size = if points > most && most >= BLOCK as u64 { most - most % BLOCK as u64 } else { points };
    let parts = points.div_ceil(size);
    let part = |index: u64| {
        let first = index * size;
        part(args, simulator, (first / BLOCK as u64) as usize, size.min(points - first) as usize, context)
    };
    let mut report = part(0)?;
    for index in 1..parts {
        report = report.then(part(index)?);
    }
    if parts > 1 {
        report.notes.push(format!("{parts} MSMs of at most {size} points, which fit, one after the other"));
    }
    Ok(report)
}

/// Simulates MSMs over `count` points, from a block of the inputs on.
fn part(
    args: &SimulateArgs,
    simulator: &dyn Simulator,
    first: usize,
    count: usize,
    context: Context<'_>,
) -> Result<Report, Error> {
    let curve = CurveId::from(simulator.curve());
    let point_bytes = curve.point_bytes(GroupId::G1);
    let tasks = args.tasks.map_or(simulator.concurrent_tasks(), |tasks| tasks as usize);
    let scalars = (tasks + 1).saturating_mul(count).saturating_mul(size_of::<Scalar>());
    // Memory of the integers, and of their forms in the simulator and the engine.
    let points = if args.verify { 3 * point_bytes } else { 0 };
    let buckets = if args.verify { simulator.bucket_bytes() } else { simulator.count_bytes() };
    check_memory(scalars.saturating_add(points.saturating_mul(count)).saturating_add(buckets))?;
    let bar = context.bar("generate", "making inputs");
    let control = Control::new(None, Some(context.cancel), Some(&bar));
    // The bar includes the points if they are certain to be made.
    control.expect((tasks + usize::from(args.verify)).saturating_mul(count));
    let task = |task: u64| {
        let seed = args.inputs.seed.wrapping_add(task);
        random_scalars(inputs::scalars(curve, args.inputs.distribution, seed)?, first, count, &control)
    };
    let scalars = (0..tasks as u64).map(task).collect::<Result<Vec<_>, Error>>()?;
    let tasks: Vec<&[Scalar]> = scalars.iter().map(Vec::as_slice).collect();
    if !args.verify {
        bar.clear();
        if let Some(report) = simulator.counts(&tasks, context)? {
            return Ok(report);
        }
        control.expect(count);
    }
    let blocks = inputs::points(curve, GroupId::G1, args.inputs.seed)?;
    let points = collect(count, point_bytes, &from(first, blocks), &control)?;
    bar.clear();
    let Outcome { sums, report } = simulator.sums(&points, &tasks, context)?;
    if args.verify {
        verify(simulator.name(), curve, &points, &tasks, &sums, context)?;
    }
    Ok(report)
}

/// Returns `count` scalars from block `first` on.
///
/// # Errors
/// Too little memory, cancellation.
pub fn random_scalars(
    blocks: Blocks,
    first: usize,
    count: usize,
    control: &Control<'_>,
) -> Result<Vec<Scalar>, Error> {
    let bytes = collect(count, size_of::<Scalar>(), &from(first, blocks), control)?;
    let mut scalars: Vec<Scalar> = room_for(count)?;
    let words = bytes.as_chunks::<8>().0.as_chunks::<4>().0;
    scalars.extend(words.iter().map(|words| words.map(u64::from_le_bytes)));
    Ok(scalars)
}

/// Returns a sequence from a block on.
fn from(first: usize, blocks: Blocks) -> Blocks {
    Box::new(move |index| blocks(first + index))
}

/// Checks that the sums equal the engine's.
fn verify(
    name: &str,
    curve: CurveId,
    points: &[u8],
    tasks: &[&[Scalar]],
    sums: &[Vec<u8>],
    context: Context<'_>,
) -> Result<(), Error> {
    let options = BasesOptions::new().cancel(context.cancel);
    let bases = groups(curve, GroupId::G1)?.prepare(options, &[AnyPoints::integers(points)])?;
    for (task, (scalars, sum)) in tasks.iter().zip(sums).enumerate() {
        let mut integers = room_for(size_of_val(*scalars))?;
        integers.extend(scalars.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
        let (expected, _) = bases.run(Msm::new().cancel(context.cancel), AnyScalars::integers(&integers))?;
        let expected = &expected[0].integers;
        if sum != expected {
            return Err(Error::Disagreement {
                what: format!("task {task} of {name}"),
                peer: "the model",
                ours: Point::of_integers(expected, 1).x.to_string(),
                theirs: Point::of_integers(sum, 1).x.to_string(),
            });
        }
    }
    Ok(())
}

fn print(out: &mut dyn Write, Simulated { report, verified }: &Simulated) -> Result<(), Error> {
    let Report { design, curve, points, tasks, clock_mhz, cycles, ms, .. } = report;
    let plural = if *tasks == 1 { "" } else { "s" };
    write!(out, "{design} on {curve}, {points} points, {tasks} task{plural}, {clock_mhz} MHz")?;
    match report.multiplier_model {
        "cycle" => writeln!(out)?,
        multipliers => writeln!(out, ", simulated RTL, multipliers {multipliers}")?,
    }
    write!(out, "  {cycles} cycles, {ms:.3} ms")?;
    if let Some(paper) = &report.paper {
        write!(out, "; {} has {} ms, {:+.2} %", paper.table, paper.ms, 100.0 * paper.deviation)?;
    }
    writeln!(out)?;
    for phase in &report.phases {
        let share = 100.0 * phase.cycles as f64 / (*cycles).max(1) as f64;
        let hidden = if phase.hidden { ", at the same time as others" } else { "" };
        writeln!(out, "  {:>14} cycles {share:>6.2} %  {}{hidden}", phase.cycles, phase.name)?;
    }
    for (name, count) in &report.counters {
        writeln!(out, "  {count:>14} {}", name.replace('_', " "))?;
    }
    for fifo in &report.fifos {
        let depth = fifo.depth.map_or("no limit".to_owned(), |depth| format!("room for {depth}"));
        writeln!(out, "  {:>14} entries at most in the queue of {}, {depth}", fifo.high_water, fifo.name)?;
    }
    for channel in &report.channels {
        let rate = channel.gigabytes_per_second;
        writeln!(out, "  {:>14} bytes {rate:.3} GB/s  {}", channel.bytes, channel.name)?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "  note: {note}"))?;
    if *verified {
        let sums = if *tasks == 1 { "the sum equals" } else { "all sums equal" };
        writeln!(out, "  verified: {sums} the engine's")?;
    }
    Ok(())
}
