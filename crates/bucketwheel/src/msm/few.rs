//! Sums of few points: Straus' method in place of buckets.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::Field;

use crate::curve::quarters::{Quarters, QUARTERS};
use crate::curve::{endomorphism, known, projective, to_coordinates, CoordinateField, Curve};
use crate::digits::naf::{naf, WIDTH};
use crate::scalars::{MagnitudeLayout, Magnitudes, PARTS, PART_WORDS};
use crate::Backend;

/// Returns the sum over few points, or `None` if a small multiple of one of them is infinity. The lanes of `backend` would compute a
/// larger sum.
///
/// `magnitudes` are one for each point, or the first parts of all points' scalars, then the second ones, and so on.
pub(crate) fn sum<C: Curve>(
    points: &[Affine<C>],
    magnitudes: Magnitudes<'_>,
    backend: Backend,
) -> Option<Projective<C>> {
    let n = points.len();
    let known = known::<C>();
    let quarters = known.and_then(|known| known.quarters.as_ref()).filter(|_| magnitudes.len() == PARTS * n);
    let words;
    let (magnitudes, map) = match quarters {
        Some(quarters) => {
            words = split_again(quarters, &magnitudes);
            let layout = MagnitudeLayout { words: PART_WORDS, is_signed: true };
            (Magnitudes::new(&words, QUARTERS * n, layout), Some(quarters.map))
        }
        None => (magnitudes, endomorphism::<C>().map(|endomorphism| endomorphism.map())),
    };
    let parts = magnitudes.len() / n.max(1);
    // A point at infinity is never used, because its scalar counts as 0.
    let used: Vec<usize> =
        (0..n).filter(|i| (0..parts).any(|part| magnitudes.bits(part * n + i) > 0)).collect();
    let coordinates: Vec<_> = used.iter().map(|&i| to_coordinates(&points[i])).collect();
    let part = |part: usize| used.iter().map(move |&i| naf(&magnitudes, part * n + i, WIDTH));
    let digits: Vec<Vec<i8>> = (0..parts).flat_map(part).collect();
    let sum = C::BaseField::straus(backend, C::COEFF_A, map, &coordinates, &digits)?;
    Some(projective(&sum))
}

/// Returns the magnitudes of four parts of each scalar, from two parts.
fn split_again<F: Field>(quarters: &Quarters<F>, halves: &Magnitudes<'_>) -> Vec<u64> {
    let n = halves.len() / PARTS;
    let stride = QUARTERS * n;
    let mut words = vec![0; PART_WORDS * stride];
    for i in 0..n {
        let half =
            |index| u128::from(halves.bits_from(index, 64)) << 64 | u128::from(halves.bits_from(index, 0));
        let parts = quarters.parts([half(i) as i128, half(n + i) as i128]);
        for (part, value) in parts.into_iter().enumerate() {
            words[part * n + i] = value as u64;
            words[stride + part * n + i] = (value >> 64) as u64;
        }
    }
    words
}
