//! blst: products and squares in the fields of BLS12-381, additions to its
//! Jacobian points.

use super::line::{FEW, Kernel, Line, rotated};
use super::sampling::Cost;
use crate::inputs::AnyInput;
use crate::peers::blst::points;
use blst::*;

/// `None` for other curves.
pub fn kernel(input: AnyInput, seconds: f64) -> Option<Kernel> {
    match input {
        AnyInput::Bls12_381G1(input) => Some(g1::kernel(&points::<blst_p1, _>(input.points), seconds)),
        AnyInput::Bls12_381G2(input) => Some(g2::kernel(&points::<blst_p2, _>(input.points), seconds)),
        _ => None,
    }
}

/// Nothing for other curves.
pub fn additions(input: AnyInput, seconds: f64) -> Vec<Line> {
    match input {
        AnyInput::Bls12_381G1(input) => g1::additions(&points::<blst_p1, _>(&input.points[..FEW]), seconds),
        AnyInput::Bls12_381G2(input) => g2::additions(&points::<blst_p2, _>(&input.points[..FEW]), seconds),
        _ => Vec::new(),
    }
}

macro_rules! group {
    (
        $name:ident, $point:ident, $affine:ident, $field:ident, $mul:ident, $square:ident,
        $from_affine:ident, $add_mixed:ident, $add_full:ident
    ) => {
        mod $name {
            use super::*;

            pub fn kernel(points: &[$affine], seconds: f64) -> Kernel {
                let (x, y): (Vec<_>, Vec<_>) = points.iter().map(|point| (point.x, point.y)).unzip();
                let zero = $field::default();
                // SAFETY: all pointers refer to initialised elements of their type.
                let product = |a: &$field, b: &$field, out: &mut $field| unsafe { $mul(out, a, b) };
                // SAFETY: all pointers refer to initialised elements of their type.
                let square = |a: &$field, _: &$field, out: &mut $field| unsafe { $square(out, a) };
                Kernel {
                    product: Cost::pairwise(&x, &y, zero, seconds, product),
                    square: Cost::pairwise(&x, &y, zero, seconds, square),
                }
            }

            pub fn additions(points: &[$affine], seconds: f64) -> Vec<Line> {
                let zero = $point::default();
                // SAFETY: all pointers refer to initialised points of their type.
                let mixed = |a: &$point, b: &$affine, out: &mut $point| unsafe { $add_mixed(out, a, b) };
                // SAFETY: all pointers refer to initialised points of their type.
                let full = |a: &$point, b: &$point, out: &mut $point| unsafe { $add_full(out, a, b) };
                let neighbours = |(left, right): (&$affine, &$affine)| {
                    let (mut point, mut sum) = (zero, zero);
                    // SAFETY: all pointers refer to initialised points of their type.
                    unsafe { $from_affine(&mut point, left) };
                    mixed(&point, right, &mut sum);
                    sum
                };
                let sums: Vec<$point> = points.iter().zip(&rotated(points, 1)).map(neighbours).collect();
                let mixed = Cost::pairwise(&sums, &rotated(points, 2), zero, seconds, mixed);
                let full = Cost::pairwise(&sums, &rotated(&sums, 2), zero, seconds, full);
                vec![Line::new("blst", "jacobian mixed", mixed), Line::new("blst", "jacobian full", full)]
            }
        }
    };
}
group!(
    g1,
    blst_p1,
    blst_p1_affine,
    blst_fp,
    blst_fp_mul,
    blst_fp_sqr,
    blst_p1_from_affine,
    blst_p1_add_or_double_affine,
    blst_p1_add_or_double
);
group!(
    g2,
    blst_p2,
    blst_p2_affine,
    blst_fp2,
    blst_fp2_mul,
    blst_fp2_sqr,
    blst_p2_from_affine,
    blst_p2_add_or_double_affine,
    blst_p2_add_or_double
);
