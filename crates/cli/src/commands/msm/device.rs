//! MSMs on the model of an accelerator, which computes the same points.

use std::io::Write;
use std::path::PathBuf;

use ark_ec::short_weierstrass::Projective;
use bucketwheel::{AdderKind, CurveId, GroupId, Points, SchedulerKind, ThreadsBy};
use bucketwheel_dynamic::groups;
use bucketwheel_hardware::Scalar;
use memmap2::Mmap;
use serde::Serialize;

use super::{format_error, scalars_of, Input};
use crate::args::hardware::DesignArg;
use crate::args::msm::MsmArgs;
use crate::args::CheckArg;
use crate::commands::simulator::{with_simulator, Simulator, Visitor, Wanted};
use crate::error::Error;
use crate::files;
use crate::format::{decode_scalars, FormatError, Kind};
use crate::inputs::{check_memory, room_for};
use crate::output::{self, visible, Point};
use crate::runtime::Context;

/// One MSM, and the time of all of them together.
#[derive(Serialize)]
struct Outcome {
    /// The scalars file, whose name need not be Unicode.
    scalars: String,
    curve: CurveId,
    group: GroupId,
    size: usize,
    #[serde(flatten)]
    sum: Point,
    device: &'static str,
    multiplier_model: &'static str,
    clock_mhz: f64,
    /// Of all MSMs.
    cycles: u64,
    /// At this clock.
    ms: f64,
}

/// Computes the MSMs and prints them.
///
/// # Errors
/// For files that cannot be used, points and options that are not for the device, or if cancelled.
pub fn run(
    args: &MsmArgs,
    design: DesignArg,
    context: Context<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let options = [
        ("--check", args.check != CheckArg::None),
        ("--deduplicate", args.deduplicate),
        ("--backend", args.engine.backend.is_some()),
        ("--scheduler", args.engine.scheduler != SchedulerKind::Auto),
        ("--adder", args.engine.adder != AdderKind::Auto),
        ("--threads-by", args.engine.threads_by != ThreadsBy::Auto),
        ("--memory", args.stream.memory.is_some()),
        ("--checkpoint", args.stream.checkpoint.is_some()),
    ];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(Error::DeviceOption(option));
    }
    let map = files::map(&args.points, Kind::Points)?;
    let input = Input::open(args, &map)?;
    let settings = args.device.settings(input.curve, args.window);
    let wanted = Wanted { design, model: args.device.model, settings, vcd: None };
    let outcomes = with_simulator(&wanted, Files { args, input: &input, context })?;
    if args.json {
        return output::json(out, &outcomes);
    }
    for Outcome { scalars, curve, group, size, sum, device, clock_mhz, cycles, ms, .. } in outcomes {
        writeln!(out, "{}", visible(scalars))?;
        write!(out, "{}", output::Sum::One(sum))?;
        writeln!(
            out,
            "  {curve} {group}, {size} points: {device}, {cycles} cycles at {clock_mhz} MHz, {ms:.3} ms"
        )?;
    }
    Ok(())
}

/// MSMs over files.
struct Files<'a> {
    args: &'a MsmArgs,
    input: &'a Input<'a>,
    context: Context<'a>,
}

impl Visitor for Files<'_> {
    type Output = Vec<Outcome>;

    fn visit<C: bucketwheel::Curve>(self, simulator: &dyn Simulator<C>) -> Result<Vec<Outcome>, Error> {
        let Files { args, input, context } = self;
        if input.group != GroupId::G1 {
            let (path, group, device) = (args.points.clone(), input.group, simulator.name());
            return Err(Error::DeviceGroup { path, group, device });
        }
        check_memory(simulator.bucket_bytes(true))?;
        let mut points: Vec<Projective<C>> = room_for(input.count)?;
        let integers = input.all(&*groups(input.curve, input.group)?, context)?;
        let integers = Points::<C>::integers(&integers[0])?;
        for index in 0..integers.len() {
            let source = FormatError::Coordinate { group: input.group, index };
            points.push(integers.get(index).ok_or_else(|| format_error(&args.points, source))?.into());
        }
        let read = |path: &PathBuf| {
            let map: Mmap = files::map(path, Kind::Scalars)?;
            let file = scalars_of(input.known(), path, &map)?.file;
            let scalars = decode_scalars::<C::ScalarField>(file.payload);
            let scalars = scalars.map_err(|source| format_error(path, source))?;
            // The designs' curves have scalars of four words.
            let mut words: Vec<Scalar> = room_for(scalars.len())?;
            words.extend(
                scalars.iter().map(|scalar| -> Scalar { std::array::from_fn(|i| scalar.as_ref()[i]) }),
            );
            Ok(words)
        };
        let scalars = args.scalars.iter().map(read).collect::<Result<Vec<Vec<Scalar>>, Error>>()?;
        let tasks: Vec<&[Scalar]> = scalars.iter().map(Vec::as_slice).collect();
        let simulated = simulator.sums(&points, &tasks, context)?;
        let report = simulated.report;
        let points = simulated.sums.into_iter().map(Point::new).collect::<Result<Vec<_>, _>>()?;
        let one = |(path, sum): (&PathBuf, Point)| Outcome {
            scalars: path.display().to_string(),
            curve: input.curve,
            group: input.group,
            size: input.count,
            sum,
            device: report.design,
            multiplier_model: report.multiplier_model,
            clock_mhz: report.clock_mhz,
            cycles: report.cycles,
            ms: report.ms,
        };
        Ok(args.scalars.iter().zip(points).map(one).collect())
    }
}
