//! Groth16 provers on the same keys and witnesses, interleaved, with every proof verified.

mod arkworks;
mod check;
mod imported;
mod kind;
mod process;
mod prove;
mod provers;
mod report;
mod serve;
mod setup;
#[cfg(test)]
mod tests;
mod workload;

use crate::args::Groth16Args;
use crate::machine;
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
pub use imported::{Imported, chain, jsnark};
pub use kind::Prover;
use process::Watch;
pub use prove::prove;
use provers::{Attempt, Job, Programs};
pub use report::CellResult;
use report::Timing;
pub use serve::serve;
pub use setup::{make_key, setup};
use workload::Workload;

const FEWEST_REPETITIONS: usize = 3;
const MOST_REPETITIONS: usize = 1000;

/// Measures workload by workload.
pub fn run(args: &Groth16Args) -> Result<()> {
    let processors = process::processors()?;
    let most = args.threads.iter().copied().max().unwrap_or(1);
    ensure!(most <= processors.len(), "{most} threads on {} processors: expected fewer", processors.len());
    let workloads = workload::find(&args.folder, &args.workloads)?;
    let (provers, seconds) = (&args.provers, args.seconds);
    let run = Run { provers, seconds, programs: Programs::new(provers)?, processors };
    let mut results = Vec::new();
    report::print_header();
    for workload in &workloads {
        run.programs.prepare(provers, workload).with_context(|| workload.name.clone())?;
        for &threads in &args.threads {
            let result = run.cell(workload, threads).with_context(|| workload.name.clone())?;
            report::print_rows(&result);
            results.push(result);
            report::write(&args.out, &results)?;
        }
    }
    println!("core clock at the end: {:.2} GHz", machine::core_ghz());
    Ok(())
}

/// Measures provers that need no other program, on one workload and one thread.
pub fn measure(workload: &Workload, provers: &[Prover], seconds: f64) -> Result<CellResult> {
    let (programs, processors) = (Programs::new(provers)?, process::processors()?);
    programs.prepare(provers, workload)?;
    Run { provers, seconds, programs, processors }.cell(workload, 1)
}

struct Run<'a> {
    provers: &'a [Prover],
    /// Seconds to spend on a cell.
    seconds: f64,
    programs: Programs,
    processors: Vec<usize>,
}

impl Run<'_> {
    fn cell(&self, workload: &Workload, threads: usize) -> Result<CellResult> {
        let ghz = machine::core_ghz();
        let products = self.programs.products();
        products.clear()?;
        let mut contestants = Vec::new();
        for &prover in self.provers {
            let processors = &self.processors[..threads];
            let job = self.programs.job(prover, workload, processors, &products);
            let job = job.with_context(|| prover.to_string())?;
            contestants.extend(job.map(|job| Contestant { prover, job, attempts: Vec::new(), memory: None }));
        }
        // One round to warm up, in which memory is sampled.
        let mut round = 0.0;
        for contestant in &mut contestants {
            let attempt = contestant.prove(workload, &products, Watch::Memory)?;
            contestant.memory = attempt.memory;
            round += attempt.seconds;
        }
        let repetitions = (self.seconds / round) as usize;
        let repetitions = repetitions.clamp(FEWEST_REPETITIONS, MOST_REPETITIONS);
        for _ in 0..repetitions {
            for contestant in &mut contestants {
                let attempt = contestant.prove(workload, &products, Watch::Time)?;
                contestant.attempts.push(attempt);
            }
        }
        Ok(CellResult {
            workload: workload.name.clone(),
            curve: workload.curve,
            constraints: workload.constraints,
            threads,
            ghz,
            repetitions,
            timings: contestants.into_iter().map(Contestant::timing).collect(),
        })
    }
}

/// A prover on a workload.
struct Contestant<'a> {
    prover: Prover,
    job: Job<'a>,
    attempts: Vec<Attempt>,
    memory: Option<process::Peaks>,
}

impl Contestant<'_> {
    /// A verified proof.
    fn prove(&mut self, workload: &Workload, products: &check::Products, watch: Watch) -> Result<Attempt> {
        products.clear()?;
        let attempt = (self.job)(watch).with_context(|| self.prover.to_string())?;
        products.check(self.prover, workload).with_context(|| format!("the proof by {}", self.prover))?;
        Ok(attempt)
    }

    fn timing(self) -> Timing {
        let attempts = self.attempts;
        let median = |of: &dyn Fn(&Attempt) -> f64| Spread::range(attempts.iter().map(of).collect()).median;
        let processor: Option<Vec<f64>> = attempts.iter().map(|attempt| attempt.processor).collect();
        let stages = attempts[0].report.stages.iter().enumerate();
        Timing {
            prover: self.prover,
            seconds: Spread::range(attempts.iter().map(|attempt| attempt.seconds).collect()),
            processor: processor.map(|seconds| Spread::range(seconds).median),
            load: median(&|attempt| attempt.report.load),
            prove: median(&|attempt| attempt.report.prove),
            stages: stages
                .map(|(i, (name, _))| (name.clone(), median(&|attempt| attempt.report.stages[i].1)))
                .collect(),
            memory: self.memory,
        }
    }
}
