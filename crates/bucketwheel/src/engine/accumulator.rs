//! Buckets that persist, and a block of points in front of them, behind an interface that knows neither backend nor
//! curve.

use std::sync::Arc;

use bucketwheel_lanes::LaneField;

use crate::control::Control;
use crate::digits::sort::Arranged;
use crate::engine::adder::{formula, FormulaOver};
use crate::engine::at_rest::Point;
use crate::engine::buckets::{BitSums, Buckets, Shape};
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::engine::points::{encode, Source};
use crate::engine::strategy::Strategy;
use crate::memory::{Room, Slots, Uninit};
use crate::schedule::ThreadsBy;
use crate::Error;

/// Parameters of an accumulator.
pub struct Opening<W> {
    /// Coefficients of the curve.
    pub curve: Coefficients<W>,
    /// Number of buckets.
    pub shape: Shape,
    pub(crate) strategy: Strategy,
    /// Most points of a block.
    pub block: usize,
    /// Most windows whose digits come at a time.
    pub windows_at_a_time: usize,
    /// Most threads at a time.
    pub threads: usize,
}

/// An accumulator for some backend, or why there is none.
pub type AccumulatorResult<W> = Result<Box<dyn Accumulator<W>>, Error>;

/// Sums of points that come in blocks.
pub trait Accumulator<W>: Send {
    /// Appends points to the block. After an error, the block has none of them. The
    /// [example](crate::provider::Provider) uses it.
    ///
    /// # Panics
    /// If the block has no room for them.
    fn load(&mut self, points: Source<'_, W>) -> Result<(), Error>;

    /// Adds the points of the block, arranged, to the buckets of the windows from `first` on. `infinities` tells
    /// whether the arranged points may include the point at infinity. After an error the accumulator is of no use.
    /// See the [example](crate::provider::Provider).
    fn accumulate(
        &mut self,
        points: &Arranged<'_>,
        first: usize,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<(), Error>;

    /// Empties the block, whose points have been added in all windows. See the [example](crate::provider::Provider).
    fn empty(&mut self);

    /// Aggregates the buckets, which are empty afterwards. After an error the accumulator is of no use.
    /// See the [example](crate::provider::Provider).
    fn collect(&mut self, control: &Control<'_>) -> Result<BitSums<W>, Error>;
}

/// Opens an accumulator in the layout of `lanes`.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn open<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    opening: Opening<L::Words>,
) -> AccumulatorResult<L::Words> {
    let Opening { curve, shape, strategy, block, windows_at_a_time, threads } = opening;
    let formula: Arc<dyn FormulaOver<L::Words>> = formula::<L, EDWARDS>(lanes, curve, strategy.adder).into();
    let sorted = block * windows_at_a_time;
    let buckets = Buckets::new(formula.clone(), strategy, shape, sorted, threads)?;
    let points = Uninit::new(block)?;
    let (threads_by, room) = (strategy.threads_by, Room::empty());
    Ok(Box::new(Blocks { lanes, formula, buckets, threads_by, points, len: 0, inputs: None, room }))
}

struct Blocks<L: LaneField> {
    lanes: L,
    formula: Arc<dyn FormulaOver<L::Words>>,
    buckets: Buckets,
    threads_by: ThreadsBy,
    points: Uninit<Point<L::Elem>>,
    /// Number of points in the block so far.
    len: usize,
    /// The block in the adder's form, from its first accumulation on.
    inputs: Option<Slots>,
    /// Room for the block in the adder's form, if this form differs from the loaded points.
    room: Room,
}

impl<L: LaneField> Accumulator<L::Words> for Blocks<L> {
    fn load(&mut self, points: Source<'_, L::Words>) -> Result<(), Error> {
        let end = self.len + points.table.total();
        assert!(end <= self.points.len(), "no room for {} points", points.table.total());
        // SAFETY: by the assertion, the block has room for these points behind the others.
        unsafe { encode(self.lanes, &points, self.points.as_mut_ptr().add(self.len))? };
        (self.len, self.inputs) = (end, None);
        Ok(())
    }

    fn accumulate(
        &mut self,
        points: &Arranged<'_>,
        first: usize,
        infinities: Infinities,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let inputs = match self.inputs {
            Some(inputs) => inputs,
            // SAFETY: the first `len` points have been loaded.
            None => unsafe {
                let block = Slots::of(self.points.first(self.len));
                self.formula.inputs(block, &mut self.room, control)?
            },
        };
        self.inputs = Some(inputs);
        self.buckets.accumulate(inputs, points, first, self.threads_by, infinities, control)
    }

    fn empty(&mut self) {
        (self.len, self.inputs) = (0, None);
        // Until the next block, other work can use the memory of these workers.
        self.buckets.dismiss_workers();
    }

    fn collect(&mut self, control: &Control<'_>) -> Result<BitSums<L::Words>, Error> {
        control.expect(self.buckets.aggregation());
        let sums = self.buckets.aggregate(&*self.formula, control)?;
        self.buckets.clear();
        Ok(sums)
    }
}
