//! From scalars to digits, sorted points, buckets, and the sum.

use ark_ec::short_weierstrass::Projective;

use crate::bases::Bases;
use crate::control::Control;
use crate::curve::combine::combine;
use crate::curve::endomorphism::Split;
use crate::curve::{Curve, ScalarWords};
use crate::digits::sort::Arranged;
use crate::digits::{arrange, Fold, Magnitude, Scalars};
use crate::engine::buckets::Shape;
use crate::engine::points::Accumulation;
use crate::engine::Strategy;
use crate::memory::{Array, Uninit};
use crate::msm::Msm;
use crate::plan::costs::Costs;
use crate::plan::table::Table;
use crate::plan::{Lengths, Plan};
use crate::windows::Windows;
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

/// Properties of the points that a job depends on.
#[derive(Clone, Copy)]
pub struct Points<'a> {
    pub len: usize,
    pub in_subgroup: bool,
    /// Split of long scalars, where there are images of the points or the table is of halves.
    pub split: Option<&'a Split>,
    pub table: Table,
    /// Points to be left out.
    pub infinities: &'a [u32],
    pub bucket_bytes: usize,
    pub costs: Costs,
}

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
