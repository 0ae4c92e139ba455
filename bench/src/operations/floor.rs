//! MSMs beside the arithmetic of their additions: the gain that remains if everything except products and squares is
//! hidden behind them.

use super::line::Kernel;
use super::ours;
use crate::args::FloorArgs;
use crate::cell::{Cell, Distribution};
use crate::files::write_atomically;
use crate::inputs::cache::Cache;
use crate::inputs::{AnyInput, CurveVisitor, Input, Setting, scalars, visit, with_input};
use crate::machine;
use crate::stats::Spread;
use anyhow::{Context, Result};
use bucketwheel::{Backend, BasesOptions, Msm, Scalars};
use std::hint::black_box;
use std::time::Instant;

/// Products and squares of an affine addition whose inversion is shared by many.
const PRODUCTS: f64 = 5.0;
const SQUARES: f64 = 1.0;

/// Seconds to measure products and squares before each cell.
const KERNEL_SECONDS: f64 = 0.05;
const FEWEST_REPETITIONS: usize = 3;

const HEAD: &str = "| curve | group | points | backend | ms | range | additions | cycles an addition | floor, cycles | of floor |\n\
     |:---|:---|---:|:---|---:|---:|---:|---:|---:|---:|\n";

/// Measures cell by cell, on one thread.
pub fn floor(args: &FloorArgs) -> Result<()> {
    let folder = std::env::current_exe()?.with_file_name("bench-inputs");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let title = format!(
        "One thread of {}, uniform scalars. Floor: 5 products and a square for each addition of the plan.\n\n{HEAD}",
        machine::processor()
    );
    print!("{title}");
    let mut run = Run { args, cache: Cache { folder, seed: 1 }, table: title };
    pool.install(|| args.curves.iter().try_for_each(|&curve| visit(curve, &mut run)))?;
    match &args.out {
        Some(folder) => write_atomically(&folder.join("floor.md"), run.table.as_bytes()),
        None => Ok(()),
    }
}

struct Run<'a> {
    args: &'a FloorArgs,
    cache: Cache,
    table: String,
}

impl CurveVisitor for Run<'_> {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()> {
        self.group::<G1>()?;
        self.group::<G2>()
    }
}

impl Run<'_> {
    fn group<C: Setting>(&mut self) -> Result<()> {
        if !self.args.groups.contains(&C::GROUP) {
            return Ok(());
        }
        for &log_size in &self.args.log_sizes.0 {
            let cell = Cell {
                curve: C::CURVE,
                group: C::GROUP,
                points: 1 << log_size,
                threads: 1,
                distribution: Distribution::Uniform,
            };
            let points = self.cache.points::<C>(cell.points.max(ours::ELEMENTS))?;
            let scalars = scalars::generate(cell.distribution, self.cache.seed, cell.points);
            let elements = C::erase(Input { points: &points[..ours::ELEMENTS], scalars: &[] });
            let input = C::erase(Input { points: &points[..cell.points], scalars: &scalars });
            for line in self.cell(elements, input).with_context(|| cell.to_string())? {
                let row = line.row(&cell);
                print!("{row}");
                self.table += &row;
            }
        }
        Ok(())
    }

    /// Measures all instruction sets in turn, after one call of each that does not count.
    fn cell(&self, elements: AnyInput<'_>, input: AnyInput<'_>) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        for backend in self.args.backends() {
            if let Some(kernel) = ours::kernel(backend, elements, KERNEL_SECONDS) {
                lines.push((Line::new(backend, &kernel), job(backend, input)?));
            }
        }
        let start = Instant::now();
        for (line, job) in &mut lines {
            line.additions = job()?;
        }
        let budget = self.args.seconds / start.elapsed().as_secs_f64();
        for _ in 0..(budget as usize).max(FEWEST_REPETITIONS) {
            for (line, job) in &mut lines {
                let start = Instant::now();
                black_box(job()?);
                line.milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
                line.ghz.push(machine::core_ghz());
            }
        }
        Ok(lines.into_iter().map(|(line, _)| line).collect())
    }
}

/// An MSM that returns the number of its additions, by its plan.
type Job<'a> = Box<dyn FnMut() -> Result<usize> + 'a>;

fn job(backend: Backend, input: AnyInput<'_>) -> Result<Job<'_>> {
    with_input!(input, input => {
        let bases = BasesOptions::new().backend(backend).prepare(input.points)?;
        Ok(Box::new(move || {
            let (sum, report) = Msm::new().run_reported(&bases, Scalars::Field(input.scalars))?;
            black_box(&sum);
            Ok(report.plan.additions)
        }))
    })
}

/// An instruction set in a cell.
struct Line {
    backend: Backend,
    /// Cycles of the arithmetic of an addition.
    floor: f64,
    additions: usize,
    milliseconds: Vec<f64>,
    /// Core clock directly after each repetition.
    ghz: Vec<f64>,
}

impl Line {
    fn new(backend: Backend, kernel: &Kernel) -> Self {
        let floor = PRODUCTS * kernel.product.cycles + SQUARES * kernel.square.cycles;
        Self { backend, floor, additions: 0, milliseconds: Vec::new(), ghz: Vec::new() }
    }

    fn row(self, cell: &Cell) -> String {
        let Self { backend, floor, additions, milliseconds, ghz } = self;
        let cycles =
            milliseconds.iter().zip(&ghz).map(|(ms, ghz)| ms * ghz * 1e6 / additions as f64).collect();
        let cycles = Spread::range(cycles).median;
        let Spread { median, low, high } = Spread::range(milliseconds);
        format!(
            "| {} | {} | {} | {backend} | {median:.2} | {low:.2} to {high:.2} | {additions} | {cycles:.0} | {floor:.0} | {:.2} |\n",
            cell.curve,
            cell.group,
            cell.size(),
            cycles / floor
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use bucketwheel::CurveId as Curve;

    #[test]
    fn a_row_has_the_cycles_of_an_addition_over_its_arithmetic() {
        let line = Line {
            backend: Backend::Portable,
            floor: 500.0,
            additions: 4000,
            milliseconds: vec![2.0, 1.0, 4.0],
            ghz: vec![2.0, 4.0, 2.0],
        };
        let cell = Cell {
            curve: Curve::Bn254,
            group: Group::G2,
            points: 1 << 9,
            threads: 1,
            distribution: Distribution::Uniform,
        };
        let row = "| bn254 | g2 | 2^9 | portable | 2.00 | 1.00 to 4.00 | 4000 | 1000 | 500 | 2.00 |\n";
        assert_eq!(line.row(&cell), row);
    }
}
