//! Horner's rule over points, in lanes: each lane has a sum of its own.

use bucketwheel_lanes::{each, LaneField, OutOfLine, MAX_LANES};

use crate::control::Control;
use crate::engine::at_rest::Coordinates;
use crate::engine::coefficients::Coefficients;
use crate::engine::jacobian::{add_by_differences, differences, double, Jacobian};
use crate::Error;

/// Sums of points by position, `sum 2^position point`.
pub struct Chains<'a, W> {
    /// Coefficients of the curve.
    pub curve: Coefficients<W>,
    /// Number of sums.
    pub count: usize,
    /// Bound of positions: all are below it.
    pub positions: u32,
    /// Point at a position of a sum, if there is one. It is finite.
    pub point: &'a (dyn Fn(usize, u32) -> Option<Coordinates<W>> + Sync),
    /// Threads and cancellation.
    pub control: &'a Control<'a>,
}

impl<W: Copy + Default + Send + Sync> Chains<'_, W> {
    /// Returns the sums in Jacobian coordinates, where Z is 0 for infinity. Costs a doubling (3M + 4S) for each position, and an
    /// addition (8M + 3S) for each position at which one of the lanes has a point.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn sums<L: LaneField<Words = W>>(&self, lanes: L) -> Result<Vec<[W; 3]>, Error> {
        let lanes = OutOfLine::of(lanes);
        let sums =
            self.control.map(self.count.div_ceil(L::LANES), |group| self.group(lanes, group * L::LANES))?;
        Ok(sums.into_iter().flatten().take(self.count).collect())
    }

    /// Returns the sums from `first` on, one for each lane.
    fn group<L: LaneField<Words = W>>(&self, lanes: OutOfLine<L>, first: usize) -> Vec<[W; 3]> {
        let a = self.curve.a.map(|a| lanes.splat(a));
        let one = lanes.one();
        let zero = lanes.reduce(&lanes.sub(&lanes.lift(&one), &lanes.lift(&one)));
        let lane_count = L::LANES.min(self.count - first);
        let mut sum: Jacobian<L> = [one, one, zero];
        let mut is_infinity = true;
        for position in (0..self.positions).rev() {
            if !is_infinity {
                sum = double(lanes, &sum, a.as_ref());
            }
            let (mut points, mut present) = ([Coordinates::<W>::default(); MAX_LANES], 0);
            for (lane, room) in points[..lane_count].iter_mut().enumerate() {
                if let Some(point) = (self.point)(first + lane, position) {
                    (*room, present) = (point, present | 1 << lane);
                }
            }
            if present != 0 {
                let [x, y]: [L::Vec; 2] = each!(|i| lanes.encode(&points.map(|point| point[i])));
                sum = add_where(lanes, present, &sum, [&x, &y], a.as_ref());
                is_infinity = false;
            }
        }
        let [x, y, z] = sum.map(|coordinate| lanes.decode(&lanes.reduce(&lanes.lift(&coordinate))));
        (0..lane_count).map(|lane| [x[lane], y[lane], z[lane]]).collect()
    }
}

/// Adds finite points to the sums in the lanes of a mask, and leaves the sums in other lanes. Any two points have a right sum, equal and
/// opposite points included.
fn add_where<L: LaneField>(
    lanes: OutOfLine<L>,
    mask: u32,
    sum: &Jacobian<L>,
    [x, y]: [&L::Vec; 2],
    a: Option<&L::Vec>,
) -> Jacobian<L> {
    let one = lanes.one();
    let infinite = mask & lanes.zero_lanes(&lanes.reduce(&lanes.lift(&sum[2])));
    let differences = differences(lanes, [&sum[0], &sum[1], &sum[2]], [x, y]);
    let same = mask & !infinite & lanes.zero_lanes(&differences[0]) & lanes.zero_lanes(&differences[1]);
    // The sum of a point and its opposite is no exception, since Z is 0 then.
    let added = add_by_differences(lanes, sum, &differences);
    let point = [*x, *y, one];
    let mut result: Jacobian<L> =
        each!(|i| lanes.select(infinite, &lanes.select(mask, &sum[i], &added[i]), &point[i]));
    if same != 0 {
        let doubled = double(lanes, sum, a);
        result = each!(|i| lanes.select(same, &result[i], &doubled[i]));
    }
    result
}
