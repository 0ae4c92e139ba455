//! The controller: from scalars to digits, sorted points, buckets, and the sum.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::Zero;

use crate::bases::Bases;
use crate::buckets::Shape;
use crate::control::{Cancel, Control, Progress};
use crate::curve::{from_coordinates, horner, CoordinateField, Curve, ScalarWords};

use crate::digits::{magnitudes, Digits, Magnitude, Scalars};
use crate::endomorphism::Split;
use crate::layout::BitSums;
use crate::plan::{best_windows, BitCounts, Windows, MAX_WINDOW, MIN_WINDOW};
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
    /// Bits of the widest window; 0 if there was nothing to add.
    pub window: u32,
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

    /// Windows of at most this many bits: as many as that takes, as even as possible.
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
        let points = Points {
            len: bases.len(),
            in_subgroup: bases.in_subgroup,
            split: bases.split,
            infinities: &bases.infinities,
        };
        let plan = self.plan(scalars.into(), points, &control)?;
        let report = self.report(plan.as_ref(), bases.backend());
        let sum = match plan {
            None => Projective::zero(),
            Some(plan) => plan.run(bases, false, &control)?,
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
        // Where only one of the two points is infinity, its adder has to look for it.
        let is_common = |i: &u32| bases.1.infinities.binary_search(i).is_ok();
        let common: Vec<u32> = bases.0.infinities.iter().copied().filter(is_common).collect();
        let points = Points {
            len: bases.0.len(),
            in_subgroup: bases.0.in_subgroup && bases.1.in_subgroup,
            split: bases.0.split.filter(|_| bases.0.split == bases.1.split),
            infinities: &common,
        };
        let plan = self.plan(scalars, points, &control)?;
        let report = self.report(plan.as_ref(), bases.0.backend());
        let sums = match plan {
            None => (Projective::zero(), Projective::zero()),
            Some(plan) => (
                plan.run(bases.0, bases.0.infinities.len() > common.len(), &control)?,
                plan.run(bases.1, bases.1.infinities.len() > common.len(), &control)?,
            ),
        };
        Ok((sums, report))
    }

    fn report(&self, plan: Option<&Plan>, backend: Backend) -> Report {
        let Strategy { scheduler, adder } = self.strategy.resolve();
        let window = plan.map_or(0, |plan| plan.windows.max_width());
        Report { window, backend, scheduler, adder }
    }

    /// Digits, sorted; `None` if all are 0.
    fn plan<F: ScalarWords>(
        self,
        scalars: Scalars<'_, F>,
        points: Points<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Plan>, Error> {
        if points.len != scalars.len() {
            return Err(Error::Length { points: points.len, scalars: scalars.len() });
        }
        if let Some(window) = self.window.filter(|window| !(MIN_WINDOW..=MAX_WINDOW).contains(window)) {
            return Err(Error::Window { window, min: MIN_WINDOW, max: MAX_WINDOW });
        }
        let magnitudes = fold(&scalars, points, control)?;
        let mut counts = BitCounts(vec![0; F::MODULUS_BIT_SIZE as usize + 1]);
        magnitudes.iter().for_each(|magnitude| counts.0[magnitude.bits() as usize] += 1);
        if counts.max_bits() == 0 {
            return Ok(None);
        }
        let windows = match self.window {
            Some(width) => Windows::new(counts.max_bits(), width),
            None => best_windows(&counts),
        };
        let groups = group(&magnitudes, windows, control);
        control.check()?;
        let sorted = Sorted::new(&groups, windows.count(), windows.buckets(), control);
        control.check()?;
        Ok(Some(Plan { sorted, windows, strategy: self.strategy.resolve() }))
    }
}

/// What a plan has to know of the points.
#[derive(Clone, Copy)]
struct Points<'a> {
    len: usize,
    in_subgroup: bool,
    /// How long scalars split, where there are images of the points.
    split: Option<&'a Split>,
    /// Points to be left out.
    infinities: &'a [u32],
}

/// Scalars that a task folds.
const PART: usize = 1 << 12;

/// Magnitudes and signs of all scalars but those of points at infinity; where points have images, those of the
/// images behind them.
fn fold<F: ScalarWords>(
    scalars: &Scalars<'_, F>,
    points: Points<'_>,
    control: &Control<'_>,
) -> Result<Vec<Magnitude>, Error> {
    use rayon::prelude::*;
    let parallel = control.threads > 1;
    let mut out = vec![Magnitude::ZERO; points.len];
    if parallel {
        out.par_chunks_mut(PART).enumerate().try_for_each(|(i, out)| {
            let start = i * PART;
            magnitudes(scalars, points.in_subgroup, start..start + out.len(), out)
        })?;
    } else {
        magnitudes(scalars, points.in_subgroup, 0..points.len, &mut out)?;
    }
    points.infinities.iter().for_each(|&i| out[i as usize] = Magnitude::ZERO);
    if let Some(split) = points.split {
        out.resize(2 * points.len, Magnitude::ZERO);
        let (low, high) = out.split_at_mut(points.len);
        if parallel {
            let parts = low.par_chunks_mut(PART).zip(high.par_chunks_mut(PART));
            parts.for_each(|(low, high)| split.apply(low, high));
        } else {
            split.apply(low, high);
        }
    }
    Ok(out)
}

/// Groups the nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach.
fn group(magnitudes: &[Magnitude], windows: Windows, control: &Control<'_>) -> Vec<Group> {
    let few = FEW_WINDOWS.min(windows.count());
    let classes = [1, few, windows.count()].map(|count| (windows.start(count) - 1, count));
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
            digits: Digits::new(&magnitudes, windows, window_count, control.threads > 1),
            indices,
        })
        .collect()
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;

/// Scalars ready to be applied to points.
struct Plan {
    sorted: Sorted,
    windows: Windows,
    strategy: Strategy,
}

impl Plan {
    /// `infinity` says whether the points to be added include the point at infinity.
    fn run<C: Curve>(
        &self,
        bases: &Bases<C>,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<Projective<C>, Error> {
        let shape = Shape { window_count: self.windows.count(), per_window: self.windows.buckets() };
        let sums = bases.prepared.bit_sums(&self.sorted, shape, self.strategy, infinity, control)?;
        Ok(combine(&sums, self.windows))
    }
}

/// `sum_w 2^start(w) (total_w + sum_k 2^k bit_(w,k))`.
fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    windows: Windows,
) -> Projective<C> {
    horner(windows.start(windows.count()), |position| {
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
