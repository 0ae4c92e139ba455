//! Elements that a model adds: points, or nothing.

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ec::twisted_edwards::{self, TECurveConfig};
use ark_ec::AdditiveGroup;

/// The points of a model. With points of a curve, the model computes sums. With `()`, which only says that there is a
/// point, the model is fast.
pub trait Group: Copy + Send + Sync {
    /// Returns infinity, the content of an empty bucket.
    const ZERO: Self;

    /// Returns the sum. Complete: works for any two points.
    fn plus(self, other: Self) -> Self;

    /// Returns the inverse.
    fn negated(self) -> Self;

    /// Returns the point or its inverse.
    #[inline(always)]
    fn signed(self, negative: bool) -> Self {
        if negative {
            self.negated()
        } else {
            self
        }
    }
}

impl Group for () {
    const ZERO: Self = ();

    #[inline(always)]
    fn plus(self, _: Self) -> Self {}

    #[inline(always)]
    fn negated(self) -> Self {}
}

impl<C: SWCurveConfig> Group for Projective<C> {
    const ZERO: Self = <Self as AdditiveGroup>::ZERO;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn negated(self) -> Self {
        -self
    }
}

impl<C: TECurveConfig> Group for twisted_edwards::Projective<C> {
    const ZERO: Self = <Self as AdditiveGroup>::ZERO;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn negated(self) -> Self {
        -self
    }
}

/// Returns `sum 2^(c j) R_j` for windows of `width` bits, c, by Horner's rule from the last window on. The hosts of
/// the designs compute it.
pub fn combine<G: Group>(windows: &[G], width: u32) -> G {
    windows.iter().rev().fold(G::ZERO, |sum, &window| {
        let shifted = (0..width).fold(sum, |sum, _| sum.plus(sum));
        shifted.plus(window)
    })
}
