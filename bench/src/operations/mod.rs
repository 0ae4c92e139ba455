//! What MSMs are made of: products, squares and additions of points, ours
//! beside those of blst and arkworks.

mod arkworks;
mod blst;
mod ours;
mod report;
mod sampling;

use crate::args::OperationsArgs;
use crate::cell::Curve;
use crate::files::write_atomically;
use crate::inputs::{AnyInput, CurveVisitor, Input, Setting, points};
use crate::{machine, with_input};
use anyhow::Result;
pub use sampling::Cost;

/// Additions that share an inversion in the engine.
const BATCH: usize = 1024;
/// Additions at a time where nothing is shared: longer points stay in the
/// second-level cache, too.
const FEW: usize = 256;

/// The arithmetic of a field.
struct Kernel {
    product: Cost,
    square: Cost,
}

/// A line of a report.
struct Row {
    curve: Curve,
    /// The field or the group.
    domain: &'static str,
    line: Line,
}

/// One operation of one library.
struct Line {
    library: String,
    operation: &'static str,
    cost: Cost,
    /// Nanoseconds of the products and squares alone, for our additions.
    floor: Option<f64>,
}

impl Line {
    fn new(library: impl ToString, operation: &'static str, cost: Cost) -> Self {
        Self { library: library.to_string(), operation, cost, floor: None }
    }
}

/// Times products and squares.
pub fn kernels(args: &OperationsArgs) -> Result<()> {
    run(args, "kernels", ["Fp", "Fp2"], ours::ELEMENTS, |input| {
        let ours = args.backends().into_iter().filter_map(|backend| {
            let kernel = ours::kernel(backend, input, args.seconds)?;
            Some((backend.to_string(), kernel))
        });
        let blst = blst::kernel(input, args.seconds).map(|kernel| ("blst".to_owned(), kernel));
        let arkworks = with_input!(input, input => arkworks::kernel(input.points, args.seconds));
        let all = ours.chain(blst).chain([("arkworks".to_owned(), arkworks)]);
        let lines = |(library, Kernel { product, square })| {
            [Line::new(&library, "product", product), Line::new(&library, "square", square)]
        };
        Ok(all.flat_map(lines).collect())
    })
}

/// Times additions of points beside their arithmetic alone.
pub fn adders(args: &OperationsArgs) -> Result<()> {
    run(args, "adders", ["G1", "G2"], BATCH, |input| {
        let mut lines = Vec::new();
        for backend in args.backends() {
            lines.extend(ours::additions(backend, input, args.seconds)?);
        }
        lines.extend(blst::additions(input, args.seconds));
        lines.extend(with_input!(input, input => arkworks::additions(input.points, args.seconds)));
        Ok(lines)
    })
}

/// Measures curve by curve, over the base field and over the extension, with
/// this many points, and writes what it finds.
fn run<M>(
    args: &OperationsArgs,
    name: &str,
    domains: [&'static str; 2],
    points: usize,
    measure: M,
) -> Result<()>
where
    M: Fn(AnyInput) -> Result<Vec<Line>>,
{
    let mut run = Run { domains, points, measure, rows: Vec::new() };
    print!("{}", report::HEADER);
    args.curves.iter().try_for_each(|curve| curve.visit(&mut run))?;
    if let Some(folder) = &args.out {
        let file = |extension| folder.join(name).with_extension(extension);
        write_atomically(&file("md"), report::markdown(&run.rows).as_bytes())?;
        write_atomically(&file("csv"), report::csv(&run.rows).as_bytes())?;
    }
    println!("\n{}, core clock at the end: {:.2} GHz", machine::processor(), machine::core_ghz());
    Ok(())
}

struct Run<M> {
    domains: [&'static str; 2],
    points: usize,
    measure: M,
    rows: Vec<Row>,
}

impl<M: Fn(AnyInput) -> Result<Vec<Line>>> CurveVisitor for Run<M> {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()> {
        self.setting::<G1>(self.domains[0])?;
        self.setting::<G2>(self.domains[1])
    }
}

impl<M: Fn(AnyInput) -> Result<Vec<Line>>> Run<M> {
    fn setting<C: Setting>(&mut self, domain: &'static str) -> Result<()> {
        let points = points::generate::<C>(1, self.points);
        let lines = (self.measure)(C::erase(Input { points: &points, scalars: &[] }))?;
        let rows = lines.into_iter().map(|line| Row { curve: C::CURVE, domain, line });
        let rows: Vec<_> = rows.collect();
        rows.iter().for_each(|row| print!("{}", report::markdown_row(row)));
        self.rows.extend(rows);
        Ok(())
    }
}

/// The items from number `by` on, and then those before.
fn rotated<T: Clone>(items: &[T], by: usize) -> Vec<T> {
    [&items[by..], &items[..by]].concat()
}
