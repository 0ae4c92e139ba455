//! The controller: from scalars to digits, sorted points, buckets, and the sum.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::Zero;

use crate::bases::Bases;
use crate::buckets::Shape;
use crate::control::{Cancel, Control, Progress};
use crate::curve::{from_coordinates, horner, CoordinateField, Curve, ScalarWords};

use crate::digits::{magnitudes, Digits, Magnitude, Scalars};
use crate::layout::BitSums;
use crate::plan::{bucket_bytes, Conditions, Lengths, Plan, MAX_WINDOW, MIN_WINDOW};
use crate::sort::{Group, Sorted};
use crate::strategy::{AdderKind, SchedulerKind, Strategy};
use crate::{Backend, Error};

/// How an MSM is computed: everything has a default that is right.
#[derive(Clone, Copy, Default)]
pub struct Msm<'a> {
    threads: Option<usize>,
    window: Option<u32>,
    strategy: Strategy,
    cancel: Option<&'a Cancel>,
    progress: Option<&'a dyn Progress>,
}

/// The sums over both groups.
pub type PairSums<C, D> = (Projective<C>, Projective<D>);

/// How an MSM was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The window, the additions and the memory.
    pub plan: Plan,
    /// The instruction set.
    pub backend: Backend,
    /// The scheduler, never `Auto`.
    pub scheduler: SchedulerKind,
    /// The adder, never `Auto`.
    pub adder: AdderKind,
}

impl std::fmt::Debug for Msm<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Msm")
            .field("threads", &self.threads)
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

impl<'a> Msm<'a> {
    /// The defaults: all threads of the current rayon pool, the best window.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many threads of the current rayon pool; 1 runs on the calling thread alone.
    pub fn threads(self, threads: usize) -> Self {
        Msm { threads: Some(threads), ..self }
    }

    /// Windows of this many bits.
    pub fn window(self, window: u32) -> Self {
        Msm { window: Some(window), ..self }
    }

    /// This scheduler.
    pub fn scheduler(self, scheduler: SchedulerKind) -> Self {
        Msm { strategy: Strategy { scheduler, ..self.strategy }, ..self }
    }

    /// This adder.
    pub fn adder(self, adder: AdderKind) -> Self {
        Msm { strategy: Strategy { adder, ..self.strategy }, ..self }
    }

    /// Stops when `cancel` says so.
    pub fn cancel(self, cancel: &'a Cancel) -> Self {
        Msm { cancel: Some(cancel), ..self }
    }

    /// Reports to `progress`.
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        Msm { progress: Some(progress), ..self }
    }

    /// `sum scalars[i] bases[i]`.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::ScalarRange`], [`Error::Window`], [`Error::Cancelled`].
    pub fn run<'s, C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<Projective<C>, Error> {
        self.run_reported(bases, scalars).map(|(sum, _)| sum)
    }

    /// As [`run`](Self::run), and how it was computed.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_reported<'s, C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(Projective<C>, Report), Error> {
        let control = Control::new(self.threads, self.cancel, self.progress);
        let bucket_bytes = bucket_bytes::<C>(self.strategy);
        let skip = &bases.infinities;
        let job = self.job(scalars.into(), bases.len(), bases.in_subgroup, skip, bucket_bytes, &control)?;
        let report = self.report(job.as_ref(), bases.backend());
        let sum = match job {
            None => Projective::zero(),
            Some(job) => job.run(bases, false, &control)?,
        };
        Ok((sum, report))
    }

    /// The sums of many scalar vectors over the same bases, in their order.
    ///
    /// # Errors
    /// As for [`run`](Self::run), of the first vector that has one.
    pub fn run_many<'s, C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: &[Scalars<'s, C::ScalarField>],
    ) -> Result<Vec<Projective<C>>, Error> {
        scalars.iter().map(|&scalars| self.run(bases, scalars)).collect()
    }

    /// The sums over two sets of points with the same scalars, usually G1 and G2: digits and sorting are shared.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_pair<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        bases: (&Bases<C>, &Bases<D>),
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<PairSums<C, D>, Error> {
        self.run_pair_reported(bases, scalars).map(|(sums, _)| sums)
    }

    /// As [`run_pair`](Self::run_pair), and how it was computed; the report names the first bases' backend.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_pair_reported<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        bases: (&Bases<C>, &Bases<D>),
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(PairSums<C, D>, Report), Error> {
        let control = Control::new(self.threads, self.cancel, self.progress);
        let scalars = scalars.into();
        if bases.1.len() != scalars.len() {
            return Err(Error::Length { points: bases.1.len(), scalars: scalars.len() });
        }
        let in_subgroup = bases.0.in_subgroup && bases.1.in_subgroup;
        // Where only one of the two points is infinity, its adder has to look for it.
        let is_common = |i: &u32| bases.1.infinities.binary_search(i).is_ok();
        let common: Vec<u32> = bases.0.infinities.iter().copied().filter(is_common).collect();
        // One group after the other, yet an allocator may keep what the first one had.
        let bucket_bytes = bucket_bytes::<C>(self.strategy) + bucket_bytes::<D>(self.strategy);
        let job = self.job(scalars, bases.0.len(), in_subgroup, &common, bucket_bytes, &control)?;
        let report = self.report(job.as_ref(), bases.0.backend());
        let sums = match job {
            None => (Projective::zero(), Projective::zero()),
            Some(job) => (
                job.run(bases.0, bases.0.infinities.len() > common.len(), &control)?,
                job.run(bases.1, bases.1.infinities.len() > common.len(), &control)?,
            ),
        };
        Ok((sums, report))
    }

    /// What [`run`](Self::run) will do with `n` uniform scalars over points in the prime-order subgroup. Costs
    /// microseconds.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn plan<C: Curve>(self, n: usize) -> Result<Plan, Error> {
        let control = Control::new(self.threads, None, None);
        let conditions = self.conditions(bucket_bytes::<C>(self.strategy), &control)?;
        Ok(Plan::new(&Lengths::uniform::<C::ScalarField>(n), conditions))
    }

    fn conditions(&self, bucket_bytes: usize, control: &Control<'_>) -> Result<Conditions, Error> {
        if let Some(window) = self.window.filter(|window| !(MIN_WINDOW..=MAX_WINDOW).contains(window)) {
            return Err(Error::Window { window, min: MIN_WINDOW, max: MAX_WINDOW });
        }
        Ok(Conditions { window: self.window, bucket_bytes, threads: control.threads })
    }

    fn report(&self, job: Option<&Job>, backend: Backend) -> Report {
        let Strategy { scheduler, adder } = self.strategy.resolve();
        Report { plan: job.map_or(Plan::default(), |job| job.plan), backend, scheduler, adder }
    }

    /// Digits, sorted, without those of the points `skip`; `None` if no digit is left.
    fn job<F: ScalarWords>(
        self,
        scalars: Scalars<'_, F>,
        points: usize,
        in_subgroup: bool,
        skip: &[u32],
        bucket_bytes: usize,
        control: &Control<'_>,
    ) -> Result<Option<Job>, Error> {
        if points != scalars.len() {
            return Err(Error::Length { points, scalars: scalars.len() });
        }
        let conditions = self.conditions(bucket_bytes, control)?;
        let mut magnitudes = fold(&scalars, in_subgroup, control)?;
        skip.iter().for_each(|&i| magnitudes[i as usize].words = [0; 4]);
        let plan = Plan::new(&Lengths::of::<F>(&magnitudes), conditions);
        if plan.windows == 0 {
            return Ok(None);
        }
        let groups = group(&magnitudes, plan.window, plan.windows, control);
        control.check()?;
        let sorted = Sorted::new(&groups, plan.windows, 1 << (plan.window - 1), control);
        control.check()?;
        Ok(Some(Job { sorted, plan, strategy: self.strategy.resolve() }))
    }
}

/// Magnitudes and signs of all scalars.
fn fold<F: ScalarWords>(
    scalars: &Scalars<'_, F>,
    in_subgroup: bool,
    control: &Control<'_>,
) -> Result<Vec<Magnitude>, Error> {
    use rayon::prelude::*;
    let mut out = vec![Magnitude { words: [0; 4], negative: false }; scalars.len()];
    if control.threads == 1 {
        magnitudes(scalars, in_subgroup, 0..scalars.len(), &mut out)?;
    } else {
        const PART: usize = 1 << 12;
        out.par_chunks_mut(PART).enumerate().try_for_each(|(i, out)| {
            let start = i * PART;
            magnitudes(scalars, in_subgroup, start..start + out.len(), out)
        })?;
    }
    Ok(out)
}

/// Groups the nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach.
fn group(magnitudes: &[Magnitude], window: u32, window_count: usize, control: &Control<'_>) -> Vec<Group> {
    let few = FEW_WINDOWS.min(window_count);
    let bits = |windows: usize| windows as u32 * window - 1;
    let classes = [(bits(1), 1), (bits(few), few), (bits(window_count), window_count)];
    let mut members: [(Vec<Magnitude>, Vec<u32>); 3] = Default::default();
    for (index, magnitude) in magnitudes.iter().enumerate() {
        let bits = magnitude.bits();
        if bits > 0 {
            let class = classes.iter().position(|&(limit, _)| bits <= limit).expect("the last one has room");
            members[class].0.push(*magnitude);
            members[class].1.push(index as u32);
        }
    }
    let groups = members.into_iter().zip(classes).filter(|((_, indices), _)| !indices.is_empty());
    groups
        .map(|((magnitudes, indices), (_, window_count))| Group {
            digits: Digits::new(&magnitudes, window, window_count, control.threads > 1),
            indices,
        })
        .collect()
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;

/// Scalars ready to be applied to points.
struct Job {
    sorted: Sorted,
    plan: Plan,
    strategy: Strategy,
}

impl Job {
    /// `infinity` says whether the points to be added include the point at infinity.
    fn run<C: Curve>(
        &self,
        bases: &Bases<C>,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<Projective<C>, Error> {
        let Plan { window, windows, .. } = self.plan;
        let shape = Shape { window_count: windows, per_window: 1 << (window - 1) };
        let sums = bases.prepared.bit_sums(&self.sorted, shape, self.strategy, infinity, control)?;
        Ok(combine(&sums, window as usize))
    }
}

/// `sum_w 2^(c w) (total_w + sum_k 2^k bit_(w,k))`.
fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    window: usize,
) -> Projective<C> {
    horner(sums.len() * window, |position| {
        let (sums, bit) = (&sums[position / window], position % window);
        let total = sums[0].filter(|_| bit == 0);
        let bit_sum = sums.get(bit + 1).copied().flatten();
        total.iter().chain(bit_sum.iter()).map(from_coordinates::<C>).collect()
    })
}

/// `sum scalars[i] points[i]`: one call, nothing prepared.
///
/// # Errors
/// [`Error::Length`] if the numbers differ.
pub fn msm<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Result<Projective<C>, Error> {
    Msm::new().run(&Bases::new(points)?, Scalars::Field(scalars))
}
