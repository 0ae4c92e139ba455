//! The call of an MSM: the caller's choices, and sums that share their digits.

mod few;
pub(crate) mod job;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::Zero;

use crate::bases::duplicates::{Deduplication, Duplicates};
use crate::bases::{Bases, BasesOptions};
use crate::control::{Cancel, Control, Progress};
use crate::curve::Curve;
use crate::digits::table::Table;
use crate::engine::adder::{AdderKind, MAX_BATCH};
use crate::engine::infinities::Infinities;
use crate::engine::strategy::Strategy;
use crate::msm::job::{Job, Measured, PointProperties};
use crate::plan::costs::{are_few, few_points, Costs};
use crate::plan::lengths::Lengths;
use crate::plan::{bucket_bytes, Plan};
use crate::provider::Abilities;
use crate::scalars::{Magnitudes, Scalars, Split};
use crate::schedule::{SchedulerKind, ThreadsBy};
use crate::windows::{MAX_WINDOW, MIN_WINDOW};
use crate::{Backend, Error};

/// Options of an MSM. Every option has a right default.
///
/// ```
/// use ark_bn254::{g1::Config, Fr, G1Affine, G2Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{AdderKind, Bases, Msm, Scalars, SchedulerKind, ThreadsBy};
///
/// let points = vec![G1Affine::generator(); 100];
/// let scalars: Vec<Fr> = (0..100u64).map(Fr::from).collect();
/// let bases = Bases::new(&points)?;
/// let plan = Msm::new().threads(1).plan::<Config>(bases.backend(), bases.len())?;
/// println!("{} additions, {} bytes", plan.additions, plan.memory_bytes);
/// let (sum, report) = Msm::new().run_reported(&bases, &scalars)?;
/// assert_eq!((report.backend, sum), (bases.backend(), bucketwheel::msm(&points, &scalars)?));
///
/// // The strategy of SimdMSM, with another window.
/// let msm = Msm::new().window(9).scheduler(SchedulerKind::ThreeTier).adder(AdderKind::Projective).batch(8);
/// assert_eq!(msm.threads_by(ThreadsBy::Loop).run(&bases, &scalars)?, sum);
///
/// // Many vectors of scalars; both groups with the same scalars.
/// assert_eq!(Msm::new().run_many(&bases, &[Scalars::from(&scalars); 2])?, [sum, sum]);
/// let g2 = Bases::new(&vec![G2Affine::generator(); 100])?;
/// assert_eq!(Msm::new().run_pair((&bases, &g2), &scalars)?.0, sum);
/// let ((same, _), report) = Msm::new().run_pair_reported((&bases, &g2), &scalars)?;
/// assert_eq!((same, report.adder), (sum, AdderKind::Affine));
/// # Ok::<(), bucketwheel::Error>(())
/// ```
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

/// Choices and costs of an MSM that was computed.
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
    /// Result of the search for equal points, if the bases asked for it. For a pair, the result for the first bases.
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
    /// Returns the defaults: all threads of the current rayon pool, the best window. The [example](Self) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses at most this many threads of the current rayon pool; 1 runs on the calling thread alone.
    /// The [example](Self) uses it.
    pub fn threads(self, threads: usize) -> Self {
        Msm { threads: Some(threads), ..self }
    }

    /// Sets the largest number of bits of a window. Scalars are cut into as few windows as this number allows, of
    /// widths as even as possible. Over a table ([`BasesOptions::copies`]), each step of the table is cut in this way.
    /// The [example](Self) uses it.
    pub fn window(self, window: u32) -> Self {
        Msm { window: Some(window), ..self }
    }

    /// Uses this scheduler. The [example](Self) uses it.
    pub fn scheduler(self, scheduler: SchedulerKind) -> Self {
        Msm { strategy: Strategy { scheduler, ..self.strategy }, ..self }
    }

    /// Uses this adder. The [example](Self) uses it.
    pub fn adder(self, adder: AdderKind) -> Self {
        Msm { strategy: Strategy { adder, ..self.strategy }, ..self }
    }

    /// Sets the division of work among threads. The [example](Self) uses it.
    pub fn threads_by(self, threads_by: ThreadsBy) -> Self {
        Msm { strategy: Strategy { threads_by, ..self.strategy }, ..self }
    }

    /// Sets the number of additions in a batch, if the scheduler takes points in any order: CycloneMSM's T for
    /// `Delayed`, the number of additions that share an inversion in the affine adder; SimdMSM's chi for `ThreeTier`.
    /// By default, the adder chooses the number (docs/schedulers.md). A number below 1 counts as 1, and a number above
    /// 2048 as 2048. The [example](Self) uses it.
    pub fn batch(self, additions: usize) -> Self {
        let batch = Some(additions.clamp(1, MAX_BATCH));
        Msm { strategy: Strategy { batch, ..self.strategy }, ..self }
    }

    /// Stops when `cancel` says so. The [example](crate::BasesOptions) uses it.
    pub fn cancel(self, cancel: &'a Cancel) -> Self {
        Msm { cancel: Some(cancel), ..self }
    }

    /// Reports to `progress`. The [example](crate::Progress) uses it.
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        Msm { progress: Some(progress), ..self }
    }

    /// Computes `sum scalars[i] bases[i]`. The [example](Self) uses it.
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

    /// Returns the sum of [`run`](Self::run), and how it was computed. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    pub fn run_reported<'s, C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(Projective<C>, Report), Error> {
        let scalars = scalars.into();
        Control::in_pool(self.threads, || self.run_here(bases, scalars))
    }

    fn run_here<C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: Scalars<'_, C::ScalarField>,
    ) -> Result<(Projective<C>, Report), Error> {
        bases.check_adder(self.strategy.adder)?;
        let control = Control::new(self.threads, self.cancel, self.progress);
        let duplicates = bases.duplicates.as_ref().filter(|_| cfg!(feature = "inspection"));
        let merged = duplicates.map(|duplicates| duplicates.merge(scalars)).transpose()?;
        let points = PointProperties {
            len: bases.len,
            in_subgroup: bases.in_subgroup,
            split: bases.split,
            table: bases.table,
            infinities: &bases.infinities,
            bucket_bytes: bucket_bytes::<C>(self.strategy),
            abilities: bases.abilities,
        };
        let sums = merged.as_ref().and_then(|(sums, _)| sums.as_deref());
        let distinct = sums.map_or(scalars, Scalars::Field);
        let measured = Measured::new(self, distinct, points, &control)?;
        let deduplication = merged.map(|(_, deduplication)| deduplication);
        if let Some((sum, plan)) = self.few(bases, &measured, points.bucket_bytes) {
            control.check()?;
            control.expect(plan.additions);
            control.finish();
            return Ok((sum, Report { deduplication, plan, ..self.report(None, bases.backend()) }));
        }
        let job = Job::new(self, measured, points, &control)?;
        let report = Report { deduplication, ..self.report(job.as_ref(), bases.backend()) };
        let sum = match job {
            None => Projective::zero(),
            Some(job) => job.run(bases, Infinities::Absent, &control)?,
        };
        control.finish();
        Ok((sum, report))
    }

    /// Returns the sum over few points without buckets, and its plan, unless the caller has chosen a window or a strategy.
    fn few<C: Curve>(
        self,
        bases: &Bases<C>,
        measured: &Measured,
        bucket_bytes: usize,
    ) -> Option<(Projective<C>, Plan)> {
        let points = &bases.few.as_ref().filter(|_| self.is_free())?.points;
        let lengths = measured.lengths();
        let Measured::Magnitudes { words, layout, .. } = measured else {
            return None;
        };
        if lengths.max_bits() == 0 {
            return None;
        }
        let magnitudes = Magnitudes::new(words, words.len() / layout.words, *layout);
        few::sum(points, magnitudes, bases.backend())
            .map(|sum| (sum, Plan::few(&lengths, points.len(), bucket_bytes)))
    }

    /// Returns true if the caller has chosen neither a window nor a strategy.
    fn is_free(&self) -> bool {
        self.window.is_none() && self.strategy == Strategy::default()
    }

    /// Returns the sums of many scalar vectors over the same bases, in their order. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run), for the first vector that has one.
    pub fn run_many<'s, C: Curve>(
        self,
        bases: &Bases<C>,
        scalars: &[Scalars<'s, C::ScalarField>],
    ) -> Result<Vec<Projective<C>>, Error> {
        scalars.iter().map(|&scalars| self.run(bases, scalars)).collect()
    }

    /// Returns the sums over two sets of points with the same scalars, usually G1 and G2: digits and sorting are
    /// shared. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    pub fn run_pair<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        bases: (&Bases<C>, &Bases<D>),
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<PairSums<C, D>, Error> {
        self.run_pair_reported(bases, scalars).map(|(sums, _)| sums)
    }

    /// Returns the sums of [`run_pair`](Self::run_pair), and how they were computed; the report names the first
    /// bases' backend. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    pub fn run_pair_reported<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        bases: (&Bases<C>, &Bases<D>),
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(PairSums<C, D>, Report), Error> {
        let scalars = scalars.into();
        Control::in_pool(self.threads, || self.run_pair_here(bases, scalars))
    }

    fn run_pair_here<C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        bases: (&Bases<C>, &Bases<D>),
        scalars: Scalars<'_, C::ScalarField>,
    ) -> Result<(PairSums<C, D>, Report), Error> {
        bases.0.check_adder(self.strategy.adder)?;
        bases.1.check_adder(self.strategy.adder)?;
        let control = Control::new(self.threads, self.cancel, self.progress);
        if bases.1.len() != scalars.len() {
            return Err(Error::Length { points: bases.1.len(), scalars: scalars.len() });
        }
        let sorted = |abilities: Abilities| abilities.needs_sorted(self.strategy);
        if bases.0.merges() || bases.1.merges() || sorted(bases.0.abilities) != sorted(bases.1.abilities) {
            // Equal points, or their order, may differ from group to group, so the groups share nothing.
            let (first, report) = self.run_reported(bases.0, scalars)?;
            return Ok(((first, self.run(bases.1, scalars)?), report));
        }
        // If only one of the two points is infinity, its adder has to look for infinity.
        let is_common = |i: &u32| bases.1.infinities.binary_search(i).is_ok();
        let common: Vec<u32> = bases.0.infinities.iter().copied().filter(is_common).collect();
        let (split, table) = shared(bases.0, bases.1);
        let points = PointProperties {
            len: bases.0.len(),
            in_subgroup: bases.0.in_subgroup && bases.1.in_subgroup,
            split,
            table,
            infinities: &common,
            // The groups are computed one after the other, yet an allocator may keep the memory of the first group.
            bucket_bytes: bucket_bytes::<C>(self.strategy) + bucket_bytes::<D>(self.strategy),
            // The costs are the costs of the dearer group, which usually is the second.
            abilities: Abilities { costs: bases.1.abilities.costs, ..bases.0.abilities },
        };
        let job = Job::new(self, Measured::new(self, scalars, points, &control)?, points, &control)?;
        let deduplication = bases.0.duplicates.as_ref().map(Duplicates::found);
        let report = Report { deduplication, ..self.report(job.as_ref(), bases.0.backend()) };
        let sums = match job {
            None => (Projective::zero(), Projective::zero()),
            Some(job) => {
                let remaining = |infinities: &[u32]| Infinities::possible_if(infinities.len() > common.len());
                let remaining = (remaining(&bases.0.infinities), remaining(&bases.1.infinities));
                job.run_pair(bases, remaining, &control)?
            }
        };
        control.finish();
        Ok((sums, report))
    }

    /// Returns the plan of [`run`](Self::run) for `n` uniform scalars over points that are prepared for this backend
    /// with default options. Costs microseconds. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn plan<C: Curve>(self, backend: Backend, n: usize) -> Result<Plan, Error> {
        self.check_window()?;
        let costs = Costs::of::<C>(backend);
        let endomorphism = BasesOptions::new().endomorphism_of::<C>(&costs, n);
        let lengths =
            Lengths::uniform::<C::ScalarField>(n, endomorphism.map(|endomorphism| &endomorphism.split));
        let threads = Control::new(self.threads, None, None).threads;
        let table = Table::none(n);
        let (sorted, bucket_bytes) = (self.strategy.needs_sorted(), bucket_bytes::<C>(self.strategy));
        let are_few = are_few(n, few_points::<C::BaseField>(backend), endomorphism.is_some());
        if n > 0 && are_few && self.is_free() {
            return Ok(Plan::few(&lengths, n, bucket_bytes));
        }
        let plan = |windows| Plan::new(&lengths, windows, &table, sorted, bucket_bytes, threads);
        Ok(lengths.windows(self.window, &table, &costs).map_or(Plan::default(), plan))
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
}

/// Returns the split of scalars and the table that two sets of points have in common. With these, both sets share their digits.
fn shared<C: Curve, D: Curve>(bases: &Bases<C>, others: &Bases<D>) -> (Option<&'static Split>, Table) {
    // The steps of a table depend on whether magnitudes are folded.
    let same = bases.table == others.table && bases.in_subgroup == others.in_subgroup;
    let table = if same { bases.table } else { Table::none(bases.table.stride) };
    // Without a common table, halves of scalars need images.
    let halves = bases.table.halves || others.table.halves;
    (bases.split.filter(|_| bases.split == others.split && (same || !halves)), table)
}

/// Computes `sum scalars[i] points[i]` in one call, without prepared points.
///
/// The [example](crate::Msm) uses it.
///
/// # Errors
/// [`Error::Length`] if the numbers of points and scalars differ.
pub fn msm<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Result<Projective<C>, Error> {
    Msm::new().run(&Bases::new(points)?, Scalars::Field(scalars))
}
