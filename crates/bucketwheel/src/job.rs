//! From scalars to digits, sorted points, buckets, and the sum.

use std::ops::Range;

use ark_ec::short_weierstrass::Projective;

use crate::bases::Bases;
use crate::buckets::{BitSums, Shape};
use crate::control::Control;
use crate::costs::Costs;
use crate::curve::{from_coordinates, horner, image, CoordinateField, Curve, Integer, ScalarWords};
use crate::digits::{Digits, Magnitude, Scalars};
use crate::endomorphism::Split;
use crate::layout::Accumulation;
use crate::memory::{Array, Output, Uninit};
use crate::msm::Msm;
use crate::plan::{Lengths, Plan, Windows};
use crate::sort::{Arranged, Group, Sharing, Sorted};
use crate::strategy::Strategy;
use crate::table::{Multiples, Table};
use crate::Error;

/// Scalars ready to be applied to points.
pub struct Job {
    points: Arranged,
    /// Those of second halves of scalars, where the table is of halves.
    seconds: Option<Arranged>,
    windows: Windows,
    pub plan: Plan,
    strategy: Strategy,
}

impl Job {
    /// Digits, as the scheduler wants them; `None` if all are 0.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Window`], [`Error::ThreadsByLoop`], [`Error::ScalarRange`], [`Error::Cancelled`].
    pub fn new<F: ScalarWords>(
        msm: Msm<'_>,
        scalars: Scalars<'_, F>,
        points: Points<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Self>, Error> {
        if points.len != scalars.len() {
            return Err(Error::Length { points: points.len, scalars: scalars.len() });
        }
        msm.check_window()?;
        let strategy = msm.strategy.resolve();
        let sorted = strategy.needs_sorted();
        strategy.check_threads(sorted)?;
        let magnitudes = points.magnitudes(&scalars, control)?;
        let lengths = Lengths::of::<F>(&magnitudes);
        let Some(windows) = lengths.windows(msm.window, &points.table, &points.costs) else {
            return Ok(None);
        };
        let plan = Plan::new(&lengths, windows, &points.table, points.bucket_bytes, control.threads);
        let arrange = |magnitudes| arrange(magnitudes, windows, &points.table, sorted, control);
        let halves = points.table.halves;
        let (firsts, seconds) = magnitudes.split_at(magnitudes.len() >> u32::from(halves));
        let (points, seconds) = (arrange(firsts)?, halves.then(|| arrange(seconds)).transpose()?);
        Ok(Some(Job { points, seconds, windows, plan, strategy }))
    }

    /// `infinity` says whether the points to be added include the point at infinity.
    pub fn run<C: Curve>(
        &self,
        bases: &Bases<C>,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<Projective<C>, Error> {
        let shape = Shape { window_count: self.windows.sets(), per_window: self.windows.buckets() };
        let (points, seconds) = (&self.points, self.seconds.as_ref());
        let work = Accumulation { points, seconds, shape, strategy: self.strategy, infinity };
        let sums = bases.prepared.bit_sums(work, control)?;
        Ok(combine(&sums, self.windows))
    }
}

/// What a job has to know of the points.
#[derive(Clone, Copy)]
pub struct Points<'a> {
    pub len: usize,
    pub in_subgroup: bool,
    /// How long scalars split, where there are images of the points or the table is of halves.
    pub split: Option<&'a Split>,
    pub table: Table,
    /// Points to be left out.
    pub infinities: &'a [u32],
    pub bucket_bytes: usize,
    pub costs: Costs,
}

/// Scalars that a task folds.
const PART: usize = 1 << 12;

impl Points<'_> {
    /// Magnitudes and signs of all scalars but those of points at infinity; where they split, those of the second halves
    /// behind them.
    fn magnitudes<F: ScalarWords>(
        self,
        scalars: &Scalars<'_, F>,
        control: &Control<'_>,
    ) -> Result<Array<Magnitude<F::BigInt>>, Error> {
        let halves = if self.split.is_some() { 2 } else { 1 };
        let out = Uninit::new(halves * self.len)?;
        let fold = Fold { in_subgroup: self.in_subgroup, split: self.split };
        // SAFETY: there is room for all halves, and without an error all are written.
        let mut out = unsafe {
            fold.write(scalars, 0..self.len, &out.output(), control)?;
            out.written()
        };
        for half in out.chunks_mut(self.len.max(1)) {
            self.infinities.iter().for_each(|&i| half[i as usize] = Magnitude::default());
        }
        Ok(out)
    }
}

/// How scalars become magnitudes.
pub(crate) struct Fold<'a> {
    /// Whether they may be folded.
    pub in_subgroup: bool,
    /// How long ones split.
    pub split: Option<&'a Split>,
}

impl Fold<'_> {
    /// Writes the magnitudes and signs of the scalars in `range`, and behind them those of the second halves where they
    /// split.
    ///
    /// # Errors
    /// [`Error::ScalarRange`] for the first scalar that is not below the order, [`Error::Cancelled`]; else all are
    /// written.
    ///
    /// # Safety
    /// There is room for them, and nobody else accesses it.
    pub unsafe fn write<F: ScalarWords>(
        &self,
        scalars: &Scalars<'_, F>,
        range: Range<usize>,
        out: &Output<Magnitude<F::BigInt>>,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let (first, len) = (range.start, range.len());
        let write = |i: usize| {
            let magnitude = scalars.magnitude(first + i, self.in_subgroup)?;
            match self.split {
                None => out.write(i, magnitude),
                Some(split) => {
                    let [low, high] = split.apply(magnitude);
                    out.write(i, low);
                    out.write(len + i, high);
                }
            }
            Some(())
        };
        let bad = control.find_first(len, PART, |mut part| part.find(|&i| write(i).is_none()));
        control.check()?;
        bad.map_or(Ok(()), |i| Err(Error::ScalarRange { index: first + i }))
    }
}

/// The digits of magnitudes, sorted or as the scalars come.
///
/// # Errors
/// [`Error::TooManyPoints`], [`Error::OutOfMemory`], [`Error::Cancelled`].
pub(crate) fn arrange<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    table: &Table,
    sorted: bool,
    control: &Control<'_>,
) -> Result<Arranged, Error> {
    let groups = group(magnitudes, windows, table.multiples, control)?;
    let sharing = Sharing::new(windows, table);
    Ok(match sorted {
        true => Arranged::Sorted(Sorted::new(&groups, sharing, control)?),
        false => Arranged::InOrder(groups, sharing),
    })
}

/// Groups the nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach.
fn group<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    multiples: Multiples,
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
            let digits = Digits::new(magnitudes, &indices, windows, window_count, multiples, control)?;
            Ok(Group { digits, indices })
        };
        (!indices.is_empty()).then(|| digits(indices))
    });
    groups.collect()
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;

/// `sum_s 2^start(s) (total_s + sum_k 2^k bit_(s,k))` over the sets s of buckets. As many sets again are those of second
/// halves, and count as their images.
pub(crate) fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    windows: Windows,
) -> Projective<C> {
    horner(windows.step(), |position| {
        let window = windows.containing(position);
        let bit = (position - windows.start(window)) as usize;
        let points = |sets: &[Vec<Option<_>>]| {
            let total = sets[window][0].filter(|_| bit == 0);
            let bit_sum = sets[window].get(bit + 1).copied().flatten();
            total.into_iter().chain(bit_sum).map(|sum| from_coordinates::<C>(&sum))
        };
        let (sets, images) = sums.split_at(windows.sets());
        let images = (!images.is_empty()).then(|| points(images).map(image::<C>));
        points(sets).chain(images.into_iter().flatten()).collect()
    })
}
