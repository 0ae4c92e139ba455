//! `simulate`: an accelerator's cycles for an MSM over random scalars.

mod picture;

use std::io::Write;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::PrimeField;
use bucketwheel::{BasesOptions, Control, Curve, GroupId, Msm, Scalars};
use bucketwheel_dynamic::inputs::{collect_of, ScalarSequence, Walk};
use bucketwheel_hardware::{Outcome, Report, Scalar};

use super::simulator::{with_simulator, Simulator, Visitor, Wanted, Waves};
use crate::args::hardware::SimulateArgs;
use crate::error::Error;
use crate::files::Output;
use crate::inputs::{check_memory, room_for};
use crate::runtime::Context;
use crate::{output, runtime};

/// Simulates and prints.
///
/// # Errors
/// The model's, [`Error::InputMemory`], [`Error::Disagreement`] if the sums are wrong, or if cancelled.
pub fn run(args: &SimulateArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let picture = args.plot.as_ref().map(|path| Output::create(path)).transpose()?;
    let waves = args.vcd.as_ref().map(|path| Output::create(path)).transpose()?;
    let vcd = args.vcd.as_deref().zip(waves.as_ref()).map(|(path, file)| {
        let meanwhile = file.temporary_path();
        Waves { path, meanwhile, cycles: args.vcd_cycles }
    });
    let wanted = Wanted { design: args.design, model: args.model, settings: args.settings(), vcd };
    let pool = runtime::pool(args.threads)?;
    let report = pool.install(|| with_simulator(&wanted, Simulation { args, context }))?;
    if let Some(mut picture) = picture {
        picture.write(picture::svg(&report).as_bytes())?;
        picture.finish()?;
    }
    waves.map_or(Ok(()), Output::finish)?;
    match args.json {
        true => output::json(out, &report),
        false => print(out, &report),
    }
}

/// MSMs over random scalars.
struct Simulation<'a> {
    args: &'a SimulateArgs,
    context: Context<'a>,
}

impl Visitor for Simulation<'_> {
    type Output = Report;

    fn visit<C: Curve>(self, simulator: &dyn Simulator<C>) -> Result<Report, Error> {
        let Simulation { args, context } = self;
        let count = 1 << args.log_size;
        let tasks = args.tasks.map_or(simulator.concurrent_tasks(), |tasks| tasks as usize);
        let scalars = tasks.saturating_mul(count).saturating_mul(size_of::<Scalar>());
        let points = if args.verify { size_of::<Affine<C>>() + size_of::<Projective<C>>() } else { 0 };
        let buckets = simulator.bucket_bytes(args.verify);
        check_memory(scalars.saturating_add(points.saturating_mul(count)).saturating_add(buckets))?;
        let bar = context.bar("generate", "making inputs");
        let control = Control::new(None, Some(context.cancel), Some(&bar));
        control.expect((tasks + 1).saturating_mul(count));
        let scalars: Vec<Vec<Scalar>> = (0..tasks as u64)
            .map(|task| {
                let seed = args.seed.wrapping_add(task);
                let sequence = ScalarSequence::<C::ScalarField>::new(args.distribution, seed);
                let words = |scalar: <C::ScalarField as PrimeField>::BigInt| {
                    std::array::from_fn(|i| scalar.as_ref()[i])
                };
                let block = |index| sequence.block(index).into_iter().map(words).collect();
                collect_of(count, block, &control)
            })
            .collect::<Result<_, _>>()?;
        let tasks: Vec<&[Scalar]> = scalars.iter().map(Vec::as_slice).collect();
        if !args.verify {
            bar.clear();
            if let Some(report) = simulator.counts(&tasks, context)? {
                return Ok(report);
            }
        }
        let walk = Walk::<C>::new(GroupId::G1, args.seed);
        let points = collect_of(count, |index| walk.block(index), &control)?;
        bar.clear();
        let mut projective: Vec<Projective<C>> = room_for(count)?;
        projective.extend(points.iter().map(|&point| Projective::from(point)));
        let Outcome { sums, report } = simulator.sums(&projective, &tasks, context)?;
        if args.verify {
            verify(simulator.name(), &points, &tasks, sums, context)?;
        }
        Ok(report)
    }
}

/// The sums have to be the engine's.
fn verify<C: Curve>(
    name: &str,
    points: &[Affine<C>],
    tasks: &[&[Scalar]],
    sums: Vec<Projective<C>>,
    context: Context<'_>,
) -> Result<(), Error> {
    let bases = BasesOptions::new().cancel(context.cancel).prepare(points)?;
    for (task, (scalars, sum)) in tasks.iter().zip(sums).enumerate() {
        let integer = |words: &Scalar| {
            let mut integer = <C::ScalarField as PrimeField>::BigInt::default();
            integer.as_mut().iter_mut().zip(words).for_each(|(to, &word)| *to = word);
            integer
        };
        let integers: Vec<_> = scalars.iter().map(integer).collect();
        let expected = Msm::new().cancel(context.cancel).run(&bases, Scalars::Integers(&integers))?;
        if sum != expected {
            return Err(Error::Disagreement {
                what: format!("task {task} of {name}"),
                peer: "the model",
                ours: output::Point::new(expected)?.x.to_string(),
                theirs: output::Point::new(sum)?.x.to_string(),
            });
        }
    }
    Ok(())
}

fn print(out: &mut dyn Write, report: &Report) -> Result<(), Error> {
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
    Ok(())
}
