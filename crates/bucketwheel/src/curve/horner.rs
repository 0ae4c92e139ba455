//! Horner's rule over points, in Jacobian coordinates.

use ark_ff::Field;

/// Returns `sum 2^position point` over the affine points at each position below `bits`, by double-and-add, in Jacobian
/// coordinates, on the curve with this coefficient a. Z is 0 for the point at infinity. Compiled for each field once
/// ([`CoordinateField::horner`](super::CoordinateField::horner)).
pub(crate) fn horner<F: Field>(a: F, bits: u32, points_at: &dyn Fn(u32) -> Vec<[F; 2]>) -> [F; 3] {
    let mut sum = [F::ONE, F::ONE, F::ZERO];
    for position in (0..bits).rev() {
        sum = double(a, sum);
        for point in points_at(position) {
            sum = add(a, sum, point);
        }
    }
    sum
}

/// Doubles a point by dbl-2007-bl of the Explicit-Formulas Database. The point at infinity stays at infinity.
pub(super) fn double<F: Field>(a: F, [x, y, z]: [F; 3]) -> [F; 3] {
    if z.is_zero() {
        return [x, y, z];
    }
    let (xx, yy) = (x.square(), y.square());
    let s = (x * yy).double().double();
    let mut slope = xx.double() + xx;
    if !a.is_zero() {
        slope += a * z.square().square();
    }
    let x3 = slope.square() - s.double();
    let y3 = slope * (s - x3) - yy.square().double().double().double();
    [x3, y3, (y * z).double()]
}

/// Returns the sum by madd-2007-bl, and by other formulas for its exceptions: the point at infinity, a doubling, and the sum of
/// a point and its negative.
pub(super) fn add<F: Field>(a: F, [x1, y1, z1]: [F; 3], [x2, y2]: [F; 2]) -> [F; 3] {
    if z1.is_zero() {
        return [x2, y2, F::ONE];
    }
    let zz = z1.square();
    let (h, slope) = (x2 * zz - x1, y2 * zz * z1 - y1);
    if h.is_zero() {
        return match slope.is_zero() {
            true => double(a, [x1, y1, z1]),
            false => [F::ONE, F::ONE, F::ZERO],
        };
    }
    let hh = h.square();
    let (hhh, v) = (h * hh, x1 * hh);
    let x3 = slope.square() - hhh - v.double();
    // Two products with one reduction.
    [x3, F::sum_of_products(&[slope, -y1], &[v - x3, hhh]), z1 * h]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
    use ark_ec::{AffineRepr, CurveGroup};
    use ark_ff::Zero;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Uses few small multiples of a point, so that sums and points meet, are opposite, and vanish.
    fn sums_are_those_of_arkworks<C: SWCurveConfig>() {
        let rng = &mut StdRng::seed_from_u64(1);
        for bits in 0..200 {
            let bits = bits % 7;
            let multiple = |k: i64| match k {
                0.. => Projective::<C>::from(C::GENERATOR) * C::ScalarField::from(k as u64),
                _ => -(Projective::<C>::from(C::GENERATOR) * C::ScalarField::from(k.unsigned_abs())),
            };
            let points: Vec<Vec<Affine<C>>> = (0..bits)
                .map(|_| {
                    (0..rng.gen_range(0..4)).map(|_| multiple(rng.gen_range(-2..=2)).into_affine()).collect()
                })
                .collect();
            let expected = (0..bits as usize).rev().fold(Projective::<C>::zero(), |sum, position| {
                sum + sum
                    + points[position].iter().map(|&point| Projective::from(point)).sum::<Projective<C>>()
            });
            let points_at = |position: u32| {
                points[position as usize].iter().filter_map(|point| point.xy().map(|(x, y)| [x, y])).collect()
            };
            let [x, y, z] = horner(C::COEFF_A, bits, &points_at);
            assert_eq!(Projective::<C>::new_unchecked(x, y, z), expected);
        }
    }

    #[test]
    fn horner_meets_exceptions() {
        sums_are_those_of_arkworks::<ark_bn254::g1::Config>();
        sums_are_those_of_arkworks::<ark_bls12_381::g2::Config>();
        // This curve has a coefficient a that is not 0.
        sums_are_those_of_arkworks::<ark_ed_on_bls12_381::JubjubConfig>();
    }
}
