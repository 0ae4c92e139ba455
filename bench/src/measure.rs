//! The experiment: cell by cell, with all libraries interleaved.

use crate::args::MsmArgs;
use crate::cell::{Cell, Group};
use crate::inputs::cache::Cache;
use crate::inputs::{AnyInput, CurveVisitor, Input, Setting, scalars, visit};
use crate::machine;
use crate::peers::{Competitor, Job, Library, Outcome};
use crate::report::{self, table};
use crate::results::{CellResult, Timing};
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
use ark_ec::short_weierstrass::Affine;
use rayon::ThreadPool;
use std::time::{Duration, Instant};

const FEWEST_REPETITIONS: usize = 3;
const MOST_REPETITIONS: usize = 10_000;

/// Milliseconds of a first round that is long enough to count alone: its cold caches and new memory are a small part.
const LONG: f64 = 40e3;

/// Numbers of calls that do not count and that count, with `--protocol`.
const PROTOCOL: (usize, usize) = (3, 20);

pub fn run(args: &MsmArgs) -> Result<()> {
    let ours = args.backends()?.into_iter().map(Competitor::Ours);
    let competitors: Vec<_> = ours.chain(args.peers().iter().copied().map(Competitor::Peer)).collect();
    measure(args, &competitors, &|results| report::write(&args.out, results))?;
    println!("core clock at the end: {:.2} GHz", machine::core_ghz());
    Ok(())
}

/// Measures these competitors, regardless of the backends and peers in `args`, in all of its cells. `done` gets the
/// results so far after each cell.
pub fn measure(
    args: &MsmArgs,
    competitors: &[Competitor],
    done: &dyn Fn(&[CellResult]) -> Result<()>,
) -> Result<Vec<CellResult>> {
    let libraries =
        competitors.iter().map(|competitor| Ok((*competitor, competitor.create(args.preparation())?)));
    let folder = std::env::current_exe()?.with_file_name("bench-inputs");
    let seed = args.seed;
    let mut run = Run {
        args,
        libraries: libraries.collect::<Result<_>>()?,
        cache: Cache { folder, seed },
        points: 0,
        results: Vec::new(),
        done,
    };
    table::print_header();
    for points in args.sizes() {
        run.points = points;
        args.curves.iter().try_for_each(|&curve| visit(curve, &mut run))?;
    }
    Ok(run.results)
}

struct Run<'a> {
    args: &'a MsmArgs,
    libraries: Vec<(Competitor, Box<dyn Library>)>,
    cache: Cache,
    /// Cells in progress: small cells come first, on all curves.
    points: usize,
    results: Vec<CellResult>,
    done: &'a dyn Fn(&[CellResult]) -> Result<()>,
}

impl CurveVisitor for Run<'_> {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()> {
        let (g1, g2) = (self.points::<G1>()?, self.points::<G2>()?);
        for cell in self.cells::<G1>() {
            let scalars = scalars::generate(cell.distribution, self.cache.seed, cell.points);
            let g1 = || G1::erase(Input { points: &g1, scalars: &scalars });
            let g2 = || G2::erase(Input { points: &g2, scalars: &scalars });
            let inputs = match cell.group {
                Group::G1 => Inputs::One(g1()),
                Group::G2 => Inputs::One(g2()),
                Group::Pair => Inputs::Pair(g1(), g2()),
            };
            let result = self.cell(cell, inputs).with_context(|| cell.to_string())?;
            table::print_rows(&result);
            self.results.push(result);
            (self.done)(&self.results)?;
        }
        Ok(())
    }
}

/// The points and scalars of a cell.
#[derive(Clone, Copy)]
enum Inputs<'a> {
    One(AnyInput<'a>),
    Pair(AnyInput<'a>, AnyInput<'a>),
}

impl Run<'_> {
    fn cells<C: Setting>(&self) -> Vec<Cell> {
        let args = self.args;
        let mut cells = Vec::new();
        for &group in &args.groups {
            for &threads in &args.threads {
                cells.extend(args.distributions.iter().map(|&distribution| Cell {
                    curve: C::CURVE,
                    group,
                    points: self.points,
                    threads,
                    distribution,
                }));
            }
        }
        cells
    }

    /// Returns the number of points that the cells in progress need; `None` if no cell has the group.
    fn points<C: Setting>(&self) -> Result<Vec<Affine<C>>> {
        let groups = &self.args.groups;
        if !groups.contains(&C::GROUP) && !groups.contains(&Group::Pair) {
            return Ok(Vec::new());
        }
        self.cache.points(self.points)
    }

    fn cell(&self, cell: Cell, inputs: Inputs) -> Result<CellResult> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cell.threads);
        let pool = pool.build()?;
        let ghz = machine::core_ghz();
        let mut contestants = Vec::new();
        for (competitor, library) in &self.libraries {
            contestants.extend(Contestant::new(*competitor, &**library, inputs, &pool)?);
        }

        let mut expected = None;
        let mut round = || -> Result<f64> {
            let mut sum = 0.0;
            for contestant in &mut contestants {
                let milliseconds = contestant.run(&mut expected)?.as_secs_f64() * 1e3;
                contestant.milliseconds.push(milliseconds);
                sum += milliseconds;
            }
            Ok(sum)
        };
        let first = round()?;
        let budget = (1e3 * self.args.seconds / first) as usize;
        let (warm_ups, repetitions) = match self.args.protocol {
            true => PROTOCOL,
            false if first > LONG => (0, 1),
            false => (1, budget.clamp(FEWEST_REPETITIONS, MOST_REPETITIONS)),
        };
        for _ in 1..warm_ups + repetitions {
            round()?;
        }
        let timings = contestants.into_iter().map(|mut contestant| Timing {
            competitor: contestant.competitor,
            avx512: contestant.competitor.uses_avx512(&cell),
            prepare: contestant.prepare,
            first: contestant.milliseconds[0],
            milliseconds: Spread::range(contestant.milliseconds.split_off(warm_ups)),
        });
        Ok(CellResult { cell, ghz, repetitions, timings: timings.collect() })
    }
}

/// A library with its prepared job.
struct Contestant<'a> {
    competitor: Competitor,
    job: Job<'a>,
    /// Milliseconds that preparing it took.
    prepare: f64,
    /// Times of all calls, including calls that warm up.
    milliseconds: Vec<f64>,
}

impl<'a> Contestant<'a> {
    /// Returns `None` if the library does not offer all groups of the cell.
    fn new(
        competitor: Competitor,
        library: &dyn Library,
        inputs: Inputs<'a>,
        pool: &'a ThreadPool,
    ) -> Result<Option<Self>> {
        let start = Instant::now();
        let job = match inputs {
            Inputs::One(input) => library.prepare(input, pool)?,
            Inputs::Pair(g1, g2) => library.prepare_pair(g1, g2, pool)?,
        };
        let prepare = start.elapsed().as_secs_f64() * 1e3;
        Ok(job.map(|job| Self { competitor, job, prepare, milliseconds: Vec::new() }))
    }

    /// Returns the time of one round, if its sum equals the first library's.
    fn run(&mut self, expected: &mut Option<(Competitor, Vec<u8>)>) -> Result<Duration> {
        let competitor = self.competitor;
        let Outcome { elapsed, sum } = (self.job)().with_context(|| competitor.to_string())?;
        let (first, expected) = expected.get_or_insert_with(|| (competitor, sum.clone()));
        ensure!(*expected == sum, "{competitor} and {first} disagree");
        Ok(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::PeerKind;

    fn contestant(kind: PeerKind, sum: u8) -> Contestant<'static> {
        let job = move || Ok(Outcome { elapsed: Duration::from_millis(2), sum: vec![sum] });
        let competitor = Competitor::Peer(kind);
        Contestant { competitor, job: Box::new(job), prepare: 0.0, milliseconds: Vec::new() }
    }

    #[test]
    fn a_different_sum_is_an_error_that_names_both_libraries() {
        let mut expected = None;
        contestant(PeerKind::Blst, 1).run(&mut expected).unwrap();
        assert!(contestant(PeerKind::Mcl, 1).run(&mut expected).is_ok());
        let error = contestant(PeerKind::Arkworks, 2).run(&mut expected);
        assert_eq!(error.unwrap_err().to_string(), "arkworks and blst disagree");
    }
}
