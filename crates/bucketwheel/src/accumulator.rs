//! Buckets that persist, and a block of points in front of them, behind an interface that knows neither backend nor
//! curve.

use bucketwheel_lanes::{Backend, LaneField};

use crate::buckets::{BitSums, Buckets, Shape};
use crate::control::Control;
use crate::curve::{
    Adder, BatchAffine, Coefficients, CompleteProjective, Dedicated, Edwards, Inputs, Point, Unified, Xyzz,
};
use crate::layout::{encode, no_form, Source};
use crate::memory::Uninit;
use crate::sort::Sorted;
use crate::strategy::{AdderKind, Strategy};
use crate::Error;

/// What an accumulator is for.
pub struct Opening<W> {
    pub(crate) curve: Coefficients<W>,
    pub(crate) shape: Shape,
    pub(crate) strategy: Strategy,
    /// The most points of a block.
    pub(crate) block: usize,
    /// The most threads at a time.
    pub(crate) threads: usize,
}

/// An accumulator for some backend, or why there is none.
pub type AccumulatorResult<W> = Result<Box<dyn Accumulator<W>>, Error>;

/// Sums of points that come in blocks.
pub trait Accumulator<W>: Send {
    /// The backend.
    fn backend(&self) -> Backend;

    /// Appends points to the block; after an error none of them.
    ///
    /// # Panics
    /// If the block has no room for them.
    fn load(&mut self, points: Source<'_, W>) -> Result<(), Error>;

    /// Adds the points of the block, sorted, to the buckets; the block is empty afterwards. `infinity` says whether
    /// the sorted points may include the point at infinity. After an error the accumulator is of no use.
    fn accumulate(&mut self, sorted: &Sorted, infinity: bool, control: &Control<'_>) -> Result<(), Error>;

    /// Aggregates the buckets, which are empty afterwards. After an error the accumulator is of no use.
    fn collect(&mut self, control: &Control<'_>) -> Result<BitSums<W>, Error>;
}

/// An accumulator in the layout of `lanes`.
pub(crate) fn open<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    opening: Opening<L::Words>,
) -> Box<dyn Accumulator<L::Words>> {
    match opening.strategy.adder {
        AdderKind::Auto | AdderKind::Affine => Box::new(Blocks::<L, BatchAffine<L>>::new(lanes, opening)),
        AdderKind::Xyzz => Box::new(Blocks::<L, Xyzz<L>>::new(lanes, opening)),
        AdderKind::Projective => Box::new(Blocks::<L, CompleteProjective<L>>::new(lanes, opening)),
        AdderKind::Edwards if EDWARDS => Box::new(Blocks::<L, Edwards<L, Dedicated>>::new(lanes, opening)),
        AdderKind::EdwardsUnified if EDWARDS => {
            Box::new(Blocks::<L, Edwards<L, Unified>>::new(lanes, opening))
        }
        AdderKind::Edwards | AdderKind::EdwardsUnified => no_form(),
    }
}

struct Blocks<L: LaneField, A: Adder<L>> {
    lanes: L,
    buckets: Buckets<L, A>,
    curve: Coefficients<L::Words>,
    points: Uninit<Point<L::Elem>>,
    /// The points of the block so far: the first ones.
    len: usize,
    /// Room for the block as the adder takes it, if not as it is.
    room: Uninit<A::Input>,
}

impl<L: LaneField, A: Adder<L>> Blocks<L, A> {
    fn new(lanes: L, opening: Opening<L::Words>) -> Self {
        let Opening { curve, shape, strategy, block, threads } = opening;
        let sorted = block * shape.window_count;
        let buckets = Buckets::new(lanes, curve, strategy.scheduler, shape, sorted, threads);
        Blocks { lanes, buckets, curve, points: Uninit::new(block), len: 0, room: Uninit::new(0) }
    }
}

impl<L: LaneField, A: Inputs<L>> Accumulator<L::Words> for Blocks<L, A> {
    fn backend(&self) -> Backend {
        L::BACKEND
    }

    fn load(&mut self, points: Source<'_, L::Words>) -> Result<(), Error> {
        let end = self.len + points.table.total();
        assert!(end <= self.points.len(), "no room for {} points", points.table.total());
        // SAFETY: there is room for them behind the others.
        unsafe { encode(self.lanes, &points, self.points.as_mut_ptr().add(self.len))? };
        self.len = end;
        Ok(())
    }

    fn accumulate(&mut self, sorted: &Sorted, infinity: bool, control: &Control<'_>) -> Result<(), Error> {
        // SAFETY: they have been loaded.
        let points = unsafe { self.points.first(std::mem::take(&mut self.len)) };
        let inputs = A::inputs(self.lanes, &self.curve, points, &mut self.room, control);
        control.check()?;
        self.buckets.accumulate(inputs, sorted, infinity, control)?;
        // Until the next block, their memory is of use for other things.
        self.buckets.dismiss_workers();
        Ok(())
    }

    fn collect(&mut self, control: &Control<'_>) -> Result<BitSums<L::Words>, Error> {
        let sums = self.buckets.aggregate(control)?;
        self.buckets.clear();
        Ok(sums)
    }
}
