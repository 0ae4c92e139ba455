//! Sums of few points: Straus' method in place of buckets.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;

use crate::curve::{endomorphism, CoordinateField, Curve};
use crate::digits::naf::naf;
use crate::scalars::Magnitudes;

/// Returns the sum over few points, or `None` if a small multiple of one of them is infinity.
///
/// `magnitudes` has one for each point, or the first halves of all points' scalars and then the second halves.
pub(crate) fn sum<C: Curve>(points: &[Affine<C>], magnitudes: &Magnitudes<'_>) -> Option<Projective<C>> {
    let n = points.len();
    let halves = magnitudes.len() / n.max(1);
    // A point at infinity is never used, because its scalar counts as 0.
    let used: Vec<usize> =
        (0..n).filter(|i| (0..halves).any(|half| magnitudes.bits(half * n + i) > 0)).collect();
    let affine: Vec<_> = used.iter().filter_map(|&i| points[i].xy()).map(|(x, y)| [x, y]).collect();
    let half = |half: usize| used.iter().map(move |&i| naf(magnitudes, half * n + i));
    let digits: Vec<Vec<i8>> = (0..halves).flat_map(half).collect();
    let beta = endomorphism::<C>().map_or(C::COEFF_A, |endomorphism| endomorphism.beta);
    let [x, y, z] = C::BaseField::straus(C::COEFF_A, beta, &affine, &digits)?;
    Some(Projective::new_unchecked(x, y, z))
}
