//! MSMAC in RTL, in the place of its cycle model: the simulated elements of all cards, fed by the runtime.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ark_bn254::g1::Config;
use ark_bn254::G1Projective;
use ark_ec::short_weierstrass::Projective;
use ark_ec::CurveGroup;
use bucketwheel_hardware::msmac::{Counts, Parameters};
use bucketwheel_hardware::runtime::{Element, Options, Runtime, Ticket};
use bucketwheel_hardware::Outcome;

use super::Msmac;
use crate::selection::{CompiledBench, Job, Simulated, Simulates};
use crate::Fault;

/// A simulation has no time limit as hardware does: elements notice by their cycles that they are stuck.
const TIME_LIMIT: Duration = Duration::from_secs(365 * 24 * 3600);

impl Simulated for Parameters {
    const TOP: &'static str = "tb_msmac";

    fn of_bench(bench: &CompiledBench) -> Result<Self, Fault> {
        Msmac::new(bench.name)?.model()
    }

    fn with_host(&self, wanted: &Self) -> Self {
        Parameters {
            curve: self.curve,
            window: self.window,
            latency: self.latency,
            conflict_threshold: self.conflict_threshold,
            conflict_depth: self.conflict_depth,
            segments: self.segments,
            jump_cycles: self.jump_cycles,
            ..wanted.clone()
        }
    }
}

/// Counts or fault of each sub-task, by task and by the number of its first point.
type Counted = Arc<Mutex<HashMap<(u64, usize), Result<Counts, Fault>>>>;

impl Simulates<Config> for Parameters {
    fn compute(&self, job: &Job<'_, Config>) -> Result<Outcome<Projective<Config>>, Fault> {
        let (count, tasks) = (job.points.len(), job.tasks.len());
        let size = self.sub_task_size(count, tasks)?;
        let firsts = || (0..count.max(1)).step_by(size);
        job.watch.begin(count * tasks);
        let elements: Vec<_> = (0..((self.cards * self.pes) as usize).min(firsts().count() * tasks))
            .map(|_| {
                let mut element = Msmac::new(job.bench)?;
                element.flow.point_cycles = self.point_cycles;
                element.watch = job.watch.clone();
                Ok(Arc::new(Mutex::new(element)))
            })
            .collect::<Result<_, Fault>>()?;
        if let Some(first) = elements.first() {
            job.trace(lock(first).bench())?;
        }
        let counted = Counted::default();
        let workers = elements.iter().map(|element| counting(element, &counted)).collect();
        let options = Options { sub_task: size, time_limit: TIME_LIMIT, ..Options::default() };
        let mut runtime = Runtime::new(workers, options);
        let points: Arc<[G1Projective]> = job.points.into();
        let tickets: Vec<Ticket<_>> = job
            .tasks
            .iter()
            .map(|&scalars| runtime.submit(points.clone(), scalars.into()))
            .collect::<Result<_, _>>()?;
        let sums: Result<Vec<_>, _> = tickets.into_iter().map(Ticket::wait).collect();
        for element in &elements {
            job.finish(lock(element).bench())?;
        }
        let counted = lock(&counted);
        let sums = sums.map_err(|error| {
            // The hardware's own fault has more details than the runtime's failure.
            counted.values().find_map(|found| found.clone().err()).unwrap_or(error.into())
        })?;
        let counts = (0..tasks as u64)
            .flat_map(|task| firsts().map(move |first| (task, first)))
            .map(|sub_task| counted[&sub_task].clone())
            .collect::<Result<_, _>>()?;
        Ok(Outcome { sums, report: self.report(count, tasks, size, counts) })
    }
}

/// A worker that keeps the counts of its element.
fn counting(element: &Arc<Mutex<Msmac>>, counted: &Counted) -> Element<G1Projective> {
    let (element, counted) = (element.clone(), counted.clone());
    Box::new(move |part| {
        let points: Vec<_> = Projective::normalize_batch(part.points).into_iter().map(Msmac::point).collect();
        let mut element = lock(&element);
        let found = element.msm(part.scalars, &points).and_then(|sum| Ok((sum, element.counts()?.0)));
        lock(&counted).insert((part.task, part.first), found.clone().map(|(_, counts)| counts));
        found.map(|(sum, _)| sum).map_err(|fault| fault.to_string())
    })
}

/// Locks a mutex. The state after a worker's panic is not used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
