//! Combines the sums of each window by bit into the sum of an MSM.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;

use super::{endomorphism, from_coordinates, CoordinateField, Curve};
use crate::engine::buckets::BitSums;
use crate::windows::Windows;

/// Returns `sum_s 2^start(s) (total_s + sum_k 2^k bit_(s,k))` over the sets s of buckets. If a second list of sets
/// follows, one set for each s, it belongs to second halves of scalars: the images of its sums count.
pub(crate) fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    windows: Windows,
) -> Projective<C> {
    let points_at = |position| {
        let window = windows.containing(position);
        let bit = (position - windows.start(window)) as usize;
        let points = |sets: &[Vec<Option<_>>]| {
            let total = sets[window][0].filter(|_| bit == 0);
            let bit_sum = sets[window].get(bit + 1).copied().flatten();
            total.into_iter().chain(bit_sum).map(|sum| from_coordinates::<C>(&sum))
        };
        let (sets, images) = sums.split_at(windows.sets());
        let images = (!images.is_empty()).then(|| points(images).map(image::<C>));
        let affine = points(sets).chain(images.into_iter().flatten());
        affine.filter_map(|point| point.xy().map(|(x, y)| [x, y])).collect()
    };
    let [x, y, z] = C::BaseField::horner(C::COEFF_A, windows.step(), &points_at);
    Projective::new_unchecked(x, y, z)
}

/// Returns the image of a point under the curve's endomorphism.
///
/// # Panics
/// If the curve has no known endomorphism.
fn image<C: Curve>(point: Affine<C>) -> Affine<C> {
    let beta = endomorphism::<C>().expect("the curve has an endomorphism").beta;
    point.xy().map_or(point, |(x, y)| Affine::new_unchecked(x * beta, y))
}
