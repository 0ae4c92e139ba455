//! Points in a backend's layout, behind an interface that knows neither backend nor curve.

use std::ops::Range;
use std::sync::Arc;

use bucketwheel_lanes::{each, LaneField, OutOfLine, MAX_LANES};

use crate::control::Control;
use crate::digits::sort::Arranged;
use crate::digits::table::Table;
use crate::engine::adder::{formula, Adder, AdderKind, Dedicated, Edwards, FormulaOver};
#[cfg(feature = "additions")]
use crate::engine::additions::{Batch, IndependentAdditions, Summands};
use crate::engine::at_rest::{product, store, Coordinates, Point, Target};
use crate::engine::buckets::{BitSums, Buckets, Shape};
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::engine::make_multiples::append;
use crate::engine::stored::{append_canonical, PointArray, Restored};
use crate::engine::strategy::Strategy;
use crate::memory::{Room, Slots, Uninit};
use crate::scalars::PARTS;
use crate::Error;

/// Points to be prepared, their curve, and control of the preparation.
pub struct Source<'a, W> {
    /// Number of points.
    pub len: usize,
    /// Point of each index below `len`.
    pub point: &'a (dyn Fn(usize) -> Coordinates<W> + Sync),
    /// Coefficients of the curve.
    pub curve: Coefficients<W>,
    /// Threads and cancellation. Each point is a step of progress.
    pub control: &'a Control<'a>,
    /// Factor that multiplies the coordinates on their way into the lanes.
    pub factor: Option<W>,
    /// The endomorphism's factor of x. If there is one, the image of each point lies `len` behind the point.
    pub beta: Option<W>,
    /// Copies of the points in a table.
    pub(crate) table: Table,
    /// True to keep the points in the curve's Edwards form too.
    pub edwards: bool,
}

impl<W> Source<'_, W> {
    /// Returns the number of inputs that digits name: points, images and copies. See the
    /// [example](crate::provider::Provider).
    pub fn inputs(&self) -> usize {
        self.table.total()
    }
}

/// Points by bucket, and how they are added up.
#[derive(Clone, Copy)]
pub struct Accumulation<'a> {
    /// The points of all sets of buckets, for each part of the scalars: points of further parts count for their images, the
    /// points of the third part for images of images, and so on.
    pub parts: &'a [Arranged<'a>],
    /// Number of buckets.
    pub shape: Shape,
    pub(crate) strategy: Strategy,
    /// The point at infinity among the points.
    pub infinities: Infinities,
}

/// Points in a layout, or why they are not.
pub type PreparedResult<W> = Result<Box<dyn Prepared<W>>, Error>;

/// The points in some backend's layout.
pub trait Prepared<W>: Send + Sync {
    /// Accumulates the points into buckets and aggregates the buckets. Returns the sums of the shape's windows, then
    /// the same number of sums for images, unless the adder turns its sums into sums of images. See the
    /// [example](crate::provider::Provider).
    fn bit_sums(&self, work: Accumulation<'_>, control: &Control<'_>) -> Result<BitSums<W>, Error>;

    /// Appends the bytes of the points in `range`, in the form that any layout of this backend has them. `visit` sees
    /// each point. See the [example](crate::provider::Provider).
    #[cfg(feature = "tables")]
    fn canonical(
        &self,
        range: Range<usize>,
        bytes: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, &Coordinates<W>),
    );

    /// Returns additions of the first `len` points by one adder, or `None` if there are no adders to measure. See the
    /// [example](crate::provider::Provider).
    #[cfg(feature = "additions")]
    fn additions(
        &self,
        _adder: AdderKind,
        _summands: Summands,
        _len: usize,
    ) -> Option<Box<dyn Batch<W> + '_>> {
        None
    }
}

struct PreparedPoints<L: LaneField, const EDWARDS: bool> {
    lanes: L,
    curve: Coefficients<L::Words>,
    points: PointArray<L::Elem>,
    /// All points in the curve's Edwards form, if the caller asked for it.
    edwards: Option<Room>,
    /// True if a multiple of a finite point is at infinity.
    vanishing: bool,
}

/// Returns points in the layout of `lanes`.
///
/// # Errors
/// [`Error::Cancelled`].
pub(crate) fn layout<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    source: Source<'_, L::Words>,
) -> PreparedResult<L::Words> {
    let points = Uninit::<Point<L::Elem>>::new(source.table.total())?;
    // SAFETY: the array has room for all points of the table.
    unsafe { encode(lanes, &source, points.as_mut_ptr())? };
    let target = Target(points.as_mut_ptr());
    // SAFETY: the array has room for the table, and `encode` has written copy 0.
    let append = || unsafe { append(lanes, source.curve.a, &target, &source.table, source.control) };
    let vanishing = cfg!(feature = "tables") && append();
    PreparedPoints::<L, EDWARDS> {
        lanes,
        curve: source.curve,
        points: PointArray::Made(points),
        edwards: None,
        vanishing,
    }
    .finish(source.edwards, source.control)
}

/// Brings points into the layout of `lanes`. Each point is a step of progress.
///
/// # Errors
/// [`Error::Cancelled`]. Without an error, all points are written.
///
/// # Safety
/// - There is room for the source's points at `target`.
/// - Nobody else accesses this room during the call.
pub(crate) unsafe fn encode<L: LaneField>(
    lanes: L,
    source: &Source<'_, L::Words>,
    target: *mut Point<L::Elem>,
) -> Result<(), Error> {
    let (lanes, target) = (OutOfLine::of(lanes), Target(target));
    let blocks = source.len.div_ceil(BLOCK);
    source.control.for_each(
        blocks,
        || (),
        |_, block| {
            let range = block * BLOCK..source.len.min((block + 1) * BLOCK);
            let len = range.len();
            Encode { lanes, source, range, target: &target }.run();
            source.control.advance(len);
        },
    );
    source.control.check()
}

/// Takes over points that are in the layout of `lanes` already.
///
/// # Errors
/// [`TableError::Point`](crate::TableError::Point), [`Error::Cancelled`].
pub(crate) fn restore<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    restored: Restored<'_, L::Words>,
) -> PreparedResult<L::Words> {
    let (curve, edwards, control) = (restored.curve, restored.edwards, restored.control);
    let (points, vanishing) = restored.points(lanes)?;
    PreparedPoints::<L, EDWARDS> { lanes, curve, points, edwards: None, vanishing }.finish(edwards, control)
}

/// Points that a task converts.
const BLOCK: usize = 1024;

struct Encode<'a, L: LaneField> {
    lanes: OutOfLine<L>,
    source: &'a Source<'a, L::Words>,
    range: Range<usize>,
    /// Room for all points.
    target: &'a Target<L::Elem>,
}

impl<L: LaneField> Encode<'_, L> {
    fn run(self) {
        let Encode { lanes, source, target, .. } = self;
        let factor = source.factor.map(|factor| lanes.splat(factor));
        let beta = source.beta.map(|beta| lanes.splat(beta));
        let last = self.range.end - 1;
        let none = Coordinates::<L::Words>::default();
        for first in self.range.step_by(L::LANES) {
            // Lanes without a point repeat the last point.
            let index = |lane: usize| last.min(first + lane);
            let points: [Coordinates<L::Words>; MAX_LANES] =
                std::array::from_fn(|lane| if lane < L::LANES { (source.point)(index(lane)) } else { none });
            let mut coordinates: [L::Vec; 2] = each!(|i| lanes.encode(&points.map(|point| point[i])));
            if let Some(factor) = &factor {
                coordinates = each!(|i| product(lanes, factor, &coordinates[i]));
            }
            let [mut x, y] = coordinates;
            let place = |offset: usize| {
                std::array::from_fn(|lane| target.0.wrapping_add(offset + index(lane)).cast::<L::Elem>())
            };
            // SAFETY: `encode`, which makes this task, has room for points and images.
            unsafe {
                store(lanes, [&x, &y], place(0));
                if let Some(beta) = &beta {
                    for part in 1..PARTS {
                        x = product(lanes, beta, &x);
                        store(lanes, [&x, &y], place(part * source.len));
                    }
                }
            }
        }
    }
}

impl<L: LaneField, const EDWARDS: bool> Prepared<L::Words> for PreparedPoints<L, EDWARDS> {
    fn bit_sums(&self, work: Accumulation<'_>, control: &Control<'_>) -> Result<BitSums<L::Words>, Error> {
        let formula = formula::<L, EDWARDS>(self.lanes, self.curve, work.strategy.adder);
        let infinities = if self.vanishing { Infinities::Possible } else { work.infinities };
        let work = Accumulation { infinities, ..work };
        sums(formula, self.inputs(work.strategy.adder), work, control)
    }

    #[cfg(feature = "tables")]
    fn canonical(
        &self,
        range: Range<usize>,
        bytes: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, &Coordinates<L::Words>),
    ) {
        append_canonical(self.lanes, self.points.as_slice(), range, bytes, visit);
    }

    #[cfg(feature = "additions")]
    fn additions(
        &self,
        adder: AdderKind,
        summands: Summands,
        len: usize,
    ) -> Option<Box<dyn Batch<L::Words> + '_>> {
        let formula = formula::<L, EDWARDS>(self.lanes, self.curve, adder);
        // SAFETY: these are the points that the formula takes, and they live as long as `self`.
        Some(unsafe { IndependentAdditions::boxed(formula, self.inputs(adder).part(0, len), summands) })
    }
}

impl<L: LaneField, const EDWARDS: bool> PreparedPoints<L, EDWARDS> {
    /// Converts the points if their Edwards form is wanted too. Each point is a step of progress.
    fn finish(mut self, edwards: bool, control: &Control<'_>) -> PreparedResult<L::Words> {
        if EDWARDS && edwards {
            let mut converted = Room::empty();
            let points = Slots::of(self.points.as_slice());
            // SAFETY: the slots are a slice of points at rest, which have been written.
            unsafe {
                Edwards::<L, Dedicated>::inputs(self.lanes, &self.curve, points, &mut converted, control)?
            };
            self.edwards = Some(converted);
        }
        control.check()?;
        Ok(Box::new(self))
    }

    /// Returns the points in the form that an adder takes. `Bases` has made sure that they have it.
    fn inputs(&self, adder: AdderKind) -> Slots {
        match adder.is_edwards() {
            true => self.edwards.as_ref().expect("prepared for the Edwards adder").slots(),
            false => Slots::of(self.points.as_slice()),
        }
    }
}

/// Accumulates points into buckets by a formula, and aggregates the buckets.
fn sums<W: Copy + 'static>(
    formula: Box<dyn FormulaOver<W>>,
    inputs: Slots,
    work: Accumulation<'_>,
    control: &Control<'_>,
) -> Result<BitSums<W>, Error> {
    let formula: Arc<dyn FormulaOver<W>> = formula.into();
    let Accumulation { parts, shape, strategy, infinities } = work;
    let len = parts.iter().map(Arranged::sorted_len).max().unwrap_or(0);
    let mut buckets = Buckets::new(formula.clone(), strategy, shape, len, control.threads)?;
    // The last part first: its images are sums of the part before it.
    let mut sums: Vec<BitSums<W>> = Vec::new();
    for (part, points) in parts.iter().enumerate().rev() {
        buckets.accumulate(inputs, points, 0, strategy.threads_by, infinities, control)?;
        if part > 0 && formula.starts_with_x() {
            buckets.turn_into_images(control)?;
            continue;
        }
        sums.push(buckets.aggregate(&*formula, control)?);
        if part > 0 {
            buckets.clear();
        }
    }
    Ok(sums.into_iter().rev().flatten().collect())
}
