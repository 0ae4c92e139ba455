//! CycloneMSM in RTL, in the place of its cycle model.

use ark_bls12_377::g1::Config;
use ark_ec::short_weierstrass::Projective;
use bucketwheel_hardware::cyclone::{Commands, Parameters};
use bucketwheel_hardware::Outcome;

use super::Cyclone;
use crate::edwards::{from_edwards, to_edwards};
use crate::selection::{CompiledBench, Job, Simulated, Simulates};
use crate::Fault;

impl Simulated for Parameters {
    const TOP: &'static str = "tb_cyclone";

    fn of_bench(bench: &CompiledBench) -> Result<Self, Fault> {
        let own = Cyclone::new(bench.name).model();
        // The bench's memory of conflicts has room for all points.
        let points = bench.parameter("MEMORY").unwrap_or(1 << 12);
        Ok(Parameters { channel_bytes: points * own.coordinate_bytes, ..own })
    }

    fn with_host(&self, wanted: &Self) -> Self {
        Parameters { clock_mhz: wanted.clock_mhz, ..self.clone() }
    }
}

impl Simulates<Config> for Parameters {
    fn compute(&self, job: &Job<'_, Config>) -> Result<Outcome<Projective<Config>>, Fault> {
        let points: Vec<_> = to_edwards(job.points)?.into_iter().map(Cyclone::point).collect();
        let mut cyclone = Cyclone::new(job.bench);
        cyclone.watch = job.watch.clone();
        let windows = Commands::new(self, &[])?.windows().count() as usize;
        job.watch.begin(windows * job.points.len() * job.tasks.len());
        job.trace(cyclone.bench())?;
        cyclone.reset();
        let swept = cyclone.counters()["sweep_cycles"];
        let sums = cyclone.msms(job.tasks, &points)?;
        let sums = sums.into_iter().map(from_edwards).collect::<Result<_, _>>()?;
        let report = self.report(job.points.len(), job.tasks.len(), &cyclone.counts(swept));
        job.finish(cyclone.bench())?;
        Ok(Outcome { sums, report })
    }
}
