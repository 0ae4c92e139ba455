//! The addition laws for a = -(1 + 2 n) with a small n: the laws for a = -1, and n times `4 X1 X2` if n is not 0.
//!
//! Hisil, Wong, Carter and Dawson, "Twisted Edwards Curves Revisited" (ASIACRYPT 2008), write all these laws as
//! `X3 = E F, Y3 = G H, T3 = E H, Z3 = F G`, so that x is E / G and y is H / F.

use bucketwheel_lanes::{each, LaneField};

use super::{product, Constants, LaneCoordinates, SidePoints, D, T, Z};
use crate::engine::adder::Reduced;

/// An addition law.
pub trait Law: Copy + Send + Sync + 'static {
    /// The coordinates of a point that the law reads.
    const COORDINATES: [usize; 3];

    /// Returns the sums of a group, reduced.
    ///
    /// # Safety
    /// - The addresses of both sides are valid for reads, and aligned.
    unsafe fn add<L: LaneField>(
        left: &SidePoints<'_, L>,
        right: &SidePoints<'_, L>,
        constants: &Constants<L>,
    ) -> [L::Sum; 4];
}

/// The dedicated law (section 3.2), which does not use d: 6 products for two points, 7 for a sum and a point, 8 for two
/// sums, and one more if a is not -1. In the subgroup of odd prime order, the law fails for equal summands only, and Z
/// is 0 then. Each group of lanes looks for a Z of 0 and doubles the points of these lanes (section 3.3).
#[derive(Clone, Copy, Debug)]
pub struct Dedicated;

impl Law for Dedicated {
    const COORDINATES: [usize; 3] = [0, 1, T];

    #[inline(always)]
    unsafe fn add<L: LaneField>(
        left: &SidePoints<'_, L>,
        right: &SidePoints<'_, L>,
        constants: &Constants<L>,
    ) -> [L::Sum; 4] {
        // SAFETY: the caller vouches for the addresses of both sides.
        unsafe {
            let lanes = left.lanes;
            let mut f = product(lanes, &left.load(0), L::as_factor(&right.load(1)));
            let mut g = product(lanes, &left.load(1), L::as_factor(&right.load(0)));
            let (t1, t2) = (left.load_odd(T), right.load_odd(T));
            let mut h = match left.is_affine() {
                true => t2,
                false => product(lanes, &left.load_z(), &lanes.factor(&t2)),
            };
            let mut e = match right.is_affine() {
                true => t1,
                false => product(lanes, &right.load_z(), &lanes.factor(&t1)),
            };
            // B + A and B - A; D + C and D - C.
            lanes.sum_difference(&mut g, &mut f);
            lanes.sum_difference(&mut e, &mut h);
            let mut g = lanes.reduce(&g);
            if constants.excess > 0 {
                g = lanes.reduce(&lanes.sub(&lanes.lift(&g), &excess(left, right, constants.excess)));
            }
            let sum = finish(lanes, &e, &lanes.factor(&f), &g, &lanes.factor(&h));
            let equal = lanes.zero_lanes(&lanes.vector(&sum[Z]));
            if equal == 0 {
                return sum;
            }
            let doubled = double(lanes, &left.load_all(), constants.excess);
            each!(|i| lanes.lift(&lanes.select(equal, &lanes.vector(&sum[i]), &doubled[i])))
        }
    }
}

/// The unified law (section 3.1), which also holds for P + P, with EdMSM's points that store a product by d: 7 products
/// for two points and for a sum and a point, 9 for two sums, and one more if a is not -1.
#[derive(Clone, Copy, Debug)]
pub struct Unified;

impl Law for Unified {
    const COORDINATES: [usize; 3] = [0, 1, D];

    #[inline(always)]
    unsafe fn add<L: LaneField>(
        left: &SidePoints<'_, L>,
        right: &SidePoints<'_, L>,
        constants: &Constants<L>,
    ) -> [L::Sum; 4] {
        // SAFETY: the caller vouches for the addresses of both sides.
        unsafe {
            let lanes = left.lanes;
            let mut e = product(lanes, &left.load(0), L::as_factor(&right.load(0)));
            let mut h = product(lanes, &left.load(1), L::as_factor(&right.load(1)));
            // B + A and B - A.
            lanes.sum_difference(&mut h, &mut e);
            if constants.excess > 0 {
                h = lanes.add(&lanes.reduce_sum(&h), &excess(left, right, constants.excess));
            }
            // C = 2 d T1 T2, from 2 T1 and d t2 or 2 T2.
            let t1 = left.load_t();
            let mut c = t1;
            if right.is_affine() {
                lanes.mul(&t1, &lanes.factor(&right.load_odd(D)), &mut c);
            } else {
                let mut t = t1;
                lanes.mul(&t1, &lanes.factor(&right.load_odd(T)), &mut t);
                lanes.mul(&constants.half_d, L::as_factor(&t), &mut c);
            }
            // D = 2 Z1 Z2
            let z = match right.is_affine() {
                true => lanes.lift(&left.load_z()),
                false => product(lanes, &left.load_z(), L::as_factor(&right.load_z())),
            };
            let mut g = lanes.reduce_sum(&lanes.add(&z, &z));
            let mut f = lanes.lift(&c);
            // D + C and D - C.
            lanes.sum_difference(&mut g, &mut f);
            finish(lanes, &e, &lanes.factor(&f), &lanes.reduce(&g), &lanes.factor(&h))
        }
    }
}

/// Returns `4 n X1 X2`, reduced. Subtracted from `2 (Y1 Y2 - X1 X2)`, it makes `2 (Y1 Y2 + a X1 X2)`; added to
/// `2 (Y1 Y2 + X1 X2)`, it makes `2 (Y1 Y2 - a X1 X2)`, with a = -(1 + 2 n).
///
/// # Safety
/// - The addresses of both sides are valid for reads, and aligned.
#[inline(always)]
unsafe fn excess<L: LaneField>(left: &SidePoints<'_, L>, right: &SidePoints<'_, L>, n: u32) -> L::Sum {
    // SAFETY: the caller vouches for the addresses of both sides.
    unsafe {
        let lanes = left.lanes;
        let x1 = lanes.reduce(&lanes.sub(&lanes.lift(&left.load(1)), &lanes.lift(&left.load(0))));
        let x1_x2 = lanes.reduce_sum(&product(lanes, &x1, &right.load_twice_x()));
        let mut sum = x1_x2;
        for _ in 1..n {
            sum = lanes.reduce_sum(&lanes.add(&sum, &x1_x2));
        }
        sum
    }
}

/// Returns the sum whose x is E / G and whose y is H / F, reduced. E is a sum of two terms.
#[inline(always)]
fn finish<L: LaneField>(lanes: L, e: &L::Sum, f: &L::Factor, g: &L::Vec, h: &L::Factor) -> [L::Sum; 4] {
    let e = lanes.reduce(e);
    let (mut x, mut y) = (product(lanes, &e, f), product(lanes, g, h));
    let (t, z) = (product(lanes, &e, h), product(lanes, g, f));
    lanes.sum_difference(&mut y, &mut x);
    let sum = [x, y, lanes.add(&t, &t), z];
    each!(|i| lanes.reduce_sum(&sum[i]))
}

/// Returns the double of points, all coordinates times 2: with M = Y - X and P = Y + X,
/// `E = P^2 - M^2`, `H = -(P^2 + M^2) - n (P - M)^2`, `G = 2 P M - n (P - M)^2`, `F = G - 4 Z^2`. Reduced.
#[inline(always)]
fn double<L: LaneField>(lanes: L, [m, p, _, z]: &LaneCoordinates<L>, n: u32) -> LaneCoordinates<L> {
    let r = Reduced(lanes);
    let twice = |v: &L::Vec| r.add(v, v);
    let (mm, pp) = (r.square(m), r.square(p));
    let (e, mut minus_h) = (r.sub(&pp, &mm), r.add(&pp, &mm));
    let mut g = twice(&r.mul(p, m));
    if n > 0 {
        let xx = r.square(&r.sub(p, m));
        for _ in 0..n {
            (minus_h, g) = (r.add(&minus_h, &xx), r.sub(&g, &xx));
        }
    }
    let f = r.sub(&g, &r.square(&twice(z)));
    let (x, minus_y) = (r.mul(&e, &f), r.mul(&g, &minus_h));
    let minus_t = twice(&r.mul(&e, &minus_h));
    let zero = r.zero();
    [r.sub(&zero, &r.add(&minus_y, &x)), r.sub(&x, &minus_y), r.sub(&zero, &minus_t), r.mul(&f, &g)]
}
