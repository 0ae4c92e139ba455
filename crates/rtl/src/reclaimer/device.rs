//! The reclaimer in RTL, in the place of its cycle model.

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ff::PrimeField;
use bucketwheel_hardware::reclaimer::{Counts, Parameters};
use bucketwheel_hardware::Outcome;

use super::Reclaimer;
use crate::selection::{CompiledBench, Job, Simulated, Simulates};
use crate::Fault;

impl Simulated for Parameters {
    const TOP: &'static str = "tb_reclaimer";

    fn of_bench(bench: &CompiledBench) -> Result<Self, Fault> {
        Reclaimer::new(bench.name)?.model()
    }

    fn with_host(&self, wanted: &Self) -> Self {
        Parameters {
            clock_mhz: wanted.clock_mhz,
            point_bytes: wanted.point_bytes,
            memory_bytes: wanted.memory_bytes,
            outstanding_bursts: wanted.outstanding_bursts,
            ..self.clone()
        }
    }
}

impl<C: SWCurveConfig<BaseField: PrimeField>> Simulates<C> for Parameters {
    fn compute(&self, job: &Job<'_, C>) -> Result<Outcome<Projective<C>>, Fault> {
        let mut machine = Reclaimer::new(job.bench)?;
        machine.watch = job.watch.clone();
        let (windows, passes) = machine.passes(self)?;
        job.watch.begin(passes * job.points.len() * job.tasks.len());
        job.trace(machine.bench())?;
        let (mut sums, mut counts) = (Vec::new(), Counts::default());
        for task in job.tasks {
            sums.push(machine.msm(task, job.points, windows)?);
            counts.add(&machine.counts()?);
        }
        job.finish(machine.bench())?;
        Ok(Outcome { sums, report: self.report(job.points.len(), job.tasks.len(), &counts) })
    }
}
