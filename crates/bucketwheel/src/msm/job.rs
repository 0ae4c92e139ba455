//! From scalars to digits, sorted points, buckets, and the sum.

use ark_ec::short_weierstrass::Projective;
use bucketwheel_lanes::Backend;

use crate::bases::Bases;
use crate::control::Control;
use crate::curve::combine::combine;
use crate::curve::{Curve, Words};
use crate::digits::table::Table;
use crate::digits::{arrange, classes, Class, Digits, Sharing};
use crate::engine::buckets::{BitSums, Shape};
use crate::engine::infinities::Infinities;
use crate::engine::points::Accumulation;
use crate::engine::strategy::Strategy;
use crate::memory::{Array, Uninit};
use crate::msm::Msm;
use crate::plan::lengths::Lengths;
use crate::plan::Plan;
use crate::provider::Abilities;
use crate::scalars::{Fold, MagnitudeLayout, Magnitudes, ScalarWords, Scalars, Split};
use crate::windows::Windows;
use crate::Error;

/// Scalars as magnitudes, and their lengths.
pub struct Measured {
    /// Magnitudes of first halves, then of second halves where scalars are split.
    magnitudes: Array<u64>,
    layout: MagnitudeLayout,
    /// The number of magnitudes of each length in bits.
    counts: Vec<usize>,
}

impl Measured {
    /// Checks the call, and makes magnitudes of its scalars.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Window`], [`Error::ThreadsByLoop`], [`Error::ScalarRange`], [`Error::Cancelled`].
    pub fn new<F: ScalarWords>(
        msm: Msm<'_>,
        scalars: Scalars<'_, F>,
        points: PointProperties<'_>,
        control: &Control<'_>,
    ) -> Result<Self, Error> {
        if points.len != scalars.len() {
            return Err(Error::Length { points: points.len, scalars: scalars.len() });
        }
        msm.check_window()?;
        let strategy = msm.strategy.resolve();
        strategy.check(points.abilities.needs_sorted(strategy))?;
        let fold = Fold { in_subgroup: points.in_subgroup, split: points.split };
        let (magnitudes, counts) = points.magnitudes(&scalars, &fold, control)?;
        Ok(Measured { magnitudes, layout: MagnitudeLayout::of::<F>(&fold), counts })
    }

    /// The magnitudes, first halves first.
    pub fn magnitudes(&self) -> Magnitudes<'_> {
        Magnitudes::new(&self.magnitudes, self.magnitudes.len() / self.layout.words, self.layout)
    }

    /// The lengths of the magnitudes, or `None` if all are 0.
    pub fn lengths(&self) -> Option<Lengths> {
        let lengths = Lengths::new(self.counts.clone(), self.layout.words);
        (lengths.max_bits() > 0).then_some(lengths)
    }
}

/// Scalars ready to be applied to points.
pub struct Job {
    /// Magnitudes of first halves, then of second halves if the table is of halves.
    magnitudes: Array<u64>,
    layout: MagnitudeLayout,
    /// The classes of all magnitudes, or of first and of second halves.
    classes: Vec<Vec<Class>>,
    windows: Windows,
    sharing: Sharing,
    pub plan: Plan,
    strategy: Strategy,
    /// True if points are sorted by bucket.
    sorted: bool,
    backend: Backend,
}

impl Job {
    /// The plan for these magnitudes; `None` if all are 0.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new(
        msm: Msm<'_>,
        measured: Measured,
        points: PointProperties<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Self>, Error> {
        let strategy = msm.strategy.resolve();
        let sorted = points.abilities.needs_sorted(strategy);
        let Measured { magnitudes, layout, counts } = measured;
        let lengths = Lengths::new(counts, layout.words);
        let Some(windows) = lengths.windows(msm.window, &points.table, &points.abilities.costs) else {
            return Ok(None);
        };
        let plan = Plan::new(&lengths, windows, &points.table, sorted, points.bucket_bytes, control.threads);
        let halves = halves(&magnitudes, layout, points.table.halves);
        let classes = halves.map(|half| classes(half, lengths.counts(), windows, control));
        let classes = classes.collect::<Result<_, _>>()?;
        let sharing = Sharing::new(windows, &points.table);
        Ok(Some(Job {
            magnitudes,
            layout,
            classes,
            windows,
            sharing,
            plan,
            strategy,
            sorted,
            backend: points.abilities.backend,
        }))
    }

    /// Returns the sum over these points. The magnitudes of points that are left out are 0; `infinities` tells whether
    /// the others may include the point at infinity.
    pub fn run<C: Curve>(
        &self,
        bases: &Bases<C>,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<Projective<C>, Error> {
        let mut sums = BasesSums::new(bases, infinities);
        self.for_each_group(1, control, |work| sums.add(work, control))?;
        Ok(sums.combine(self.windows))
    }

    /// Returns the sums over two sets of points, as [`run`](Self::run) does over one.
    pub fn run_pair<C: Curve, D: Curve>(
        &self,
        bases: (&Bases<C>, &Bases<D>),
        infinities: (Infinities, Infinities),
        control: &Control<'_>,
    ) -> Result<(Projective<C>, Projective<D>), Error> {
        let (mut one, mut other) =
            (BasesSums::new(bases.0, infinities.0), BasesSums::new(bases.1, infinities.1));
        self.for_each_group(2, control, |work| {
            one.add(work, control)?;
            other.add(work, control)
        })?;
        Ok((one.combine(self.windows), other.combine(self.windows)))
    }

    /// Calls `add`, which adds over this number of bases, with one group of sets of buckets after the other.
    fn for_each_group(
        &self,
        bases: usize,
        control: &Control<'_>,
        mut add: impl FnMut(Accumulation<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let halves = halves(&self.magnitudes, self.layout, self.classes.len() == 2);
        let digits: Vec<Digits<'_>> = halves
            .zip(&self.classes)
            .map(|(magnitudes, classes)| {
                let Job { windows, sharing, backend, .. } = *self;
                Digits { magnitudes, classes, windows, sharing, backend }
            })
            .collect();
        let all = 0..self.windows.sets();
        let additions: usize = digits.iter().map(|digits| digits.count(&all)).sum();
        control.expect(bases * (additions + 2 * all.len() * self.windows.buckets()));
        for first in all.clone().step_by(self.plan.sets_at_a_time) {
            let sets = first..all.end.min(first + self.plan.sets_at_a_time);
            let shape = Shape { window_count: sets.len(), per_window: self.windows.buckets() };
            let arranged = digits.iter().map(|&digits| arrange(digits, sets.clone(), self.sorted, control));
            let arranged = arranged.collect::<Result<Vec<_>, _>>()?;
            let (points, seconds) = (&arranged[0], arranged.get(1));
            add(Accumulation {
                points,
                seconds,
                shape,
                strategy: self.strategy,
                infinities: Infinities::Absent,
            })?;
        }
        Ok(())
    }
}

/// All magnitudes, or two halves of them.
fn halves(words: &[u64], layout: MagnitudeLayout, two: bool) -> impl Iterator<Item = Magnitudes<'_>> {
    let len = words.len() / layout.words;
    let (firsts, seconds) = Magnitudes::new(words, len, layout).split_at(len >> u32::from(two));
    std::iter::once(firsts).chain(two.then_some(seconds))
}

/// Sums over the points of some bases, by set of buckets and bit.
struct BasesSums<'a, C: Curve> {
    bases: &'a Bases<C>,
    /// The point at infinity among the points that are added.
    infinities: Infinities,
    sums: BitSums<Words<C>>,
    images: BitSums<Words<C>>,
}

impl<'a, C: Curve> BasesSums<'a, C> {
    fn new(bases: &'a Bases<C>, infinities: Infinities) -> Self {
        BasesSums { bases, infinities, sums: BitSums::new(), images: BitSums::new() }
    }

    /// The sums of further sets.
    fn add(&mut self, work: Accumulation<'_>, control: &Control<'_>) -> Result<(), Error> {
        let work = Accumulation { infinities: self.infinities, ..work };
        let mut sums = self.bases.prepared.bit_sums(work, control)?;
        self.images.extend(sums.drain(work.shape.window_count..));
        self.sums.append(&mut sums);
        Ok(())
    }

    /// The sum of all sets.
    fn combine(mut self, windows: Windows) -> Projective<C> {
        self.sums.append(&mut self.images);
        combine(&self.sums, windows)
    }
}

/// Properties of the points that a job depends on.
#[derive(Clone, Copy)]
pub struct PointProperties<'a> {
    pub len: usize,
    pub in_subgroup: bool,
    /// Split of long scalars, where there are images of the points or the table is of halves.
    pub split: Option<&'a Split>,
    pub table: Table,
    /// Points to be left out.
    pub infinities: &'a [u32],
    pub bucket_bytes: usize,
    pub abilities: Abilities,
}

impl PointProperties<'_> {
    /// Magnitudes and signs of all scalars, except scalars of points at infinity; if they split, the second halves' come
    /// behind them. And how many there are of each length.
    fn magnitudes<F: ScalarWords>(
        self,
        scalars: &Scalars<'_, F>,
        fold: &Fold<'_>,
        control: &Control<'_>,
    ) -> Result<(Array<u64>, Vec<usize>), Error> {
        let layout = MagnitudeLayout::of::<F>(fold);
        let halves = if fold.split.is_some() { 2 } else { 1 };
        let stride = halves * self.len;
        let out = Uninit::new(stride * layout.words)?;
        // SAFETY: there is room for all halves, and without an error all are written.
        let (mut out, mut lengths) = unsafe {
            let lengths = fold.write(
                scalars,
                0..self.len,
                (&out.output(), 0, stride),
                self.abilities.backend,
                control,
            )?;
            (out.written(), lengths)
        };
        for half in 0..halves {
            let infinities = self.infinities.iter().map(|&i| half * self.len + i as usize);
            layout.clear(&mut out, stride, infinities, &mut lengths);
        }
        Ok((out, lengths))
    }
}
