//! Makes the copies of a table, in lanes: Jacobian doublings in registers, and one inversion for a block of points.

use bucketwheel_lanes::{LaneField, OutOfLine, MAX_LANES};

use crate::control::Control;
use crate::digits::table::Table;
use crate::engine::at_rest::{store, Point, Target};
use crate::engine::jacobian::{add, differences, double, Jacobian};

/// Points that a task takes from copy to copy: enough for one inversion, and a fraction of a second at most.
const BLOCK: usize = 256;

/// Appends the copies behind the points of copy 0. Each doubling is a step of progress. If the call is cancelled, some
/// copies are not written. Returns true if a multiple of a finite point is at infinity, which no multiple in the
/// prime-order subgroup is.
///
/// # Safety
/// - `points` has room for all inputs of the table.
/// - The inputs of copy 0 have been written.
/// - Nobody else uses `points` during the call.
pub(crate) unsafe fn append<L: LaneField>(
    lanes: L,
    a: Option<L::Words>,
    points: &Target<L::Elem>,
    table: &Table,
    control: &Control<'_>,
) -> bool {
    let lanes = OutOfLine::of(lanes);
    let Table { copies, step, multiples, stride, .. } = *table;
    let vanished = control.for_each(
        stride.div_ceil(BLOCK),
        || false,
        |vanished, block| {
            let (start, len) = (block * BLOCK, BLOCK.min(stride - block * BLOCK));
            // The place is in range. A block's task alone writes the block's points, copy after copy.
            let place = |copy: usize, multiple: usize| {
                points.0.wrapping_add((copy * multiples.count() + multiple) * stride + start)
            };
            let mut multiply = |from: *mut _, to, factor: u32, doublings: u32| {
                if !control.is_cancelled() {
                    *vanished |= Multiply { lanes, a, from, to, len, factor, doublings }.run();
                    control.advance(len * (factor.ilog2() + doublings) as usize);
                }
            };
            for copy in 0..copies {
                if copy > 0 {
                    multiply(place(copy - 1, 0), place(copy, 0), 1, step);
                }
                for (factor, multiple) in multiples.factors().into_iter().zip(1..) {
                    multiply(place(copy, 0), place(copy, multiple), factor, 0);
                }
            }
        },
    );
    vanished.contains(&true)
}

/// Some points times a factor and a power of two. Only [`append`] makes it, and vouches for the pointers: `len` points to read at
/// `from`, and room for `len` points at `to`.
struct Multiply<L: LaneField> {
    lanes: OutOfLine<L>,
    a: Option<L::Words>,
    from: *const Point<L::Elem>,
    to: *mut Point<L::Elem>,
    len: usize,
    /// Factor of the points, at least 1.
    factor: u32,
    doublings: u32,
}

impl<L: LaneField> Multiply<L> {
    /// Returns true if a multiple of a finite point is at infinity.
    fn run(self) -> bool {
        let Multiply { lanes, from, to, len, factor, doublings, .. } = self;
        let a = self.a.map(|a| lanes.splat(a));
        let one = lanes.one();
        let zero = lanes.reduce(&lanes.sub(&lanes.lift(&one), &lanes.lift(&one)));
        let mut multiples: Vec<Jacobian<L>> = Vec::with_capacity(len.div_ceil(L::LANES));
        // The products of all Z up to here, and the replacement for Z in lanes at infinity, where Z is 0.
        let mut products: Vec<(L::Vec, L::Vec, u32)> = Vec::with_capacity(len.div_ceil(L::LANES));
        let (mut product, mut vanished) = (one, false);
        for first in (0..len).step_by(L::LANES) {
            let points: [*const L::Elem; MAX_LANES] =
                std::array::from_fn(|lane| from.wrapping_add((first + lane).min(len - 1)).cast());
            let ordinates = points.map(|point| point.wrapping_add(1));
            // SAFETY: `append` vouches for the pointers. Lanes without a point repeat the last point.
            let (x, y) = unsafe { (lanes.load(&points), lanes.load(&ordinates)) };
            let infinite = lanes.zero_lanes(&x) & lanes.zero_lanes(&y);
            // Infinity remains infinity, since every Z has the previous Z as a factor.
            let mut point = [x, y, lanes.select(infinite, &one, &zero)];
            for step in (0..factor.ilog2() + doublings).rev() {
                point = double(lanes, &point, a.as_ref());
                // The factor's digits come first.
                if step < doublings || factor >> (step - doublings) & 1 == 0 {
                    continue;
                }
                // The formula fails for two sums: infinity plus the point, which is the point, and the point plus
                // itself, which is a doubling. The point plus its opposite is no exception, since Z is 0 then.
                let lost = lanes.zero_lanes(&point[2]) & !infinite;
                let [h, slope] = differences(lanes, [&point[0], &point[1], &point[2]], [&x, &y]);
                let same = lanes.zero_lanes(&h) & lanes.zero_lanes(&slope) & !lost & !infinite;
                let [x3, y3, z3] = add(lanes, &point, [&x, &y]);
                let z3 = lanes.reduce(&lanes.lift(&z3));
                point =
                    [lanes.select(lost, &x3, &x), lanes.select(lost, &y3, &y), lanes.select(lost, &z3, &one)];
                if same != 0 {
                    let [x2, y2, z2] = double(lanes, &[x, y, one], a.as_ref());
                    let [x3, y3, z3] = point;
                    point = [
                        lanes.select(same, &x3, &x2),
                        lanes.select(same, &y3, &y2),
                        lanes.select(same, &z3, &z2),
                    ];
                }
            }
            let was_infinite = infinite;
            let infinite = lanes.zero_lanes(&point[2]);
            vanished |= infinite & !was_infinite != 0;
            let z = lanes.select(infinite, &point[2], &one);
            products.push((product, z, infinite));
            let before = product;
            lanes.mul(&before, L::as_factor(&z), &mut product);
            multiples.push(point);
        }
        let inverse = lanes.invert(&lanes.reduce(&lanes.lift(&product)));
        let mut inverse = inverse.expect("no lane is zero");
        for (group, (point, (before, z, infinite))) in multiples.iter().zip(&products).enumerate().rev() {
            let (mut z_inverse, mut next, mut square, mut cube) = (one, one, one, one);
            lanes.mul(&inverse, L::as_factor(before), &mut z_inverse);
            lanes.mul(&inverse, L::as_factor(z), &mut next);
            inverse = next;
            lanes.square(&z_inverse, &mut square);
            lanes.mul(&square, L::as_factor(&z_inverse), &mut cube);
            let (mut x, mut y) = (one, one);
            lanes.mul(&point[0], L::as_factor(&square), &mut x);
            lanes.mul(&point[1], L::as_factor(&cube), &mut y);
            let x = lanes.select(*infinite, &lanes.reduce(&lanes.lift(&x)), &zero);
            let y = lanes.select(*infinite, &lanes.reduce(&lanes.lift(&y)), &zero);
            let targets =
                std::array::from_fn(|lane| to.wrapping_add((group * L::LANES + lane).min(len - 1)).cast());
            // SAFETY: `append` vouches for the pointers. Lanes without a point repeat the last point.
            unsafe { store(lanes, [&x, &y], targets) };
        }
        vanished
    }
}
