//! The controller: from scalars to digits, sorted points, buckets, and the sum.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{PrimeField, Zero};

use crate::bases::{Bases, BasesOptions};
use crate::buckets::{BitSums, Shape};
use crate::control::{Cancel, Control, Progress};
use crate::curve::{from_coordinates, horner, CoordinateField, Curve, Integer, ScalarWords};

use crate::costs::Costs;
use crate::digits::{magnitudes, Digits, Magnitude, Scalars};
use crate::duplicates::Deduplication;
use crate::endomorphism::Split;
use crate::layout::Accumulation;
use crate::memory;
use crate::plan::{bucket_bytes, Lengths, Plan, Windows, MAX_WINDOW, MIN_WINDOW};
use crate::sort::{Arranged, Group, Sharing, Sorted};
use crate::strategy::{AdderKind, SchedulerKind, Strategy, ThreadsBy};
use crate::table::Table;
use crate::{Backend, Error};

/// How an MSM is computed: everything has a default that is right.
#[derive(Clone, Copy, Default)]
pub struct Msm<'a> {
    pub(crate) threads: Option<usize>,
    pub(crate) window: Option<u32>,
    pub(crate) strategy: Strategy,
    pub(crate) cancel: Option<&'a Cancel>,
    pub(crate) progress: Option<&'a dyn Progress>,
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
    /// What became of equal points, where they were looked for; of a pair, those of the first bases.
    pub deduplication: Option<Deduplication>,
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

    /// Windows of at most this many bits: as many as that takes, as even as possible. Over a table
    /// ([`BasesOptions::copies`]) each of its steps is cut that way.
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

    /// What threads share out.
    pub fn threads_by(self, threads_by: ThreadsBy) -> Self {
        Msm { strategy: Strategy { threads_by, ..self.strategy }, ..self }
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
    /// [`Error::Length`], [`Error::ScalarRange`], [`Error::Window`], [`Error::Adder`], [`Error::ThreadsByLoop`],
    /// [`Error::Cancelled`].
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
        bases.check_adder(self.strategy.adder)?;
        let control = Control::new(self.threads, self.cancel, self.progress);
        let scalars = scalars.into();
        let merged = bases.duplicates.as_ref().map(|duplicates| duplicates.merge(scalars)).transpose()?;
        let points = Points {
            len: bases.len,
            in_subgroup: bases.in_subgroup,
            split: bases.split,
            table: bases.table,
            infinities: &bases.infinities,
            bucket_bytes: bucket_bytes::<C>(self.strategy),
            costs: Costs::of::<C>(bases.backend()),
        };
        let distinct = merged.as_ref().map_or(scalars, |(sums, _)| Scalars::Field(sums));
        let job = self.job(distinct, points, &control)?;
        let deduplication = merged.map(|(_, deduplication)| deduplication);
        let report = Report { deduplication, ..self.report(job.as_ref(), bases.backend()) };
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
        bases.0.check_adder(self.strategy.adder)?;
        bases.1.check_adder(self.strategy.adder)?;
        let control = Control::new(self.threads, self.cancel, self.progress);
        let scalars = scalars.into();
        if bases.1.len() != scalars.len() {
            return Err(Error::Length { points: bases.1.len(), scalars: scalars.len() });
        }
        if bases.0.duplicates.is_some() || bases.1.duplicates.is_some() {
            // Which points are equal may differ from group to group: nothing is shared.
            let (first, report) = self.run_reported(bases.0, scalars)?;
            return Ok(((first, self.run(bases.1, scalars)?), report));
        }
        // Where only one of the two points is infinity, its adder has to look for it.
        let is_common = |i: &u32| bases.1.infinities.binary_search(i).is_ok();
        let common: Vec<u32> = bases.0.infinities.iter().copied().filter(is_common).collect();
        let points = Points {
            len: bases.0.len(),
            in_subgroup: bases.0.in_subgroup && bases.1.in_subgroup,
            split: bases.0.split.filter(|_| bases.0.split == bases.1.split),
            table: shared_table(bases.0, bases.1),
            infinities: &common,
            // One group after the other, yet an allocator may keep what the first one had.
            bucket_bytes: bucket_bytes::<C>(self.strategy) + bucket_bytes::<D>(self.strategy),
            // Those of the dearer group, which usually is the second.
            costs: Costs::of::<D>(bases.1.backend()),
        };
        let job = self.job(scalars, points, &control)?;
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

    /// What [`run`](Self::run) will do with `n` uniform scalars over points that are prepared for this backend and
    /// otherwise by default. Costs microseconds.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn plan<C: Curve>(self, backend: Backend, n: usize) -> Result<Plan, Error> {
        self.check_window()?;
        let endomorphism = BasesOptions::new().endomorphism_of::<C>(backend, n);
        let lengths =
            Lengths::uniform::<C::ScalarField>(n, endomorphism.map(|endomorphism| &endomorphism.split));
        let threads = Control::new(self.threads, None, None).threads;
        let table = Table::none(n);
        let plan = |windows| Plan::new(&lengths, windows, &table, bucket_bytes::<C>(self.strategy), threads);
        Ok(lengths.windows(self.window, &table, &Costs::of::<C>(backend)).map_or(Plan::default(), plan))
    }

    pub(crate) fn check_window(&self) -> Result<(), Error> {
        match self.window.filter(|window| !(MIN_WINDOW..=MAX_WINDOW).contains(window)) {
            None => Ok(()),
            Some(window) => Err(Error::Window { window, min: MIN_WINDOW, max: MAX_WINDOW }),
        }
    }

    fn report(&self, job: Option<&Job>, backend: Backend) -> Report {
        let Strategy { scheduler, adder, .. } = self.strategy.resolve();
        let plan = job.map_or(Plan::default(), |job| job.plan);
        Report { plan, backend, scheduler, adder, deduplication: None }
    }

    /// Digits, as the scheduler wants them; `None` if all are 0.
    fn job<F: ScalarWords>(
        self,
        scalars: Scalars<'_, F>,
        points: Points<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Job>, Error> {
        if points.len != scalars.len() {
            return Err(Error::Length { points: points.len, scalars: scalars.len() });
        }
        self.check_window()?;
        let strategy = self.strategy.resolve();
        let sorted = strategy.needs_sorted();
        strategy.check_threads(sorted)?;
        let magnitudes = points.magnitudes(&scalars, control)?;
        let lengths = Lengths::of::<F>(&magnitudes);
        let Some(windows) = lengths.windows(self.window, &points.table, &points.costs) else {
            return Ok(None);
        };
        let plan = Plan::new(&lengths, windows, &points.table, points.bucket_bytes, control.threads);
        let groups = group(&magnitudes, windows, points.table.has_bucket_set(), control)?;
        let sharing = Sharing::new(windows, &points.table);
        let points = match sorted {
            true => Arranged::Sorted(Sorted::new(&groups, sharing, control)),
            false => Arranged::InOrder(groups, sharing),
        };
        control.check()?;
        Ok(Some(Job { points, windows, plan, strategy }))
    }
}

/// The table of two sets of points with the same digits: that of both, or none.
fn shared_table<C: Curve, D: Curve>(bases: &Bases<C>, others: &Bases<D>) -> Table {
    // Steps are made for magnitudes that are folded, or not.
    let same = bases.table == others.table && bases.in_subgroup == others.in_subgroup;
    if same {
        bases.table
    } else {
        Table::none(bases.table.stride)
    }
}

/// What a job has to know of the points.
#[derive(Clone, Copy)]
struct Points<'a> {
    len: usize,
    in_subgroup: bool,
    /// How long scalars split, where there are images of the points.
    split: Option<&'a Split>,
    table: Table,
    /// Points to be left out.
    infinities: &'a [u32],
    bucket_bytes: usize,
    costs: Costs,
}

/// Those of scalars of `F`.
type Magnitudes<F> = [Magnitude<<F as PrimeField>::BigInt>];

/// Scalars that a task folds.
const PART: usize = 1 << 12;

impl Points<'_> {
    /// Magnitudes and signs of all scalars but those of points at infinity; where points have images, those of the
    /// images behind them.
    fn magnitudes<F: ScalarWords>(
        self,
        scalars: &Scalars<'_, F>,
        control: &Control<'_>,
    ) -> Result<Vec<Magnitude<F::BigInt>>, Error> {
        use rayon::prelude::*;
        let halves = if self.split.is_some() { 2 } else { 1 };
        let mut out = memory::with_capacity(halves * self.len);
        out.resize(self.len, Magnitude::default());
        fold(scalars, self.in_subgroup, 0, &mut out, control)?;
        self.infinities.iter().for_each(|&i| out[i as usize] = Magnitude::default());
        if let Some(split) = self.split {
            out.resize(2 * self.len, Magnitude::default());
            let (low, high) = out.split_at_mut(self.len);
            let split_part = |(low, high): (&mut Magnitudes<F>, &mut Magnitudes<F>)| {
                control.check().map(|()| split.apply(low, high))
            };
            if control.threads > 1 {
                low.par_chunks_mut(PART).zip(high.par_chunks_mut(PART)).try_for_each(split_part)?;
            } else {
                low.chunks_mut(PART).zip(high.chunks_mut(PART)).try_for_each(split_part)?;
            }
        }
        Ok(out)
    }
}

/// Magnitudes and signs of as many scalars as `out` has room for, from `first` on.
pub(crate) fn fold<F: ScalarWords>(
    scalars: &Scalars<'_, F>,
    in_subgroup: bool,
    first: usize,
    out: &mut [Magnitude<F::BigInt>],
    control: &Control<'_>,
) -> Result<(), Error> {
    use rayon::prelude::*;
    let fold_part = |(i, out): (usize, &mut Magnitudes<F>)| {
        let start = first + i * PART;
        let range = start..start + out.len();
        control.check().and_then(|()| magnitudes(scalars, in_subgroup, range, out)).err()
    };
    // The error of the first scalar that has one, not the one that some thread meets first.
    let error = match control.threads > 1 {
        true => out.par_chunks_mut(PART).enumerate().find_map_first(fold_part),
        false => out.chunks_mut(PART).enumerate().find_map(fold_part),
    };
    error.map_or(Ok(()), Err)
}

/// The digits of magnitudes, sorted.
pub(crate) fn sort<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    control: &Control<'_>,
) -> Result<Sorted, Error> {
    let groups = group(magnitudes, windows, false, control)?;
    let sorted = Sorted::new(&groups, Sharing::new(windows, &Table::none(magnitudes.len())), control);
    control.check()?;
    Ok(sorted)
}

/// Groups the nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach.
fn group<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    bucket_set: bool,
    control: &Control<'_>,
) -> Result<Vec<Group>, Error> {
    use rayon::prelude::*;
    let few = FEW_WINDOWS.min(windows.count());
    let classes = [1, few, windows.count()].map(|count| (windows.start(count) - 1, count));
    let classify = |(part, magnitudes): (usize, &[Magnitude<B>])| {
        let mut members: [Vec<u32>; 3] = Default::default();
        for (index, magnitude) in magnitudes.iter().enumerate() {
            let bits = magnitude.bits();
            if bits > 0 {
                let class =
                    classes.iter().position(|&(limit, _)| bits <= limit).expect("the last one has room");
                members[class].push((part * PART + index) as u32);
            }
        }
        control.check().map(|()| members)
    };
    let parts: Vec<[Vec<u32>; 3]> = match control.threads > 1 {
        true => magnitudes.par_chunks(PART).enumerate().map(classify).collect::<Result<_, _>>()?,
        false => magnitudes.chunks(PART).enumerate().map(classify).collect::<Result<_, _>>()?,
    };
    let groups = classes.iter().enumerate().filter_map(|(class, &(_, window_count))| {
        let indices = parts.iter().map(|members| members[class].as_slice()).collect::<Vec<_>>().concat();
        let digits = |indices: Vec<u32>| {
            let digits = Digits::new(magnitudes, &indices, windows, window_count, bucket_set, control)?;
            Ok(Group { digits, indices })
        };
        (!indices.is_empty()).then(|| digits(indices))
    });
    groups.collect()
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;

/// Scalars ready to be applied to points.
struct Job {
    points: Arranged,
    windows: Windows,
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
        let shape = Shape { window_count: self.windows.sets(), per_window: self.windows.buckets() };
        let work = Accumulation { points: &self.points, shape, strategy: self.strategy, infinity };
        let sums = bases.prepared.bit_sums(work, control)?;
        Ok(combine(&sums, self.windows))
    }
}

/// `sum_s 2^start(s) (total_s + sum_k 2^k bit_(s,k))` over the sets s of buckets.
pub(crate) fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    windows: Windows,
) -> Projective<C> {
    horner(windows.step(), |position| {
        let window = windows.containing(position);
        let bit = (position - windows.start(window)) as usize;
        let total = sums[window][0].filter(|_| bit == 0);
        let bit_sum = sums[window].get(bit + 1).copied().flatten();
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
