//! Makes digits from scalars, sorts points, fills buckets, and computes the sum.

use ark_ec::short_weierstrass::Projective;
use bucketwheel_lanes::Backend;

use crate::bases::Bases;
use crate::control::Control;
use crate::curve::combine::combine;
use crate::curve::{Curve, Words};
use crate::digits::sort::{Arranged, Sorted};
use crate::digits::table::{Multiples, Table};
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
use crate::scalars::{ones, Fold, MagnitudeLayout, Magnitudes, ScalarWords, Scalars, Split, PARTS};
use crate::schedule::Ref;
use crate::windows::Windows;
use crate::Error;

/// Scalars that have been read once.
pub enum Measured {
    /// Scalars that are all 0 or 1: the number of zeros, and the points of the ones.
    Bits { zeros: usize, ones: Array<Ref> },
    /// Any scalars.
    Magnitudes {
        /// Magnitudes of first halves. If scalars are split, magnitudes of second halves follow.
        words: Array<u64>,
        layout: MagnitudeLayout,
        /// The number of magnitudes of each length in bits.
        counts: Vec<usize>,
    },
}

/// Fewest scalars for which a scan for bits pays.
const LEAST_BITS: usize = 32;

impl Measured {
    /// Checks the call, and finds ones or makes magnitudes of its scalars.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Window`], [`Error::ThreadsByLoop`], [`Error::ScalarRange`], [`Error::OutOfMemory`],
    /// [`Error::Cancelled`].
    pub fn new<F: ScalarWords>(
        msm: Msm<'_>,
        scalars: Scalars<'_, F>,
        points: PointProperties<'_>,
        control: &Control<'_>,
    ) -> Result<Self, Error> {
        let len = scalars.len();
        if points.len != len {
            return Err(Error::Length { points: points.len, scalars: len });
        }
        msm.check_window()?;
        let strategy = msm.strategy.resolve();
        let sorted = points.abilities.needs_sorted(strategy);
        strategy.check(sorted)?;
        // Tables of multiples may have another bucket for 1.
        let is_plain = msm.window.is_none() && points.table.multiples == Multiples::One;
        if sorted && is_plain && len >= LEAST_BITS {
            if let Some(ones) = ones(&scalars, points.infinities, points.abilities.backend, control)? {
                return Ok(Measured::Bits { zeros: len - ones.len(), ones });
            }
        }
        let fold = Fold { in_subgroup: points.in_subgroup, split: points.split };
        let (words, counts) = points.magnitudes(&scalars, &fold, control)?;
        Ok(Measured::Magnitudes { words, layout: MagnitudeLayout::of::<F>(&fold), counts })
    }

    /// Returns the lengths of the magnitudes.
    pub fn lengths(&self) -> Lengths {
        match self {
            // A point takes only its index, and no magnitude.
            Measured::Bits { zeros, ones } => Lengths::new(vec![*zeros, ones.len()], 0),
            Measured::Magnitudes { layout, counts, .. } => Lengths::new(counts.clone(), layout.words),
        }
    }
}

/// Scalars ready to be applied to points.
pub struct Job {
    entries: Entries,
    windows: Windows,
    pub plan: Plan,
    strategy: Strategy,
}

/// Points that go into the buckets.
enum Entries {
    /// Points of the first bucket.
    Ones(Arranged<'static>),
    /// Digits that have not been made yet.
    Digits {
        /// The magnitudes. If the table is of parts of scalars, of all first parts, then of all second ones, and so on.
        magnitudes: Array<u64>,
        layout: MagnitudeLayout,
        /// The classes of all magnitudes, or of each part's.
        classes: Vec<Vec<Class>>,
        sharing: Sharing,
        /// True if points are sorted by bucket.
        sorted: bool,
        backend: Backend,
    },
}

impl Job {
    /// Makes the plan for these magnitudes. Returns `None` if all are 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Cancelled`].
    pub fn new(
        msm: Msm<'_>,
        measured: Measured,
        points: PointProperties<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Self>, Error> {
        let strategy = msm.strategy.resolve();
        let PointProperties { table, abilities, bucket_bytes, .. } = points;
        let sorted = abilities.needs_sorted(strategy);
        let lengths = measured.lengths();
        let Some(windows) = lengths.windows(msm.window, &table, &abilities.costs) else {
            return Ok(None);
        };
        let plan = Plan::new(&lengths, windows, &table, sorted, bucket_bytes, control.threads);
        let entries = match measured {
            Measured::Bits { ones, .. } => {
                let sorted = Sorted::first_bucket(ones, windows.sets(), windows.buckets())?;
                Entries::Ones(Arranged::Sorted(sorted))
            }
            Measured::Magnitudes { words, layout, counts } => {
                let parts = parts(&words, layout, table.parts());
                let classes = parts.map(|part| classes(part, &counts, windows, control));
                let classes = classes.collect::<Result<_, _>>()?;
                let (sharing, backend) = (Sharing::new(windows, &table), abilities.backend);
                Entries::Digits { magnitudes: words, layout, classes, sharing, sorted, backend }
            }
        };
        Ok(Some(Job { entries, windows, plan, strategy }))
    }

    /// Returns the sum over these points. The magnitudes of points that are left out are 0. `infinities` tells whether
    /// the other points may include the point at infinity.
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
        let Job { windows, ref entries, .. } = *self;
        let (all, buckets) = (0..windows.sets(), windows.buckets());
        let expect = |additions: usize| control.expect(bases * (additions + 2 * all.len() * buckets));
        let (magnitudes, layout, classes, sharing, sorted, backend) = match entries {
            Entries::Ones(points) => {
                expect(points.sorted_len());
                return add(self.accumulation(std::slice::from_ref(points), all.len()));
            }
            Entries::Digits { magnitudes, layout, classes, sharing, sorted, backend } => {
                (magnitudes, *layout, classes, *sharing, *sorted, *backend)
            }
        };
        let digits: Vec<Digits<'_>> = parts(magnitudes, layout, classes.len())
            .zip(classes)
            .map(|(magnitudes, classes)| Digits { magnitudes, classes, windows, sharing, backend })
            .collect();
        expect(digits.iter().map(|digits| digits.count(&all)).sum());
        for first in all.clone().step_by(self.plan.sets_at_a_time) {
            let sets = first..all.end.min(first + self.plan.sets_at_a_time);
            let arranged = digits.iter().map(|&digits| arrange(digits, sets.clone(), sorted, control));
            let arranged = arranged.collect::<Result<Vec<_>, _>>()?;
            add(self.accumulation(&arranged, sets.len()))?;
        }
        Ok(())
    }

    /// Returns the work on some sets of buckets.
    fn accumulation<'a>(&self, parts: &'a [Arranged<'a>], window_count: usize) -> Accumulation<'a> {
        let shape = Shape { window_count, per_window: self.windows.buckets() };
        Accumulation { parts, shape, strategy: self.strategy, infinities: Infinities::Absent }
    }
}

/// Returns magnitudes in `count` parts of one length.
fn parts(words: &[u64], layout: MagnitudeLayout, count: usize) -> impl Iterator<Item = Magnitudes<'_>> {
    let len = words.len() / layout.words;
    let mut rest = Magnitudes::new(words, len, layout);
    (0..count).map(move |_| {
        let (part, others) = rest.split_at(len / count);
        rest = others;
        part
    })
}

/// Sums over the points of some bases, by set of buckets and bit.
struct BasesSums<'a, C: Curve> {
    bases: &'a Bases<C>,
    /// The point at infinity among the points that are added.
    infinities: Infinities,
    /// Of each part of the scalars, the later ones of points that count for their images.
    parts: Vec<BitSums<Words<C>>>,
}

impl<'a, C: Curve> BasesSums<'a, C> {
    fn new(bases: &'a Bases<C>, infinities: Infinities) -> Self {
        BasesSums { bases, infinities, parts: Vec::new() }
    }

    /// Adds the sums of further sets.
    fn add(&mut self, work: Accumulation<'_>, control: &Control<'_>) -> Result<(), Error> {
        let work = Accumulation { infinities: self.infinities, ..work };
        let sums = self.bases.prepared()?.bit_sums(work, control)?;
        let parts = sums.chunks(work.shape.window_count);
        self.parts.resize_with(self.parts.len().max(parts.len()), BitSums::new);
        self.parts.iter_mut().zip(parts).for_each(|(part, sums)| part.extend_from_slice(sums));
        Ok(())
    }

    /// Returns the sum of all sets.
    fn combine(self, windows: Windows) -> Projective<C> {
        combine(&self.parts, windows, self.bases.backend())
    }
}

/// Properties of the points that a job depends on.
#[derive(Clone, Copy)]
pub struct PointProperties<'a> {
    pub len: usize,
    pub in_subgroup: bool,
    /// Split of long scalars, if the points have images or the table is of halves.
    pub split: Option<&'a Split>,
    pub table: Table,
    /// Indices of the points to be left out.
    pub infinities: &'a [u32],
    pub bucket_bytes: usize,
    pub abilities: Abilities,
}

impl PointProperties<'_> {
    /// Returns magnitudes and signs of all scalars, except scalars of points at infinity, and the number of magnitudes
    /// of each length. If scalars split, all second parts follow all first parts, and so on.
    fn magnitudes<F: ScalarWords>(
        self,
        scalars: &Scalars<'_, F>,
        fold: &Fold<'_>,
        control: &Control<'_>,
    ) -> Result<(Array<u64>, Vec<usize>), Error> {
        let layout = MagnitudeLayout::of::<F>(fold);
        let parts = if fold.split.is_some() { PARTS } else { 1 };
        let stride = parts * self.len;
        let out = Uninit::new(stride * layout.words)?;
        // SAFETY: there is room for all parts, and without an error all are written.
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
        for part in 0..parts {
            let infinities = self.infinities.iter().map(|&i| part * self.len + i as usize);
            layout.clear(&mut out, stride, infinities, &mut lengths);
        }
        Ok((out, lengths))
    }
}
