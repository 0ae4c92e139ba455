//! Points in a backend's layout, behind an interface that knows neither backend nor curve.

use std::ops::Range;

use bucketwheel_lanes::{each, Backend, LaneField, Task, MAX_LANES};

#[cfg(feature = "additions")]
use crate::additions::{Batch, IndependentAdditions, Summands};
use crate::buckets::{BitSums, Buckets, Shape};
use crate::control::Control;
use crate::curve::{
    Adder, BatchAffine, Coefficients, CompleteProjective, Dedicated, Edwards, EdwardsPoint, Inputs, Point,
    Unified, Xyzz,
};
use crate::memory::Uninit;
use crate::sort::Arranged;
use crate::strategy::{AdderKind, Strategy};
use crate::table::{append, append_canonical, Points, Restored, Table};
use crate::Error;

/// The coordinates of a point outside the lanes; infinity is (0, 0).
pub type Coordinates<W> = [W; 2];

/// Points to be prepared, their curve, and what the caller controls meanwhile.
pub struct Source<'a, W> {
    pub(crate) len: usize,
    pub(crate) point: &'a (dyn Fn(usize) -> Coordinates<W> + Sync),
    pub(crate) curve: Coefficients<W>,
    pub(crate) control: &'a Control<'a>,
    /// What the coordinates are multiplied by on their way.
    pub(crate) factor: Option<W>,
    /// The endomorphism's factor of x: the image of each point follows, `len` behind it.
    pub(crate) beta: Option<W>,
    /// The copies that follow.
    pub(crate) table: Table,
    /// Whether to keep the points in the curve's Edwards form too.
    pub(crate) edwards: bool,
}

/// Points by bucket, and how they are added up.
#[derive(Clone, Copy)]
pub struct Accumulation<'a> {
    pub(crate) points: &'a Arranged,
    /// Those that count for their images: of second halves of scalars.
    pub(crate) seconds: Option<&'a Arranged>,
    pub(crate) shape: Shape,
    pub(crate) strategy: Strategy,
    /// Whether the points may include the point at infinity.
    pub(crate) infinity: bool,
}

/// Points in a layout, or why they are not.
pub type PreparedResult<W> = Result<Box<dyn Prepared<W>>, Error>;

/// The points in some backend's layout.
pub trait Prepared<W>: Send + Sync {
    /// The backend.
    fn backend(&self) -> Backend;

    /// Accumulates the points into buckets and aggregates these: the sums of the shape's windows, and as many again of
    /// images where the adder's sums are not turned into these.
    fn bit_sums(&self, work: Accumulation<'_>, control: &Control<'_>) -> Result<BitSums<W>, Error>;

    /// Appends the bytes of the points in `range` as any layout of this backend has them; `visit` sees each point.
    fn canonical(
        &self,
        range: Range<usize>,
        bytes: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, &Coordinates<W>),
    );

    /// Additions of the first `len` points by one adder.
    #[cfg(feature = "additions")]
    fn additions(&self, adder: AdderKind, summands: Summands, len: usize) -> Box<dyn Batch<W> + '_>;
}

struct Layout<L: LaneField, const EDWARDS: bool> {
    lanes: L,
    curve: Coefficients<L::Words>,
    points: Points<L::Elem>,
    /// All points in the curve's Edwards form, if it was asked for.
    edwards: Option<Uninit<EdwardsPoint<L::Elem>>>,
    /// Whether a multiple of a finite point is at infinity.
    vanishing: bool,
}

/// Points in the layout of `lanes`.
///
/// # Errors
/// [`Error::Cancelled`].
pub(crate) fn layout<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    source: Source<'_, L::Words>,
) -> PreparedResult<L::Words> {
    let points = Uninit::<Point<L::Elem>>::new(source.table.total());
    // SAFETY: there is room for them.
    unsafe { encode(lanes, &source, points.as_mut_ptr())? };
    let target = Target(points.as_mut_ptr());
    // SAFETY: the room is the table's.
    let vanishing = unsafe { append(lanes, source.curve.a, &target, &source.table, source.control) };
    Layout::<L, EDWARDS> {
        lanes,
        curve: source.curve,
        points: Points::Made(points),
        edwards: None,
        vanishing,
    }
    .finish(source.edwards, source.control)
}

/// Brings points into the layout of `lanes`, a step per point.
///
/// # Errors
/// [`Error::Cancelled`]; else all are written.
///
/// # Safety
/// There is room for the source's points at `target`, which nobody else accesses meanwhile.
pub(crate) unsafe fn encode<L: LaneField>(
    lanes: L,
    source: &Source<'_, L::Words>,
    target: *mut Point<L::Elem>,
) -> Result<(), Error> {
    let target = Target(target);
    let blocks = source.len.div_ceil(BLOCK);
    source.control.for_each(
        blocks,
        || (),
        |_, block| {
            let range = block * BLOCK..source.len.min((block + 1) * BLOCK);
            let len = range.len();
            lanes.vectorize(Encode { lanes, source, range, target: &target });
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
    Layout::<L, EDWARDS> { lanes, curve, points, edwards: None, vanishing }.finish(edwards, control)
}

/// What is left of the Edwards adders over a field without the form.
pub(crate) fn no_form() -> ! {
    unreachable!("AdderKind::check refuses the adder")
}

/// Points that a task converts.
const BLOCK: usize = 1024;

/// Room for points.
pub(crate) struct Target<E>(pub(crate) *mut Point<E>);

// SAFETY: tasks write disjoint parts.
unsafe impl<E> Sync for Target<E> {}

struct Encode<'a, L: LaneField> {
    lanes: L,
    source: &'a Source<'a, L::Words>,
    range: Range<usize>,
    /// Room for all points.
    target: &'a Target<L::Elem>,
}

impl<L: LaneField> Task for Encode<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Encode { lanes, source, target, .. } = self;
        let factor = source.factor.map(|factor| lanes.splat(factor));
        let beta = source.beta.map(|beta| lanes.splat(beta));
        let last = self.range.end - 1;
        for first in self.range.step_by(L::LANES) {
            // Lanes without a point repeat the last one.
            let index = |lane: usize| last.min(first + lane);
            let points: [Coordinates<L::Words>; MAX_LANES] =
                std::array::from_fn(|lane| (source.point)(index(lane)));
            let mut coordinates: [L::Vec; 2] = each!(|i| lanes.encode(&points.map(|point| point[i])));
            if let Some(factor) = &factor {
                coordinates = each!(|i| product(lanes, factor, &coordinates[i]));
            }
            let [x, y] = coordinates;
            let place = |offset: usize| {
                std::array::from_fn(|lane| target.0.wrapping_add(offset + index(lane)).cast::<L::Elem>())
            };
            // SAFETY: the maker's room, for points and images.
            unsafe {
                store(lanes, [&x, &y], place(0));
                if let Some(beta) = &beta {
                    store(lanes, [&product(lanes, beta, &x), &y], place(source.len));
                }
            }
        }
    }
}

/// A product at rest.
#[inline(always)]
pub(crate) fn product<L: LaneField>(lanes: L, a: &L::Vec, b: &L::Vec) -> L::Vec {
    let mut product = *b;
    lanes.mul(a, L::as_factor(b), &mut product);
    lanes.reduce(&lanes.lift(&product))
}

/// Scatters points.
///
/// # Safety
/// The first `LANES` pointers are valid for two elements each.
#[inline(always)]
pub(crate) unsafe fn store<L: LaneField>(
    lanes: L,
    coordinates: [&L::Vec; 2],
    points: [*mut L::Elem; MAX_LANES],
) {
    lanes.store(coordinates[0], &points);
    lanes.store(coordinates[1], &each!(|lane| points[lane].wrapping_add(1)));
}

impl<L: LaneField, const EDWARDS: bool> Prepared<L::Words> for Layout<L, EDWARDS> {
    fn backend(&self) -> Backend {
        L::BACKEND
    }

    fn bit_sums(&self, work: Accumulation<'_>, control: &Control<'_>) -> Result<BitSums<L::Words>, Error> {
        match work.strategy.adder {
            AdderKind::Auto | AdderKind::Affine => {
                self.sums::<BatchAffine<L>>(self.points.as_slice(), work, control)
            }
            AdderKind::Xyzz => self.sums::<Xyzz<L>>(self.points.as_slice(), work, control),
            AdderKind::Projective => {
                self.sums::<CompleteProjective<L>>(self.points.as_slice(), work, control)
            }
            AdderKind::Edwards if EDWARDS => {
                self.sums::<Edwards<L, Dedicated>>(self.edwards_points(), work, control)
            }
            AdderKind::EdwardsUnified if EDWARDS => {
                self.sums::<Edwards<L, Unified>>(self.edwards_points(), work, control)
            }
            AdderKind::Edwards | AdderKind::EdwardsUnified => no_form(),
        }
    }

    fn canonical(
        &self,
        range: Range<usize>,
        bytes: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, &Coordinates<L::Words>),
    ) {
        append_canonical(self.lanes, self.points.as_slice(), range, bytes, visit);
    }

    #[cfg(feature = "additions")]
    fn additions(&self, adder: AdderKind, summands: Summands, len: usize) -> Box<dyn Batch<L::Words> + '_> {
        let points = &self.points.as_slice()[..len];
        match adder {
            AdderKind::Auto | AdderKind::Affine => self.batch::<BatchAffine<L>>(points, summands),
            AdderKind::Xyzz => self.batch::<Xyzz<L>>(points, summands),
            AdderKind::Projective => self.batch::<CompleteProjective<L>>(points, summands),
            AdderKind::Edwards if EDWARDS => {
                self.batch::<Edwards<L, Dedicated>>(&self.edwards_points()[..len], summands)
            }
            AdderKind::EdwardsUnified if EDWARDS => {
                self.batch::<Edwards<L, Unified>>(&self.edwards_points()[..len], summands)
            }
            AdderKind::Edwards | AdderKind::EdwardsUnified => no_form(),
        }
    }
}

impl<L: LaneField, const EDWARDS: bool> Layout<L, EDWARDS> {
    /// Converts the points if their Edwards form is wanted too, a step per point.
    fn finish(mut self, edwards: bool, control: &Control<'_>) -> PreparedResult<L::Words> {
        if EDWARDS && edwards {
            let mut converted = Uninit::new(0);
            Edwards::<L, Dedicated>::inputs(
                self.lanes,
                &self.curve,
                self.points.as_slice(),
                &mut converted,
                control,
            );
            self.edwards = Some(converted);
        }
        control.check()?;
        Ok(Box::new(self))
    }

    /// The points in Edwards form: `Bases` has seen to it that they are there.
    fn edwards_points(&self) -> &[EdwardsPoint<L::Elem>] {
        let points = self.edwards.as_ref().expect("prepared for the Edwards adder");
        // SAFETY: `finish` wrote them all, else there was an error.
        unsafe { points.as_slice() }
    }

    #[cfg(feature = "additions")]
    fn batch<'a, A: Adder<L> + 'a>(
        &self,
        inputs: &'a [A::Input],
        summands: Summands,
    ) -> Box<dyn Batch<L::Words> + 'a> {
        Box::new(IndependentAdditions::<L, A>::new(self.lanes, self.curve, inputs, summands))
    }

    fn sums<A: Adder<L>>(
        &self,
        inputs: &[A::Input],
        work: Accumulation<'_>,
        control: &Control<'_>,
    ) -> Result<BitSums<L::Words>, Error> {
        let Accumulation { points, seconds, shape, strategy, infinity } = work;
        let infinity = infinity || self.vanishing;
        let len = |points: &Arranged| match points {
            Arranged::Sorted(sorted) => sorted.points.len(),
            Arranged::InOrder(..) => 0,
        };
        let (len, threads) = (len(points).max(seconds.map_or(0, len)), control.threads);
        let mut buckets =
            Buckets::<L, A>::new(self.lanes, self.curve, strategy.scheduler, shape, len, threads);
        let accumulate = |buckets: &mut Buckets<L, A>, points: &Arranged| match points {
            Arranged::Sorted(sorted) => buckets.accumulate(inputs, sorted, infinity, control),
            Arranged::InOrder(groups, sharing) => {
                let digits = (&groups[..], *sharing);
                buckets.accumulate_in_order(inputs, digits, strategy.threads_by, infinity, control)
            }
        };
        let mut images = BitSums::new();
        if let Some(seconds) = seconds {
            accumulate(&mut buckets, seconds)?;
            if A::STARTS_WITH_X {
                buckets.turn_into_images(control)?;
            } else {
                images = buckets.aggregate(control)?;
                buckets.clear();
            }
        }
        accumulate(&mut buckets, points)?;
        let mut sums = buckets.aggregate(control)?;
        sums.append(&mut images);
        Ok(sums)
    }
}
