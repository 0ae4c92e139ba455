//! The operations of MSMs: products, squares and additions of points, ours beside blst's and arkworks'.

mod arkworks;
mod blst;
mod floor;
mod line;
mod ours;
mod report;
mod sampling;

use crate::args::OperationsArgs;
use crate::files::write_atomically;
use crate::inputs::{AnyInput, CurveVisitor, Input, Setting, points, visit, with_input};
use crate::machine;
use anyhow::Result;
pub use floor::floor;
use line::{BATCH, Kernel};
pub use line::{Line, Row};
pub use ours::FORMULAS;

/// Times products and squares.
pub fn kernels(args: &OperationsArgs) -> Result<Vec<Row>> {
    let kind = Kind { name: "kernels", domains: ["Fp", "Fp2"], points: ours::ELEMENTS, floors: false };
    run(args, kind, |input| {
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

/// Times additions of points, and their arithmetic alone.
pub fn adders(args: &OperationsArgs) -> Result<Vec<Row>> {
    let kind = Kind { name: "adders", domains: ["G1", "G2"], points: BATCH, floors: true };
    run(args, kind, |input| {
        let mut lines = Vec::new();
        for backend in args.backends() {
            lines.extend(ours::additions(backend, input, args.seconds)?);
        }
        lines.extend(blst::additions(input, args.seconds));
        lines.extend(with_input!(input, input => arkworks::additions(input.points, args.seconds)));
        Ok(lines)
    })
}

/// Measurement of a command.
struct Kind {
    name: &'static str,
    /// Over the base field and over the extension.
    domains: [&'static str; 2],
    /// Number of points that the measurement gets.
    points: usize,
    /// True if operations have a floor.
    floors: bool,
}

/// Measures curve by curve, in both domains, and reports the results.
fn run<M>(args: &OperationsArgs, kind: Kind, measure: M) -> Result<Vec<Row>>
where
    M: Fn(AnyInput) -> Result<Vec<Line>>,
{
    let mut run = Run { kind, measure, rows: Vec::new() };
    print!("{}", report::markdown_head(run.kind.floors));
    args.curves.iter().try_for_each(|&curve| visit(curve, &mut run))?;
    if let Some(folder) = &args.out {
        let file = |extension| folder.join(run.kind.name).with_extension(extension);
        write_atomically(&file("md"), report::markdown(&run.rows, run.kind.floors).as_bytes())?;
        write_atomically(&file("csv"), report::csv(&run.rows).as_bytes())?;
    }
    println!("\n{}, core clock at the end: {:.2} GHz", machine::processor(), machine::core_ghz());
    Ok(run.rows)
}

struct Run<M> {
    kind: Kind,
    measure: M,
    rows: Vec<Row>,
}

impl<M: Fn(AnyInput) -> Result<Vec<Line>>> CurveVisitor for Run<M> {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()> {
        self.domain::<G1>(self.kind.domains[0])?;
        self.domain::<G2>(self.kind.domains[1])
    }
}

impl<M: Fn(AnyInput) -> Result<Vec<Line>>> Run<M> {
    fn domain<C: Setting>(&mut self, domain: &'static str) -> Result<()> {
        let points = points::generate::<C>(1, self.kind.points);
        for line in (self.measure)(C::erase(Input { points: &points, scalars: &[] }))? {
            let row = Row { curve: C::CURVE, domain, line };
            print!("{}", report::markdown_row(&row, self.kind.floors));
            self.rows.push(row);
        }
        Ok(())
    }
}
