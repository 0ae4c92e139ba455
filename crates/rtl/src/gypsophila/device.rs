//! Gypsophila in RTL, in the place of its cycle model.

use ark_bls12_377::g1::Config as Bls12_377;
use ark_bls12_377::G1TEProjective;
use ark_bn254::g1::Config as Bn254;
use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use bucketwheel_hardware::gypsophila::{Counts, Parameters};
use bucketwheel_hardware::Outcome;

use super::{Gypsophila, Streamed};
use crate::edwards::{from_edwards, to_edwards};
use crate::selection::{CompiledBench, Job, Simulated, Simulates};
use crate::Fault;

impl Simulated for Parameters {
    const TOP: &'static str = "tb_gypsophila";

    fn of_bench(bench: &CompiledBench) -> Result<Self, Fault> {
        Gypsophila::new(bench.name)?.model()
    }

    fn with_host(&self, wanted: &Self) -> Self {
        Parameters {
            clock_mhz: wanted.clock_mhz,
            point_bytes: wanted.point_bytes,
            outstanding_bursts: wanted.outstanding_bursts,
            ..self.clone()
        }
    }
}

impl Simulates<Bls12_377> for Parameters {
    fn compute(&self, job: &Job<'_, Bls12_377>) -> Result<Outcome<Projective<Bls12_377>>, Fault> {
        let points: Vec<G1TEProjective> = to_edwards(job.points)?.into_iter().map(Into::into).collect();
        let Outcome { sums, report } = rounds(self, job, &points)?;
        Ok(Outcome { sums: sums.into_iter().map(from_edwards).collect::<Result<_, _>>()?, report })
    }
}

impl Simulates<Bn254> for Parameters {
    fn compute(&self, job: &Job<'_, Bn254>) -> Result<Outcome<Projective<Bn254>>, Fault> {
        rounds(self, job, job.points)
    }
}

/// Runs one task per element at a time.
fn rounds<C: SWCurveConfig, G: Streamed>(
    parameters: &Parameters,
    job: &Job<'_, C>,
    points: &[G],
) -> Result<Outcome<G>, Fault> {
    let mut machine = Gypsophila::new(job.bench)?;
    machine.watch = job.watch.clone();
    let windows = parameters.windows(points.len())?.count() as usize;
    let rounds = job.tasks.chunks(parameters.pes as usize);
    job.watch.begin(windows * points.len() * rounds.len());
    job.trace(machine.bench())?;
    let (mut sums, mut counts) = (Vec::new(), Counts::default());
    for tasks in rounds {
        sums.extend(machine.msm(tasks, points)?);
        counts.add(&machine.counts(tasks.len())?);
    }
    job.finish(machine.bench())?;
    Ok(Outcome { sums, report: parameters.report(points.len(), job.tasks.len(), &counts) })
}
