//! Checks of points in lanes: on the curve, and in its subgroup of prime order.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::Zero;

use super::membership::Membership;
use super::{known, to_coordinates, CoordinateField, Curve, Words};
use crate::engine::examine::{Examination, Failure};
use crate::engine::Engine;

/// Returns the first of these points that fails a check.
pub(crate) fn first_failure<C: Curve>(
    engine: &dyn Engine<Words<C>>,
    points: &[Affine<C>],
    subgroup: bool,
) -> Option<(usize, Failure)> {
    let finite = || points.iter().enumerate().filter(|(_, point)| !point.is_zero());
    let coordinates: Vec<_> = finite().map(|(_, point)| to_coordinates(point)).collect();
    let subgroup = subgroup && !C::cofactor_is_one();
    let test = known::<C>().and_then(|known| known.membership.as_ref()).filter(|_| subgroup);
    let image = |test: &Membership<_>, point: &Affine<C>| {
        test.image(&point.x, &point.y).map(|coordinate| coordinate.to_words())
    };
    let images: Vec<_> = test.iter().flat_map(|test| finite().map(|(_, point)| image(test, point))).collect();
    let examination = Examination {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        b: C::COEFF_B.to_words(),
        points: &coordinates,
        images: test.map(|test| (&images[..], &test.eigenvalue[..])),
    };
    let failure = engine.examine(&examination);
    if failure.is_none() && subgroup && test.is_none() {
        // The engine knows no test of this curve's subgroup.
        let mut outside = finite().filter(|(_, point)| !point.is_in_correct_subgroup_assuming_on_curve());
        return outside.next().map(|(index, _)| (index, Failure::Subgroup));
    }
    let index = |nth: usize| finite().nth(nth).expect("a point that was examined").0;
    failure.map(|(nth, failure)| (index(nth), failure))
}
