//! From the sums of each window by bit to the sum.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::Zero;

use super::{endomorphism, from_coordinates, CoordinateField, Curve};
use crate::engine::buckets::BitSums;
use crate::windows::Windows;

/// `sum_s 2^start(s) (total_s + sum_k 2^k bit_(s,k))` over the sets s of buckets. As many sets again are those of second
/// halves, and count as their images.
pub(crate) fn combine<C: Curve>(
    sums: &BitSums<<C::BaseField as CoordinateField>::Words>,
    windows: Windows,
) -> Projective<C> {
    horner(windows.step(), |position| {
        let window = windows.containing(position);
        let bit = (position - windows.start(window)) as usize;
        let points = |sets: &[Vec<Option<_>>]| {
            let total = sets[window][0].filter(|_| bit == 0);
            let bit_sum = sets[window].get(bit + 1).copied().flatten();
            total.into_iter().chain(bit_sum).map(|sum| from_coordinates::<C>(&sum))
        };
        let (sets, images) = sums.split_at(windows.sets());
        let images = (!images.is_empty()).then(|| points(images).map(image::<C>));
        points(sets).chain(images.into_iter().flatten()).collect()
    })
}

/// The image of a point under the curve's endomorphism.
///
/// # Panics
/// If none is known.
fn image<C: Curve>(point: Affine<C>) -> Affine<C> {
    let beta = endomorphism::<C>().expect("the curve has an endomorphism").beta;
    point.xy().map_or(point, |(x, y)| Affine::new_unchecked(x * beta, y))
}

/// Double-and-add over points at descending bit positions: `sum 2^position point`.
fn horner<C: Curve>(bits: u32, points_at: impl Fn(u32) -> Vec<Affine<C>>) -> Projective<C> {
    let mut sum = Projective::<C>::zero();
    for position in (0..bits).rev() {
        sum.double_in_place();
        for point in points_at(position) {
            sum += point;
        }
    }
    sum
}
