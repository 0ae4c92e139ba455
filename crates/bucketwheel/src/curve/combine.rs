//! Combines the sums of each window by bit into the sum of an MSM.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;

use super::{endomorphism, from_coordinates, projective, to_coordinates, CoordinateField, Curve};
use crate::engine::buckets::BitSums;
use crate::windows::Windows;
use crate::Backend;

/// `sum_s 2^start(s) (total_s + sum_k 2^k bit_(s,k))` over the sets s of buckets. Sums of a scalar's second part count for their
/// images, sums of its third part for the images of these, and so on.
pub(crate) fn combine<C: Curve>(
    parts: &[BitSums<<C::BaseField as CoordinateField>::Words>],
    windows: Windows,
    backend: Backend,
) -> Projective<C> {
    let points_at = |position| {
        let window = windows.containing(position);
        let bit = (position - windows.start(window)) as usize;
        let points = parts.iter().enumerate().flat_map(|(part, sets)| {
            let total = sets[window][0].filter(|_| bit == 0);
            let bit_sum = sets[window].get(bit + 1).copied().flatten();
            let image = move |point| (0..part).fold(point, |point, _| image::<C>(point));
            total.into_iter().chain(bit_sum).map(move |sum| image(from_coordinates::<C>(&sum)))
        });
        points.filter(|point| !point.is_zero()).map(|point| to_coordinates(&point)).collect()
    };
    projective(&C::BaseField::horner(backend, C::COEFF_A, windows.step(), &points_at))
}

/// Returns the image of a point under the curve's endomorphism.
///
/// # Panics
/// If the curve has no known endomorphism.
fn image<C: Curve>(point: Affine<C>) -> Affine<C> {
    let beta = endomorphism::<C>().expect("the curve has an endomorphism").beta;
    point.xy().map_or(point, |(x, y)| Affine::new_unchecked(x * beta, y))
}
