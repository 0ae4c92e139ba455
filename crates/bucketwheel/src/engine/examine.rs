//! Tests in lanes that points satisfy the curve's equation, and that their images are their multiples by the eigenvalue
//! (curve/check.rs).

use bucketwheel_lanes::{each, LaneField, OutOfLine, MAX_LANES};

use crate::engine::at_rest::Coordinates;
use crate::engine::jacobian::{differences, multiple, Jacobian};
use crate::Error;

/// Fault of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The point does not satisfy the equation.
    Curve,
    /// The point lies outside of the subgroup.
    Subgroup,
}

impl Failure {
    /// Returns the error for point `index`.
    pub(crate) fn error(self, index: usize) -> Error {
        match self {
            Failure::Curve => Error::NotOnCurve { index },
            Failure::Subgroup => Error::NotInSubgroup { index },
        }
    }
}

/// Finite points to be examined.
pub struct Examination<'a, W> {
    pub(crate) a: Option<W>,
    pub(crate) b: W,
    pub(crate) points: &'a [Coordinates<W>],
    /// The points' images and the eigenvalue, if membership of the subgroup is in question.
    pub(crate) images: Option<(&'a [Coordinates<W>], &'a [i8])>,
}

/// Examines the points in lanes.
pub(crate) fn examine<L: LaneField>(
    lanes: L,
    examination: &Examination<'_, L::Words>,
) -> Option<(usize, Failure)> {
    Examine { lanes: OutOfLine::of(lanes), examination }.run()
}

struct Examine<'a, L: LaneField> {
    lanes: OutOfLine<L>,
    examination: &'a Examination<'a, L::Words>,
}

impl<L: LaneField> Examine<'_, L> {
    /// Takes a point per lane at a time. Lanes without a point repeat the last point.
    fn run(self) -> Option<(usize, Failure)> {
        let Examine { lanes, examination: curve } = self;
        let constants = (curve.a.map(|a| lanes.splat(a)), lanes.splat(curve.b));
        let mut first = 0;
        while first < curve.points.len() {
            let point = load(lanes, curve.points, first);
            let on_curve = satisfied(lanes, &point, &constants);
            let in_subgroup = match curve.images {
                None => u32::MAX,
                Some((images, eigenvalue)) => {
                    equals(lanes, &multiple(lanes, &point, eigenvalue), &load(lanes, images, first))
                }
            };
            let failed = !(on_curve & in_subgroup) & u32::MAX >> (32 - L::LANES);
            if failed != 0 {
                let lane = failed.trailing_zeros();
                let failure = if on_curve >> lane & 1 == 0 { Failure::Curve } else { Failure::Subgroup };
                return Some((first + lane as usize, failure));
            }
            first += L::LANES;
        }
        None
    }
}

/// Returns the lanes in which `y^2 = x^3 + a x + b`.
fn satisfied<L: LaneField>(lanes: L, [x, y]: &[L::Vec; 2], (a, b): &(Option<L::Vec>, L::Vec)) -> u32 {
    let (mut right, mut left, mut cube) = (*x, *y, *x);
    lanes.square(x, &mut right);
    if let Some(a) = a {
        right = lanes.reduce(&lanes.add(&lanes.lift(&right), &lanes.lift(a)));
    }
    lanes.mul(&right, L::as_factor(x), &mut cube);
    lanes.square(y, &mut left);
    let cube = lanes.reduce(&lanes.lift(&cube));
    let right = lanes.add(&lanes.lift(&cube), &lanes.lift(b));
    lanes.zero_lanes(&lanes.reduce(&lanes.sub(&lanes.lift(&left), &right)))
}

/// Loads one point per lane.
fn load<L: LaneField>(lanes: L, points: &[Coordinates<L::Words>], first: usize) -> [L::Vec; 2] {
    let last = points.len() - 1;
    each!(|i| {
        let words: [L::Words; MAX_LANES] =
            each!(|lane| points[if first + lane < last { first + lane } else { last }][i]);
        lanes.encode(&words)
    })
}

/// Returns the lanes in which the two points are the same, and finite.
fn equals<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: &[L::Vec; 2]) -> u32 {
    let [x, y] = differences(lanes, [x1, y1, z1], [x2, y2]);
    lanes.zero_lanes(&x) & lanes.zero_lanes(&y) & !lanes.zero_lanes(&lanes.reduce(&lanes.lift(z1)))
}
