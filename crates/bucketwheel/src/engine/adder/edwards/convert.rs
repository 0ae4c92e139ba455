//! Converts points from Weierstrass to twisted Edwards form, in lanes.

use bucketwheel_lanes::{LaneField, OutOfLine, MAX_LANES};

use super::EdwardsPoint;
use crate::control::Control;
use crate::engine::adder::Reduced;
use crate::engine::at_rest::Point;
use crate::engine::coefficients::EdwardsForm;
use crate::memory::{Room, Slots};
use crate::Error;

/// Points that share an inversion.
const BLOCK: usize = 1024;

/// Room that tasks write disjoint parts of.
struct EdwardsTarget<E>(*mut EdwardsPoint<E>);

// SAFETY: tasks write disjoint parts of the room only.
unsafe impl<E> Sync for EdwardsTarget<E> {}

/// Converts points into `room`, which is made larger if need be. Costs 10 products for each point and an inversion for
/// a thousand. Each point is a step of progress. Infinity becomes (0, 1), and so do points outside of the map's domain.
/// No point outside of this domain has odd order.
pub(super) fn convert<L: LaneField>(
    lanes: L,
    form: &EdwardsForm<L::Words>,
    points: &[Point<L::Elem>],
    room: &mut Room,
    control: &Control<'_>,
) -> Result<Slots, Error> {
    let len = points.len();
    let slots = room.make(size_of::<EdwardsPoint<L::Elem>>(), len)?;
    let target = &EdwardsTarget(slots.start.cast());
    control.for_each(
        len.div_ceil(BLOCK),
        || (),
        |(), block| {
            let start = block * BLOCK;
            let points = &points[start..len.min(start + BLOCK)];
            // The room has the length of the points.
            let target = target.0.wrapping_add(start);
            Convert { lanes: OutOfLine::of(lanes), form: *form, points, target }.run();
            control.advance(points.len());
        },
    );
    control.check()?;
    Ok(slots)
}

/// Converts some points, at least one, with one inversion.
struct Convert<'a, L: LaneField> {
    lanes: OutOfLine<L>,
    form: EdwardsForm<L::Words>,
    points: &'a [Point<L::Elem>],
    /// Room for all of these points.
    target: *mut EdwardsPoint<L::Elem>,
}

/// State of a group of lanes that waits for the inverse: the numerators of x and y, their denominator, and the product of
/// all denominators before.
struct Waiting<V> {
    x: V,
    y: V,
    denominator: V,
    before: V,
}

impl<L: LaneField> Convert<'_, L> {
    fn run(self) {
        let Convert { lanes, form, points, target } = self;
        let r = Reduced(lanes);
        let (root, s) = (lanes.splat(form.root), lanes.splat(form.s));
        let (factor, d) = (lanes.splat(form.r), lanes.splat(form.d));
        let (one, zero) = (r.add(&lanes.one(), &r.zero()), r.zero());
        // Lanes without a point repeat the last point.
        let index = |first: usize, lane: usize| (points.len() - 1).min(first + lane);
        let mut product = one;
        let mut groups = Vec::with_capacity(points.len().div_ceil(L::LANES));
        for first in (0..points.len()).step_by(L::LANES) {
            let x: [*const L::Elem; MAX_LANES] =
                std::array::from_fn(|lane| &raw const points[index(first, lane)].x);
            let y: [*const L::Elem; MAX_LANES] =
                std::array::from_fn(|lane| &raw const points[index(first, lane)].y);
            // SAFETY: references are valid.
            let (x, y) = unsafe { (lanes.load(&x), lanes.load(&y)) };
            // x = r X / y and y = (X - s) / (X + s) where X = x - root.
            let x = r.sub(&x, &root);
            let (sum, difference) = (r.add(&x, &s), r.sub(&x, &s));
            let denominator = r.mul(&y, &sum);
            let lost = lanes.zero_lanes(&denominator);
            let waiting = Waiting {
                x: lanes.select(lost, &r.mul(&r.mul(&factor, &x), &sum), &zero),
                y: lanes.select(lost, &r.mul(&y, &difference), &one),
                denominator: lanes.select(lost, &denominator, &one),
                before: product,
            };
            product = r.mul(&product, &waiting.denominator);
            groups.push((first, waiting));
        }
        let mut inverse = lanes.invert(&product).expect("no lane is zero");
        for (first, Waiting { x, y, denominator, before }) in groups.into_iter().rev() {
            let own = r.mul(&inverse, &before);
            inverse = r.mul(&inverse, &denominator);
            let (x, y) = (r.mul(&x, &own), r.mul(&y, &own));
            let xy = r.mul(&x, &y);
            let point = [r.sub(&y, &x), r.add(&y, &x), r.add(&xy, &xy), r.mul(&d, &xy)];
            for (i, coordinate) in point.iter().enumerate() {
                let place = |lane: usize| target.wrapping_add(index(first, lane)).cast::<L::Elem>();
                // SAFETY: `convert` made room for all points of this block.
                unsafe { lanes.store(coordinate, &std::array::from_fn(|lane| place(lane).wrapping_add(i))) };
            }
        }
    }
}
