//! The experiment: cell by cell, all libraries in turn.

use crate::args::MsmArgs;
use crate::cell::{Cell, Curve, Group};
use crate::inputs::cache::Cache;
use crate::inputs::{AnyInput, Input, Setting, scalars};
use crate::machine;
use crate::peers::{Job, Peer, PeerKind};
use crate::report::{self, table};
use crate::results::{CellResult, Timing};
use anyhow::{Context, Result, ensure};
use ark_ec::short_weierstrass::Affine;
use clap::ValueEnum;
use rayon::ThreadPool;
use std::time::Duration;

const FEWEST_REPETITIONS: usize = 3;
const MOST_REPETITIONS: usize = 10_000;

pub fn run(args: &MsmArgs) -> Result<()> {
    let kinds = match args.peers.as_slice() {
        [] => PeerKind::value_variants(),
        chosen => chosen,
    };
    let peers = kinds.iter().map(|&kind| Ok((kind, kind.create()?)));
    let folder = std::env::current_exe()?.with_file_name("bench-inputs");
    let seed = args.seed;
    let mut run = Run {
        args,
        peers: peers.collect::<Result<_>>()?,
        cache: Cache { folder, seed },
        results: Vec::new(),
    };
    table::print_header();
    for curve in &args.curves {
        match curve {
            Curve::Bls12_381 => run.curve::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>()?,
            Curve::Bls12_377 => run.curve::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>()?,
            Curve::Bn254 => run.curve::<ark_bn254::g1::Config, ark_bn254::g2::Config>()?,
        }
    }
    ensure!(!run.results.is_empty(), "no chosen peer offers a chosen group");
    println!("core clock at the end: {:.2} GHz", machine::core_ghz());
    Ok(())
}

struct Run<'a> {
    args: &'a MsmArgs,
    peers: Vec<(PeerKind, Box<dyn Peer>)>,
    cache: Cache,
    results: Vec<CellResult>,
}

impl Run<'_> {
    fn curve<G1, G2>(&mut self) -> Result<()>
    where
        G1: Setting,
        G2: Setting<ScalarField = G1::ScalarField>,
    {
        let g1 = self.points::<G1>()?;
        let g2 = self.points::<G2>()?;
        for cell in self.cells(G1::CURVE) {
            let scalars = scalars::generate(cell.distribution, self.cache.seed, cell.size());
            let mut inputs = Vec::new();
            if cell.group != Group::G2 {
                inputs.push(erase::<G1>(&g1, &scalars));
            }
            if cell.group != Group::G1 {
                inputs.push(erase::<G2>(&g2, &scalars));
            }
            let result = self.cell(cell, &inputs);
            if let Some(result) = result.with_context(|| cell.to_string())? {
                table::print_rows(&result);
                self.results.push(result);
                report::write(&self.args.out, &self.results)?;
            }
        }
        Ok(())
    }

    fn cells(&self, curve: Curve) -> Vec<Cell> {
        let args = self.args;
        let mut cells = Vec::new();
        for &group in &args.groups {
            for &log_size in &args.log_sizes.0 {
                for &threads in &args.threads {
                    cells.extend(args.distributions.iter().map(|&distribution| Cell {
                        curve,
                        group,
                        log_size,
                        threads,
                        distribution,
                    }));
                }
            }
        }
        cells
    }

    /// As many points as the largest cell takes; none if no cell is in the group.
    fn points<C: Setting>(&self) -> Result<Vec<Affine<C>>> {
        let groups = &self.args.groups;
        if !groups.contains(&C::GROUP) && !groups.contains(&Group::Pair) {
            return Ok(Vec::new());
        }
        let largest = self.args.log_sizes.0.iter().max();
        self.cache.points(1 << largest.context("no sizes")?)
    }

    /// `None` where no chosen library offers the group.
    fn cell(&self, cell: Cell, inputs: &[AnyInput]) -> Result<Option<CellResult>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cell.threads);
        let pool = pool.build()?;
        let ghz = machine::core_ghz();
        let mut contestants = Vec::new();
        for (kind, peer) in &self.peers {
            contestants.extend(Contestant::new(*kind, &**peer, inputs, &pool)?);
        }
        if contestants.is_empty() {
            return Ok(None);
        }

        let (mut round, mut expected) = (Duration::ZERO, None);
        for contestant in &mut contestants {
            round += contestant.run(&mut expected)?;
        }
        let budget = self.args.seconds / round.as_secs_f64();
        let repetitions = (budget as usize).clamp(FEWEST_REPETITIONS, MOST_REPETITIONS);
        for _ in 0..repetitions {
            for contestant in &mut contestants {
                let elapsed = contestant.run(&mut expected)?;
                contestant.samples.push(elapsed);
            }
        }
        let timings = contestants.into_iter();
        let timings = timings.map(|c| Timing::new(c.kind, c.samples)).collect();
        Ok(Some(CellResult { cell, ghz, timings }))
    }
}

/// The MSM of these scalars with as many of the points.
fn erase<'a, C: Setting>(points: &'a [Affine<C>], scalars: &'a [C::ScalarField]) -> AnyInput<'a> {
    let points = &points[..scalars.len()];
    C::erase(Input { points, scalars })
}

/// A library with its prepared jobs, one for each group of the cell.
struct Contestant<'a> {
    kind: PeerKind,
    jobs: Vec<Job<'a>>,
    samples: Vec<Duration>,
}

impl<'a> Contestant<'a> {
    /// `None` where the library does not offer all groups of the cell.
    fn new(
        kind: PeerKind,
        peer: &dyn Peer,
        inputs: &[AnyInput<'a>],
        pool: &'a ThreadPool,
    ) -> Result<Option<Self>> {
        let jobs = inputs.iter().map(|&input| peer.prepare(input, pool));
        let jobs = jobs.collect::<Result<Option<Vec<_>>>>()?;
        Ok(jobs.map(|jobs| Self { kind, jobs, samples: Vec::new() }))
    }

    /// The time of one round, if its sums are those that the first library found.
    fn run(&mut self, expected: &mut Option<(PeerKind, Vec<u8>)>) -> Result<Duration> {
        let (mut elapsed, mut sums) = (Duration::ZERO, Vec::new());
        for job in &mut self.jobs {
            let outcome = job().with_context(|| self.kind.to_string())?;
            elapsed += outcome.elapsed;
            sums.extend(outcome.sum);
        }
        let kind = self.kind;
        let (first, expected) = expected.get_or_insert_with(|| (kind, sums.clone()));
        ensure!(*expected == sums, "{kind} and {first} disagree");
        Ok(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Outcome;

    fn contestant(kind: PeerKind, sum: u8) -> Contestant<'static> {
        let job = move || Ok(Outcome { elapsed: Duration::from_millis(2), sum: vec![sum] });
        Contestant { kind, jobs: vec![Box::new(job), Box::new(job)], samples: Vec::new() }
    }

    #[test]
    fn the_time_of_a_round_is_the_sum_over_the_groups() {
        let elapsed = contestant(PeerKind::Blst, 1).run(&mut None).unwrap();
        assert_eq!(elapsed, Duration::from_millis(4));
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
