//! MSMs on the model of an accelerator, which computes the same points as the engine.

use std::io::Write;
use std::path::PathBuf;

use bucketwheel::{AdderKind, CurveId, Error as EngineError, GroupId, SchedulerKind, ThreadsBy};
use bucketwheel_circuit::Source;
use bucketwheel_dynamic::groups;
use bucketwheel_hardware::{Curve, Design, Scalar};
use serde::Serialize;

use super::error::MsmError;
use super::input::Input;
use crate::args::msm::MsmArgs;
use crate::args::shared::CheckArg;
use crate::commands::simulator::{simulator, Simulator, Wanted};
use crate::error::{in_file, own, Error};
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
    /// Cycles of all MSMs.
    cycles: u64,
    /// Time at this clock.
    ms: f64,
}

/// Computes the MSMs and prints them.
///
/// # Errors
/// For unusable files, points and options that the device does not support, and cancellation.
pub fn run(args: &MsmArgs, design: Design, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let options = [
        ("--check", args.trust.check != CheckArg::None),
        ("--deduplicate", args.deduplicate),
        ("--backend", args.engine.backend.wanted.is_some()),
        ("--scheduler", args.engine.scheduler != SchedulerKind::Auto),
        ("--adder", args.engine.adder != AdderKind::Auto),
        ("--threads-by", args.engine.threads_by != ThreadsBy::Auto),
        ("--memory", args.stream.memory.is_some()),
        ("--checkpoint", args.stream.checkpoint.is_some()),
    ];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(own(MsmError::DeviceOption(option)));
    }
    let map = files::map(&args.points, Kind::Points)?;
    let input = Input::open(args, &map)?;
    let settings = args.device.settings(input.curve, args.window);
    let wanted = Wanted { design, model: args.device.model, settings, vcd: None };
    let outcomes = simulate(args, &input, &*simulator(&wanted)?, context)?;
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

/// Computes MSMs over files.
fn simulate(
    args: &MsmArgs,
    input: &Input<'_>,
    simulator: &dyn Simulator,
    context: Context<'_>,
) -> Result<Vec<Outcome>, Error> {
    if input.group != GroupId::G1 {
        let (path, group, device) = (args.points.clone(), input.group, simulator.name());
        return Err(own(MsmError::DeviceGroup { path, group, device }));
    }
    check_memory(simulator.bucket_bytes())?;
    let points = input.all(&*groups(input.curve, input.group)?, context)?;
    let read = |path: &PathBuf| {
        let map: Source = files::map(path, Kind::Scalars)?;
        let payload = input.known().scalars(path, &map)?.file.payload;
        let integers = match simulator.curve() {
            Curve::Bls12_377 => decode_scalars::<ark_bls12_377::Fr>(payload),
            Curve::Bls12_381 => decode_scalars::<ark_bls12_381::Fr>(payload),
            Curve::Bn254 => decode_scalars::<ark_bn254::Fr>(payload),
        };
        let integers = integers.map_err(in_file(path))?;
        let mut scalars = room_for(integers.len())?;
        scalars.extend(integers.iter().map(|integer| -> Scalar { integer.0 }));
        Ok(scalars)
    };
    let scalars = args.scalars.iter().map(read).collect::<Result<Vec<Vec<Scalar>>, Error>>()?;
    let tasks: Vec<&[Scalar]> = scalars.iter().map(Vec::as_slice).collect();
    let simulated = simulator.sums(&points[0], &tasks, context).map_err(|error| match error {
        Error::Engine(EngineError::CoordinateRange { index }) => {
            in_file(&args.points)(FormatError::Coordinate { group: input.group, index })
        }
        error => error,
    })?;
    let report = simulated.report;
    let one = |(path, sum): (&PathBuf, &Vec<u8>)| Outcome {
        scalars: path.display().to_string(),
        curve: input.curve,
        group: input.group,
        size: input.count,
        sum: Point::of_integers(sum, 1),
        device: report.design,
        multiplier_model: report.multiplier_model,
        clock_mhz: report.clock_mhz,
        cycles: report.cycles,
        ms: report.ms,
    };
    Ok(args.scalars.iter().zip(&simulated.sums).map(one).collect())
}
