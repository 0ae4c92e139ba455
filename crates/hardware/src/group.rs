//! Elements that a model adds: points, or nothing.

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ec::twisted_edwards::{self, TECurveConfig};
use ark_ec::AdditiveGroup;

/// The points of a model. With points of a curve, the model computes sums. With `()`, which only says that there is a
/// point, the model is fast.
///
/// ```
/// use ark_bn254::G1Projective;
/// use ark_ec::PrimeGroup;
/// use bucketwheel_hardware::Group;
///
/// let g = G1Projective::generator();
/// assert_eq!(g.plus(g.negated()), G1Projective::ZERO);
/// assert_eq!(g.plus(g).plus(g.signed(true)), g);
/// assert!(g.is_doubled_by(g) && !g.is_doubled_by(g.negated()));
/// ```
pub trait Group: Copy + Send + Sync {
    /// Infinity, the content of an empty bucket.
    const ZERO: Self;

    /// Returns the sum. Complete: works for any two points. The [example](Self) uses it.
    fn plus(self, other: Self) -> Self;

    /// Returns the inverse. The [example](Self) uses it.
    fn negated(self) -> Self;

    /// Returns true if the sum of the two points is a doubling, for which an affine adder has another formula. False
    /// where nothing is known about the points. The [example](Self) uses it.
    fn is_doubled_by(self, _: Self) -> bool {
        false
    }

    /// Returns the point or its inverse. The [example](Self) uses it.
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

    fn is_doubled_by(self, other: Self) -> bool {
        // A point that is its own inverse has infinity as its double.
        self == other && self != -self
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
///
/// The [example](crate::cyclone::Commands) uses it.
pub fn combine<G: Group>(windows: &[G], width: u32) -> G {
    windows.iter().rev().fold(G::ZERO, |sum, &window| {
        let shifted = (0..width).fold(sum, |sum, _| sum.plus(sum));
        shifted.plus(window)
    })
}
