//! arkworks: products and squares in its fields, additions to its projective
//! (Jacobian) points.

use super::line::{FEW, Kernel, Line, rotated};
use super::sampling::Cost;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, Field};

pub fn kernel<C: SWCurveConfig>(points: &[Affine<C>], seconds: f64) -> Kernel {
    let (x, y): (Vec<_>, Vec<_>) = points.iter().map(|point| (point.x, point.y)).unzip();
    let zero = C::BaseField::ZERO;
    Kernel {
        product: Cost::pairwise(&x, &y, zero, seconds, |a, b, out| *out = *a * b),
        square: Cost::pairwise(&x, &y, zero, seconds, |a, _, out| *out = a.square()),
    }
}

pub fn additions<C: SWCurveConfig>(points: &[Affine<C>], seconds: f64) -> Vec<Line> {
    let points = &points[..FEW];
    let neighbours = points.iter().zip(rotated(points, 1));
    let sums: Vec<Projective<C>> = neighbours.map(|(&left, right)| left + right).collect();
    let zero = Projective::ZERO;
    let mixed = Cost::pairwise(&sums, &rotated(points, 2), zero, seconds, |a, b, out| *out = *a + b);
    let full = Cost::pairwise(&sums, &rotated(&sums, 2), zero, seconds, |a, b, out| *out = *a + b);
    vec![Line::new("arkworks", "jacobian mixed", mixed), Line::new("arkworks", "jacobian full", full)]
}
