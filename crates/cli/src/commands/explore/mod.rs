//! `explore`: the Pareto front of all designs on a board.

mod picture;
mod report;

use std::io::Write;

use bucketwheel::{Control, CurveId};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::explore::{explore, Point, Request};
use bucketwheel_hardware::resources::Density;
use bucketwheel_hardware::Scalar;

use self::report::{Explored, Front};
use super::simulate::random_scalars;
use crate::args::explore::ExploreArgs;
use crate::error::Error;
use crate::files::Output;
use crate::inputs::check_memory;
use crate::output;
use crate::runtime::Context;

/// Explores and prints.
///
/// # Errors
/// Too much memory for `--verify`, the model's errors, cancellation.
pub fn run(args: &ExploreArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let picture =
        args.plot.as_deref().map(|path| Ok::<_, Error>((path, Output::create(path)?))).transpose()?;
    let points = 1u64 << args.log_size;
    let densities = args.density.map_or(Density::ALL.to_vec(), |density| vec![density]);
    let front = |density| {
        let request = Request {
            points,
            curve: args.curve,
            board: args.board,
            density,
            clock_mhz: args.clock,
            fill: f64::from(args.fill) / 100.0,
        };
        Front::new(density, explore(&request))
    };
    let mut fronts: Vec<Front> = densities.into_iter().map(front).collect();
    if let Some(count) = args.verify {
        verify(args, points, count as usize, &mut fronts, context)?;
    }
    let explored = Explored::new(args, points, fronts);
    if let Some((path, mut file)) = picture {
        file.write(&picture::draw(&explored).encode(path))?;
        file.finish()?;
    }
    output::either(out, args.json, &explored, |out, explored| report::print(out, args, explored))
}

/// Runs the cycle model for the first rows of each front.
fn verify(
    args: &ExploreArgs,
    points: u64,
    count: usize,
    fronts: &mut [Front],
    context: Context<'_>,
) -> Result<(), Error> {
    check_memory((points as usize).saturating_mul(2 * size_of::<Scalar>()))?;
    let bar = context.bar("generate", "making scalars");
    let control = Control::new(None, Some(context.cancel), Some(&bar));
    control.expect(points as usize);
    let blocks = inputs::scalars(CurveId::from(args.curve), Distribution::Uniform, 0)?;
    let scalars = random_scalars(blocks, 0, points as usize, &control)?;
    bar.clear();
    // Both fronts have machines in common.
    let mut known: Vec<(Point, f64)> = Vec::new();
    for row in fronts.iter_mut().flat_map(|front| front.rows.iter_mut().take(count)) {
        let same = |(point, _): &&(Point, f64)| {
            (point.design, point.copies, &point.settings)
                == (row.point.design, row.point.copies, &row.point.settings)
        };
        let ms = match known.iter().find(same) {
            Some(&(_, ms)) => ms,
            None => {
                let part = &scalars[..points.div_ceil(row.point.copies.into()) as usize];
                let ms = simulate(&row.point, part, context)?;
                known.push((row.point.clone(), ms));
                ms
            }
        };
        row.set_simulated(ms);
    }
    Ok(())
}

/// Returns the milliseconds of a machine by its cycle model.
fn simulate(point: &Point, scalars: &[Scalar], context: Context<'_>) -> Result<f64, Error> {
    let model = model(point.design, &point.settings)?;
    let bar = context.bar("simulate", model.name());
    let control = Control::new(None, Some(context.cancel), Some(&bar));
    Ok(model.count(scalars.len(), &[scalars], &control)?.ms)
}
