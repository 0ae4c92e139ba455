//! `simulate`: an accelerator's cycles for an MSM over random scalars.

mod picture;

use std::io::Write;

use ark_ec::short_weierstrass::Projective;
use ark_ff::PrimeField;
use bucketwheel::{BasesOptions, Cancel, Msm, Scalars};
use bucketwheel_hardware::{configure, cyclone, gypsophila, msmac, Curve as HardwareCurve};
use bucketwheel_hardware::{Model, Outcome, Report, Scalar};

use super::check_cancelled;
use crate::args::hardware::{DesignArg, SimulateArgs};
use crate::args::msm::Bytes;
use crate::domain::group_of;
use crate::error::Error;
use crate::files::Output;
use crate::inputs::{collect, ScalarSequence, Walk};
use crate::measure::half_of_memory;
use crate::{output, runtime};

/// Simulates and prints.
///
/// # Errors
/// The model's, [`Error::SimulationMemory`], [`Error::Disagreement`] if the sums are wrong, or if cancelled.
pub fn run(args: &SimulateArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let picture = args.plot.as_ref().map(|path| Output::create(path)).transpose()?;
    let pool = runtime::pool(args.threads)?;
    let report = pool.install(|| match args.design {
        DesignArg::Cyclone => design::<cyclone::Parameters>(args, cancel),
        DesignArg::Msmac => design::<msmac::Parameters>(args, cancel),
        DesignArg::Gypsophila => design::<gypsophila::Parameters>(args, cancel),
    })?;
    if let Some(mut picture) = picture {
        picture.write(picture::svg(&report).as_bytes())?;
        picture.finish()?;
    }
    match args.json {
        true => output::json(out, &report),
        false => print(out, &report),
    }
}

fn design<M: Model>(args: &SimulateArgs, cancel: &Cancel) -> Result<Report, Error> {
    let model: M = configure(&args.settings())?;
    // Bad parameters show before anything is computed.
    model.simulate::<()>(&[], &[], cancel)?;
    let count = 1 << args.log_size;
    let tasks = args.tasks.map_or(model.concurrent_tasks(), |tasks| tasks as usize);
    let needed = tasks.saturating_mul(count).saturating_mul(size_of::<Scalar>());
    let most = half_of_memory();
    if needed > most {
        return Err(Error::SimulationMemory { needed: Bytes(needed), most: Bytes(most) });
    }
    match model.curve() {
        HardwareCurve::Bls12_377 => over::<M, ark_bls12_377::g1::Config>(args, &model, count, tasks, cancel),
        HardwareCurve::Bls12_381 => over::<M, ark_bls12_381::g1::Config>(args, &model, count, tasks, cancel),
        HardwareCurve::Bn254 => over::<M, ark_bn254::g1::Config>(args, &model, count, tasks, cancel),
    }
}

fn over<M: Model, C: bucketwheel::Curve>(
    args: &SimulateArgs,
    model: &M,
    count: usize,
    tasks: usize,
    cancel: &Cancel,
) -> Result<Report, Error> {
    let scalars: Vec<Vec<Scalar>> = (0..tasks as u64)
        .map(|task| {
            let sequence =
                ScalarSequence::<C::ScalarField>::new(args.distribution, args.seed.wrapping_add(task));
            let words =
                |scalar: <C::ScalarField as PrimeField>::BigInt| std::array::from_fn(|i| scalar.as_ref()[i]);
            collect(count, |index| sequence.block(index).into_iter().map(words).collect())
        })
        .collect();
    check_cancelled(cancel)?;
    let tasks: Vec<&[Scalar]> = scalars.iter().map(Vec::as_slice).collect();
    match args.verify {
        true => verified::<M, C>(args, model, &tasks, cancel),
        false => Ok(model.simulate(&vec![(); count], &tasks, cancel)?.report),
    }
}

/// With points: the sums have to be the engine's.
fn verified<M: Model, C: bucketwheel::Curve>(
    args: &SimulateArgs,
    model: &M,
    tasks: &[&[Scalar]],
    cancel: &Cancel,
) -> Result<Report, Error> {
    let walk = Walk::<C>::new(group_of::<C>(), args.seed);
    let points = collect(tasks[0].len(), |index| walk.block(index));
    check_cancelled(cancel)?;
    let projective: Vec<Projective<C>> = points.iter().map(|&point| point.into()).collect();
    let Outcome { sums, report } = model.simulate(&projective, tasks, cancel)?;
    let bases = BasesOptions::new().cancel(cancel).prepare(&points)?;
    for (task, (scalars, sum)) in tasks.iter().zip(sums).enumerate() {
        let integer = |words: &Scalar| {
            let mut integer = <C::ScalarField as PrimeField>::BigInt::default();
            integer.as_mut().iter_mut().zip(words).for_each(|(to, &word)| *to = word);
            integer
        };
        let integers: Vec<_> = scalars.iter().map(integer).collect();
        let expected = Msm::new().cancel(cancel).run(&bases, Scalars::Integers(&integers))?;
        if sum != expected {
            return Err(Error::Disagreement {
                what: format!("task {task} of {}", M::NAME),
                peer: "the model",
                ours: output::Point::new(expected).x.to_string(),
                theirs: output::Point::new(sum).x.to_string(),
            });
        }
    }
    Ok(report)
}

fn print(out: &mut dyn Write, report: &Report) -> Result<(), Error> {
    let Report { design, curve, points, tasks, clock_mhz, cycles, ms, .. } = report;
    let plural = if *tasks == 1 { "" } else { "s" };
    writeln!(out, "{design} on {curve}, {points} points, {tasks} task{plural}, {clock_mhz} MHz")?;
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
